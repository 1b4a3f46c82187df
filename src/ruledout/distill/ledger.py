"""Claims meet evidence: the ledger of falsified branches, guards, boundaries and the cause, each checked against what the session shows.

A claim that the session does not bear becomes an objection with its rule; nothing claimed is dropped unsaid (R5, R14).
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from ruledout.digest import tagged
from ruledout.distill.lines import key
from ruledout.distill.seen import Judged, SeenRun
from ruledout.distill.tried import with_edits
from ruledout.distill.words import not_isolated
from ruledout.errors import FalsificationLineageTruncationViolation
from ruledout.model.action import Edit, Ending
from ruledout.model.attempt import Attempt, Boundary, Conditions, FalsifiedBranch, Found, Guard, Verdict
from ruledout.model.gate import Reason
from ruledout.model.proposal import ClaimedGuard, Proposal
from ruledout.model.transcript import Transcript
from ruledout.redact import redact
from ruledout.text import cap, clean

TEXT_LIMIT = 300


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
    objections = [*_unknown_attempts(judged, proposal), *_wrong_count(judged, proposal)]
    branches, of_attempt = _branches(judged, proposal, commit)
    branches = with_edits(transcript, judged, branches, of_attempt)
    guards, refused = _guards(transcript, judged, proposal.guards, branches, dict(of_attempt))
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


def _say(text: str) -> str:
    """A claimed text as it may be kept: redacted, cleaned, capped (R13)."""
    return cap(redact(clean(" ".join(text.split()))), TEXT_LIMIT)


def _cause(judged: Judged, proposal: Proposal) -> tuple[str | None, str | None]:
    """The proposed cause; else what the assistant itself said of it where the fix was made, if that is one invariant; else nothing (R3)."""
    if proposal.root_cause is not None:
        return redact(clean(proposal.root_cause.strip())), "proposal"
    near = [candidate for candidate in judged.candidates if candidate.near_fix]
    best = ([candidate for candidate in near if not not_isolated(candidate.text)] or near)[:1]
    return (best[0].text, best[0].ref) if best else (None, None)


def _attempt_named(name: str, judged: Judged) -> Attempt | None:
    return next((attempt for attempt in judged.attempts if name in (attempt.id, attempt.from_ref, attempt.to_ref)), None)


def _unknown_attempts(judged: Judged, proposal: Proposal) -> Iterator[Reason]:
    for name in [*(h.attempt for h in proposal.hypotheses), *(b.attempt for b in proposal.boundaries)]:
        if _attempt_named(name, judged) is None:
            known = ", ".join(attempt.id for attempt in judged.attempts) or "none"
            yield Reason("R5", "no_such_attempt", f"the proposal names the attempt {cap(name, 60)!r}, which the session does not show", f"name one of: {known}")


def _wrong_count(judged: Judged, proposal: Proposal) -> Iterator[Reason]:
    """R5: the number is recomputed; a self-declared one is only ever compared."""
    found = sum(attempt.verdict is Verdict.FALSIFIED for attempt in judged.attempts)
    if proposal.falsified_count is not None and proposal.falsified_count != found:
        message = f"the proposal declares {proposal.falsified_count} falsified attempts, the session shows {found}"
        yield Reason("R5", "count_mismatch", message, "leave falsified_count out: it is recomputed from the session")


def _branches(judged: Judged, proposal: Proposal, commit: str | None) -> tuple[tuple[FalsifiedBranch, ...], tuple[tuple[str, str], ...]]:
    """R5: every falsified attempt is a branch, or counted into the branch of its equals: same edit, same normalised signature."""
    runs = {run.run.ref: run for run in judged.runs}
    claimed = {a.id: h.text for h in proposal.hypotheses if (a := _attempt_named(h.attempt, judged)) is not None}
    bounds = {a.id: b.boundary for b in proposal.boundaries if (a := _attempt_named(b.attempt, judged)) is not None}
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
            structs.replace(branch, hypothesis=_say(hypothesis) if hypothesis else None, failure_boundary=_bound(boundary, judged), fingerprints=safe)
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
        refuting_counterexample=cap(example, TEXT_LIMIT),
        refuting_evidence_digest=tagged("evidence", evidence),
        failure_boundary=None,
        conditions=conditions,
        count=len(group),
        files=first.files,
        fingerprints=first.fingerprints,
        refs=tuple(attempt.to_ref for attempt in group if attempt.to_ref),
    )


def _bound(boundary: Boundary | None, judged: Judged) -> Boundary | None:
    """R8: a typed boundary is `claimed`; only when runs of the session show both values beside the parameter is it the session's."""
    if boundary is None:
        return None
    texts = [f"{run.run.command}\n{run.run.output}" for run in judged.runs]
    values = [value for value in (boundary.last_holding, boundary.first_failing) if value]
    shown = len(values) == 2 and all(any(boundary.parameter in text and value in text for text in texts) for value in values)
    return structs.replace(boundary, found=Found.SESSION if shown else Found.CLAIMED, runs=0, signature=None, isolation=None)  # those are of our runs alone


def _guards(
    transcript: Transcript, judged: Judged, claims: Sequence[ClaimedGuard], branches: Sequence[FalsifiedBranch], of_attempt: dict[str, str]
) -> tuple[tuple[Guard, ...], tuple[Reason, ...]]:
    """R6: each guard with its own reason. A reason is a branch or the symptom that came before the guard and is of its file or its failure."""
    guards, reasons = [], []
    for claim in claims:
        found = _brought(transcript, claim)
        wrong = [] if found is not None else [f"the session shows no edit that brings it into {claim.location.split(':')[0]}"]
        ids = [_reason_id(name, judged, of_attempt) for name in claim.neutralizes]
        wrong += [f"{cap(name, 40)!r} is no falsified attempt and not the symptom" for name, known in zip(claim.neutralizes, ids, strict=True) if known is None]
        wrong += ["it names no reason"] if not claim.neutralizes else []
        wrong += [w for name in ids if name and found is not None and (w := _unrelated(name, found, claim, judged, branches))]
        if wrong:
            mend = "name the falsified attempt (its id or ref) or `symptom` that made this guard necessary, or leave the guard out"
            reasons.append(Reason("R6", "guard_unexplained", f"the guard at {claim.location}: {'; '.join(wrong)}", mend))
        else:
            snippet = _say(claim.snippet)
            digest = tagged("guard", {"location": claim.location, "snippet": claim.snippet})
            guards.append(Guard(location=claim.location, snippet_digest=digest, neutralizes=tuple(i for i in ids if i), snippet=snippet))
    return tuple(guards), tuple(reasons)


def _brought(transcript: Transcript, claim: ClaimedGuard) -> int | None:
    """The place of the last edit that brings all lines of the guard into its file."""
    path, lines = claim.location.split(":", 1)[0], {key(line) for line in claim.snippet.split("\n") if line.strip()}
    places = [
        place
        for place, action in enumerate(transcript.actions)
        if isinstance(action, Edit) and action.ending is Ending.DONE and _same_file(action.path, path) and lines
        if lines <= {key(line) for hunk in action.hunks for line in hunk.added}
    ]
    return places[-1] if places else None


def _same_file(one: str, other: str) -> bool:
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _reason_id(name: str, judged: Judged, of_attempt: dict[str, str]) -> str | None:
    if name == "symptom":
        return name if judged.symptom is not None else None
    if name in of_attempt.values():
        return name
    attempt = _attempt_named(name, judged)
    return of_attempt.get(attempt.id) if attempt else None


def _unrelated(name: str, brought: int, claim: ClaimedGuard, judged: Judged, branches: Sequence[FalsifiedBranch]) -> str | None:
    """Why a branch is no reason for a guard: it came later, or it is of other files and another failure than the guard's edit answers."""
    if name == "symptom":
        return None
    branch = next(b for b in branches if b.rejected_hypothesis_id == name)
    judges = [run for run in judged.runs if run.run.ref in branch.refs]
    if judges and brought < judges[0].place:
        return f"{name} was falsified after the guard was written"
    path = claim.location.split(":", 1)[0]
    named = [*branch.files, *(frame.path for run in judges for frame in run.outcome.frames), *(d.file for run in judges for d in run.outcome.diagnostics)]
    if any(_same_file(file, path) for file in named) or any(path in run.run.output for run in judges):
        return None
    return f"{name} is of other files ({', '.join(branch.files[:3])}) and its failure does not name {path}"


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
