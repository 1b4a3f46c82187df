"""Claims meet evidence: the ledger of falsified branches, guards, boundaries and the cause, each checked against what the session shows.

A claim that the session does not bear becomes an objection with its rule; nothing claimed is dropped unsaid (R5, R14).
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from ruledout.digest import tagged
from ruledout.distill import claims
from ruledout.distill.seen import Judged, SeenRun
from ruledout.distill.tried import with_edits
from ruledout.distill.words import not_isolated
from ruledout.errors import FalsificationLineageTruncationViolation
from ruledout.model.attempt import Attempt, Conditions, FalsifiedBranch, Guard, Verdict
from ruledout.model.gate import Reason
from ruledout.model.proposal import Proposal
from ruledout.model.transcript import Transcript
from ruledout.redact import redact
from ruledout.text import cap, clean


class Ledger(Struct, frozen=True, kw_only=True):
    """What stands after claims met evidence. `falsified` counts attempts, recomputed from the session; `of_attempt` maps attempt ids to branch ids."""

    branches: tuple[FalsifiedBranch, ...]
    guards: tuple[Guard, ...]
    cause: str | None
    cause_from: str | None
    falsified: int
    of_attempt: tuple[tuple[str, str], ...]
    objections: tuple[Reason, ...]


def settle(transcript: Transcript, judged: Judged, proposal: Proposal | None, commit: str | None = None) -> Ledger:
    """The ledger of a session. `commit` is the base that the session worked on, where it is known (R10)."""
    proposal = proposal or Proposal()
    objections = [*claims.unfounded(judged, proposal), *_wrong_count(judged, proposal)]
    branches, of_attempt = _branches(judged, proposal, commit)
    branches = with_edits(transcript, judged, branches, of_attempt)
    guards, refused = claims.guards(transcript, judged, proposal.guards, branches, dict(of_attempt))
    cause, cause_from = _cause(judged, proposal)
    falsified = sum(attempt.verdict is Verdict.FALSIFIED for attempt in judged.attempts)
    return Ledger(
        branches=branches,
        guards=guards,
        cause=cause,
        cause_from=cause_from,
        falsified=falsified,
        of_attempt=of_attempt,
        objections=(*objections, *refused),
    )


def _cause(judged: Judged, proposal: Proposal) -> tuple[str | None, str | None]:
    """The proposed cause; else what the assistant itself said of it where the fix was made, if that is one invariant; else nothing (R3)."""
    if proposal.root_cause is not None:
        return redact(clean(cap(proposal.root_cause.strip(), claims.MOST_READ))), "proposal"
    near = [candidate for candidate in judged.candidates if candidate.near_fix]
    best = ([candidate for candidate in near if not not_isolated(candidate.text)] or near)[:1]
    return (best[0].text, best[0].ref) if best else (None, None)


def _wrong_count(judged: Judged, proposal: Proposal) -> Iterator[Reason]:
    """R5: the number is recomputed; a self-declared one is only ever compared."""
    found = sum(attempt.verdict is Verdict.FALSIFIED for attempt in judged.attempts)
    if proposal.falsified_count is not None and proposal.falsified_count != found:
        message = f"the proposal declares {proposal.falsified_count} falsified attempts, the session shows {found}"
        yield Reason("R5", "count_mismatch", message, "leave falsified_count out: it is recomputed from the session")


def _branches(judged: Judged, proposal: Proposal, commit: str | None) -> tuple[tuple[FalsifiedBranch, ...], tuple[tuple[str, str], ...]]:
    """R5: every falsified attempt is a branch, or counted into the branch of its equals: same edit, same normalised signature."""
    runs = {run.run.ref: run for run in judged.runs}
    claimed = {a.id: h.text for h in proposal.hypotheses if (a := claims.attempt_named(h.attempt, judged)) is not None}
    bounds = {a.id: b.boundary for b in proposal.boundaries if (a := claims.attempt_named(b.attempt, judged)) is not None}
    classes: dict[tuple[object, ...], list[Attempt]] = {}
    for attempt in judged.attempts:
        if attempt.verdict is Verdict.FALSIFIED and attempt.signature is not None:
            same = attempt.fingerprints or (attempt.id,)
            classes.setdefault((frozenset(same), attempt.signature.normalised), []).append(attempt)
    branches, of_attempt = [], []
    for number, group in enumerate(classes.values(), 1):
        first = group[0]
        of_attempt += [(attempt.id, f"b{number}") for attempt in group]
        hypothesis = next((claimed[a.id] for a in group if a.id in claimed), first.hypothesis)
        boundary = next((bounds[a.id] for a in group if a.id in bounds), None)
        branch = _branch(f"b{number}", group, runs.get(first.to_ref or ""), Conditions(commit=commit, gate=first.command))
        # R4: what lives on is never a key of a dead end, nor does a dead end lose only a part of its key: the rest alone was never tried
        safe = () if set(branch.fingerprints) & set(judged.surviving) else branch.fingerprints
        branches.append(
            structs.replace(
                branch, hypothesis=claims.say(hypothesis) if hypothesis else None, failure_boundary=claims.bound(boundary, judged), fingerprints=safe
            )
        )
    return tuple(branches), tuple(of_attempt)


def _branch(name: str, group: Sequence[Attempt], run: SeenRun | None, conditions: Conditions) -> FalsifiedBranch:
    first = group[0]
    assert first.signature is not None  # noqa: S101  # R4: no attempt is falsified without one
    outcome = run.outcome if run else None
    test = f"in {outcome.failing[0].split(' (')[0]}" if outcome and outcome.failing else ""
    example = " ".join(part for part in (first.message or first.signature.message, test) if part)
    evidence = {"ref": first.to_ref, "command": first.command, "output": run.run.output if run else "", "signature": first.signature.exact}
    return FalsifiedBranch(
        rejected_hypothesis_id=name,
        hypothesis=first.hypothesis,
        candidate_strategy=first.strategy,
        observed_failure_class=(first.signature.classes or (first.signature.code or first.signature.kind.value,))[-1],
        terminal_error_signature=first.signature,
        refuting_counterexample=cap(example, claims.TEXT_LIMIT),
        refuting_evidence_digest=tagged("evidence", evidence),
        failure_boundary=None,
        conditions=conditions,
        count=len(group),
        files=first.files,
        fingerprints=first.fingerprints,
        refs=tuple(attempt.to_ref for attempt in group if attempt.to_ref),
    )


def verify_lineage(branches: Sequence[FalsifiedBranch], guards: Sequence[Guard], judged: Judged) -> str:
    """R5 and R6 over a finished ledger: the digest of the lineage, or `FalsificationLineageTruncationViolation` naming what was lost."""
    wanted = sorted(a.to_ref or "" for a in judged.attempts if a.verdict is Verdict.FALSIFIED)
    kept = sorted(ref for branch in branches for ref in branch.refs)
    faults = [f"{len(wanted) - len(kept)} of {len(wanted)} refuted steps are not in the ledger"] if wanted != kept else []
    for branch in branches:
        faults += [f"{branch.rejected_hypothesis_id} has no counterexample"] if not branch.refuting_counterexample.strip() else []
        faults += [f"{branch.rejected_hypothesis_id} has no failure class"] if not branch.observed_failure_class.strip() else []
        faults += [f"{branch.rejected_hypothesis_id} counts {branch.count}, its refs are {len(branch.refs)}"] if branch.count != len(branch.refs) else []
    known = {branch.rejected_hypothesis_id for branch in branches} | ({"symptom"} if judged.symptom else set())
    faults += [f"the guard at {g.location} lacks its reason" for g in guards if not g.neutralizes or not set(g.neutralizes) <= known]
    if faults:
        raise FalsificationLineageTruncationViolation("lineage-truncated", "; ".join(faults), "distil the session again from its transcript")
    return tagged("lineage", {"branches": [_plain(b) for b in branches], "guards": [_plain(g) for g in guards]})


def _plain(value: Struct) -> object:
    from msgspec import to_builtins

    return to_builtins(value)
