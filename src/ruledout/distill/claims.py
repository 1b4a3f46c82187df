"""What an agent claims of its session, claim by claim: whether the session bears it, and in which words it may be kept. Untrusted throughout (R13)."""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from ruledout.digest import tagged
from ruledout.distill.lines import keys, net, significant
from ruledout.distill.seen import Judged, SeenRun
from ruledout.distill.session import fingerprints
from ruledout.model.action import Edit, Ending
from ruledout.model.attempt import Attempt, Boundary, FalsifiedBranch, Found, Guard
from ruledout.model.gate import Reason
from ruledout.model.proposal import ClaimedGuard, Proposal
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Track
from ruledout.redact import redact
from ruledout.text import cap, clean

TEXT_LIMIT = 300
MOST_READ = 8000
"""characters of a claim that are looked at: more is no claim"""
NAME_LIMIT = 60
RELATIONS = ("<", "<=", ">", ">=", "==")


def say(text: str, limit: int = TEXT_LIMIT) -> str:
    """A claimed text as it may be kept: cleaned, redacted, capped (R13)."""
    return cap(redact(clean(" ".join(text[:MOST_READ].split()))), limit)


def attempt_named(name: str, judged: Judged) -> Attempt | None:
    """The attempt with this id, or the first with this ref as its first act or judging run."""
    return next((attempt for attempt in judged.attempts if name in (attempt.id, attempt.from_ref, attempt.to_ref)), None)


def unfounded(judged: Judged, proposal: Proposal) -> Iterator[Reason]:
    """R5, R8: claims about attempts that the session does not show, about one attempt twice, and boundaries that say nothing."""
    for names in ([h.attempt for h in proposal.hypotheses], [b.attempt for b in proposal.boundaries]):
        told: set[str] = set()
        for name in dict.fromkeys(names):
            attempt = attempt_named(name, judged)
            if attempt is None:
                known = ", ".join(attempt.id for attempt in judged.attempts) or "none"
                message = f"the proposal names the attempt {say(name, NAME_LIMIT)!r}, which the session does not show"
                yield Reason("R5", "no_such_attempt", message, f"name one of: {cap(known, TEXT_LIMIT)}")
            elif attempt.id in told or names.count(name) > 1:
                yield Reason("R5", "claimed_twice", f"the proposal claims {attempt.id} more than once", "claim each attempt once")
            told |= {attempt.id} if attempt else set()
    for claim in proposal.boundaries:
        bound_ = claim.boundary
        if bound_.relation not in RELATIONS or not bound_.parameter.strip():
            message = f"the boundary claimed for {say(claim.attempt, NAME_LIMIT)!r} names no parameter or no relation"
            yield Reason("R8", "no_boundary", message, f"give the parameter and one of {' '.join(RELATIONS)}")


def bound(boundary: Boundary | None, judged: Judged) -> Boundary | None:
    """R8: a typed boundary is `claimed`; only when a run that passed shows the one value and a run that failed the other is it the session's."""
    if boundary is None or boundary.relation not in RELATIONS or not boundary.parameter.strip():
        return None
    holds = _shown(boundary.parameter, boundary.last_holding, [run for run in judged.runs if run.decided and not run.failed])
    fails = _shown(boundary.parameter, boundary.first_failing, [run for run in judged.runs if run.failed])
    return structs.replace(
        boundary,
        parameter=say(boundary.parameter, NAME_LIMIT),
        last_holding=say(boundary.last_holding, NAME_LIMIT) if boundary.last_holding is not None else None,
        first_failing=say(boundary.first_failing, NAME_LIMIT) if boundary.first_failing is not None else None,
        found=Found.SESSION if holds and fails else Found.CLAIMED,
        runs=0,  # these three are of our runs alone
        signature=None,
        isolation=None,
    )


def _shown(parameter: str, value: str | None, runs: Sequence[SeenRun]) -> bool:
    """Does one of these runs show the value, as a word of its own, beside the parameter."""
    if not value or len(value) > NAME_LIMIT:
        return False
    word = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w]|\.\d)")
    return any(parameter in text and word.search(text) for run in runs for text in (f"{run.run.command}\n{run.run.output}",))


def guards(
    transcript: Transcript, judged: Judged, claimed: Sequence[ClaimedGuard], branches: Sequence[FalsifiedBranch], of_attempt: dict[str, str]
) -> tuple[tuple[Guard, ...], tuple[Reason, ...]]:
    """R6: each guard with its own reason. A reason is a branch or the symptom that came before the guard and is of its file or its failure."""
    kept, reasons = [], []
    for claim in dict.fromkeys(claimed):
        location = say(claim.location)
        ids = [_reason_id(name, judged, of_attempt) for name in claim.neutralizes]
        if wrong := _wrong(transcript, judged, claim, ids, branches):
            mend = "name the falsified attempt (its id or ref) or `symptom` that made this guard necessary, or leave the guard out"
            reasons.append(Reason("R6", "guard_unexplained", f"the guard at {location}: {'; '.join(wrong)}", mend))
        else:
            digest = tagged("guard", {"location": location, "snippet": clean(claim.snippet)})
            named = tuple(dict.fromkeys(name for name in ids if name))
            kept.append(Guard(location=location, snippet_digest=digest, neutralizes=named, snippet=say(claim.snippet)))
    return tuple(kept), tuple(reasons)


def _wrong(transcript: Transcript, judged: Judged, claim: ClaimedGuard, ids: Sequence[str | None], branches: Sequence[FalsifiedBranch]) -> list[str]:
    path = _path(claim)
    found = _brought(transcript, judged, claim, path) if path else None
    wrong = [] if path else ["it names no place as `path` or `path:line`"]
    wrong += [f"the session shows no edit that brings it into {say(path)} and lives on"] if path and found is None else []
    wrong += [
        f"{say(name, NAME_LIMIT)!r} is no falsified attempt and not the symptom" for name, known in zip(claim.neutralizes, ids, strict=True) if known is None
    ][:5]
    wrong += ["it names no reason"] if not claim.neutralizes else []
    return wrong + [w for name in dict.fromkeys(ids) if name and found is not None and path and (w := _unrelated(name, found, path, judged, branches))]


def _path(claim: ClaimedGuard) -> str | None:
    """The path of `path:line` or `path`; None for anything else."""
    found = re.fullmatch(r"([^:\x00-\x1f]{1,400}?)(?::\d{1,7}(?:[-:]\d{1,7})?)?", claim.location)
    return found[1].strip() or None if found else None


def _brought(transcript: Transcript, judged: Judged, claim: ClaimedGuard, path: str) -> int | None:
    """The place of the last edit that brings all lines of the guard into its file and lives on; a guard is a statement, not a bracket."""
    rows = claim.snippet[:MOST_READ].split("\n")
    lines, alive = {line for line in keys(rows) if line}, set(judged.surviving)
    if not any(significant(row) for row in rows):
        return None
    places = [
        place
        for place, action in enumerate(transcript.actions)
        if isinstance(action, Edit) and action.ending is Ending.DONE and transcript.turns[action.at].track is Track.LIVE and _same_file(action.path, path)
        if lines <= {line for hunk in action.hunks for line in keys(hunk.added)} and alive.intersection(fingerprints(action))
        if any(line in lines for hunk in action.hunks for line in keys(net(hunk)[1]))
    ]
    return places[-1] if places else None


def _same_file(one: str, other: str) -> bool:
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _reason_id(name: str, judged: Judged, of_attempt: dict[str, str]) -> str | None:
    if name == "symptom":
        return name if judged.symptom is not None else None
    if name in of_attempt.values():
        return name
    attempt = attempt_named(name, judged)
    return of_attempt.get(attempt.id) if attempt else None


def _unrelated(name: str, brought: int, path: str, judged: Judged, branches: Sequence[FalsifiedBranch]) -> str | None:
    """Why a branch is no reason for a guard: it came later, or it is of other files and another failure than the guard's edit answers."""
    if name == "symptom":
        return None
    branch = next(b for b in branches if b.rejected_hypothesis_id == name)
    judges = [run for run in judged.runs if run.run.ref in branch.refs]
    if judges and brought < judges[0].place:
        return f"{name} was falsified after the guard was written"
    named = [*branch.files, *(frame.path for run in judges for frame in run.outcome.frames), *(d.file for run in judges for d in run.outcome.diagnostics)]
    said = re.compile(rf"(?<![\w.-]){re.escape(path)}(?!\w)")
    if any(_same_file(file, path) for file in named) or any(said.search(run.run.output) for run in judges):
        return None
    return f"{name} is of other files ({cap(', '.join(branch.files[:3]), 200)}) and its failure does not name {say(path)}"
