"""The product side of a patch in pieces that can be taken out: hunks, and in them the statements that do not need each other.

Cuts only; it starts nothing and judges nothing. A piece is taken out by giving back what stood there before. Docs: `docs/decisions/0050-what-a-piece-is.md`.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from ruledout.prove.git import LINK, SUBMODULE, Entry, Repository
from ruledout.prove.groups import groups, inside
from ruledout.prove.patch import Patch
from ruledout.recall import statements
from ruledout.recall.tokens import flat, language

_LONGEST = 20_000
"""lines of a file beyond which it is one piece"""


class Side(Struct, frozen=True, kw_only=True):
    """A changed file before and after; as lines with their ends where it is text in both."""

    path: str
    before: Entry | None
    after: Entry | None
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    text: str = ""
    """the whole new text, empty where there is none"""

    @property
    def lines(self) -> bool:
        """Can lines be taken out of it."""
        return bool(self.text) and self.after is not None


class Part(Struct, frozen=True, kw_only=True):
    """Lines `start` to `end` (0-based, end not included) of the new file, and the old lines that go back in their place.

    `whole` says that the file as a whole goes back to what it was, where lines are no way to say it.
    """

    path: str
    start: int
    end: int
    back: tuple[str, ...] = ()
    whole: str = ""

    @property
    def location(self) -> str:
        """`path:line`, counted from 1."""
        return f"{self.path}:{self.start + 1}"


def sides(repository: Repository, patch: Patch) -> dict[str, Side]:
    """The product files of a patch. Where a file holds both sides, its tests count as they are after the patch."""
    before = repository.entries(patch.red)
    pairs = {path: (before.get(path), patch.files.get(path)) for path in patch.product}
    plain = [entry for pair in pairs.values() for entry in pair if entry is not None and entry.mode not in (LINK, SUBMODULE)]
    blobs = repository.blobs(entry.oid for entry in plain)
    return {path: _side(path, old, new, blobs) for path, (old, new) in pairs.items()}


def _side(path: str, before: Entry | None, after: Entry | None, blobs: Mapping[str, bytes]) -> Side:
    texts = [_text(blobs.get(entry.oid)) if entry is not None else "" for entry in (before, after)]
    modes = {entry.mode for entry in (before, after) if entry is not None}
    old, new = texts
    if old is None or new is None or not new or len(modes) > 1 or new.count("\n") > _LONGEST:
        return Side(path=path, before=before, after=after)
    return Side(path=path, before=before, after=after, old=_lines(old), new=_lines(new), text=new)


def _text(data: bytes | None) -> str | None:
    if data is None or b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _lines(text: str) -> tuple[str, ...]:
    """Lines with their ends, cut at line feeds alone."""
    rows = text.split("\n")
    return tuple(row + "\n" for row in rows[:-1]) + ((rows[-1],) if rows[-1] else ())


def hunks(side: Side) -> list[Part]:
    """The hunks of one file, without context, each one that can be taken out without breaking the syntax where that can be known."""
    if not side.lines:
        what = "added" if side.before is None else "deleted" if side.after is None else "changed"
        return [Part(path=side.path, start=0, end=0, whole=f"the file was {what}")]
    if side.before is None:
        return [Part(path=side.path, start=0, end=len(side.new), whole="the file was added")]
    changes = [op[1:] for op in _changes(side.old, side.new)]
    return _whole_ones(side, [Part(path=side.path, start=new[0], end=new[1], back=side.old[old[0] : old[1]]) for *old, a, b in changes for new in [(a, b)]])


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    head = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))
    left, right = old[head:], new[head:]
    found = difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in found if tag != "equal"]


def _whole_ones(side: Side, parts: list[Part]) -> list[Part]:
    """Hunks that break the syntax alone, joined with those behind them until they do not; a cut that breaks the syntax is no evidence."""
    if not _is_python(side.path) or statements.parsed(side.text) is None:
        return parts
    found: list[Part] = []
    at = 0
    while at < len(parts):
        joined = [_joined(side, parts[at : end + 1]) for end in range(at, len(parts))]
        size = next((count for count, part in enumerate(joined, 1) if statements.parsed(without(side, [part])) is not None), 1)
        found.append(joined[size - 1])
        at += size
    return found


def _joined(side: Side, parts: Sequence[Part]) -> Part:
    """Neighbouring hunks as one, with the lines between them."""
    back = list(parts[0].back)
    for before, after in pairwise(parts):
        back += [*side.new[before.end : after.start], *after.back]
    return Part(path=side.path, start=parts[0].start, end=parts[-1].end, back=tuple(back))


def finer(side: Side, part: Part) -> list[Part]:
    """The statements of a part that do not need each other, each a part of its own; empty where it is one already.

    Together they are the whole part, and exactly one of them gives back what the part replaced. A definition alone is entered: its own statements follow.
    """
    if not side.lines:
        return []
    spans = groups(side.path, side.text, part.start, part.end)
    if len(spans) > 1:
        heir = _heir(side, spans, part.back)
        return [Part(path=side.path, start=a, end=b, back=part.back if (a, b) == heir else ()) for a, b in spans]
    return [Part(path=side.path, start=a, end=b) for a, b in inside(side.path, side.text, part.start, part.end)]


def is_split(side: Side, part: Part) -> bool:
    """Are the finer parts a partition of it, and not what stands inside one definition."""
    return side.lines and len(groups(side.path, side.text, part.start, part.end)) > 1


def _heir(side: Side, spans: Sequence[tuple[int, int]], back: Sequence[str]) -> tuple[int, int]:
    """The span that is most like what it replaced: when it is taken out, that comes back."""
    old = "".join(back)
    return max(spans, key=lambda span: difflib.SequenceMatcher(None, old, "".join(side.new[span[0] : span[1]]), autojunk=False).ratio()) if back else spans[0]


def without(side: Side, parts: Sequence[Part]) -> str:
    """The new text with these parts taken out."""
    rows = list(side.new)
    for part in sorted(parts, key=lambda part: (-part.start, -part.end)):
        rows[part.start : part.end] = part.back
    return "".join(rows)


def tree(repository: Repository, patch: Patch, known: Mapping[str, Side], out: Sequence[Part]) -> str | None:
    """The whole patch's tree with these parts taken out; None where a cut breaks the syntax of a Python file that had none broken."""
    files = dict(patch.files)
    for path in dict.fromkeys(part.path for part in out):
        side, here = known[path], [part for part in out if part.path == path]
        entry = _without(repository, side, here)
        if entry is None and not any(part.whole for part in here):
            return None
        if entry is None:
            files.pop(path, None)
        else:
            files[path] = entry
    return repository.put_tree(files)


def _without(repository: Repository, side: Side, parts: Sequence[Part]) -> Entry | None:
    if any(part.whole for part in parts):
        return side.before
    text = without(side, parts)
    if breaks(side, text) or side.after is None:
        return None
    return Entry(side.after.mode, repository.put(text.encode()))


def breaks(side: Side, text: str) -> bool:
    """Does a Python text not parse where the whole new one did."""
    return _is_python(side.path) and statements.parsed(side.text) is not None and statements.parsed(text) is None


def idle(side: Side, part: Part) -> bool:
    """Does taking it out change no code: comments, space, layout. Then there is nothing to run."""
    if part.whole or not side.lines:
        return False
    text = without(side, [part])
    if _is_python(side.path):
        return statements.same(side.text, text)
    return language(side.path) != "" and flat(side.path, side.text) == flat(side.path, text)


def _is_python(path: str) -> bool:
    return language(path) in ("py", "pyi")


def shown(side: Side, part: Part) -> str:
    """The lines of a part as they stand in the new file."""
    return "".join(side.new[part.start : part.end])


def leaves(known: Mapping[str, Side]) -> Iterator[Part]:
    """The finest partition of the whole patch: what the search for the smallest patch works on."""
    for side in known.values():
        for part in hunks(side):
            yield from [part] if part.whole or not is_split(side, part) else finer(side, part)
