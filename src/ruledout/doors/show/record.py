"""A record on one screen: cause, proof line, what was ruled out, guards, how to check again; or the handoff."""

import shlex

from ruledout.doors.show.proof import reasons
from ruledout.doors.show.session import line
from ruledout.model.attempt import FalsifiedBranch, Guard
from ruledout.model.gate import GateRun, Receipt
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual, UnresolvedHandoff

MOST_BRANCHES = 12
MOST_LINES = 30


def record_text(record: Record, *, new: bool | None = None) -> str:
    """The whole record for a person, with where it stands in the store."""
    kept = {None: "", True: "  (kept)", False: "  (kept before)"}[new]
    head = f"{short(record.digest)}{kept}"
    body = residual_text(record.outcome) if isinstance(record.outcome, DebugResidual) else handoff_text(record.outcome)
    return f"{head}\n{body}"


def short(digest: str) -> str:
    """The first 12 hex digits: enough to name a record."""
    return digest.rpartition(":")[2][:12]


def residual_text(residual: DebugResidual) -> str:
    """A residual in the order of what a reader needs first."""
    grade = residual.corroboration
    parts = [
        f"RESOLVED  {residual.provenance.evidence.value}, {grade.grade.value} ({grade.falsified} ruled out, {grade.distinct_signatures} different failures)",
        f"cause     {line(residual.root_cause_invariant, 320)}",
        f"proof     {proof_line(residual.receipts)}",
        f"patch     {', '.join(residual.verified_patch_receipt.files[:6])}",
        "",
        *_branches(residual.falsified_branches),
        *_guards(residual.required_defensive_guards),
        f"check     {shlex.join(residual.regression_gate_signature.argv)}",
    ]
    parts += [f"          {line(test, 140)}" for test in residual.regression_gate_signature.tests[:5]]
    return "\n".join(parts)


def proof_line(receipt: Receipt) -> str:
    """`red 3x -> green 3x -> red on revert 3x  (bubblewrap)`."""
    steps = [_step("red", receipt.red), _step("green", receipt.green), _step("red on revert", receipt.red_on_revert)]
    return " -> ".join(step for step in steps if step) + f"  ({receipt.isolation.value if receipt.isolation.value != 'none' else 'as the session shows it'})"


def _step(name: str, runs: tuple[GateRun, ...]) -> str:
    return f"{name} {len(runs)}x" if runs else ""


def _branches(branches: tuple[FalsifiedBranch, ...]) -> list[str]:
    if not branches:
        return ["ruled out nothing"]
    parts = ["ruled out"]
    for branch in branches[:MOST_BRANCHES]:
        times = f" (x{branch.count})" if branch.count > 1 else ""
        parts.append(f"  {branch.rejected_hypothesis_id}  {line(branch.candidate_strategy, 110)}{times}")
        parts += [f'      "{line(branch.hypothesis, 130)}"'] if branch.hypothesis else []
        said, kind = line(branch.refuting_counterexample, 130), branch.observed_failure_class
        parts.append(f"      {said if kind in said else f'{kind}: {said}'}  [{branch.terminal_error_signature.normalised[:16]}]")
        if bound := branch.failure_boundary:
            parts.append(f"      {bound.parameter} {bound.relation}: holds at {bound.last_holding}, fails at {bound.first_failing} ({bound.found.value})")
    return [*parts, *([f"  and {len(branches) - MOST_BRANCHES} more"] if len(branches) > MOST_BRANCHES else []), ""]


def _guards(guards: tuple[Guard, ...]) -> list[str]:
    if not guards:
        return []
    parts = ["guards"]
    for guard in guards:
        proved = "ablated: the gate goes red without it" if guard.ablation else "reason named, not ablated"
        parts.append(f"  {guard.location}  {line(guard.snippet, 90)}\n      because of {', '.join(guard.neutralizes)} ({proved})")
    return [*parts, ""]


def handoff_text(handoff: UnresolvedHandoff) -> str:
    """A handoff: which rules are not met and how to meet them, then what is needed to go on."""
    parts = [f"UNRESOLVED_HANDOFF  {handoff.provenance.evidence.value}", "not met:", *reasons(handoff.unmet_rules)]
    if red := handoff.last_red:
        failing = f"  failing: {', '.join(line(t, 80) for t in red.failing[:5])}" if red.failing else ""
        parts += ["", f"last red  {line(red.command, 100)}", f"          {line(red.message, 160)}{failing}"]
    parts += ["", *_branches(handoff.ruled_out)]
    if handoff.open_hypotheses:
        parts.append("open")
        parts += [f"  {o.id} {o.verdict}: {line(o.hypothesis or o.strategy, 130)}" for o in handoff.open_hypotheses]
    parts += [f"runs      {line(command, 120)}" for command in handoff.working_commands]
    return "\n".join([*parts, *_diff(handoff.diff_so_far)])


def _diff(text: str) -> list[str]:
    """The head of the diff; what is left off is counted (R14)."""
    rows = text.split("\n")
    more = [f"  ({len(rows) - MOST_LINES} more lines: --json has all)"] if len(rows) > MOST_LINES else []
    return ["", "diff so far:", *(f"  {row[:160]}" for row in rows[:MOST_LINES]), *more] if text else []
