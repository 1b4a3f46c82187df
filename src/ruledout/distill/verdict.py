"""Rule R4, clause by clause: what became of an attempt. In doubt, it is not falsified."""

from ruledout.distill import against, gates
from ruledout.distill.seen import SeenRun
from ruledout.distill.session import Session, Try
from ruledout.model.attempt import Survival, Verdict
from ruledout.model.outcome import Signal


def verdict_of(session: Session, one: Try) -> tuple[Verdict, str]:
    """R4: an attempt without a judging run, one that passed, one that failed."""
    if one.judge is None:
        if one.survival is Survival.GONE:
            return Verdict.ABANDONED, "taken out again before any run said yes or no"
        return Verdict.INCONCLUSIVE, "no run said yes or no"
    if not one.judge.failed:
        return Verdict.HELD, "the judging run passed"
    return _failed(session, one, one.judge)


def _failed(session: Session, one: Try, judge: SeenRun) -> tuple[Verdict, str]:
    """R4, for a failing run: the clauses in order; each before the last speaks against falsifying."""
    if judge.place in session.flaky:
        return Verdict.INCONCLUSIVE, "the same command said the opposite with no edit between: flaky"
    if spared := _spared(session, one, judge):
        return spared
    doubt = next((why for clause in against.CLAUSES if (why := clause(session, one, judge))), None)
    if doubt is not None:
        return Verdict.INCONCLUSIVE, doubt
    if judge.outcome.signature is None or judge.outcome.signal is not Signal.YES:
        return Verdict.ABANDONED, "taken out again, but the run showed no definite error"
    return Verdict.FALSIFIED, "the judging run failed with a definite error, and nothing of the change is left"


def _spared(session: Session, one: Try, judge: SeenRun) -> tuple[Verdict, str] | None:
    """R4: what lives on, was not there to be judged, or proved right at some time, is no dead end."""
    if one.survival is Survival.SURVIVES:
        return Verdict.PARTIAL, "the run still failed, but the change is there in the final state"
    if one.survival is not Survival.GONE:
        return Verdict.INCONCLUSIVE, "the session does not show whether the change is still there"
    if any(session.lives_again(edit.edit) for edit in one.edits):
        return Verdict.PARTIAL, "the run failed, but the very same change was made again and is there in the final state"
    if against.was_away(session, one, judge):
        return Verdict.ABANDONED, "it had been taken out again when the run failed"
    if _was_green(session, one, judge):
        return Verdict.PARTIAL, "the run failed, but passed later with the change in place; it was replaced only after that"
    return None


def _was_green(session: Session, one: Try, judge: SeenRun) -> bool:
    """Did it prove right while it was in place: then it was no dead end, whatever a later refactoring did.

    A pass after the failing run counts when it is of the same command, of any test, or of a command that had failed before the change. One before it
    counts when the failing run tested nothing, or failed in a way that is no news or that nothing ever cured.
    """
    end, last = session.fates.undone_at(one.edits), one.edits[-1].place
    for run in session.runs:
        if not run.decided or run.failed or run.place <= last or (end is not None and run.place >= end):
            continue
        turned = against.failed_before(session, run, one.edits[0].place)
        if run.place > judge.place:
            if turned or gates.is_test(run) or gates.bare(run.run.command) == gates.bare(judge.run.command):
                return True
        elif (gates.is_test(run) and not gates.is_test(judge)) or (turned and not _is_news(session, one, judge, end)):
            return True
    return False


def _is_news(session: Session, one: Try, judge: SeenRun, end: int | None) -> bool:
    """Did the change break what had been whole, and did taking it out mend that."""
    command, failing = gates.bare(judge.run.command), set(judge.outcome.failing)
    before = {test for run in session.runs if run.failed and run.place < one.edits[0].place for test in run.outcome.failing}
    cured = any(run.decided and not run.failed and run.place > (end or judge.place) and gates.bare(run.run.command) == command for run in session.runs)
    return cured and not (failing and failing <= before)
