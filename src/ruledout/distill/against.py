"""What speaks against calling an attempt falsified though its run failed and nothing of it is left (R4). Each clause gives its reason, or None."""

import re
from collections.abc import Callable, Iterator
from functools import cache

from ruledout.distill import acts, gates
from ruledout.distill.seen import SeenRun
from ruledout.distill.session import Session, Try
from ruledout.model.action import Edit, EditKind
from ruledout.model.turn import Role


def was_away(session: Session, one: Try, judge: SeenRun) -> bool:
    """Had something else than the attempt itself taken a part of it out before the run failed: then the run judged another state."""
    own = {edit.place for edit in one.edits}
    ends = (session.fates.undone_at([edit]) for edit in one.edits)
    return any(end is not None and end < judge.place and end not in own for end in ends)


def failed_before(session: Session, run: SeenRun, place: int) -> bool:
    """Had this run's command failed before this place."""
    command = gates.bare(run.run.command)
    return any(other.failed and other.place < place and gates.bare(other.run.command) == command for other in session.runs)


def _of_no_product(session: Session, one: Try, _judge: SeenRun) -> str | None:
    product = [edit for edit in one.edits if session.is_product(edit)]
    if not product:
        return "only tests or scratch files were changed: a wanted red run"
    return "only output for looking was added" if all(_probes(edit.edit) for edit in product) else None


def _on_purpose(session: Session, one: Try, judge: SeenRun) -> str | None:
    """Green before, red with the edit, and the edit's exact inverse, or a way back by git, right after: that was to see the test fail."""
    first, command = one.edits[0].place, gates.bare(judge.run.command)
    before = [run for run in session.runs if run.place < first and run.decided and gates.bare(run.run.command) == command]
    if not before or before[-1].failed:
        return None
    after = [edit for edit in session.edits if edit.place > judge.place][: len(one.edits)]
    undo = {(hunk.added, hunk.removed) for edit in after for hunk in edit.edit.hunks}
    hunks = [hunk for edit in one.edits for hunk in edit.edit.hunks]
    inverse = bool(hunks) and all((hunk.removed, hunk.added) in undo for hunk in hunks)
    restored = bool(after) and after[0].edit.kind is EditKind.RESTORE
    return "broken on purpose to see the test fail" if inverse or restored else None


def _going_back(session: Session, one: Try, _judge: SeenRun) -> str | None:
    """The exact inverse of earlier edits brings the earlier state back, whose failure is known: no idea was tried."""
    product = [edit.place for edit in one.edits if session.is_product(edit)]
    return "an earlier change was taken back: no try of its own" if product and session.going_back.issuperset(product) else None


def _elsewhere(session: Session, one: Try, judge: SeenRun) -> str | None:
    """The run was made in a folder that holds nothing of what was changed: another project, or another checkout."""
    root, at = session.transcript.cwd, acts.folder(judge.run.command) or judge.run.cwd
    why = "the run was of another folder than the change"
    files = [edit.edit.path for edit in one.edits if session.is_product(edit)]
    if at is not None and at.startswith(".."):
        return None if any(f"/{name}/" in f"/{path}" for path in files if (name := at.strip("./"))) else why
    if at is not None and not at.startswith("/"):
        at = None
    outside = [path for path in files if path.startswith("/")]
    if at is None:
        return why if root and files and len(outside) == len(files) and not any(_under(path, root) for path in outside) else None
    below = any(_under(path, at) for path in outside)
    inside = root is not None and (_under(at, root) or _under(root, at))
    told = root is not None or len(outside) == len(files)
    return why if told and not below and not (inside and len(outside) < len(files)) else None


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _still_red(session: Session, one: Try, judge: SeenRun) -> str | None:
    """The session came to a good end, and this failure stands there still, or stood before and was never looked at again: it is of something else."""
    if session.ending != "resolved":
        return None
    command = gates.bare(judge.run.command)
    same = [run for run in session.runs if run.decided and gates.bare(run.run.command) == command]
    last, first = same[-1], one.edits[0].place
    if last.failed and last.place > judge.place and _equal(judge, last):
        return "the same failure stands at the end, where all else is well: it is of something else"
    if last.failed and any(run.failed and run.place < first and _equal(judge, run) for run in same):
        return "the same failure stood before the change and was never cured: it is of something else"
    return None


def _equal(one: SeenRun, other: SeenRun) -> bool:
    """The same failure: no test fails that did not fail in the other, or the same signature."""
    if one.outcome.failing and other.outcome.failing:
        return set(one.outcome.failing) <= set(other.outcome.failing)
    signatures = one.outcome.signature, other.outcome.signature
    return signatures[0] is not None and signatures[1] is not None and signatures[0].normalised == signatures[1].normalised


def _by_wish(session: Session, one: Try, judge: SeenRun) -> str | None:
    """The user asked for the change to go: that is a wish and no evidence."""
    end = session.fates.undone_at(one.edits)
    if end is None:
        return None
    until = session.transcript.actions[end].at
    said = (turn.text for turn in session.transcript.turns[judge.run.at : until] if turn.role is Role.USER)
    return "the user asked for the change to be taken out" if any(_wish().search(text) for text in said) else None


CLAUSES: tuple[Callable[[Session, Try, SeenRun], str | None], ...] = (_elsewhere, _of_no_product, _going_back, _on_purpose, _still_red, _by_wish)
"""The clauses of R4 that need the whole session, in the order in which their reasons tell most."""


@cache
def _wish() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:revert|undo|roll(?:ing)?[ -]?back|back(?:ing)? out|take (?:it|that|this) (?:out|back)|put (?:it|that) back|restore|remove (?:it|that|this)"
        r"|instead|rather|don'?t|do not|leave (?:it|that)|never ?mind|not what|stop|drop (?:it|that|this)|git (?:checkout|restore|stash|reset))\b",
        re.IGNORECASE,
    )


@cache
def _probe() -> re.Pattern[str]:
    return re.compile(
        r"^\s*(print|pprint|console\.(log|error|debug|warn|trace)|eprintln!|println!|dbg!|log\.(Print|Debug)\w*|fmt\.(Print|Fprint)\w*|logger\.\w+|logging\.\w+|t\.Log\w*"
        r"|debugger|breakpoint\(|import (pdb|sys|traceback|json|logging)\b|pdb\.|traceback\.print|var_dump|puts |p |System\.(out|err)\.print|echo\b"
        r"|sys\.std(err|out)\.write|process\.std(err|out)\.write|warnings\.warn|std::c(err|out)\b|f?printf\()"
    )


def _probes(edit: Edit) -> bool:
    """Does an edit only add output for looking, a call over several lines included."""
    added = [line for hunk in edit.hunks for line in hunk.added if line.strip() and line not in hunk.removed]
    return bool(added) and edit.kind is not EditKind.WRITE and all(_probing(added))


def _probing(lines: list[str]) -> Iterator[bool]:
    open_ = 0
    for line in lines:
        probe = open_ > 0 or bool(_probe().search(line))
        open_ = max(0, open_ + line.count("(") - line.count(")")) if probe else 0
        yield probe
