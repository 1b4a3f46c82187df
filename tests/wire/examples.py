"""Values to write: one full residual, one full handoff, and strategies for any of both."""

import msgspec
from hypothesis import strategies as st

from ruledout.model.attempt import Ablation, Boundary, BranchEdit, Conditions, FalsifiedBranch, Found, Guard
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
    SessionOutcome,
    Symptom,
    UnresolvedHandoff,
)

DIGEST = "r1:sha256:" + "0123456789abcdef" * 4

SIGNATURE = ErrorSignature(
    exact="dbs1:e:" + "1" * 32,
    normalised="dbs1:n:" + "2" * 32,
    coarse="dbs1:c:" + "3" * 32,
    kind=Kind.EXCEPTION,
    tool="pytest",
    exit="code:1",
    classes=("RuntimeError", "KeyError"),
    code="E1",
    message="KeyError: <str>",
    addr="<addr>",
    frames=(Frame("load", "src/cache.py", 3), Frame("get", "src/cache.py")),
    tests=("tests/test_cache.py::test_locale",),
    codes=("F401",),
)
RUN = GateRun(
    exit=1,
    outcome=Result.FAIL,
    tests=(TestResult("tests/test_cache.py::test_locale", TestStatus.FAILED),),
    source=ReportSource.REPORT,
    signature=SIGNATURE,
    seconds=1.25,
    tree="ab" * 20,
    ended="exited",
    facts=("python=3.11.7",),
    tail="1 failed",
)
BRANCH = FalsifiedBranch(
    rejected_hypothesis_id="b1",
    hypothesis="The key is read before it is written.",
    candidate_strategy="edit src/cache.py (+1 -1)",
    observed_failure_class="KeyError",
    terminal_error_signature=SIGNATURE,
    refuting_counterexample="KeyError: 'de'",
    refuting_evidence_digest=DIGEST,
    failure_boundary=Boundary(
        parameter="size", relation="<", last_holding="7", first_failing="8", found=Found.BISECTION, runs=9, isolation=Isolation.NAMESPACE
    ),
    conditions=Conditions(commit="c" * 40, gate=DIGEST, dependencies=("numpy=2.1",)),
    count=2,
    files=("src/cache.py",),
    fingerprints=("e1:" + "4" * 32,),
    refs=("step:3", "step:9"),
    edits=(BranchEdit(path="src/cache.py", removed=("return key",), added=("return key or None",)),),
    before=(BranchEdit(path="src/cache.py", removed=("return 1",), added=("return key",)),),
)
GUARD = Guard(
    location="src/cache.py:12",
    snippet_digest=DIGEST,
    neutralizes=("b1", "symptom"),
    ablation=Ablation(runs=(RUN,), signature=SIGNATURE),
    snippet="if key is None:",
)
PROVENANCE = Provenance(
    agent="agent", format="atif", session="s1", session_digest=DIGEST, tool_version="0.1.0", evidence=EvidenceGrade.WITNESSED, cause_from="proposal"
)
SYMPTOM = Symptom(ref="step:1", command="pytest -q", signature=SIGNATURE)
CORROBORATION = Corroboration(grade=Grade.CORROBORATED, falsified=2, distinct_signatures=1, replayed=1)

RESIDUAL = DebugResidual(
    root_cause_invariant="The cache key omits the locale.",
    symptom=SYMPTOM,
    falsified_branches=(BRANCH,),
    required_defensive_guards=(GUARD,),
    verified_patch_receipt=PatchReceipt(
        kind=PatchKind.GIT,
        base="a" * 40,
        tree="b" * 40,
        patch_digest=DIGEST,
        files=("src/cache.py", "tests/t.py"),
        product=("src/cache.py",),
        tests=("tests/t.py",),
    ),
    regression_gate_signature=RegressionGate(argv=("pytest", "-q"), cwd=".", env=("LANG",), deadline_s=300.0, tests=("t::a",), digest=DIGEST),
    receipts=Receipt(red=(RUN,), green=(RUN,), red_on_revert=(RUN,), isolation=Isolation.BUBBLEWRAP),
    corroboration=CORROBORATION,
    provenance=PROVENANCE,
)
HANDOFF = UnresolvedHandoff(
    unmet_rules=(Reason("R1", "no_green", "no run was green", "run the gate"),),
    symptom=SYMPTOM,
    open_hypotheses=(OpenHypothesis(id="a2", hypothesis="Perhaps the clock.", strategy="edit src/a.py (+1 -0)", verdict="inconclusive", ref="step:4"),),
    ruled_out=(BRANCH,),
    last_red=LastRed(ref="step:9", command="pytest -q", message="KeyError: 'de'", failing=("t::a",), signature=SIGNATURE),
    working_commands=("pytest -q",),
    diff_so_far="--- a/x\n+++ b/x\n",
    corroboration=CORROBORATION,
    provenance=PROVENANCE,
)

_TEXT = st.text(alphabet='a|:",[]{}\\\n\u2028é\U0001f600', max_size=4)
_INT = st.integers(-(2**53) + 1, 2**53 - 1)
_FLOAT = st.floats(allow_nan=False, allow_infinity=False)


def _any(kind: type[msgspec.Struct]) -> st.SearchStrategy[msgspec.Struct]:
    """Any value of this kind, field by field from its own annotations."""
    fields = {field.encode_name: _of(field.type) for field in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]  # only structs come here
    return st.fixed_dictionaries(fields).map(lambda values: kind(**values))


def _of(info: msgspec.inspect.Type) -> st.SearchStrategy[object]:
    if isinstance(info, msgspec.inspect.StructType):
        return st.deferred(lambda: _any(info.cls))
    if isinstance(info, msgspec.inspect.EnumType):
        return st.sampled_from(list(info.cls))
    if isinstance(info, msgspec.inspect.UnionType):
        return st.one_of([_of(part) for part in info.types])
    if isinstance(info, msgspec.inspect.VarTupleType):
        return st.lists(_of(info.item_type), max_size=2).map(tuple)
    plain: dict[type, st.SearchStrategy[object]] = {
        msgspec.inspect.StrType: _TEXT,
        msgspec.inspect.IntType: _INT,
        msgspec.inspect.FloatType: _FLOAT,
        msgspec.inspect.NoneType: st.none(),
    }
    return plain[type(info)]


RESIDUALS = _any(DebugResidual)
HANDOFFS = _any(UnresolvedHandoff)
OUTCOMES: st.SearchStrategy[SessionOutcome] = st.one_of(RESIDUALS, HANDOFFS)
