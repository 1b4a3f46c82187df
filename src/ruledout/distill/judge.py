"""Attempts: which edits were tried together, which run judged them, and what was said before. Their verdicts are of `verdict`."""

from collections.abc import Iterator, Sequence

from ruledout.distill import gates, words
from ruledout.distill.seen import Batch, Judged, PlacedEdit, SeenRun
from ruledout.distill.segment import holds_tests, is_test_side
from ruledout.distill.session import Session, Try, fingerprints
from ruledout.distill.verdict import verdict_of
from ruledout.model.action import Edit, Ending, Run
from ruledout.model.attempt import Attempt, Survival, Verdict
from ruledout.model.outcome import Result
from ruledout.model.transcript import Transcript


def judge(transcript: Transcript) -> Judged:
    """Runs read, attempts judged, symptom and gate found. Pure: the same transcript gives the same answer."""
    session = Session(transcript)
    tries = [attempt for batch in session.batches for attempt in _tries(session, batch)]
    attempts = [*(_attempt(session, one) for one in tries), *_noise(session)]
    attempts.sort(key=lambda pair: pair[0])
    gate = session.gate
    before_fix = {attempt.hypothesis_ref for _, attempt in attempts if attempt.verdict is Verdict.HELD and attempt.hypothesis_ref}
    dead = {attempt.hypothesis_ref for _, attempt in attempts if attempt.verdict is Verdict.FALSIFIED}
    window = (gate.red.run.at, gate.green.run.at) if gate else (0, -1)
    turned = next((a.hypothesis_ref for _, a in reversed(attempts) if gate and a.to_ref == gate.green.run.ref), None)
    alive = [edit for edit in session.edits if session.is_product(edit) and session.fates.of([edit]) is not Survival.GONE]
    return Judged(
        runs=session.runs,
        attempts=tuple(_numbered([attempt for _, attempt in attempts])),
        symptom=gates.symptom(session.runs, session.edits),
        gate=gate,
        ending=session.ending,
        candidates=tuple(each for each in words.candidates(transcript.turns, before_fix, window, turned) if each.ref not in dead),
        product=tuple(dict.fromkeys(edit.edit.path for edit in alive)),
        surviving=tuple(sorted(session.surviving)),
    )


def _numbered(attempts: Sequence[Attempt]) -> Iterator[Attempt]:
    for number, attempt in enumerate(attempts, 1):
        yield Attempt(**{name: getattr(attempt, name) for name in Attempt.__struct_fields__ if name != "id"}, id=f"a{number}")


def _tries(session: Session, batch: Batch) -> Iterator[Try]:
    """One try a batch; where a failing run judged files of which some live on and some are gone, one for each fate."""
    judge = _judge_of(session, batch)
    survival = session.fates.of(batch.edits)
    if judge is None or not judge.failed or survival is Survival.GONE:
        if survival is Survival.GONE and judge is not None and not judge.failed:
            judge = _refuted_later(session, batch) or judge
        yield Try(edits=batch.edits, judge=judge, runs=batch.runs, survival=survival)
        return
    gone, rest = _by_fate(session, batch.edits)
    for part in (rest, gone):
        if part:
            yield Try(edits=part, judge=judge, runs=batch.runs, survival=session.fates.of(part))


def _judge_of(session: Session, batch: Batch) -> SeenRun | None:
    """The run that judged a batch: the first that failed, if the next edits answer it in the same files; else the first that passed.

    Of several that passed: a command that had failed before, else a test run, else the first.
    """
    decided = [run for run in batch.runs if run.decided]
    red = next((run for run in decided if run.failed), None)
    green = [run for run in decided if not run.failed]
    if red is not None and (not green or _answered(session, batch, red)):
        return red
    failed_before = {gates.bare(run.run.command) for run in session.runs if run.failed and run.place < batch.edits[0].place}
    again = [run for run in green if gates.bare(run.run.command) in failed_before]
    return next(iter([*again, *(run for run in green if gates.is_test(run)), *green]), None)


def _answered(session: Session, batch: Batch, red: SeenRun) -> bool:
    """Do the edits right after a red run touch a file of the batch."""
    files = {edit.edit.path for edit in batch.edits}
    until = next((run.place for run in session.runs if run.place > red.place and run.decided and not run.failed), None)
    after = [edit for edit in session.edits if edit.place > red.place and (until is None or edit.place < until)]
    return any(edit.edit.path in files for edit in after)


def _by_fate(session: Session, edits: Sequence[PlacedEdit]) -> tuple[tuple[PlacedEdit, ...], tuple[PlacedEdit, ...]]:
    """Product files of which nothing is left, and everything else."""
    paths = dict.fromkeys(edit.edit.path for edit in edits)
    gone = {
        path
        for path in paths
        if all(session.is_product(e) for e in edits if e.edit.path == path) and session.fates.of([e for e in edits if e.edit.path == path]) is Survival.GONE
    }
    return tuple(e for e in edits if e.edit.path in gone), tuple(e for e in edits if e.edit.path not in gone)


def _refuted_later(session: Session, batch: Batch) -> SeenRun | None:
    """A try that passed at first, until a test written afterwards failed and it was taken out: the run that refuted it."""
    end = session.fates.undone_at(batch.edits)
    if end is None or not any(session.is_product(edit) for edit in batch.edits):
        return None
    last = batch.edits[-1].place
    between = [edit for edit in session.edits if last < edit.place < end]
    if any(session.is_product(edit) for edit in between):
        return None
    written = next((edit.place for edit in between if is_test_side(edit.edit.path) or holds_tests(edit.edit)), None)
    return next((run for run in session.runs if written is not None and written < run.place < end and run.failed), None)


def _attempt(session: Session, one: Try) -> tuple[int, Attempt]:
    verdict, why = verdict_of(session, one)
    first, outcome = one.edits[0], one.judge.outcome if one.judge else None
    hypothesis, ref = words.hypothesis(session.transcript.turns, first.edit.at)
    return first.place, Attempt(
        id="",
        from_ref=first.edit.ref,
        to_ref=one.judge.run.ref if one.judge else None,
        hypothesis=hypothesis,
        hypothesis_ref=ref,
        strategy=strategy([edit.edit for edit in one.edits]),
        files=tuple(dict.fromkeys(edit.edit.path for edit in one.edits)),
        fingerprints=tuple(dict.fromkeys(f for edit in one.edits for f in fingerprints(edit.edit))),
        command=one.judge.run.command if one.judge else None,
        result=outcome.result if outcome else None,
        signature=outcome.signature if outcome else None,
        message=outcome.message if outcome else None,
        survival=one.survival,
        verdict=verdict,
        why=why,
    )


def strategy(edits: Sequence[Edit]) -> str:
    """What was done, from the acts alone: `edit src/a.py (+3 -1), write tests/test_a.py (+20)`."""
    sizes: dict[tuple[str, str], list[int]] = {}
    for edit in edits:
        size = sizes.setdefault((edit.kind.value, edit.path), [0, 0])
        size[0] += sum(len(hunk.added) for hunk in edit.hunks)
        size[1] += sum(len(hunk.removed) for hunk in edit.hunks)
    parts = [f"{kind} {path} (+{added} -{removed})" for (kind, path), (added, removed) in list(sizes.items())[:4]]
    return ", ".join(parts) + (f" and {len(sizes) - 4} more files" if len(sizes) > 4 else "")


def _noise(session: Session) -> Iterator[tuple[int, Attempt]]:
    """Calls that never did what they meant: listed, so that nothing is lost, and never a branch."""
    for place, action in session.actions:
        if isinstance(action, Edit) and action.ending is Ending.MALFORMED:
            yield place, _noise_attempt(session, action, (action.path,), "the call was malformed; nothing was changed")
    for run in session.runs:
        if run.outcome.result is Result.NOISE:
            yield run.place, _noise_attempt(session, run.run, (), "the command itself was wrong; it says nothing about the code")


def _noise_attempt(session: Session, action: Edit | Run, files: tuple[str, ...], why: str) -> Attempt:
    hypothesis, ref = words.hypothesis(session.transcript.turns, action.at)
    return Attempt(
        id="",
        from_ref=action.ref,
        to_ref=action.ref,
        hypothesis=hypothesis,
        hypothesis_ref=ref,
        strategy=strategy([action]) if isinstance(action, Edit) else "run a command",
        files=files,
        fingerprints=(),
        command=action.command if isinstance(action, Run) else None,
        result=Result.NOISE,
        signature=None,
        message=None,
        survival=Survival.NO_EDIT,
        verdict=Verdict.NOISE,
        why=why,
    )
