"""The search for a threshold: exact on every monotone function, and honest about those that are not."""

from collections.abc import Callable
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.prove.corpus.repo import Repo

from ruledout.errors import BadInput
from ruledout.model.attempt import Found
from ruledout.ports import ProofRequest
from ruledout.prove import parameter
from ruledout.prove.boundary import Bisection
from ruledout.prove.rerunner import Rerunner
from ruledout.rerun import BoundaryRequest, End, Search, State

QUICK = settings(max_examples=150, deadline=None)


def holds(yes: object) -> State:
    return State.HOLDS if yes else State.FAILS


def bisected(size: int, probe: Callable[[int], State], *, log: bool = False, runs: int = 3) -> tuple[End, Bisection]:
    search = Bisection(size, probe, runs=runs, doubled=(lambda at: min(2 * at + 1, size - 1)) if log else None)
    return search.search(), search


@given(size=st.integers(2, 10**9), data=st.data(), rising=st.booleans(), log=st.booleans())
@QUICK
def test_R8_a_monotone_threshold_is_found_to_the_step(size: int, data: st.DataObject, rising: bool, log: bool) -> None:  # noqa: FBT001  # drawn
    edge = data.draw(st.integers(0, size - 2))
    end, search = bisected(size, lambda at: holds((at <= edge) is rising), log=log)
    assert (end, search.zone) == (End.FOUND, (edge, edge + 1))
    assert [len(search.seen[at]) for at in (edge, edge + 1)] == [3, 3]
    assert sum(map(len, search.seen.values())) <= 2 * size.bit_length() + 16


@given(size=st.integers(2, 10**6), yes=st.booleans(), log=st.booleans())
@QUICK
def test_R8_where_nothing_turns_there_is_no_threshold(size: int, yes: bool, log: bool) -> None:  # noqa: FBT001  # drawn
    end, search = bisected(size, lambda _: holds(yes), log=log)
    assert (end, search.zone) == (End.ALWAYS_HOLDS if yes else End.ALWAYS_FAILS, (None, None))


@given(size=st.integers(40, 10**6), data=st.data())
@QUICK
def test_R8_a_flaky_zone_is_told_with_sure_sides(size: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, size - 20))
    last = data.draw(st.integers(first, min(first + 12, size - 2)))
    asked: dict[int, int] = {}

    def probe(at: int) -> State:
        asked[at] = asked.get(at, 0) + 1
        return holds(at < first or (at <= last and asked[at] % 2))

    end, search = bisected(size, probe)
    assert (end, search.zone) == (End.FLAKY, (first - 1, last + 1))


NOT_MONOTONE: dict[str, Callable[[int], bool]] = {
    "odd and even": lambda at: at % 2 == 0,
    "a window that holds": lambda at: 30 <= at <= 70,
    "a window that fails": lambda at: not 40 <= at <= 60,
    "a hole on the low side": lambda at: at < 90 and not 20 <= at <= 45,
}


@pytest.mark.parametrize("function", NOT_MONOTONE.values(), ids=NOT_MONOTONE)
def test_R8_what_turns_more_than_once_is_not_monotone(function: Callable[[int], bool]) -> None:
    end, search = bisected(100, lambda at: holds(function(at)))
    assert (end, search.zone) == (End.NOT_MONOTONE, (None, None))
    assert all(search.state(at) is holds(function(at)) for at in search.seen)


def test_R14_a_run_that_says_nothing_ends_the_search() -> None:
    end, search = bisected(100, lambda at: State.CANNOT_RUN if at == 49 else holds(at < 40))
    assert end is End.CANNOT_RUN
    assert search.state(49) is State.CANNOT_RUN


AXES = {
    "whole numbers": ("n=1..64", "linear", None, 64, ["1", "2", "64"]),
    "numbers below zero": ("n=-2..2", "linear", None, 5, ["-2", "-1", "2"]),
    "a step that does not divide": ("n=0..10", "linear", "4", 4, ["0", "4", "10"]),
    "decimals": ("p=0.1..0.9", "linear", "0.05", 17, ["0.1", "0.15", "0.9"]),
    "decimals to a thousandth": ("p=0.0..1.0", "linear", None, 1001, ["0", "0.001", "1"]),
    "decimals that grow": ("p=0.001..1000", "log", None, 1390, ["0.001", "0.00101", "1000"]),
    "sizes": ("m=64K..1G", "linear", None, 1048513, ["64K", "65K", "1G"]),
    "sizes in bytes": ("m=1KB..2KB", "linear", "512B", 3, ["1KB", "1536B", "2KB"]),
    "days": ("d=2026-02-27..2026-03-02", "linear", None, 4, ["2026-02-27", "2026-02-28", "2026-03-02"]),
    "times": ("t=2026-01-01T00:00:00..2026-01-01T01:00:00", "linear", "60", 61, ["2026-01-01T00:00:00", "2026-01-01T00:01:00", "2026-01-01T01:00:00"]),
    "a list": ("v=3.11,3.12,3.13", "linear", None, 3, ["3.11", "3.12", "3.13"]),
}


@pytest.mark.parametrize(("written", "scale", "tolerance", "size", "texts"), AXES.values(), ids=AXES)
def test_a_parameter_is_read_as_it_is_written(written: str, scale: str, tolerance: str | None, size: int, texts: list[str]) -> None:
    axis = parameter.axis(written, scale, tolerance)
    assert (axis.size, [axis.text(at) for at in (0, 1, axis.size - 1)]) == (size, texts)


@pytest.mark.parametrize(
    ("written", "scale", "tolerance"),
    [
        ("", "linear", None),
        ("n", "linear", None),
        ("=1..2", "linear", None),
        ("n=", "linear", None),
        ("n=a", "linear", None),
        ("n=a,a", "linear", None),
        ("n=a,b", "log", None),
        ("n=2..1", "linear", None),
        ("n=1..1", "linear", None),
        ("n=0..9", "log", None),
        ("n=1..9", "linear", "x"),
        ("n=1..9", "linear", "0"),
        ("n=1..b", "linear", None),
        ("n=0.1..NaN", "linear", None),
        ("n=0.1..0.9", "linear", "-1"),
        ("n=0.0..0.9", "log", None),
        ("n=1K..2x", "linear", None),
        ("n=2026-01-01..2025-01-01", "linear", None),
        ("n=2026-01-01..2026-02-31", "linear", None),
        ("n=2026-01-01..2026-12-31", "log", None),
        ("n=0..99999999999999999999", "linear", "1"),
    ],
)
def test_a_parameter_that_cannot_be_meant_is_refused(written: str, scale: str, tolerance: str | None) -> None:
    with pytest.raises(BadInput) as caught:
        parameter.axis(written, scale, tolerance)
    assert caught.value.slug == "bad-parameter"


@given(low=st.integers(1, 10**6), more=st.integers(1, 10**6), step=st.integers(1, 50))
@QUICK
def test_doubling_always_goes_on_and_never_past_the_end(low: int, more: int, step: int) -> None:
    axis = parameter.axis(f"n={low}..{low + more}", "log", str(step))
    assert axis.doubled is not None
    at, hops = 0, 0
    while at < axis.size - 1:
        ahead = axis.doubled(at)
        assert at < ahead <= axis.size - 1
        at, hops = ahead, hops + 1
    assert hops <= 42


LIMITS = """\
import os, sys
from datetime import date
kind, value = sys.argv[1], sys.argv[2].partition("=")[2] or sys.argv[2]
seed = int(os.environ["PYTHONHASHSEED"])
ok = {
    "workers": lambda: int(value) <= 11,
    "least": lambda: int(value) >= 6,
    "share": lambda: float(value) < 0.35,
    "bytes": lambda: int(value[:-1]) * {"K": 1024, "M": 1024**2}[value[-1]] <= 5 * 1024**2,
    "day": lambda: date.fromisoformat(value) < date(2026, 2, 28),
    "version": lambda: value in ("3.11", "3.12"),
    "parity": lambda: int(value) % 2 == 0,
    "flaky": lambda: int(value) < 4 or (int(value) < 7 and seed % 2 == 0),
}[kind]()
if not ok:
    raise ValueError(f"{kind} breaks")
"""


class TestByRealRuns:
    """Six programs with known thresholds, one that turns by turns, one that is flaky; on one repository."""

    CASES: ClassVar = {
        "workers": ("n=1..16", "linear", None, ("<=", "11", "12")),
        "least": ("n=1..100", "log", None, (">=", "6", "5")),
        "share": ("n=0.1..0.9", "linear", "0.05", ("<=", "0.3", "0.35")),
        "bytes": ("n=1M..16M", "log", None, ("<=", "5M", "6M")),
        "day": ("n=2026-02-20..2026-03-05", "linear", None, ("<=", "2026-02-27", "2026-02-28")),
        "version": ("n=3.11,3.12,3.13,3.14", "linear", None, ("<=", "3.12", "3.13")),
    }

    @pytest.fixture
    def place(self, repo: Repo) -> Repo:
        repo.commit({"limits.py": "raise SystemExit('the base is not what is run')\n"})
        repo.write({"limits.py": LIMITS})
        return repo

    def search(self, repo: Repo, kind: str, written: str, scale: str = "linear", tolerance: str | None = None, runs: int = 2) -> Search:
        import os
        import sys

        gate = ProofRequest(root=str(repo.root), argv=(sys.executable, "-S", "limits.py", kind, "--n={n}"), runs=runs, deadline_s=30.0)
        return Rerunner(dict(os.environ)).boundary(BoundaryRequest(gate=gate, parameter=written, scale=scale, tolerance=tolerance))

    @pytest.mark.parametrize("kind", CASES)
    def test_R8_the_threshold_of_a_program_is_found_exactly(self, place: Repo, kind: str) -> None:
        written, scale, tolerance, (relation, last, first) = self.CASES[kind]
        before = place.state()
        found = self.search(place, kind, written, scale, tolerance)
        assert (found.end, found.boundary and found.boundary.found) == (End.FOUND, Found.BISECTION), found
        assert found.boundary is not None
        assert (found.boundary.relation, found.boundary.last_holding, found.boundary.first_failing) == (relation, last, first)
        assert found.boundary.signature is not None
        assert found.boundary.signature.classes == ("ValueError",)
        assert found.boundary.runs == found.runs == sum(point.runs for point in found.points)
        assert found.boundary.isolation is found.isolation
        assert place.state() == before, "the user's checkout stays as it is"

    def test_R8_a_program_that_turns_by_turns_is_told_with_its_map(self, place: Repo) -> None:
        found = self.search(place, "parity", "n=1..12")
        assert (found.end, found.boundary) == (End.NOT_MONOTONE, None)
        assert all((point.state is State.HOLDS) is (int(point.value) % 2 == 0) for point in found.points)
        assert "not monotone" in found.why

    def test_R8_a_flaky_program_gives_the_zone_in_which_it_is_flaky(self, place: Repo) -> None:
        found = self.search(place, "flaky", "n=1..9")
        assert found.end is End.FLAKY
        assert found.boundary is not None
        assert (found.boundary.last_holding, found.boundary.first_failing) == ("3", "7")
        assert {point.state for point in found.points if 4 <= int(point.value) <= 6} <= {State.FLAKY, State.HOLDS}

    def test_R14_a_program_that_is_not_there_is_no_failure(self, place: Repo) -> None:
        import os

        gate = ProofRequest(root=str(place.root), argv=("no-such-program", "{n}"), runs=2, deadline_s=30.0)
        found = Rerunner(dict(os.environ)).boundary(BoundaryRequest(gate=gate, parameter="n=1..8"))
        assert (found.end, found.runs, "not found" in found.why) == (End.CANNOT_RUN, 1, True)

    def test_a_command_without_the_parameter_is_asked_wrongly(self, place: Repo) -> None:
        import os

        gate = ProofRequest(root=str(place.root), argv=("python", "limits.py", "{m}"))
        with pytest.raises(BadInput, match=r"\{n\}"):
            Rerunner(dict(os.environ)).boundary(BoundaryRequest(gate=gate, parameter="n=1..8"))
