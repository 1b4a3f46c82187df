"""One branch or record in one line of plain facts.

R13: free text (a hypothesis, a cause, a line of output) is said only from `witnessed` records; from less, only what a machine made: paths, counts, commands,
test ids, error classes, signatures. Every field is made one line, cleaned and capped, because even a path may carry somebody's words. Nothing here commands.
"""

import shlex
from collections.abc import Iterator, Sequence

from ruledout import text
from ruledout.model.attempt import FalsifiedBranch
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual, EvidenceGrade, UnresolvedHandoff

_FIELD = 120
_FREE = 200


def evidence(record: Record, branch: FalsifiedBranch, differs: Sequence[str] = ()) -> str:
    """What was tried, how it ended, how often, on what evidence; `differs` are conditions that have changed since."""
    signature = branch.terminal_error_signature
    parts = [f"{record.outcome.provenance.evidence.value}: {line(branch.candidate_strategy)} -> {line(branch.observed_failure_class)}"]
    if witnessed(record) and branch.hypothesis:
        parts.append(f"idea: {line(branch.hypothesis, _FREE)}")
    if branch.count > 1:
        parts.append(f"{branch.count} times")
    if signature.tests:
        parts.append(f"failing {listed(signature.tests)}")
    if witnessed(record) and branch.refuting_counterexample:
        parts.append(line(branch.refuting_counterexample, _FREE))
    if branch.failure_boundary:
        boundary = branch.failure_boundary
        holds = f"holds while {boundary.parameter} {boundary.relation} {boundary.last_holding}, breaks at {boundary.first_failing}"
        parts.append(line(f"{holds} ({boundary.found.value})"))
    if differs:
        parts.append(f"changed since: {line(', '.join(differs))}")
    return "; ".join((*parts, signature.normalised))


def instead(record: Record) -> str | None:
    """What held: the files of the change and the gate that shows it, with the cause from `witnessed` records; None for a handoff."""
    outcome = record.outcome
    if not isinstance(outcome, DebugResidual):
        return None
    parts = [f"cause: {line(outcome.root_cause_invariant, 300)}"] if witnessed(record) else []
    if outcome.verified_patch_receipt.files:
        parts.append(f"the change that held is in {listed(outcome.verified_patch_receipt.files)}")
    parts.append(f"gate: {line(shlex.join(outcome.regression_gate_signature.argv))}")
    return "; ".join(parts)


def facts(record: Record) -> Iterator[str]:
    """The lines of a brief about one record, the most telling first: a reader who stops early has lost the least."""
    outcome = record.outcome
    yield from _residual(record, outcome) if isinstance(outcome, DebugResidual) else _handoff(record, outcome)


def witnessed(record: Record) -> bool:
    """Whether this record's free text may be spoken unasked (R13)."""
    return record.outcome.provenance.evidence is EvidenceGrade.WITNESSED


def line(free: str, limit: int = _FIELD) -> str:
    """One field as one clean, capped line."""
    return text.cap(" ".join(text.clean(free).split()), limit)


def listed(names: Sequence[str], most: int = 3) -> str:
    """The first few names, and how many more there are."""
    shown = ", ".join(line(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _residual(record: Record, residual: DebugResidual) -> Iterator[str]:
    grade = residual.corroboration.grade.value.replace("_", " ")
    yield f"{residual.provenance.evidence.value} residual {record.digest[:22]}, {grade}"
    held = instead(record)
    if held:
        yield held
    yield from _dead_ends(record, residual.falsified_branches)
    for guard in residual.required_defensive_guards:
        yield f"guard at {line(guard.location)} stands against {listed(guard.neutralizes)}"


def _handoff(record: Record, handoff: UnresolvedHandoff) -> Iterator[str]:
    yield f"unresolved session {record.digest[:22]}, {handoff.provenance.evidence.value}"
    if handoff.last_red:
        failing = f", failing {listed(handoff.last_red.failing)}" if handoff.last_red.failing else ""
        yield f"last red: {line(handoff.last_red.command)}{failing}"
    yield from _dead_ends(record, handoff.ruled_out)
    for tried in handoff.open_hypotheses:
        yield f"open: {line(tried.strategy)}, {line(tried.verdict)}"


def _dead_ends(record: Record, branches: Sequence[FalsifiedBranch]) -> Iterator[str]:
    """What was only observed is told as a fact seen, without a prohibition (R13)."""
    word = "ruled out" if witnessed(record) else "seen to fail"
    return (f"{word} {line(branch.rejected_hypothesis_id)}: {evidence(record, branch)}" for branch in branches)
