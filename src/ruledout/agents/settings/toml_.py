"""TOML: our entries are arrays of tables at the very end of the text. What comes out is parsed again and compared, so that nothing else can have changed."""

import re
import tomllib

from ruledout.agents.settings import Added, Want, commands, ours, unreadable

_BY_HAND = "write the hooks of this file as [[hooks.EVENT]] tables, or move them to hooks.json; nothing was changed"


def add(text: str, wants: tuple[Want, ...]) -> Added:
    """As `Syntax.add` says."""
    lacking = missing(text, wants)
    if not lacking:
        return Added(text=text)
    newline = "\r\n" if "\r\n" in text else "\n"
    piece = "".join(f"\n{_block(want)}" for want in lacking).replace("\n", newline)
    piece = piece if not text.strip("\ufeff") or text.endswith("\n") else newline + piece
    piece = piece.removeprefix(newline) if not text.strip("\ufeff") else piece
    try:
        _parsed(text + piece)
        fine = not missing(text + piece, wants) and _without(_parsed(text + piece), _own(wants)) == _without(_parsed(text), _own(wants))
    except ValueError:
        fine = False
    if not fine:
        raise unreadable(text, len(text), "hooks stand in this file in a form that no more can be put to", _BY_HAND)
    return Added(text=text + piece, spans=((len(text), len(piece)),))


def missing(text: str, wants: tuple[Want, ...]) -> tuple[Want, ...]:
    """As `Syntax.missing` says."""
    held = _hooks(_checked(text))
    return tuple(want for want in wants if want.command not in (one for item in _listed(held.get(want.pointer[-1])) for one in commands(item)))


def remove(text: str, mine: frozenset[str], made: tuple[str, ...] | None) -> str:  # noqa: ARG001  # an array of tables leaves nothing empty behind
    """As `Syntax.remove` says. Only whole blocks as we write them are found, whatever their time-out and matcher are now."""
    before = _checked(text)
    left = text
    for command in sorted(mine):
        left = _pattern(command).sub("", left)
    try:
        fine = _parsed(left) == _without(before, mine)
    except ValueError:
        fine = False
    if not fine:
        raise unreadable(text, 0, "our tables could not be told from the others", "take the tables with `ruledout-hook` out by hand; nothing was changed")
    return left


def has_hooks(text: str) -> bool:
    """Does this file itself declare hooks (what Codex keeps of trust is none)."""
    return any(name != "state" for name in _hooks(_checked(text)))


def _block(want: Want) -> str:
    """A group and its one handler."""
    event = ".".join(want.pointer)
    group = want.value if isinstance(want.value, dict) else {}
    lines = [f"[[{event}]]", *(f"{key} = {_shown(value)}" for key, value in group.items() if key != "hooks")]
    for handler in _listed(group.get("hooks")):
        lines += [f"[[{event}.hooks]]", *(f"{key} = {_shown(value)}" for key, value in (handler.items() if isinstance(handler, dict) else ()))]
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)  # a JSON text or number is one of TOML too


def _pattern(command: str) -> "re.Pattern[str]":
    """A block of ours: a blank line before it, a header, plain keys, the handler's header, plain keys with our command among them."""
    plain = r"(?:[A-Za-z]+ = [^\r\n]*\r?\n)*"
    last = r"(?:[A-Za-z]+ = [^\r\n]*(?:\r?\n|\Z))*"
    heads = rf"^\[\[hooks\.(?P<event>[A-Za-z]+)\]\]\r?\n{plain}\[\[hooks\.(?P=event)\.hooks\]\]\r?\n"
    return re.compile(rf"(?:(?<=\n)\r?\n)?{heads}{plain}command = {re.escape(_shown(command))}(?:\r?\n|\Z){last}", re.MULTILINE)


def _checked(text: str) -> dict[str, object]:
    try:
        return _parsed(text)
    except ValueError as error:
        found = re.search(r"at line (\d+), column (\d+)", str(error))
        rows = text.split("\n")
        at = sum(len(row) + 1 for row in rows[: int(found[1]) - 1]) + int(found[2]) - 1 if found else len(text)
        raise unreadable(text, at, f"this is no TOML: {str(error).partition(' (')[0]}") from None


def _parsed(text: str) -> dict[str, object]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _hooks(values: dict[str, object]) -> dict[str, object]:
    held = values.get("hooks", {})
    return held if isinstance(held, dict) else {}


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _own(wants: tuple[Want, ...]) -> frozenset[str]:
    return frozenset(want.command for want in wants)


def _without(values: dict[str, object], mine: frozenset[str]) -> dict[str, object]:
    held = {name: [item for item in event if not ours(item, mine)] if isinstance(event, list) else event for name, event in _hooks(values).items()}
    left = {name: event for name, event in held.items() if event != []}
    rest = {key: value for key, value in values.items() if key != "hooks"}
    return {**rest, "hooks": left} if left else rest
