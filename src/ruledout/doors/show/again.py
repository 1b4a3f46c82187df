"""What was run again, as text: boundaries, replays, re-checks, leave to run."""

from ruledout.doors.show.proof import runs_line
from ruledout.doors.show.record import short
from ruledout.doors.show.session import line
from ruledout.flows.recheck import RecordStands, Report
from ruledout.flows.replay_branch import BranchReplayed
from ruledout.model.record import Replayed, Standing
from ruledout.rerun import End, Point, Search, State
from ruledout.text import clean

_MOST_POINTS = 12
SAY = {
    Replayed.STILL_FAILS_SO: "still fails so",
    Replayed.FAILS_OTHERWISE: "fails otherwise",
    Replayed.PASSES: "REOPENED, it passes now",
    Replayed.PASSES_ANYWAY: "says nothing, the gate passes without it as well",
    Replayed.DOES_NOT_APPLY: "does not apply",
    Replayed.FLAKY: "flaky",
    Replayed.CANNOT_RUN: "could not be run",
}


def boundary_text(found: Search, parameter: str) -> str:
    """The threshold on one line, then what was tried."""
    name, bound = parameter.partition("=")[0], found.boundary
    if found.end is End.FOUND and bound is not None:
        parts = [f"{name} {bound.relation} {bound.last_holding} holds, {bound.first_failing} fails"]
    elif found.end is End.FLAKY and bound is not None:
        low, high = bound.last_holding or "nowhere", bound.first_failing or "nowhere"
        parts = [f"flaky: {name} surely holds at {low}, surely fails at {high}; between them runs do not agree"]
    else:
        parts = [f"{found.end.value.replace('_', ' ')}: {line(found.why, 300)}"]
    if bound is not None and bound.signature is not None:
        parts.append(f"  failure: {line(bound.signature.message, 160)}  [{bound.signature.normalised[:16]}]")
    parts += [_point(point) for point in _near(found)]
    return "\n".join([*parts, f"  {found.runs} runs at {len(found.points)} values, isolation: {found.isolation.value}"])


def _near(found: Search) -> tuple[Point, ...]:
    """The points about the edge; all of them where there is no threshold to be near to."""
    if found.boundary is None or len(found.points) <= _MOST_POINTS:
        return found.points[:100]
    turn = next((at for at, point in enumerate(found.points) if point.state is not found.points[0].state), 0)
    start = max(0, min(turn - _MOST_POINTS // 2, len(found.points) - _MOST_POINTS))
    return found.points[start : start + _MOST_POINTS]


def _point(point: Point) -> str:
    mark = {State.HOLDS: "holds", State.FAILS: "FAILS", State.FLAKY: "flaky", State.CANNOT_RUN: "?"}[point.state]
    return f"  {line(point.value, 40):>12}  {mark:<6} {point.runs}x  {line(point.message, 110)}".rstrip()


def replay_text(found: BranchReplayed) -> str:
    """What a dead end came to when it was tried again."""
    parts = [f"{SAY[found.replay.finding]}: {short(found.record)} {found.branch}", f"  {line(found.replay.why, 300)}"]
    parts += [row for row in (runs_line("with its edits", found.replay.runs), runs_line("without them", found.replay.control)) if row]
    return "\n".join([*parts, f"  isolation: {found.replay.isolation.value}"])


def recheck_text(report: Report) -> str:
    """One line a record, the broken first and loud."""
    rows = [row for one in report.records for row in _record(one)] or ["there is no residual to re-check"]
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.counts.items() if count)
    return "\n".join([*rows, *([counts] if counts else []), *([f"{report.without_gate} handoffs have no gate"] if report.without_gate else [])])


def _record(one: RecordStands) -> list[str]:
    mark = "BROKEN: the bug is back" if one.finding is Standing.BROKEN else one.finding.value.replace("_", " ")
    rows = [f"{short(one.record)}  {mark}  {line(one.title, 100)}", f"    {one.by}: {' '.join(clean(one.why).split())}"]
    return rows + ([f"    {one.mend}"] if one.mend else [])
