"""Rule R4, clause by clause: what became of an attempt. In doubt, it is not falsified."""

import re
from functools import cache

from ruledout.distill import gates
from ruledout.distill.seen import SeenRun
from ruledout.distill.session import Session, Try
from ruledout.model.action import Edit, EditKind
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
    if one.survival is not Survival.GONE:
        kept = one.survival is Survival.SURVIVES
        why = "the run still failed, but the change is there in the final state" if kept else "the session does not show whether the change is still there"
        return Verdict.PARTIAL if kept else Verdict.INCONCLUSIVE, why
    if _was_green(session, one, judge):
        return Verdict.PARTIAL, "the run failed, but passed later with the change in place; it was replaced only after that"
    if against := _no_product_try(session, one, judge):
        return Verdict.INCONCLUSIVE, against
    if judge.outcome.signature is None or judge.outcome.signal is not Signal.YES:
        return Verdict.ABANDONED, "taken out again, but the run showed no definite error"
    return Verdict.FALSIFIED, "the judging run failed with a definite error, and nothing of the change is left"


def _was_green(session: Session, one: Try, judge: SeenRun) -> bool:
    """Did the judging command, or another test, pass while the change was still there: then it was no dead end, whatever a later refactoring did."""
    end = session.fates.undone_at(one.edits)
    same = gates.bare(judge.run.command)
    passes = (run for run in session.runs if run.decided and not run.failed and judge.place < run.place)
    return any((end is None or run.place < end) and (gates.bare(run.run.command) == same or gates.is_test(run)) for run in passes)


def _no_product_try(session: Session, one: Try, judge: SeenRun) -> str | None:
    """Why a failing run after these edits says nothing about an idea for the fix; None when it does."""
    product = [edit for edit in one.edits if session.is_product(edit)]
    if not product:
        return "only tests or scratch files were changed: a wanted red run"
    if all(_probes(edit.edit) for edit in product):
        return "only output for looking was added"
    if _mutation_check(session, one, judge):
        return "broken on purpose to see the test fail"
    return None


@cache
def _probe() -> re.Pattern[str]:
    return re.compile(
        r"^\s*(print|pprint|console\.(log|error|debug|warn|trace)|eprintln!|println!|dbg!|log\.(Print|Debug)\w*|fmt\.(Print|Fprint)\w*|logger\.\w+|logging\.\w+|t\.Log\w*"
        r"|debugger|breakpoint\(|import (pdb|sys|traceback|json|logging)\b|pdb\.|traceback\.print|var_dump|puts |p |System\.out\.print"
        r"|sys\.std(err|out)\.write)"
    )


def _probes(edit: Edit) -> bool:
    """Does an edit only add output for looking."""
    added = [line for hunk in edit.hunks for line in hunk.added if line.strip() and line not in hunk.removed]
    return bool(added) and edit.kind is not EditKind.WRITE and all(_probe().search(line) for line in added)


def _mutation_check(session: Session, one: Try, judge: SeenRun) -> bool:
    """Green before, red with the edit, and the edit's exact inverse right after: that was to see the test fail."""
    first, command = one.edits[0].place, gates.bare(judge.run.command)
    before = [run for run in session.runs if run.place < first and run.decided and gates.bare(run.run.command) == command]
    if not before or before[-1].failed:
        return False
    after = [edit for edit in session.edits if edit.place > judge.place][: len(one.edits)]
    undo = {(hunk.added, hunk.removed) for edit in after for hunk in edit.edit.hunks}
    hunks = [hunk for edit in one.edits for hunk in edit.edit.hunks]
    return bool(hunks) and all((hunk.removed, hunk.added) in undo for hunk in hunks)
