"""R5, R6, R8, R13 against an agent that claims too much: empty, foreign, doubled, huge and poisoned claims."""

import msgspec
import pytest
from tests.distill.story import Story, three_tries

from ruledout import DebugSessionDistiller, Proposal
from ruledout.model import wire
from ruledout.model.attempt import Boundary, Found
from ruledout.model.proposal import ClaimedBoundary, ClaimedGuard, ClaimedHypothesis

KEY = "AKIA" + "Q7ZJ2MXW4LPN5RTV"
ESCAPE = "\x1b[31mred\x1b[0m\u202e"


def guard(**changes: object) -> ClaimedGuard:
    return msgspec.structs.replace(ClaimedGuard(location="src/a.py:3", snippet="    total = a + b", neutralizes=("a1",)), **changes)


def claimed(proposal: Proposal, story: Story | None = None) -> DebugSessionDistiller:
    return DebugSessionDistiller((story or three_tries()).log.transcript(), proposal)


def objections(proposal: Proposal, story: Story | None = None) -> set[tuple[str, str]]:
    return {(reason.rule, reason.code) for reason in claimed(proposal, story).ledger.objections}


def test_R6_a_guard_that_lives_on_and_has_its_reason_is_kept_once() -> None:
    found = claimed(Proposal(guards=(guard(neutralizes=("a1", "b1", "a1")), guard(neutralizes=("a1", "b1", "a1"))))).ledger
    assert [(one.location, one.neutralizes) for one in found.guards] == [("src/a.py:3", ("b1",))]
    assert found.objections == ()


@pytest.mark.parametrize(
    "wrong",
    [
        guard(snippet=""),
        guard(snippet="\n  \n"),
        guard(snippet="    }"),
        guard(snippet="    # a remark"),
        guard(snippet="    return round(a) + round(b) - 1"),
        guard(location=""),
        guard(location=":3"),
        guard(location="a.py:3: and a story"),
        guard(location="src/b.py:3"),
        guard(location="rc/a.py"),
        guard(neutralizes=()),
        guard(neutralizes=("",)),
        guard(neutralizes=("b9",)),
        guard(neutralizes=("a4",)),
        guard(neutralizes=("a1", "made up")),
    ],
    ids=lambda wrong: f"{wrong.location[:9]} {wrong.snippet.strip()[:12]} {wrong.neutralizes}",
)
def test_R6_a_guard_that_says_nothing_or_is_gone_or_has_no_reason_is_refused(wrong: ClaimedGuard) -> None:
    assert objections(Proposal(guards=(wrong,))) == {("R6", "guard_unexplained")}


def test_R6_a_failure_in_data_py_is_no_reason_for_a_guard_in_a_py() -> None:
    story = Story()
    story.fails()
    story.edit("    rows = 1", "    rows = load(1)", "lib/data.py")
    story.fails("ValueError: lib/data.py is no table", "tests/test_data.py::test_rows")
    story.edit("    rows = load(1)", "    rows = read(1)", "lib/data.py")
    story.edit("    pass", "    check(total)", "ata.py")
    story.passes()
    wrong = guard(location="ata.py", snippet="    check(total)")
    assert objections(Proposal(guards=(wrong,)), story) == {("R6", "guard_unexplained")}


def test_R5_an_attempt_claimed_twice_is_refused() -> None:
    twice = (ClaimedHypothesis(attempt="a1", text="The one idea."), ClaimedHypothesis(attempt="a1", text="The other idea."))
    assert objections(Proposal(hypotheses=twice)) == {("R5", "claimed_twice")}


def bounded(**changes: object) -> Proposal:
    bound = msgspec.structs.replace(Boundary(parameter="rows", relation="<", last_holding="10", first_failing="11"), **changes)
    return Proposal(boundaries=(ClaimedBoundary(attempt="a1", boundary=bound),))


@pytest.mark.parametrize("wrong", [bounded(parameter=""), bounded(parameter=" "), bounded(relation="is about"), bounded(relation="")])
def test_R8_a_boundary_without_parameter_or_relation_is_none(wrong: Proposal) -> None:
    found = claimed(wrong)
    assert {reason.code for reason in found.ledger.objections} == {"no_boundary"}
    assert [branch.failure_boundary for branch in found.ledger.branches] == [None, None]


@pytest.mark.parametrize(
    ("holds", "fails", "found"),
    [
        ("rows=10 ok", "rows=11", Found.SESSION),
        ("rows=100 ok", "rows=11", Found.CLAIMED),
        ("rows=11 ok", "rows=10", Found.CLAIMED),
        ("", "rows=11", Found.CLAIMED),
    ],
    ids=["both seen", "a longer number", "the wrong way round", "one not seen"],
)
def test_R8_a_boundary_is_the_sessions_only_where_a_pass_shows_one_value_and_a_failure_the_other(holds: str, fails: str, found: Found) -> None:
    story = three_tries()
    story.log.ran("python -m pytest -q tests/test_rows.py", f"{holds}\n1 passed in 0.01s\n", 0)
    story.log.ran("python -m pytest -q tests/test_rows.py", f"FAILED tests/test_rows.py::test_r - AssertionError: {fails}\n1 failed in 0.01s\n", 1)
    assert [branch.failure_boundary.found for branch in claimed(bounded(), story).ledger.branches if branch.failure_boundary] == [found]


def test_R13_no_claim_brings_a_secret_an_escape_or_a_megabyte_into_a_record() -> None:
    poison = f"{KEY} {ESCAPE} " + "x" * 1_000_000
    proposal = Proposal(
        root_cause=poison,
        hypotheses=(ClaimedHypothesis(attempt="a1", text=poison), ClaimedHypothesis(attempt=poison, text=poison)),
        guards=(
            guard(location=f"src/a.py:3 {poison}"),
            guard(neutralizes=(poison, *(f"{KEY} {n}" for n in range(50)))),
            guard(snippet=poison),
            guard(location=poison),
        ),
        boundaries=(
            ClaimedBoundary(attempt="a1", boundary=Boundary(parameter=poison, relation="<", last_holding=poison, first_failing=poison)),
            ClaimedBoundary(attempt="a2", boundary=Boundary(parameter="n", relation=poison, last_holding=None, first_failing=None)),
        ),
    )
    body = wire.encode(claimed(proposal).distill())
    assert KEY.encode() not in body
    assert b"\\u001b" not in body
    assert "\u202e".encode() not in body
    assert len(body) < 40_000
