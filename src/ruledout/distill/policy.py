"""Rules R1-R9 as a numbered list. Each takes a case and gives the reasons, if any, why it is no residual. None stops the others: all are listed."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from ruledout.distill.ledger import Ledger, verify_lineage
from ruledout.distill.seen import Judged
from ruledout.distill.words import not_isolated
from ruledout.errors import FalsificationLineageTruncationViolation
from ruledout.model.attempt import Found, Verdict
from ruledout.model.gate import PatchReceipt, Proof, ProofVerdict, Reason, Receipt, RegressionGate
from ruledout.model.outcome import Evidence, Result
from ruledout.model.residual import EvidenceGrade, Grade
from ruledout.model.transcript import Transcript

LEAST_RUNS = 3


class Case(Struct, frozen=True, kw_only=True):
    """Everything that the rules look at.

    `proof` is what our own runs came to, or None when none were asked for. `gate`, `receipt` and `patch` are the proof's, or, for evidence that was
    only observed, read from the session; None where there is none. `evidence` says which of the two.
    """

    transcript: Transcript
    judged: Judged
    ledger: Ledger
    proof: Proof | None
    gate: RegressionGate | None
    receipt: Receipt | None
    patch: PatchReceipt | None
    evidence: EvidenceGrade


class Rule(Struct, frozen=True, kw_only=True):
    """A numbered rule and what enforces it."""

    number: str
    title: str
    check: Callable[[Case], Iterator[Reason]]


def _r1(case: Case) -> Iterator[Reason]:
    """R1: no external proof, no residual."""
    if case.proof is not None:
        if case.proof.verdict is not ProofVerdict.PROVED:
            yield from case.proof.reasons or (Reason("R1", "not_proved", "our runs of the gate did not prove the fix", "read the reasons of `ruledout prove`"),)
        return
    if case.judged.gate is None:
        mend = "run one command that fails before the fix and passes after it, or let us: `ruledout distill SESSION --prove -- CMD`"
        yield Reason("R1", "no_proof", "the session shows no command that failed before the fix and passed after it", mend)
    elif case.judged.gate.green.outcome.evidence is not Evidence.RAN:
        mend = "run the tests by name, without a pipe, or let us: `ruledout distill SESSION --prove -- CMD`"
        yield Reason("R1", "no_evidence_of_run", f"the pass at {case.judged.gate.green.run.ref} does not show that anything ran", mend)


def _r2(case: Case) -> Iterator[Reason]:
    """R2: evidence has grades; what someone says is none."""
    if case.evidence is EvidenceGrade.ASSERTED:
        yield Reason("R2", "asserted", "the fix is only said to work", "show a run: failing before, passing after")


def _r3(case: Case) -> Iterator[Reason]:
    """R3: the root cause is one invariant."""
    yield from not_isolated(case.ledger.cause)


def _r4(case: Case) -> Iterator[Reason]:
    """R4: nothing that lives on stands in the ledger; nothing stands there without a definite error."""
    for branch in case.ledger.branches:
        if set(branch.fingerprints) & {*case.judged.surviving, *(case.patch.fingerprints if case.patch else ())}:
            yield Reason("R4", "winner_in_ledger", f"{branch.rejected_hypothesis_id} holds an edit that lives on in the final state", "report this as a defect")


def _r5(case: Case) -> Iterator[Reason]:
    """R5: the ledger is lossless, and its number is recomputed."""
    yield from (reason for reason in case.ledger.objections if reason.rule == "R5")
    shown = sum(attempt.verdict is Verdict.FALSIFIED for attempt in case.judged.attempts)
    if sum(branch.count for branch in case.ledger.branches) != shown:
        yield Reason("R5", "ledger_truncated", f"the session shows {shown} falsified attempts, the ledger does not hold them all", "distil the session again")


def _r6(case: Case) -> Iterator[Reason]:
    """R6: every guard has a reason, and the lineage as a whole holds."""
    yield from (reason for reason in case.ledger.objections if reason.rule == "R6")
    try:
        verify_lineage(case.ledger.branches, case.ledger.guards, case.judged)
    except FalsificationLineageTruncationViolation as fault:
        yield Reason("R6", fault.slug, fault.message, fault.mend)


def _r7(case: Case) -> Iterator[Reason]:
    """R7: the grade is computed, never claimed; it must be one of the three."""
    if grade(case.ledger) not in Grade:
        yield Reason("R7", "no_grade", "the grade could not be computed", "report this as a defect")


def _r8(case: Case) -> Iterator[Reason]:
    """R8: a boundary that nobody measured is marked as claimed; one that says nothing is none."""
    yield from (reason for reason in case.ledger.objections if reason.rule == "R8")
    for branch in case.ledger.branches:
        bound = branch.failure_boundary
        if bound is not None and bound.found is not Found.CLAIMED and (bound.last_holding is None or bound.first_failing is None):
            message = f"the boundary of {branch.rejected_hypothesis_id} on {bound.parameter} is called measured, but lacks a value"
            yield Reason("R8", "boundary_unmeasured", message, "give the last value that holds and the first that fails, or mark it claimed")


def _r9(case: Case) -> Iterator[Reason]:
    """R9: the gate is a bounded, deterministic, named test. Equal runs are counted where we ran it; observed evidence says how many there were."""
    if case.gate is None:
        if case.proof is None and case.judged.gate is not None:
            mend = "use a plain command, without pipes or lists"
            yield Reason("R9", "no_plain_gate", f"`{case.judged.gate.command[:80]}` is no single command that could be run as it is", mend)
        return
    if not case.gate.argv:
        yield Reason("R9", "empty_gate", "the gate has no command", "name the command that failed before and passes after")
    if not case.gate.tests:
        yield Reason("R9", "no_test_identity", "the gate does not name the tests it relies on", "use a test runner that prints the tests it ran")
    if case.gate.deadline_s <= 0:
        yield Reason("R9", "no_deadline", "the gate has no time budget", "set a deadline in seconds")
    yield from _r9_runs(case)


def _r9_runs(case: Case) -> Iterator[Reason]:
    if case.receipt is None or case.evidence is not EvidenceGrade.WITNESSED:
        return
    for name, runs, wanted in (
        ("red", case.receipt.red, Result.FAIL),
        ("green", case.receipt.green, Result.PASS),
        ("red on revert", case.receipt.red_on_revert, Result.FAIL),
    ):
        if len(runs) < LEAST_RUNS:
            yield Reason("R9", "too_few_runs", f"{len(runs)} runs for {name}, at least {LEAST_RUNS} equal ones hold", f"prove with --runs {LEAST_RUNS} or more")
        if any(run.outcome is not wanted for run in runs):
            yield Reason("R9", "unequal_runs", f"not every run for {name} came out {wanted.value}", "make the gate deterministic")


RULES: tuple[Rule, ...] = (
    Rule(number="R1", title="No external proof, no residual", check=_r1),
    Rule(number="R2", title="Evidence has grades", check=_r2),
    Rule(number="R3", title="The root cause is one invariant", check=_r3),
    Rule(number="R4", title="What falsifies", check=_r4),
    Rule(number="R5", title="The ledger is lossless", check=_r5),
    Rule(number="R6", title="Every guard has a reason", check=_r6),
    Rule(number="R7", title="Honest grade", check=_r7),
    Rule(number="R8", title="Boundaries are measured", check=_r8),
    Rule(number="R9", title="The gate is a bounded, deterministic, named test", check=_r9),
)


def grade(ledger: Ledger) -> Grade:
    """R7: none falsified, one or more, two or more with different signatures."""
    distinct = {branch.terminal_error_signature.normalised for branch in ledger.branches}
    if not ledger.branches:
        return Grade.SINGLE_PATH
    return Grade.HARDENED if len(distinct) > 1 else Grade.CORROBORATED
