"""The last step: a residual when every rule is met, else a handoff that lists every rule that is not. The only place that makes a `DebugResidual`."""

from collections.abc import Sequence

from ruledout.digest import tagged
from ruledout.distill.gates import bare
from ruledout.distill.ledger import Ledger
from ruledout.distill.observed import gate_of, receipt_of
from ruledout.distill.policy import RULES, Case, Rule, grade
from ruledout.distill.seen import Judged
from ruledout.distill.segment import is_product, is_test_side, live
from ruledout.distill.session import fingerprints
from ruledout.model.action import Edit, EditKind, Ending
from ruledout.model.attempt import FalsifiedBranch, Verdict
from ruledout.model.gate import PatchKind, PatchReceipt, Proof, ProofVerdict, Reason
from ruledout.model.outcome import Evidence, Result
from ruledout.model.residual import (
    Corroboration,
    DebugResidual,
    EvidenceGrade,
    LastRed,
    OpenHypothesis,
    Provenance,
    SessionOutcome,
    UnresolvedHandoff,
)
from ruledout.model.transcript import Transcript
from ruledout.text import cap

DIFF_LIMIT = 4000
MOST_OPEN = 8
MOST_COMMANDS = 5


def case_of(transcript: Transcript, judged: Judged, ledger: Ledger, proof: Proof | None) -> Case:
    """The case for the rules: our own proof where there is one, else what the session itself shows."""
    if proof is not None:
        proved = proof.verdict is ProofVerdict.PROVED
        patch = _with_fingerprints(proof.patch, judged) if proof.patch else None
        evidence = EvidenceGrade.WITNESSED if proved else EvidenceGrade.ASSERTED
        return Case(transcript=transcript, judged=judged, ledger=ledger, proof=proof, gate=proof.gate, receipt=proof.receipt, patch=patch, evidence=evidence)
    seen = judged.gate
    observed = seen is not None and seen.green.outcome.evidence is Evidence.RAN
    return Case(
        transcript=transcript,
        judged=judged,
        ledger=ledger,
        proof=None,
        gate=gate_of(seen) if seen else None,
        receipt=receipt_of(seen) if seen else None,
        patch=_session_patch(transcript, judged),
        evidence=EvidenceGrade.OBSERVED if observed else EvidenceGrade.ASSERTED,
    )


def conclude(case: Case, provenance: Provenance, rules: Sequence[Rule] = RULES) -> SessionOutcome:
    """R1-R9 over a case. `provenance.evidence` and `cause_from` are set here, from the case, whatever the caller says."""
    from msgspec import structs

    provenance = structs.replace(provenance, evidence=case.evidence, cause_from=case.ledger.cause_from)
    unmet = tuple(dict.fromkeys(reason for rule in rules for reason in rule.check(case)))
    if unmet or case.gate is None or case.receipt is None or case.patch is None or case.ledger.cause is None:
        missing = () if unmet else (Reason("R1", "no_patch", "no change was found that could have fixed it", "distil with the repository: --repo DIR"),)
        return _handoff(case, provenance, unmet + missing)
    return DebugResidual(
        root_cause_invariant=case.ledger.cause,
        symptom=case.judged.symptom,
        falsified_branches=case.ledger.branches,
        required_defensive_guards=case.ledger.guards,
        verified_patch_receipt=case.patch,
        regression_gate_signature=case.gate,
        receipts=case.receipt,
        corroboration=_corroboration(case.ledger),
        provenance=provenance,
    )


def _corroboration(ledger: Ledger) -> Corroboration:
    distinct = {branch.terminal_error_signature.normalised for branch in ledger.branches}
    return Corroboration(grade=grade(ledger), falsified=ledger.falsified, distinct_signatures=len(distinct))


def _handoff(case: Case, provenance: Provenance, unmet: tuple[Reason, ...]) -> UnresolvedHandoff:
    return UnresolvedHandoff(
        unmet_rules=unmet,
        symptom=case.judged.symptom,
        open_hypotheses=_open(case.judged),
        ruled_out=_without_winners(case),
        last_red=_last_red(case.judged),
        working_commands=_working(case.judged),
        diff_so_far=_diff([edit for edit in _surviving(case.transcript, case.judged) if edit.path in case.judged.product]),
        corroboration=_corroboration(case.ledger),
        provenance=provenance,
        survived=case.judged.surviving,
    )


def _without_winners(case: Case) -> tuple[FalsifiedBranch, ...]:
    """R4: a dead end that holds a part of what was proved keeps its story and loses its keys."""
    from msgspec import structs

    right = {*case.judged.surviving, *(case.patch.fingerprints if case.patch else ())}
    return tuple(structs.replace(branch, fingerprints=()) if right.intersection(branch.fingerprints) else branch for branch in case.ledger.branches)


def _open(judged: Judged) -> tuple[OpenHypothesis, ...]:
    """What was tried on files that ship and is neither proved nor ruled out, the newest last."""
    kinds = {Verdict.PARTIAL, Verdict.INCONCLUSIVE, Verdict.ABANDONED, Verdict.HELD}
    found = [a for a in judged.attempts if a.verdict in kinds and any(not is_test_side(path) for path in a.files)]
    return tuple(OpenHypothesis(id=a.id, hypothesis=a.hypothesis, strategy=a.strategy, verdict=a.verdict.value, ref=a.from_ref) for a in found[-MOST_OPEN:])


def _last_red(judged: Judged) -> LastRed | None:
    """The last failure that stands: whose command did not pass afterwards."""
    passed: set[str] = set()
    run = None
    for seen in reversed(judged.runs):
        if seen.failed and bare(seen.run.command) not in passed:
            run = seen
            break
        if seen.decided and not seen.failed:
            passed.add(bare(seen.run.command))
    if run is None:
        return None
    outcome = run.outcome
    return LastRed(ref=run.run.ref, command=run.run.command, message=outcome.message, failing=outcome.failing[:20], signature=outcome.signature)


def _working(judged: Judged) -> tuple[str, ...]:
    """Commands that ran for certain in this environment, the newest first."""
    ran = [run.run.command for run in reversed(judged.runs) if run.outcome.evidence is Evidence.RAN or run.outcome.result is Result.PASS]
    return tuple(dict.fromkeys(cap(command, 300) for command in ran))[:MOST_COMMANDS]


def _surviving(transcript: Transcript, judged: Judged) -> tuple[Edit, ...]:
    alive = set(judged.surviving)
    edits = [action for _, action in live(transcript) if isinstance(action, Edit) and action.ending is Ending.DONE]
    return tuple(edit for edit in edits if edit.kind is not EditKind.RESTORE and set(fingerprints(edit)) & alive)


def _diff(edits: Sequence[Edit]) -> str:
    """The edits that live on, as short hunks; cut at the limit, which is said."""
    parts = []
    for edit in edits:
        parts.append(f"--- {edit.path}")
        for hunk in edit.hunks:
            parts += [f"-{line}" for line in hunk.removed] + [f"+{line}" for line in hunk.added]
    return cap("\n".join(parts), DIFF_LIMIT)


def _session_patch(transcript: Transcript, judged: Judged) -> PatchReceipt | None:
    """The change as the session shows it: for evidence that was only observed."""
    edits = [edit for edit in _surviving(transcript, judged) if is_product(edit) or is_test_side(edit.path)]
    product = tuple(dict.fromkeys(edit.path for edit in edits if is_product(edit)))
    if not product:
        return None
    tests = tuple(dict.fromkeys(edit.path for edit in edits if not is_product(edit)))
    hunks = [{"path": edit.path, "removed": list(h.removed), "added": list(h.added)} for edit in edits for h in edit.hunks]
    receipt = PatchReceipt(kind=PatchKind.FILES, base=None, tree=None, patch_digest=tagged("patch", hunks), files=product + tests, product=product, tests=tests)
    return _with_fingerprints(receipt, judged)


def _with_fingerprints(patch: PatchReceipt, judged: Judged) -> PatchReceipt:
    """R4: the keys of what lives on, beside those that the proof found, so that no later look-up can call it a dead end."""
    from msgspec import structs

    return structs.replace(patch, fingerprints=tuple(dict.fromkeys((*patch.fingerprints, *judged.surviving))))
