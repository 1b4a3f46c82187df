"""A search for a threshold by real runs: the command with each value, on the work tree's own copy, in the same place as a proof (R8)."""

from collections.abc import Callable

from msgspec import structs

from ruledout.errors import BadInput
from ruledout.model.attempt import Boundary, Found
from ruledout.model.outcome import ErrorSignature, Result
from ruledout.ports import ProofRequest
from ruledout.prove import parameter
from ruledout.prove import reading as read
from ruledout.prove.again import how
from ruledout.prove.boundary import Bisection
from ruledout.prove.lab import Lab
from ruledout.prove.reading import RED, Seen
from ruledout.rerun import BoundaryRequest, End, Point, Search, State

_SAY = {
    End.ALWAYS_HOLDS: "it holds at every value that was tried",
    End.ALWAYS_FAILS: "it fails at every value that was tried",
    End.NOT_MONOTONE: "it is not monotone: it holds and fails by turns, so there is no threshold",
    End.FLAKY: "runs at one value do not agree, so the threshold is a zone",
}


def find(make: Callable[[ProofRequest], Lab], request: BoundaryRequest, told: Callable[[str, int, int], None] | None = None) -> Search:
    """The threshold. `make` gives the place for the runs; `told` hears how far it has come. Raises `BadInput` (`bad-parameter`, `no-placeholder`)."""
    if request.scale not in ("linear", "log"):
        raise BadInput("bad-parameter", f"there is no scale {request.scale[:40]!a}", "give `--scale linear` or `--scale log`")
    axis = parameter.axis(request.parameter, request.scale, request.tolerance)
    slot = f"{{{axis.name}}}"
    if not any(slot in word for word in request.gate.argv):
        raise BadInput("no-placeholder", f"no word of the command holds {slot}", f"write {slot} where the value goes: `-- python load.py --workers {slot}`")
    with make(request.gate) as lab:
        runs = _Runs(lab, slot, axis)
        likely = axis.size.bit_length() + 2 * request.gate.runs + 7

        def probe(at: int) -> State:
            state = runs.probe(at)
            if told is not None:
                told(f"{axis.name} = {axis.text(at)}", min(runs.count, likely - 1), likely)
            return state

        search = Bisection(axis.size, probe, runs=request.gate.runs, doubled=axis.doubled)
        end = search.search()
        if told is not None:
            told(axis.name, likely, likely)
        return runs.told(search, end)


class _Runs:
    """The runs of one search, by position."""

    def __init__(self, lab: Lab, slot: str, axis: parameter.Axis) -> None:
        self._lab, self._slot, self._axis = lab, slot, axis
        self._gate = lab.request
        self._seen: dict[int, list[Seen]] = {}

    @property
    def count(self) -> int:
        """How many runs there were."""
        return sum(map(len, self._seen.values()))

    def probe(self, at: int) -> State:
        """Run the command once with the value at a position."""
        value = self._axis.text(at)
        self._lab.request = structs.replace(self._gate, argv=tuple(word.replace(self._slot, value) for word in self._gate.argv))
        runs = self._seen.setdefault(at, [])
        runs.append(self._lab.run(self._lab.patch.after, len(runs)))
        return state_of(runs[-1])

    def told(self, search: Bisection, end: End) -> Search:
        """The answer with everything that was tried."""
        points = tuple(self._point(at, search.state(at)) for at in sorted(self._seen))
        why = _SAY.get(end, "")
        if end is End.CANNOT_RUN:
            stuck = next(runs[-1] for runs in self._seen.values() if state_of(runs[-1]) is State.CANNOT_RUN)
            why = next(f"at {point.value}: " for point in points if point.state is State.CANNOT_RUN) + how(stuck)
        return Search(
            end=end,
            boundary=self._boundary(search, end),
            points=points,
            runs=self.count,
            isolation=self._lab.level.isolation,
            why=why,
        )

    def _point(self, at: int, state: State) -> Point:
        red = next((seen for seen in self._seen[at] if state_of(seen) is State.FAILS), None)
        signature, message = (red.outcome.signature, how(red)) if red else (None, None)
        return Point(value=self._axis.text(at), state=state, runs=len(self._seen[at]), signature=signature, message=message)

    def _boundary(self, search: Bisection, end: End) -> Boundary | None:
        if end not in (End.FOUND, End.FLAKY) or search.zone == (None, None):
            return None
        low, high = (None if at is None else self._axis.text(at) for at in search.zone)
        rising = search.seen[0][0] is State.HOLDS
        return Boundary(
            parameter=self._axis.name,
            relation="<=" if rising else ">=",
            last_holding=low if rising else high,
            first_failing=high if rising else low,
            found=Found.BISECTION,
            runs=self.count,
            signature=self._signature(search.zone[1 if rising else 0]),
            isolation=self._lab.level.isolation,
        )

    def _signature(self, at: int | None) -> ErrorSignature | None:
        return self._point(at, State.FAILS).signature if at is not None else None


def state_of(seen: Seen) -> State:
    """A run as an answer. A run over the deadline, which the user set, fails; what the environment did is neither (R14).

    A program that tells of no tests is taken by its exit status: that the one side fails and the other does not is what shows that it looked at all.
    """
    if seen.state in (read.State.GREEN, read.State.NO_IDENTITY):
        return State.HOLDS
    if seen.state in RED or seen.state is read.State.TIMEOUT:
        return State.FAILS
    plain = seen.state is read.State.NOT_RUN and "runner=text" in seen.facts and seen.outcome.result not in (Result.INFRA, Result.NOISE)
    return State.CANNOT_RUN if not plain else State.FAILS if seen.ended.exit else State.HOLDS
