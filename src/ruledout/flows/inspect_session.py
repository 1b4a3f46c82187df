"""What happened in a session: runs, attempts, symptom, gate, ending. Keeps nothing."""

from msgspec import Struct

from ruledout.distill.judge import judge
from ruledout.distill.seen import Candidate, GateSeen, Judged, SeenRun
from ruledout.model.attempt import Attempt
from ruledout.model.outcome import Sight
from ruledout.model.residual import Symptom
from ruledout.model.transcript import Transcript
from ruledout.read.detect import read


class RunRow(Struct, frozen=True, kw_only=True):
    """One run, as the `inspect` contract names it."""

    ref: str
    command: str
    outcome: str
    masked: bool
    tool: str | None
    error_class: str | None
    message: str | None
    failing: tuple[str, ...]
    signature: str | None
    exit: int | None


class AttemptRow(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One attempt, as the `inspect` contract names it."""

    id: str
    from_: str
    to: str | None
    hypothesis: str | None
    hypothesis_ref: str | None
    strategy: str
    files: tuple[str, ...]
    verdict: str
    why: str
    signature: str | None
    fingerprints: tuple[str, ...]


class SymptomRow(Struct, frozen=True, kw_only=True):
    """The symptom's run and signature."""

    ref: str
    signature: str | None


class GateRow(Struct, frozen=True, kw_only=True):
    """The command that the session shows red, then green."""

    command: str
    red_ref: str
    green_ref: str


class SkippedRow(Struct, frozen=True, kw_only=True):
    """What was not read: how many records, and why."""

    lines: int
    reasons: dict[str, int]


class Inspected(Struct, frozen=True, kw_only=True):
    """The answer of `inspect`."""

    format: str
    session: str | None
    turns: int
    outcome: str
    runs: tuple[RunRow, ...]
    attempts: tuple[AttemptRow, ...]
    symptom: SymptomRow | None
    gate: GateRow | None
    root_cause_candidates: tuple[Candidate, ...]
    skipped: SkippedRow
    subagents: int


def inspect_session(raw: bytes, name: str) -> Inspected:
    """Read and judge a session file's bytes; `name` stands in errors. Raises `BadInput` for what is no session."""
    transcript = read(raw, name)
    return _inspected(transcript, judge(transcript))


def _inspected(transcript: Transcript, judged: Judged) -> Inspected:
    return Inspected(
        format=transcript.format,
        session=transcript.session,
        turns=len(transcript.turns),
        outcome=judged.ending,
        runs=tuple(_run(run) for run in judged.runs),
        attempts=tuple(_attempt(attempt) for attempt in judged.attempts),
        symptom=_symptom(judged.symptom),
        gate=_gate(judged.gate),
        root_cause_candidates=judged.candidates,
        skipped=SkippedRow(lines=sum(s.count for s in transcript.skipped), reasons={s.reason: s.count for s in transcript.skipped}),
        subagents=len(transcript.subagents),
    )


def _run(seen: SeenRun) -> RunRow:
    outcome = seen.outcome
    return RunRow(
        ref=seen.run.ref,
        command=seen.run.command,
        outcome=outcome.result.value,
        masked=outcome.sight is Sight.MASKED,
        tool=outcome.tool,
        error_class=outcome.error_class,
        message=outcome.message,
        failing=outcome.failing,
        signature=outcome.signature.normalised if outcome.signature else None,
        exit=seen.run.exit,
    )


def _attempt(attempt: Attempt) -> AttemptRow:
    return AttemptRow(
        id=attempt.id,
        from_=attempt.from_ref,
        to=attempt.to_ref,
        hypothesis=attempt.hypothesis,
        hypothesis_ref=attempt.hypothesis_ref,
        strategy=attempt.strategy,
        files=attempt.files,
        verdict=attempt.verdict.value,
        why=attempt.why,
        signature=attempt.signature.normalised if attempt.signature else None,
        fingerprints=attempt.fingerprints,
    )


def _symptom(symptom: Symptom | None) -> SymptomRow | None:
    return SymptomRow(ref=symptom.ref, signature=symptom.signature.normalised if symptom.signature else None) if symptom else None


def _gate(gate: GateSeen | None) -> GateRow | None:
    return GateRow(command=gate.command, red_ref=gate.red.run.ref, green_ref=gate.green.run.ref) if gate else None
