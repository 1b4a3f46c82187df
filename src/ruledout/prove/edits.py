"""A dead end's edits laid on a tree, in memory: a new tree, or why they do not fit. Guesses nothing: text that stands twice, or nowhere, does not apply."""

from collections.abc import Mapping, Sequence

from ruledout.model.action import EditKind
from ruledout.model.attempt import BranchEdit
from ruledout.prove.git import LINK, SUBMODULE, Entry, Repository

_SLOT = "<secret:"
_SHOWN = 120


class DoesNotApplyError(Exception):
    """Edits that do not fit a tree; the message says which and why."""


def laid(repository: Repository, tree: str, edits: Sequence[BranchEdit]) -> str:
    """The id of the tree with all edits, in order. Raises `DoesNotApplyError`."""
    if not edits:
        raise DoesNotApplyError("the record does not tell all of what was changed")
    entries = dict(repository.entries(tree))
    for edit in edits:
        try:
            _lay(repository, entries, edit)
        except DoesNotApplyError as error:
            raise DoesNotApplyError(f"{edit.path[:_SHOWN]}: {error}") from None
    made = repository.put_tree(entries)
    if made == tree:
        raise DoesNotApplyError("the edits change nothing in this tree")
    return made


def _lay(repository: Repository, entries: dict[str, Entry], edit: BranchEdit) -> None:
    if any(_SLOT in line for line in (*edit.removed, *edit.added)):
        raise DoesNotApplyError("it held a secret, which was not kept")
    path = _found(entries, edit.path)
    entry = entries.get(path)
    if entry is not None and entry.mode in (LINK, SUBMODULE):
        raise DoesNotApplyError("it is a link or a submodule here")
    if edit.kind is EditKind.DELETE:
        if entry is None:
            raise DoesNotApplyError("there is no such file")
        del entries[path]
        return
    before = repository.blobs((entry.oid,))[entry.oid].decode("utf-8", "surrogateescape") if entry else None
    after = _changed(before, edit)
    entries[path] = Entry(entry.mode if entry else "100644", repository.put(after.encode("utf-8", "surrogateescape")))


def _found(entries: Mapping[str, Entry], path: str) -> str:
    """The path as the tree has it: as it is, or the only one that ends so (a session may have worked in a folder, or have said the whole path)."""
    steps = [step for step in path.replace("\\", "/").split("/") if step not in ("", ".")]
    if not steps or ".." in steps or ".git" in steps:
        raise DoesNotApplyError("the path leads out of the tree")
    plain = "/".join(steps)
    if plain in entries:
        return plain
    ends = [known for known in entries if known.endswith("/" + plain) or (path.startswith("/") and plain.endswith("/" + known))]
    if len(ends) == 1:
        return ends[0]
    if path.startswith("/") or ends:
        raise DoesNotApplyError("there is no one file that is meant")
    return plain


def _changed(before: str | None, edit: BranchEdit) -> str:
    """The file's new text. Line ends stay as the file has them."""
    new = "\n".join(edit.added)
    if edit.kind is EditKind.WRITE:
        return new if new.endswith("\n") or not new else new + "\n"
    if edit.kind is EditKind.APPEND:
        return (f"{before}\n" if before and not before.endswith("\n") else before or "") + new + "\n"
    if edit.kind is not EditKind.REPLACE:
        raise DoesNotApplyError("the session does not show what this edit did")
    old = "\n".join(edit.removed)
    crlf = before is not None and "\r\n" in before
    text = before.replace("\r\n", "\n") if before is not None and crlf else before
    if text is None or not old:
        raise DoesNotApplyError("there is no such file" if text is None else "it does not say where its lines go")
    times = text.count(old)
    if times != 1:
        raise DoesNotApplyError("its lines do not stand there" if not times else f"its lines stand there {times} times")
    text = text.replace(old, new)
    return text.replace("\n", "\r\n") if crlf else text
