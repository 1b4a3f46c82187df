"""Small outcomes with everything in them, to be varied in tests. Facts of no real project."""

import hashlib
from collections.abc import Sequence

import msgspec

from ruledout.model.attempt import Boundary, Conditions, FalsifiedBranch, Found, Guard
from ruledout.model.gate import GateRun, Isolation, PatchKind, PatchReceipt, Reason, Receipt, RegressionGate, ReportSource, TestResult, TestStatus
from ruledout.model.outcome import ErrorSignature, Frame, Kind, Result
from ruledout.model.residual import (
    Corroboration,
    DebugResidual,
    EvidenceGrade,
    Grade,
    LastRed,
    OpenHypothesis,
    Provenance,
    Symptom,
    UnresolvedHandoff,
)


def signature(name: str = "ValueError", test: str = "tests/test_cart.py::test_total") -> ErrorSignature:
    """A failure of one test; another name or test is another failure."""
    ids = {level: f"dbs1:{level}:{hashlib.sha256(f'{level}{name}{test}'.encode()).hexdigest()[:32]}" for level in "en"}
    coarse = f"dbs1:c:{hashlib.sha256(name.encode()).hexdigest()[:32]}"
    return ErrorSignature(
        exact=ids["e"],
        normalised=ids["n"],
        coarse=coarse,
        kind=Kind.EXCEPTION,
        tool="pytest",
        exit="code:1",
        classes=(name,),
        message=f"{name}: totals differ",
        frames=(Frame("total", "src/cart.py"),),
        tests=(test,),
    )


def branch(
    id: str = "b1",  # noqa: A002  # the word that the record itself uses
    *,
    hypothesis: str | None = "The discount is rounded before the tax is added.",
    fingerprints: Sequence[str] = ("e1:" + "1" * 32,),
    failure: ErrorSignature | None = None,
    conditions: Conditions | None = None,
    files: Sequence[str] = ("src/cart.py",),
) -> FalsifiedBranch:
    """An edit that was tried twice and failed alike both times."""
    return FalsifiedBranch(
        rejected_hypothesis_id=id,
        hypothesis=hypothesis,
        candidate_strategy=f"edit {', '.join(files)} (+2 -1)",
        observed_failure_class="AssertionError",
        terminal_error_signature=failure or signature("AssertionError"),
        refuting_counterexample="AssertionError: assert 1190 == 1191",
        refuting_evidence_digest="r1:sha256:" + "e" * 64,
        failure_boundary=Boundary(parameter="items", relation="<=", last_holding="7", first_failing="8", found=Found.BISECTION),
        conditions=conditions or Conditions(commit="a" * 40, gate="pytest -q tests/test_cart.py", dependencies=("money=1.4",)),
        count=2,
        files=tuple(files),
        fingerprints=tuple(fingerprints),
        refs=("call-3", "call-5"),
    )


def residual(
    cause: str = "The cart total is rounded per item although tax law rounds per invoice.",
    *,
    branches: Sequence[FalsifiedBranch] | None = None,
    evidence: EvidenceGrade = EvidenceGrade.WITNESSED,
    survived: Sequence[str] = ("e1:" + "f" * 32,),
    symptom: ErrorSignature | None = None,
) -> DebugResidual:
    """A fix of a shopping cart, proved, with one dead end and one guard."""
    red = _run(Result.FAIL, TestStatus.FAILED, 1)
    return DebugResidual(
        root_cause_invariant=cause,
        symptom=Symptom(ref="call-1", command="pytest -q tests/test_cart.py", signature=symptom or signature()),
        falsified_branches=tuple(branches) if branches is not None else (branch(),),
        required_defensive_guards=(
            Guard(location="src/cart.py:41", snippet_digest="r1:sha256:" + "d" * 64, neutralizes=("b1",), snippet="if not items:\n    return ZERO"),
        ),
        verified_patch_receipt=PatchReceipt(
            kind=PatchKind.GIT,
            base="a" * 40,
            tree="b" * 40,
            patch_digest="r1:sha256:" + "c" * 64,
            files=("src/cart.py", "tests/test_cart.py"),
            product=("src/cart.py",),
            tests=("tests/test_cart.py",),
            fingerprints=tuple(survived),
        ),
        regression_gate_signature=RegressionGate(
            argv=("pytest", "-q", "tests/test_cart.py"),
            cwd=".",
            env=(),
            deadline_s=60.0,
            tests=("tests/test_cart.py::test_total",),
            digest="r1:sha256:" + "9" * 64,
        ),
        receipts=Receipt(red=(red,), green=(_run(Result.PASS, TestStatus.PASSED, 0),), red_on_revert=(red,), isolation=Isolation.BUBBLEWRAP),
        corroboration=Corroboration(grade=Grade.CORROBORATED, falsified=2, distinct_signatures=1),
        provenance=_provenance(evidence),
    )


def handoff(
    last: str = "KeyError: 'rate'", *, ruled_out: Sequence[FalsifiedBranch] = (), working: Sequence[str] = ("python -m cart --check",)
) -> UnresolvedHandoff:
    """A session that broke off red."""
    return UnresolvedHandoff(
        unmet_rules=(Reason("R1", "no_proof", "no run of the gate passed", "run the gate until it is green"),),
        symptom=Symptom(ref="call-1", command="pytest -q tests/test_rates.py", signature=signature("KeyError", "tests/test_rates.py::test_rate")),
        open_hypotheses=(
            OpenHypothesis(id="a2", hypothesis="The rates file is read too late.", strategy="edit src/rates.py (+1 -1)", verdict="partial", ref="call-4"),
        ),
        ruled_out=tuple(ruled_out),
        last_red=LastRed(
            ref="call-6",
            command="pytest -q tests/test_rates.py",
            message=last,
            failing=("tests/test_rates.py::test_rate",),
            signature=signature("KeyError", "tests/test_rates.py::test_rate"),
        ),
        working_commands=tuple(working),
        diff_so_far="",
        corroboration=Corroboration(grade=Grade.SINGLE_PATH, falsified=0, distinct_signatures=0),
        provenance=msgspec.structs.replace(_provenance(EvidenceGrade.OBSERVED), cause_from=None),
    )


def _provenance(evidence: EvidenceGrade) -> Provenance:
    return Provenance(
        agent="an-agent",
        format="claude_code",
        session="s-1",
        session_digest="r1:sha256:" + "7" * 64,
        tool_version="0.1.0",
        evidence=evidence,
        cause_from="proposal",
    )


def _run(result: Result, status: TestStatus, exit_: int) -> GateRun:
    return GateRun(
        exit=exit_,
        outcome=result,
        tests=(TestResult("tests/test_cart.py::test_total", status),),
        source=ReportSource.REPORT,
        signature=signature() if exit_ else None,
        seconds=0.25,
        tree="b" * 40,
    )
