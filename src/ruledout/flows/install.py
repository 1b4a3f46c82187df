"""Into agents' settings: which files lack which entries, and what was written, each in the manifest first. One agent's bad file stops no other."""

import json
from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from ruledout.agents.settings import Added, Want, entries, syntax_of, toml_
from ruledout.agents.settings.entries import PROJECT, USER, Setup
from ruledout.errors import BadInput, Refused, RuledoutError
from ruledout.writes import Files, Row


class Asked(Struct, frozen=True, kw_only=True):
    """What to do: `agent` None is every one that is found; `project` is the work tree's top folder, None for the user's own settings."""

    agent: str | None = None
    project: str | None = None
    dry: bool = False
    windows: bool = False


class Target(Struct, frozen=True, kw_only=True):
    """One file of one agent in one scope, and what should stand in it. `below` is the folder under which no link is followed."""

    setup: Setup
    scope: str
    path: str
    below: str
    syntax: str
    command: str
    wants: tuple[Want, ...]


class Step(Struct, frozen=True, kw_only=True):
    """What came of one file. `state`: `written`, `would_write`, `there`, `restored`, `deleted`, `removed`, `gone`, or `refused` with slug, message and mend.

    `pointers` are the entries that it is about, `shown` the text that was put in.
    """

    agent: str
    title: str
    scope: str
    path: str
    state: str
    pointers: tuple[str, ...] = ()
    shown: str = ""
    slug: str = ""
    message: str = ""
    mend: str = ""
    note: str = ""


def init(files: Files, asked: Asked, front: str) -> tuple[Step, ...]:
    """Put our entries in. `front` is the text of the hook's front. Raises `Refused` (`no-agent`) where there is none, `BadInput` for an unknown agent."""
    found = targets(files, asked)
    if not found:
        where = "this project has no settings folder of an agent" if asked.project else "no agent's settings folder is here"
        raise Refused("no-agent", f"{where} (looked for {', '.join(one.title for one in entries.SETUPS.values())})", "name one with --agent NAME")
    files.rows()  # a damaged manifest is told before anything is written
    steps = tuple(_guarded(files, target, asked) for target in found)
    if not asked.dry and any(step.state in ("written", "there") for step in steps):
        files.lay_shim(front)
    return steps


def targets(files: Files, asked: Asked) -> tuple[Target, ...]:
    """The files that are asked about: of the agent that is named, or of all whose folder is there."""
    if asked.agent is not None and asked.agent not in entries.SETUPS:
        raise BadInput("unknown-agent", f"{asked.agent!a} is no agent that is known", f"name one of {', '.join(entries.SETUPS)}")
    setups = [setup for name, setup in entries.SETUPS.items() if asked.agent in (None, name)]
    made = [target(files, setup, asked.project, windows=asked.windows) for setup in setups if asked.agent or files.there(_home(files, setup, asked.project))]
    return tuple(made)


def target(files: Files, setup: Setup, project: str | None, *, windows: bool = False) -> Target:
    """One agent's file: for Codex the one of its two that holds hooks already, for it takes them from one only."""
    scope = USER if project is None else PROJECT
    folder = _home(files, setup, project)
    path = f"{folder}/{setup.user_file}" if project is None else f"{project}/{setup.project_file}"
    syntax = setup.syntax
    if setup.agent == "codex" and not files.there(path) and (held := files.read(f"{folder}/config.toml")):
        try:
            declared = toml_.has_hooks(decoded(held))
        except BadInput:
            declared = False
        path, syntax = (f"{folder}/config.toml", "toml") if declared else (path, syntax)
    command = entries.command(setup.agent, scope, files.shim(), windows=windows)
    wants = entries.wants(setup, scope, command, files.shim())
    return Target(setup=setup, scope=scope, path=path, below=project or folder, syntax=syntax, command=command, wants=wants)


def step(one: Target, state: str, **more: object) -> Step:
    """A step about this file."""
    return Step(agent=one.setup.agent, title=one.setup.title, scope=one.scope, path=one.path, state=state, **more)  # type: ignore[arg-type]  # fields of Step


def refused(one: Target, error: RuledoutError) -> Step:
    """A file that stays as it is."""
    return step(one, "refused", slug=error.slug, message=error.message, mend=error.mend)


def digest(data: bytes) -> str:
    """How the manifest names bytes."""
    return sha256(data).hexdigest()


def _home(files: Files, setup: Setup, project: str | None) -> str:
    return files.folder(setup.home) if project is None else f"{project}/{setup.project}"


def _guarded(files: Files, one: Target, asked: Asked) -> Step:
    try:
        return _put(files, one, dry=asked.dry)
    except RuledoutError as error:
        return refused(one, error)


def _put(files: Files, one: Target, *, dry: bool) -> Step:
    data = files.read(one.path)
    text = decoded(data or b"")
    lacking = syntax_of(one.syntax).missing(text, one.wants)
    pointers = tuple(dict.fromkeys(pointer(want) for want in lacking))
    if not lacking:
        return step(one, "there", note=one.setup.trust)
    added = syntax_of(one.syntax).add(text, one.wants)
    folders = files.check(one.path, one.below)
    after = added.text.encode()
    if not dry:
        row = _row(one, data, after, added, folders, pointers)
        files.keep(add=[row])
        try:
            files.write(one.path, data, after)
        except RuledoutError:
            files.keep(drop=[row])
            raise
    return step(one, "would_write" if dry else "written", pointers=pointers, shown=_shown(one, lacking, added), note=one.setup.trust)


def _row(one: Target, data: bytes | None, after: bytes, added: Added, folders: Sequence[str], pointers: tuple[str, ...]) -> Row:
    return Row(
        agent=one.setup.agent,
        scope=one.scope,
        path=one.path,
        syntax=one.syntax,
        before=None if data is None else digest(data),
        after=digest(after),
        spans=added.spans,
        made=added.made,
        folders=tuple(folders),
        commands=(one.command,),
        pointers=pointers,
    )


def pointer(want: Want) -> str:
    """Where an entry stands, as a JSON pointer."""
    return "/" + "/".join(want.pointer)


def _shown(one: Target, lacking: Sequence[Want], added: Added) -> str:
    """What goes in: in JSON each entry by its pointer, else the very text."""
    if one.syntax in ("json", "jsonc"):
        return "\n".join(f"{pointer(want)}{' +' if want.command else ''} {json.dumps(want.value, ensure_ascii=False)}" for want in lacking)
    return "".join(added.text[start : start + length] for start, length in added.spans)


def decoded(data: bytes) -> str:
    """The text of a settings file. Raises `BadInput` (`bad-agent-settings`) with the line of what is no UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput("bad-agent-settings", f"line {line}: this is no UTF-8", "save the file as UTF-8 and run this again; nothing was changed") from None
