"""JSON with comments, edited where it stands: entries go in behind the last one, in the text's own indentation and line ends.

Comments stay with what they are about. What comes out is read again; anything else than what was asked is a refusal.
"""

import json
import re

from ruledout.agents.settings import Added, Want, commands, ours, tree, unreadable
from ruledout.agents.settings.layout import Style

LOOSE = True


def add(text: str, wants: tuple[Want, ...], *, loose: bool = LOOSE) -> Added:
    """As `Syntax.add` says. An empty text becomes a document of its own."""
    if tree.blank(text, loose=loose):
        return _whole(text, wants)
    before = tree.parse(text, loose=loose)
    _object(text, before, "")
    spans: list[tuple[int, int]] = []
    made: list[str] = []
    for want in missing(text, wants, loose=loose):
        pieces, fresh = _pieces(text, tree.parse(text, loose=loose), want)
        for at, piece in pieces:
            text = text[:at] + piece + text[at:]
            spans.append((at, len(piece)))
        made += fresh
    if missing(text, wants, loose=loose):
        raise unreadable(text, 0, "our entries could not be put in", "put them in by hand, as `--dry-run` shows them; nothing was changed")
    return Added(text=text, spans=tuple(spans), made=tuple(made))


def missing(text: str, wants: tuple[Want, ...], *, loose: bool = LOOSE) -> tuple[Want, ...]:
    """As `Syntax.missing` says."""
    if tree.blank(text, loose=loose):
        return wants
    root = tree.parse(text, loose=loose)
    return tuple(want for want in wants if not _there(text, root, want))


def remove(text: str, mine: frozenset[str], made: tuple[str, ...] | None, *, loose: bool = LOOSE) -> str:
    """As `Syntax.remove` says. What comes out is read again and compared: anything else than our handlers gone is a refusal."""
    if tree.blank(text, loose=loose):
        return text
    wanted = _without(tree.parse(text, loose=loose).plain(), mine, made)
    while (cut := _next_cut(tree.parse(text, loose=loose), mine, made)) is not None:
        text = _cut(text, *cut, loose=loose)
    if tree.parse(text, loose=loose).plain() != wanted:
        raise unreadable(text, 0, "our entries could not be told from the others", "take the entries with `ruledout-hook` out by hand; nothing was changed")
    return text


def _there(text: str, root: tree.Node, want: Want) -> bool:
    node: tree.Node | None = root
    for depth, key in enumerate(want.pointer):
        if node is None:
            return False
        _object(text, node, "/".join(want.pointer[:depth]))
        node = node.get(key)
    if node is None:
        return False
    if want.command:
        if node.parts is None or node.keys is not None:
            raise unreadable(text, node.start, f"{'.'.join(want.pointer)} is no list")
        return any(want.command in commands(item.plain()) for item in node.parts)
    if node.plain() != want.value:
        raise unreadable(text, node.start, f"{'.'.join(want.pointer)} is not {want.value}, the only one that is known")
    return True


def _object(text: str, node: tree.Node, name: str) -> None:
    if node.keys is None:
        raise unreadable(text, node.start, f"{name or 'the whole'} is no object")


def _whole(text: str, wants: tuple[Want, ...]) -> Added:
    """A document for a text that has none: behind whatever is there."""
    held: dict[str, object] = {}
    for want in wants:
        at = held
        for key in want.pointer[:-1]:
            inner = at.setdefault(key, {})
            at = inner if isinstance(inner, dict) else at
        if want.command:
            listed = at.setdefault(want.pointer[-1], [])
            if isinstance(listed, list):
                listed.append(want.value)
        else:
            at[want.pointer[-1]] = want.value
    newline = "\r\n" if "\r\n" in text else "\n"
    lead = newline if text and not text.endswith(("\n", "\ufeff")) else ""
    piece = lead + json.dumps(held, indent=2, ensure_ascii=False).replace("\n", newline) + newline
    made = tuple(sorted({"/" + "/".join(want.pointer[:end]) for want in wants for end in range(1, len(want.pointer) + 1)}))
    return Added(text=text + piece, spans=((len(text), len(piece)),), made=("", *made))


def _pieces(text: str, root: tree.Node, want: Want) -> tuple[list[tuple[int, str]], list[str]]:
    """Where what has to go in, in the order in which it must: and the pointers that are new."""
    node, depth = root, 0
    while depth < len(want.pointer) and (inner := node.get(want.pointer[depth])) is not None:
        node, depth = inner, depth + 1
    rest = want.pointer[depth:]
    value = [want.value] if want.command and rest else want.value
    for key in reversed(rest[1:]):
        value = {key: value}
    style = Style(text, root, node)
    piece = style.shown(value, rest[0] if rest else None)
    made = ["/" + "/".join(want.pointer[: depth + end]) for end in range(1, len(rest) + 1)]
    return style.placed(piece), made


def _next_cut(root: tree.Node, mine: frozenset[str], made: tuple[str, ...] | None) -> tuple[tree.Node, int] | None:
    """A container and the number of its entry that has to go: one of our handlers or groups, or what they left empty."""
    if root.keys is None:
        return None
    held = root.get("hooks")
    if held is None:
        return (root, 0) if root.keys == ["version"] and _version(made) else None
    events = list(zip(held.keys or (), held.parts or (), strict=True)) if held.keys is not None else []
    for number, (name, event) in enumerate(events):
        if found := _in_event(event, mine):
            return found
        if event.keys is None and event.parts == [] and _may(f"/hooks/{name}", made):
            return held, number
    if held.keys == [] and _may("/hooks", made):
        return root, (root.parts or []).index(held)
    return (root, root.keys.index("version")) if "version" in root.keys and _version(made) and not _may("/hooks", made) else None


def _in_event(event: tree.Node, mine: frozenset[str]) -> tuple[tree.Node, int] | None:
    for number, item in enumerate(event.parts or () if event.keys is None else ()):
        if ours(item.plain(), mine):
            return event, number
        inside = item.get("hooks") if item.keys is not None else None
        for place, handler in enumerate(inside.parts or () if inside and inside.keys is None else ()):
            if inside and ours(handler.plain(), mine):
                return inside, place
    return None


def _version(made: tuple[str, ...] | None) -> bool:
    """Did the version come with us. Where the hooks did too, and others' stand among them now, it stays for theirs."""
    return made is not None and "/version" in made


def _may(pointer: str, made: tuple[str, ...] | None) -> bool:
    return made is None or pointer in made


def _without(value: object, mine: frozenset[str], made: tuple[str, ...] | None) -> object:
    """The same on values: what a parser must find when our handlers are out."""
    if not isinstance(value, dict):
        return value
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        return value
    held: dict[str, object] = {}
    for name, event in hooks.items():
        if not isinstance(event, list):
            held[name] = event
            continue
        left = [_thinned(item, mine) for item in event if not ours(item, mine)]
        if left or not _may(f"/hooks/{name}", made):
            held[name] = left
    rest = {key: held if key == "hooks" else one for key, one in value.items() if key != "hooks" or held or not _may("/hooks", made)}
    if _version(made) and (list(rest) == ["version"] or ("hooks" in value and not _may("/hooks", made))):
        rest.pop("version", None)
    return rest


def _thinned(item: object, mine: frozenset[str]) -> object:
    inside = item.get("hooks") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(inside, list):
        return item
    return {**item, "hooks": [one for one in inside if not ours(one, mine)]}


def _cut(text: str, node: tree.Node, number: int, *, loose: bool) -> str:
    """The text without one entry and the comma that parts it from its neighbour."""
    parts = node.parts or []
    start, end = node.begins[number], parts[number].end
    if node.comma is not None or number + 1 < len(parts):
        after = node.comma if number + 1 == len(parts) else _comma(text, end, node.begins[number + 1], loose=loose)
        text = text[:after] + text[(after or 0) + 1 :]
    elif number:
        comma = _comma(text, parts[number - 1].end, start, loose=loose)
        text, start, end = text[:comma] + text[comma + 1 :], start - 1, end - 1
    bare = len(text[:start].rstrip(" \t\r\n"))
    opening = text.rfind("\n", 0, bare) + 1
    if loose and "//" in text[opening:bare] and "\n" not in text[end : end + 2] and (line := text.find("\n", bare, start)) >= 0:
        bare = line + 1  # the line end belongs to a comment
    rest = text[end:]
    return text[:bare] + (rest.lstrip(" \t\r\n") if bare == node.start + 1 and len(parts) == 1 else rest)


def _comma(text: str, start: int, end: int, *, loose: bool) -> int:
    """The comma between two entries; one in a comment is none."""
    hidden = re.sub(r"//[^\n]*|/\*.*?\*/", lambda found: " " * len(found[0]), text[start:end], flags=re.DOTALL) if loose else text[start:end]
    return start + hidden.index(",")
