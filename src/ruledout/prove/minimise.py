"""The smallest part of a proved patch that still does: delta debugging over its pieces, then one by one until no single piece can go.

A set of pieces can be enough (the gate is green, the named tests pass), not enough, or unresolved (it breaks the syntax, cannot be built or run): only the
first is ever taken. Docs: `docs/decisions/0051-the-smallest-patch.md`.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from ruledout import redact, text
from ruledout.model.gate import Minimal, TestStatus
from ruledout.prove import pieces
from ruledout.prove.pieces import Part, Side
from ruledout.prove.reading import State
from ruledout.prove.tries import Spent, Tries

_MOST = 60
"""pieces beyond which hunks are not split"""
_PATCH = 60_000


def minimal(tries: Tries, known: Mapping[str, Side], told: Callable[[str, int, int], None] | None = None) -> Minimal:
    """The smallest sufficient set found within the time budget. The whole patch is known to be enough."""
    everything = list(pieces.leaves(known))
    if len(everything) > _MOST:
        everything = [part for side in known.values() for part in pieces.hunks(side)]
    search = _Search(tries, known, everything, told)
    search.smallest()
    left = [part for part in everything if part not in search.kept]
    return Minimal(
        patch=_patch(known, left),
        kept=tuple(part.location for part in everything if part in search.kept),
        left_out=tuple(part.location for part in left),
        open=len(search.open.intersection(search.kept)),
    )


class _Search:
    """`kept` is always known to be enough, so that the search can stop at any time; `open` are those of it that were not yet tried alone."""

    def __init__(self, tries: Tries, known: Mapping[str, Side], everything: Sequence[Part], told: Callable[[str, int, int], None] | None) -> None:
        self.kept = list(everything)
        self.open: set[Part] = set(everything)
        self._tries = tries
        self._known = known
        self._everything = everything
        self._told = told or (lambda *_: None)

    def smallest(self) -> None:
        """Until no single part can go, or the time is spent."""
        with suppress(Spent):
            self._ddmin()
            while self._round():
                pass

    def _round(self) -> bool:
        """Each part by itself, once; did one go."""
        before = len(self.kept)
        self.open = set(self.kept)
        for part in list(self.kept):
            self._enough([one for one in self.kept if one != part])
            self.open.discard(part)
        return len(self.kept) < before

    def _ddmin(self) -> None:
        """Zeller and Hildebrandt's ddmin, by complements only: to be enough, most of a fix is needed."""
        count = 2
        while len(self.kept) >= 2:
            chunks = _chunks(self.kept, count)
            if any(self._enough([part for part in self.kept if part not in chunk]) for chunk in chunks):
                count = max(count - 1, 2)
            elif count >= len(self.kept):
                break
            else:
                count = min(2 * count, len(self.kept))

    def _enough(self, kept: list[Part]) -> bool:
        """Is the gate green with only these: then they are what is kept. Unresolved is not enough, and nothing is never enough."""
        self._told("minimising", len(self._everything) - len(self.kept), len(self._everything))
        tree = self._tries.tree(self._known, [part for part in self._everything if part not in kept]) if kept else None
        if tree is None:
            return False
        seen = self._tries.once(tree)
        enough = seen.state is State.GREEN and all(seen.tests.get(name) is TestStatus.PASSED for name in self._tries.named)
        if enough:
            self.kept = kept
        return enough


def _chunks(kept: Sequence[Part], count: int) -> list[list[Part]]:
    edges = [len(kept) * at // count for at in range(count + 1)]
    return [list(kept[a:b]) for a, b in pairwise(edges) if a < b]


def _patch(known: Mapping[str, Side], out: Sequence[Part]) -> str:
    """The patch of the product side without these parts, as a unified diff; redacted and capped (R13)."""
    rows: list[str] = []
    for path, side in known.items():
        here = [part for part in out if part.path == path]
        if any(part.whole for part in here):
            continue
        if not side.lines:
            rows.append(f"# {path}: {'added' if side.before is None else 'deleted' if side.after is None else 'changed'} as a whole\n")
            continue
        new = pieces.without(side, here).splitlines(keepends=True)
        names = ("/dev/null" if side.before is None else f"a/{path}", f"b/{path}")
        rows += [row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in difflib.unified_diff(list(side.old), new, *names)]
    return text.cap(redact.redact(text.clean("".join(rows))), _PATCH)
