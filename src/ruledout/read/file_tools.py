"""Edit tools to changes of files: `Edit`, `Write`, `str_replace_editor`, `apply_patch` and their kin, told by the keys of their arguments."""

from collections.abc import Iterable, Iterator, Mapping

from ruledout.model.action import EditKind, Hunk
from ruledout.read import patch
from ruledout.read.arguments import COMMAND_KEYS, PATH_KEYS, first, mapping
from ruledout.read.patch import Change

_OLD = ("old_string", "old_str", "oldString", "oldText", "old_text", "search")
_NEW = ("new_string", "new_str", "newString", "newText", "new_text", "replace", "replacement", "insert_text", "text", "new_source")
_WHOLE = ("content", "file_text", "contents", "file_content", "code_edit", "new_source")
_PATCH = ("input", "patch", "patchText", "diff", "patch_text")


def changes(name: str, arguments: object, original: str | None) -> tuple[Change, ...]:
    """The changes of a call of an edit tool; empty where it only looks, or says nothing that can be read.

    `name` in lower case; `original` is the file before the call, where the session shows it.
    """
    given = mapping(arguments)
    verb = given.get("command")
    verb = verb.lower() if isinstance(verb, str) and len(verb) < 20 else ""
    if name in {"apply_patch", "applypatch", "patch", "apply_diff"} or (name not in {"write", "write_file"} and first(given, ("patch", "patchText"))):
        source = first(given, _PATCH) or first(given, COMMAND_KEYS) or ""
        return patch.changes(source) or _blocks(first(given, PATH_KEYS), source)
    if name == "file_change":
        return tuple(_listed(given.get("changes")))
    path = first(given, PATH_KEYS)
    if path is None or verb == "view":
        return ()
    if verb == "undo_edit":
        return (Change(path=path, kind=EditKind.RESTORE),)
    if "delete" in name or "remove" in name or verb == "delete":
        return (Change(path=path, kind=EditKind.DELETE),)
    return _of_file(path, given, verb or name, original)


def _listed(changes: object) -> Iterator[Change]:
    """Files that are only named, with what happened to each (`codex exec`)."""
    for row in changes if isinstance(changes, list) else []:
        if isinstance(row, dict) and isinstance(path := row.get("path"), str):
            yield Change(path=path, kind=EditKind.DELETE if row.get("kind") == "delete" else EditKind.OPAQUE)


def _of_file(path: str, given: Mapping[str, object], verb: str, original: str | None) -> tuple[Change, ...]:
    many = given.get("edits")
    if isinstance(many, list):
        hunks = tuple(hunk for item in many if isinstance(item, dict) for hunk in _hunk(item))
        return (Change(path=path, kind=EditKind.REPLACE, hunks=hunks),)
    whole = first(given, _WHOLE)
    if "insert" in verb:
        return (Change(path=path, kind=EditKind.REPLACE, hunks=(Hunk(added=patch.lines(first(given, _NEW) or whole or "")),)),)
    if first(given, _OLD) is None and whole is not None:
        if "append" in verb:
            return (Change(path=path, kind=EditKind.APPEND, hunks=(Hunk(added=patch.lines(whole)),)),)
        return (Change(path=path, kind=EditKind.WRITE, hunks=(Hunk(removed=patch.lines(original or ""), added=patch.lines(whole)),)),)
    blocks = _blocks(path, first(given, ("diff",)) or "")
    return blocks or (Change(path=path, kind=EditKind.REPLACE, hunks=tuple(_hunk(given))),)


def _hunk(given: Mapping[str, object]) -> Iterable[Hunk]:
    old, new = first(given, _OLD), first(given, _NEW)
    if old is None and new is None:
        return ()
    return (Hunk(removed=patch.lines(old or ""), added=patch.lines(new or "")),)


def _blocks(path: str | None, source: str) -> tuple[Change, ...]:
    """SEARCH/REPLACE blocks of one file."""
    if not path or "SEARCH" not in source:
        return ()
    hunks: list[Hunk] = []
    old: list[str] | None = None
    new: list[str] | None = None
    for row in patch.lines(source):
        if row.startswith("<<<<<") and row.rstrip().endswith("SEARCH"):
            old, new = [], None
        elif row.startswith("=====") and old is not None and new is None:
            new = []
        elif row.startswith(">>>>>") and row.rstrip().endswith("REPLACE") and old is not None and new is not None:
            hunks.append(Hunk(removed=tuple(old), added=tuple(new)))
            old = new = None
        elif old is not None:
            (old if new is None else new).append(row)
    return (Change(path=path, kind=EditKind.REPLACE, hunks=tuple(hunks)),) if hunks else ()
