"""R1-R9 on whole cases: what each refuses, by rule and code, and what passes."""

import pytest
from msgspec import structs
from tests.distill.story import GREEN, Story, red, three_tries

from ruledout import DebugSessionDistiller, FalsificationLineageTruncationViolation, FalsificationPreservationGate, Proposal
from ruledout.distill.words import not_isolated
from ruledout.model import wire
from ruledout.model.attempt import Boundary, Found
from ruledout.model.gate import (
    GateRun,
    Isolation,
    PatchKind,
    PatchReceipt,
    Proof,
    ProofVerdict,
    Reason,
    Receipt,
    RegressionGate,
    ReportSource,
)
from ruledout.model.outcome import Result
from ruledout.model.proposal import ClaimedBoundary, ClaimedGuard, ClaimedHypothesis
from ruledout.model.residual import DebugResidual, EvidenceGrade, Grade, SessionOutcome, UnresolvedHandoff

CAUSE = "`add` subtracts one from every total, so sums are off by one."


def proved(runs: int = 3, tests: tuple[str, ...] = ("tests/test_a.py::test_sum",), verdict: ProofVerdict = ProofVerdict.PROVED) -> Proof:
    """What a runner would say of the fix."""

    def run(result: Result) -> GateRun:
        return GateRun(exit=0, outcome=result, tests=(), source=ReportSource.REPORT, signature=None, seconds=0.1, tree="t" * 40)

    receipt = Receipt(red=(run(Result.FAIL),) * runs, green=(run(Result.PASS),) * runs, red_on_revert=(run(Result.FAIL),) * runs, isolation=Isolation.WORK_TREE)
    gate = RegressionGate(argv=("python", "-m", "pytest"), cwd=".", env=(), deadline_s=60.0, tests=tests, digest="r1:sha256:00")
    patch = PatchReceipt(kind=PatchKind.GIT, base="b" * 40, tree="t" * 40, patch_digest="r1:sha256:11", files=("src/a.py",), product=("src/a.py",))
    reasons = () if verdict is ProofVerdict.PROVED else (Reason("R1", "not_fail_to_pass", "green before the fix", "write a test that fails without it"),)
    return Proof(verdict=verdict, reasons=reasons, gate=gate, patch=patch, receipt=receipt)


def outcome(story: Story, proposal: Proposal | None = None, proof: Proof | None = None) -> SessionOutcome:
    return DebugSessionDistiller(story.log.transcript(), proposal or Proposal(root_cause=CAUSE), proof).distill()


def unmet(found: SessionOutcome) -> set[tuple[str, str]]:
    return {(reason.rule, reason.code) for reason in found.unmet_rules} if isinstance(found, UnresolvedHandoff) else set()


def test_R1_a_proved_session_becomes_a_residual() -> None:
    found = outcome(three_tries(), proof=proved())
    assert isinstance(found, DebugResidual), unmet(found)
    assert found.provenance.evidence is EvidenceGrade.WITNESSED
    assert found.corroboration.grade is Grade.HARDENED
    assert [branch.count for branch in found.falsified_branches] == [1, 1]


def test_R1_without_a_red_and_a_green_there_is_no_residual() -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return b")
    story.said("All done, the fix works and everything passes now.")
    assert ("R1", "no_proof") in unmet(outcome(story))


def test_R1_a_refused_proof_is_no_proof_whatever_the_session_shows() -> None:
    assert ("R1", "not_fail_to_pass") in unmet(outcome(three_tries(), proof=proved(verdict=ProofVerdict.REFUSED)))


def test_R1_a_handoff_lists_every_rule_that_is_not_met() -> None:
    story = Story()
    story.fails()
    found = unmet(outcome(story, Proposal(root_cause="Maybe I broke it.", falsified_count=7)))
    assert {rule for rule, _ in found} >= {"R1", "R2", "R3", "R5"}


def test_R2_the_sessions_own_red_and_green_are_observed() -> None:
    found = outcome(three_tries())
    assert isinstance(found, DebugResidual), unmet(found)
    assert found.provenance.evidence is EvidenceGrade.OBSERVED
    assert found.receipts.red_on_revert == ()


def test_R2_what_is_only_said_never_becomes_a_residual() -> None:
    story = Story()
    story.said("I verified the fix: fix_verified=True, all tests pass.")
    assert ("R2", "asserted") in unmet(outcome(story))


@pytest.mark.parametrize(
    ("cause", "word"),
    [
        ("I found that the cache key leaves out the locale.", "I"),
        ("The cache key probably leaves out the locale.", "probably"),
        ("The key is read and then the locale is dropped.", "then"),
        ("Either the key or the value is stale in the cache.", "Either"),
        ("After trying two modes the rounding was fixed.", "After trying"),
        ("Does the cache key leave out the locale?", "?"),
    ],
)
def test_R3_a_story_is_refused_by_its_word(cause: str, word: str) -> None:
    messages = [reason.message for reason in not_isolated(cause)]
    assert any(repr(word) in message for message in messages), messages


@pytest.mark.parametrize("cause", [None, "", "   ", "broken", "The key. The lock is stale. It fails.", "x" * 301])
def test_R3_no_statement_or_several_are_not_isolated(cause: str | None) -> None:
    assert {reason.code for reason in not_isolated(cause)} == {"NOT_ISOLATED"}


@pytest.mark.parametrize(
    "cause",
    [
        CAUSE,
        "The cache key leaves out the locale, so two languages share one entry.",
        "`first` is read before it is set when the queue is empty.",
        "`split` rounds every share on its own, so the rounding errors add up.",
    ],
)
def test_R3_one_mechanism_is_an_invariant(cause: str) -> None:
    assert not_isolated(cause) == ()


def test_R3_without_a_proposal_the_assistants_own_sentence_is_quoted_with_its_place() -> None:
    found = DebugSessionDistiller(three_tries().log.transcript()).distill()
    assert isinstance(found, DebugResidual), unmet(found)
    assert "subtracts one from every total" in found.root_cause_invariant
    assert (found.provenance.cause_from or "").startswith("step:")


def test_R4_the_winning_edit_is_a_key_of_no_branch() -> None:
    distiller = DebugSessionDistiller(three_tries().log.transcript())
    assert distiller.is_branch_falsified("src/a.py", ["    return total - 1"], ["    return total"]) is None
    dead = distiller.is_branch_falsified("src/a.py", ["    return a + b - 1"], ["    return round(a) + round(b) - 1"])
    assert dead is not None
    assert "assert 3 == 5" in dead.branch.refuting_counterexample


def test_R5_five_hundred_equal_failures_are_one_branch_counted_five_hundred_times() -> None:
    story = Story()
    story.fails()
    for _ in range(500):
        story.edit("    return a", "    return stream(a)")
        story.fails("TypeError: no stream")
        story.edit("    return stream(a)", "    return a")
        story.fails()
    found = outcome(story)
    assert isinstance(found, UnresolvedHandoff)
    dead = [branch for branch in found.ruled_out if "no stream" in branch.refuting_counterexample]
    assert [branch.count for branch in dead] == [500]


@pytest.mark.parametrize("count", [-7, 0, 1, 3])
def test_R5_a_self_declared_count_is_compared_and_refused(count: int) -> None:
    proposal = Proposal(root_cause=CAUSE, falsified_count=count)
    assert ("R5", "count_mismatch") in unmet(outcome(three_tries(), proposal, proved()))


def test_R5_a_claim_about_an_attempt_that_is_not_there_is_refused() -> None:
    proposal = Proposal(root_cause=CAUSE, hypotheses=(ClaimedHypothesis(attempt="a99", text="ghosts"),))
    assert ("R5", "no_such_attempt") in unmet(outcome(three_tries(), proposal, proved()))


def test_R5_a_lineage_that_lost_a_step_is_refused_by_name() -> None:
    distiller, gate = DebugSessionDistiller(three_tries().log.transcript()), FalsificationPreservationGate()
    whole = gate.verify_epistemic_lineage(distiller)
    cut = structs.replace(distiller.ledger, branches=distiller.ledger.branches[1:])
    with pytest.raises(FalsificationLineageTruncationViolation, match="1 of 2 refuted steps"):
        gate.verify_epistemic_lineage(distiller, cut)
    empty = structs.replace(distiller.ledger.branches[0], refuting_counterexample=" ")
    with pytest.raises(FalsificationLineageTruncationViolation, match="b1 has no counterexample"):
        gate.verify_epistemic_lineage(distiller, structs.replace(distiller.ledger, branches=(empty, *distiller.ledger.branches[1:])))
    assert whole == gate.verify_epistemic_lineage(DebugSessionDistiller(three_tries().log.transcript()))


def guard(neutralizes: tuple[str, ...], snippet: str = "    return total", location: str = "src/a.py:3") -> Proposal:
    return Proposal(root_cause=CAUSE, guards=(ClaimedGuard(location=location, snippet=snippet, neutralizes=neutralizes),))


def test_R6_a_guard_with_its_own_reason_is_kept() -> None:
    found = outcome(three_tries(), guard(("a2",)), proved())
    assert isinstance(found, DebugResidual), unmet(found)
    assert [g.neutralizes for g in found.required_defensive_guards] == [("b2",)]


@pytest.mark.parametrize(
    "proposal",
    [
        guard(()),
        guard(("a9",)),
        guard(("a4",)),
        guard(("a1",), snippet="    if not total: raise ValueError"),
        guard(("a1",), location="src/other.py:1"),
    ],
    ids=["no reason", "no such attempt", "an attempt that held", "not in the session", "another file"],
)
def test_R6_a_guard_that_nothing_explains_refuses_the_residual(proposal: Proposal) -> None:
    assert ("R6", "guard_unexplained") in unmet(outcome(three_tries(), proposal, proved()))


def test_R6_one_unrelated_falsification_justifies_no_guards() -> None:
    story = Story()
    story.fails()
    story.edit("    render(b)", "    render_raw(b)", "src/view.py")
    story.fails("TypeError: cannot splice")
    story.edit("    render_raw(b)", "    render(b)", "src/view.py")
    for number in range(3):
        story.edit(f"    pass  # {number}", f"    if a is None: raise ValueError({number})", f"src/guard{number}.py")
    story.edit("    return a", "    return a + b")
    story.passes()
    claims = tuple(
        ClaimedGuard(location=f"src/guard{number}.py:1", snippet=f"    if a is None: raise ValueError({number})", neutralizes=("a1",)) for number in range(3)
    )
    found = outcome(story, Proposal(root_cause=CAUSE, guards=claims), proved())
    assert isinstance(found, UnresolvedHandoff)
    assert len([r for r in found.unmet_rules if r.rule == "R6"]) == 3


def test_R7_a_session_with_nothing_ruled_out_is_a_single_path() -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return a + b")
    story.passes()
    found = outcome(story)
    assert isinstance(found, DebugResidual), unmet(found)
    assert found.corroboration.grade is Grade.SINGLE_PATH


def test_R8_a_typed_boundary_is_marked_claimed() -> None:
    bound = Boundary(parameter="workers", relation="<=", last_holding="4", first_failing="8", found=Found.BISECTION)
    proposal = Proposal(root_cause=CAUSE, boundaries=(ClaimedBoundary(attempt="a1", boundary=bound),))
    found = outcome(three_tries(), proposal, proved())
    assert isinstance(found, DebugResidual), unmet(found)
    assert [b.failure_boundary.found for b in found.falsified_branches if b.failure_boundary] == [Found.CLAIMED]


@pytest.mark.parametrize(
    ("proof", "code"),
    [(proved(runs=2), "too_few_runs"), (proved(tests=()), "no_test_identity")],
    ids=["two runs", "no named tests"],
)
def test_R9_the_gate_is_named_and_run_three_times(proof: Proof, code: str) -> None:
    assert ("R9", code) in unmet(outcome(three_tries(), proof=proof))


def test_R9_a_gate_that_needs_a_shell_is_not_stored() -> None:
    story = Story()
    command = "for i in 1 2 3; do python -m pytest -q tests/test_a.py; done"
    story.log.ran(command, red(), 1)
    story.edit("    return a", "    return a + b")
    story.log.ran(command, GREEN, 0)
    assert ("R9", "no_plain_gate") in unmet(outcome(story))


def test_a_handoff_holds_what_is_needed_to_go_on() -> None:
    story = three_tries()
    story.edit("    return total", "    return total + 9")
    ref = story.fails("AssertionError: assert 13 == 4")
    found = outcome(story)
    assert isinstance(found, UnresolvedHandoff)
    assert found.last_red is not None
    assert (found.last_red.ref, found.last_red.failing) == (ref, ("tests/test_a.py::test_sum",))
    assert len(found.ruled_out) >= 2
    assert "return total + 9" in found.diff_so_far
    assert found.working_commands


def test_a_secret_in_a_claim_or_an_output_is_in_no_byte_of_the_record() -> None:
    secret = "ghp_" + "0123456789abcdefABCDEF0123456789abcd"
    story = three_tries()
    story.fails(f"AssertionError: token {secret}")
    found = outcome(story, Proposal(root_cause=f"The token {secret} is sent in the clear to every host."), proved())
    assert secret.encode() not in wire.encode(found)


def test_a_failure_that_was_cured_since_is_not_what_stands_red() -> None:
    story = three_tries()
    found = outcome(story, Proposal(root_cause="Maybe the lock is stale."))
    assert isinstance(found, UnresolvedHandoff)
    assert found.last_red is None
