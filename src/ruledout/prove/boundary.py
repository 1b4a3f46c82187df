"""The search for a threshold over a row of positions, by a probe that says what one run there showed (R8). Pure; it starts nothing and knows no parameter.

1. Both ends; on a log scale from the low end by doubling, until the answer turns.
2. Bisection between the last position of the one answer and the first of the other.
3. Up to five more positions on both sides: an answer that does not fit is asked for again, and is either flaky or says that the parameter is not monotone.
4. Both edges as often as was asked for, their neighbours once: where answers differ, the zone in which they do is looked for, and is the finding.
"""

from collections.abc import Callable, Iterator, Sequence

from ruledout.rerun import End, State

_EXTRA = (1, 2, 3, 4, 5)
_PARTS = 6


class Bisection:
    """One search. `probe(position)` says `holds`, `fails` or `cannot_run` of one run; `seen` keeps all answers; `zone` is the last and first sure position."""

    def __init__(self, size: int, probe: Callable[[int], State], *, runs: int, doubled: Callable[[int], int] | None = None) -> None:
        """Ask nothing yet."""
        self._last = size - 1
        self._probe = probe
        self._runs = runs
        self._doubled = doubled
        self.seen: dict[int, list[State]] = {}
        self.zone: tuple[int | None, int | None] = (None, None)

    def search(self) -> End:
        """Run the four steps. With `found` and `flaky`, `zone` has the positions on both sides; `None` where a side is not sure anywhere."""
        try:
            return self._search()
        except _CannotRunError:
            return End.CANNOT_RUN

    def state(self, at: int) -> State:
        """What all runs at a position come to."""
        states = set(self.seen[at])
        return states.pop() if len(states) == 1 else State.CANNOT_RUN if State.CANNOT_RUN in states else State.FLAKY

    def _search(self) -> End:
        begin = self._once(0)
        bracket = self._bracket(begin)
        if bracket is None:
            return self._unchanged(begin)
        low, high = self._narrowed(*bracket, begin)
        odd = self._odd(low, high, begin)
        if odd is not None:
            self._often(odd)
            return self._flaky(low, high, begin) if self.state(odd) is State.FLAKY else End.NOT_MONOTONE
        self.zone = (low, high)
        near = [at for at in (low - 1, high + 1) if 0 <= at <= self._last]
        fits = [self._once(at) is (begin if at < high else _other(begin)) for at in near]
        for at in (low, high):
            self._often(at)
        sure = self.state(low) is begin and self.state(high) is _other(begin) and all(fits)
        return End.FOUND if sure else self._flaky(low, high, begin)

    def _once(self, at: int) -> State:
        """The first answer at a position, asked for where there is none."""
        return self.seen[at][0] if at in self.seen else self._ask(at)

    def _ask(self, at: int) -> State:
        found = self._probe(at)
        self.seen.setdefault(at, []).append(found)
        if found is State.CANNOT_RUN:
            raise _CannotRunError
        return found

    def _often(self, at: int) -> bool:
        """Ask until there are as many answers as were wanted, or two that differ; True when all are equal."""
        while len(self.seen.get(at, ())) < self._runs and len(set(self.seen.get(at, ()))) < 2:
            self._ask(at)
        return len(set(self.seen[at])) == 1

    def _bracket(self, begin: State) -> tuple[int, int] | None:
        """Two positions with different answers, the first with the low end's."""
        at = 0
        while at < self._last:
            ahead = self._doubled(at) if self._doubled is not None else self._last
            if self._once(ahead) is not begin:
                return at, ahead
            at = ahead
        return None

    def _narrowed(self, low: int, high: int, begin: State) -> tuple[int, int]:
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._once(middle) is begin else (low, middle)
        return low, high

    def _odd(self, low: int, high: int, begin: State) -> int | None:
        """A position on either side whose answer does not fit, among up to five new ones."""
        for at in self._spread(0, low) + self._spread(high, self._last):
            if self._once(at) is not (begin if at <= low else _other(begin)):
                return at
        return None

    def _spread(self, first: int, last: int) -> list[int]:
        """New positions between two: up to three where the other side has some too."""
        new = dict.fromkeys(first + (last - first) * part // _PARTS for part in _EXTRA)
        return _middle([at for at in new if first < at < last and at not in self.seen], 3 if first else 2)

    def _unchanged(self, begin: State) -> End:
        """Both ends say the same: do more positions between them, and more runs at the ends."""
        extra = [self._last * part // _PARTS for part in _EXTRA]
        odd = next((at for at in extra if self._once(at) is not begin), None)
        for at in (0, self._last) if odd is None else (odd,):
            if not self._often(at):
                return End.FLAKY
        if odd is not None:
            return End.NOT_MONOTONE
        return End.ALWAYS_HOLDS if begin is State.HOLDS else End.ALWAYS_FAILS

    def _flaky(self, low: int, high: int, begin: State) -> End:
        """Walk away from the edge on both sides to where all runs are equal again, then back as near as that holds."""
        self.zone = (self._sure(low, 0, begin), self._sure(high, self._last, _other(begin)))
        return End.FLAKY

    def _sure(self, edge: int, end: int, wanted: State) -> int | None:
        def is_sure(at: int) -> bool:
            return self._often(at) and self.seen[at][0] is wanted

        unsure, step, way = None, 1, 1 if end > edge else -1
        at = edge
        while not is_sure(at):
            if at == end:
                return None
            unsure, at = at, min(max(at + way * step, min(edge, end)), max(edge, end))
            step *= 2
        while unsure is not None and abs(at - unsure) > 1:
            middle = (at + unsure) // 2
            at, unsure = (middle, unsure) if is_sure(middle) else (at, middle)
        return at


class _CannotRunError(Exception):
    """A probe that says neither yes nor no ends the search (R14)."""


def _other(state: State) -> State:
    return State.FAILS if state is State.HOLDS else State.HOLDS


def _middle(items: Sequence[int], most: int) -> list[int]:
    """At most so many, spread over all."""
    return list(_picked(items, most)) if len(items) > most else list(items)


def _picked(items: Sequence[int], most: int) -> Iterator[int]:
    for number in range(most):
        yield items[(2 * number + 1) * len(items) // (2 * most)]
