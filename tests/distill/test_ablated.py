"""R6 with an ablation at hand: claims proved or refuted, guards found, each tied to the failure that comes back without it."""

import pytest
from msgspec import structs
from tests.distill.story import GREEN, Story, red
from tests.distill.test_rules import CAUSE, proved, unmet

from ruledout import DebugSessionDistiller, Proposal
from ruledout.model.gate import Depth, GateRun, Need, Piece, Proof, ReportSource, TestResult, TestStatus
from ruledout.model.outcome import ErrorSignature, Result
from ruledout.model.proposal import ClaimedGuard
from ruledout.model.residual import DebugResidual, SessionOutcome
from ruledout.observe.outcome import observe

GUARD = "    if b is None:\n        return a"
OTHER = "tests/test_a.py::test_none"


def story() -> Story:
    """The sum is off by one; a dead end fails at None in another test; the fix holds a guard against that."""
    told = Story()
    told.fails()
    told.edit("    return a + b - 1", "    return a + b + 0")
    told.fails("TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'", OTHER)
    told.edit("    return a + b + 0", f"{GUARD}\n    return a + b")
    told.log.ran("python -m pytest -q tests/test_a.py", GREEN, 0)
    return told


def signature(error: str, test: str) -> ErrorSignature:
    seen = observe("python -m pytest -q tests/test_a.py", red(test, error), 1).signature
    assert seen is not None
    return seen


def piece(need: Need, error: str = "", test: str = "", **more: object) -> Piece:
    run = GateRun(
        exit=1,
        outcome=Result.FAIL,
        tests=(TestResult(test, TestStatus.FAILED),),
        source=ReportSource.REPORT,
        signature=None,
        seconds=0.1,
        tree="t",
        tail="x" * 2000,
    )
    fields = {
        "location": "src/a.py:2",
        "lines": 2,
        "snippet": GUARD,
        "digest": "r1:sha256:22",
        "need": need,
        "why": "the gate stays green without it",
        "signature": signature(error, test) if error else None,
        "failing": (test,) if test else (),
        "runs": (run, run),
    }
    return structs.replace(Piece(**fields), **more)  # type: ignore[arg-type]  # fields of a piece


def proof(*pieces: Piece) -> Proof:
    return structs.replace(proved(), depth=Depth(pieces=pieces, minimal=None, runs=len(pieces), seconds=1.0))


def outcome(found: Proof, *claims: ClaimedGuard) -> SessionOutcome:
    return DebugSessionDistiller(story().log.transcript(), Proposal(root_cause=CAUSE, guards=claims), found).distill()


def guards(found: SessionOutcome) -> list[tuple[str, tuple[str, ...], int]]:
    """Location, reasons, and the number of runs without it."""
    assert isinstance(found, DebugResidual), unmet(found)
    return [(one.location, one.neutralizes, len(one.ablation.runs) if one.ablation else 0) for one in found.required_defensive_guards]


CLAIM = ClaimedGuard(location="src/a.py:9", snippet=GUARD, neutralizes=("a1",))
NONE = "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"
SYMPTOM = ("AssertionError: assert 3 == 4", "tests/test_a.py::test_sum")


@pytest.mark.parametrize(
    ("name", "made", "reasons"),
    [
        ("the same failure as a dead end", piece(Need.LOAD_BEARING, NONE, OTHER), ("b1",)),
        ("the symptom's own failure", piece(Need.LOAD_BEARING, *SYMPTOM), ("symptom",)),
        ("another failure of the dead end's test", piece(Need.LOAD_BEARING, "ValueError: nothing to add", OTHER), ("b1",)),
        (
            "another failure, of a test of the symptom among others",
            piece(Need.LOAD_BEARING, "KeyError: 'b'", SYMPTOM[1], failing=(SYMPTOM[1], "tests/test_a.py::test_x")),
            ("symptom",),
        ),
    ],
)
def test_R6_a_load_bearing_piece_becomes_a_guard_against_the_failure_that_comes_back(name: str, made: Piece, reasons: tuple[str, ...]) -> None:
    assert guards(outcome(proof(made))) == [("src/a.py:2", reasons, 2)], name


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("nothing needs it", piece(Need.UNPROVEN)),
        ("the gate could not tell", piece(Need.UNRESOLVED)),
        (
            "only a name is missing without it",
            piece(Need.LOAD_BEARING, "NameError: name 'total' is not defined", SYMPTOM[1], slipped="NameError: name 'total'"),
        ),
        ("what fails has nothing to do with the session", piece(Need.LOAD_BEARING, "KeyError: 'b'", "tests/test_b.py::test_other")),
        ("lines were only taken out", piece(Need.LOAD_BEARING, *SYMPTOM, snippet="")),
    ],
)
def test_R6_no_guard_without_a_failure_that_it_answers(name: str, made: Piece) -> None:
    assert guards(outcome(proof(made))) == [], name


def test_R6_a_claimed_guard_is_proved_by_its_ablation_and_stands_where_the_tree_has_it() -> None:
    found = outcome(proof(piece(Need.LOAD_BEARING, NONE, OTHER, claimed=("src/a.py:9",))), CLAIM)
    assert guards(found) == [("src/a.py:2", ("b1",), 2)]


def test_R6_a_claimed_reason_that_the_ablation_does_not_bear_out_gives_way_to_the_one_that_it_shows() -> None:
    found = outcome(proof(piece(Need.LOAD_BEARING, *SYMPTOM, claimed=("src/a.py:9",))), CLAIM)
    assert guards(found) == [("src/a.py:2", ("symptom",), 2)]


def test_R6_a_claimed_guard_that_the_gate_does_not_need_refuses_the_residual() -> None:
    found = outcome(proof(piece(Need.UNPROVEN, claimed=("src/a.py:9",))), CLAIM)
    assert unmet(found) == {("R6", "guard_not_needed")}


def test_R6_a_claimed_guard_of_which_the_gate_cannot_tell_stays_a_claim() -> None:
    found = outcome(proof(piece(Need.UNRESOLVED, claimed=("src/a.py:9",))), CLAIM)
    assert guards(found) == [("src/a.py:9", ("b1",), 0)]


def test_a_guard_keeps_the_end_of_its_runs_alone() -> None:
    found = outcome(proof(piece(Need.LOAD_BEARING, NONE, OTHER)))
    assert isinstance(found, DebugResidual)
    ablation = found.required_defensive_guards[0].ablation
    assert ablation is not None
    assert {len(run.tail) for run in ablation.runs} == {600}
