"""Out of agents' settings: byte for byte as they were where nothing else changed, else exactly our own handlers. Records are never touched."""

from collections.abc import Iterator

from ruledout.agents.settings import entries, syntax_of, undone
from ruledout.agents.settings.entries import PROJECT, USER
from ruledout.errors import CannotRun, Refused, RuledoutError
from ruledout.flows.install import Asked, Step, Target, decoded, digest, refused, step, target
from ruledout.writes import Files, Row


def uninstall(files: Files, asked: Asked, scope: str | None) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """Take our entries out of every file of the manifest, and of the known places where it names none. The second value are paths of our own that are gone.

    `scope` None is both. `asked.project` is the work tree that we stand in, if any.
    """
    try:
        rows = files.rows()
    except CannotRun:
        rows = ()  # what is found by its command is taken out all the same
    wanted = [row for row in rows if asked.agent in (None, row.agent) and scope in (None, row.scope) and _here(row, asked, scope)]
    found = [(_of_row(files, path, wanted), [row for row in wanted if row.path == path]) for path in dict.fromkeys(row.path for row in wanted)]
    known = {row.path for row in rows}
    found += [(one, []) for one in _places(files, asked, scope) if one.path not in known]
    steps = tuple(came for one, own in found if (came := _guarded(files, one, own, dry=asked.dry)))
    if asked.dry or any(came.state == "refused" for came in steps):
        return steps, ()
    whole = asked.agent is None and scope is None
    return steps, files.leave() if whole or (wanted and len(wanted) == len(rows)) else ()


def _here(row: Row, asked: Asked, scope: str | None) -> bool:
    """With `--project`, only what stands in this project."""
    return scope != PROJECT or asked.project is None or row.path.startswith(f"{asked.project}/")


def _places(files: Files, asked: Asked, scope: str | None) -> Iterator[Target]:
    """The known files of agents, for entries that no manifest tells of."""
    for setup in (one for name, one in entries.SETUPS.items() if asked.agent in (None, name)):
        for project in [None] * (scope != PROJECT) + [asked.project] * (scope != USER and asked.project is not None):
            yield target(files, setup, project, windows=asked.windows)


def _of_row(files: Files, path: str, rows: list[Row]) -> Target:
    row = next(row for row in rows if row.path == path)
    setup = entries.SETUPS[row.agent] if row.agent in entries.SETUPS else next(iter(entries.SETUPS.values()))
    wants = entries.wants(setup, row.scope, row.commands[0] if row.commands else "", files.shim())
    below = path.removesuffix(f"/{setup.project_file}") if row.scope == PROJECT else path
    return Target(setup=setup, scope=row.scope, path=path, below=below, syntax=row.syntax, command=row.commands[0] if row.commands else "", wants=wants)


def _guarded(files: Files, one: Target, rows: list[Row], *, dry: bool) -> Step | None:
    try:
        return _out(files, one, rows, dry=dry)
    except RuledoutError as error:
        return refused(one, error) if rows or error.slug != "bad-agent-settings" else None  # others' bad files are no matter of ours


def _out(files: Files, one: Target, rows: list[Row], *, dry: bool) -> Step | None:
    """One file: back to its bytes step by step, or without our handlers. None where nothing of ours is in it, nor was."""
    data = files.read(one.path)
    text, left = _back(data, rows) if data is not None else ("", [])
    if left or not rows:
        text = _without(text if rows and left != rows else decoded(data or b""), one, rows)
    after = text.encode()
    if not rows and after == (data or b""):
        return None
    delete = data is not None and ((one.syntax == "whole" and not text) or (bool(rows) and rows[0].before is None and (not left or _bare(text))))
    if not dry and data is not None and (delete or after != data):
        files.check(one.path, one.below)
        if delete:
            files.remove(one.path, data, [folder for row in rows for folder in row.folders])
        else:
            files.write(one.path, data, after)
    if not dry and rows:
        files.keep(drop=rows)
    whole = bool(rows) and digest(after) == rows[0].before
    state = "gone" if data is None else "deleted" if delete else "restored" if whole else "removed"
    return step(one, state, pointers=tuple(dict.fromkeys(name for row in rows for name in row.pointers)))


def _back(data: bytes, rows: list[Row]) -> tuple[str, list[Row]]:
    """The text with the latest writes undone for as long as its bytes are what each left, and the writes that could not be undone so."""
    left = list(rows)
    while left and digest(data) == left[-1].after:
        text = undone(data.decode("utf-8"), left[-1].spans)
        if digest(text.encode()) != (left[-1].before or digest(b"")):
            break
        data = text.encode()
        left.pop()
    return data.decode("utf-8", "replace"), left


def _without(text: str, one: Target, rows: list[Row]) -> str:
    commands = frozenset(command for row in rows for command in row.commands) | {one.command}
    made = tuple(name for row in rows for name in row.made) if rows else None
    if one.syntax == "whole" and text and syntax_of(one.syntax).missing(text, one.wants):
        raise Refused("changed-plugin", f"{one.path} was changed since it was written", "delete it yourself if nothing in it is yours")
    return syntax_of(one.syntax).remove(text, commands, made)


def _bare(text: str) -> bool:
    return text.strip("\ufeff \t\r\n") in ("", "{}")
