"""What an edit would come to: the keys that it may be known by, and the text of the file behind it. Pure; the file's text is handed in."""

from ruledout import fingerprint
from ruledout.agents.event import DELETE, INSERT, REPLACE, WRITE, Change, rows
from ruledout.digest import short

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruledout.hot import Item


def produced(current: "str | None", change: Change) -> "str | None":
    """The file's text after the change; None where that cannot be told."""
    if change.kind == WRITE:
        return change.new
    if change.kind == DELETE:
        return ""
    if current is None or change.kind == INSERT or not change.old or change.old not in current:
        return None
    return current.replace(change.old, change.new) if change.every else current.replace(change.old, change.new, 1)


def keys(change: Change, names: "Sequence[str]", current: "str | None", *, safe: bool = False) -> "frozenset[str]":
    """The fingerprints that readers may have given this change. With `safe`, as they are after secrets are out: a key is over what was kept (R13)."""
    sides = [(rows(change.old), rows(change.new))]
    after = produced(current, change)
    if current is not None and after is not None:
        sides.append((rows(current), rows(after)))
    made = [(old, new) for old, new in sides if [line.rstrip() for line in old] != [line.rstrip() for line in new]]
    if safe:
        made = [(_safe(old), _safe(new)) for old, new in made]
    return frozenset(fingerprint.edit(name, old, new) for name in names for old, new in made)


def inverse(change: Change, names: "Sequence[str]") -> "frozenset[str]":
    """The fingerprints of taking this change back."""
    return frozenset(fingerprint.edit(name, rows(change.new), rows(change.old)) for name in names)


def comes_to(item: "Item", names: "Sequence[str]", current: str, after: str) -> bool:
    """Would the dead end's own edits, all of this file and made now, give the same text: the same act, however it is expressed."""
    edits = item.edits if isinstance(item.edits, list) else []
    text: str | None = current
    for edit in edits:
        if not (isinstance(edit, list) and len(edit) == 4 and edit[0] in names and isinstance(edit[2], list) and isinstance(edit[3], list)) or text is None:
            return False
        old, new = "\n".join(map(str, edit[2])), "\n".join(map(str, edit[3]))
        kind = WRITE if edit[1] == "write" else REPLACE
        text = produced(text, Change("", kind, old, new))
    return bool(edits) and text is not None and bare(text) == bare(after) and bare(after) != bare(current)


def bare(text: str) -> "list[str]":
    """Lines without white space at their ends."""
    return [line.rstrip() for line in rows(text.rstrip("\n"))]


def state(texts: "dict[str, str]") -> str:
    """One key over the texts of these files."""
    return short("\0".join(f"{path}\0{short(texts[path].encode('utf-8', 'replace'))}" for path in sorted(texts)).encode("utf-8", "replace"))


def _safe(lines: "list[str]") -> "list[str]":
    from ruledout import redact, text  # 8 ms that only those pay who ask about a known file and were not recognised

    return redact.redact(text.clean("\n".join(lines))).split("\n") if lines else []
