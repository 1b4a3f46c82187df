"""RSpec, Minitest, and Ruby's own exceptions."""

from ruledout.model.outcome import Counts, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short, unique

NAME = "rspec"
PROGRAMS = frozenset(("rspec", "ruby", "rake", "rails", "minitest", "cucumber"))
_SUM = r"(?m)^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?"
_MINITEST = r"(?m)^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) (?:skips|pendings)"
_RERUN = r"(?m)^rspec (\S+) # (.+)$"
_NUMBERED = r"(?m)^  (\d+)\) (.+)$"
_MINI = r"(?m)^ *\d+\) (?:Failure|Error):\n(\S+?)(?: \[(\S+?):(\d+)\])?:?$"
_RAISED = r"(?m)^(?:\S+?:\d+:in [`'].+?': )(.+?) \(([A-Z][\w:]+)\)$"
_ERROR = r"(?m)^ +((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|NotMetError)):?\n"
_AT = r"(?m)^ +# (\S+?):(\d+)(?::in [`'](.+?)')?"


def claims(output: str) -> bool:
    """Its counts, or an exception as Ruby prints it."""
    return " example" in output or "\n  1) " in output or " assertions, " in output or ":in `" in output or ":in '" in output


def read(output: str) -> Reading | None:
    """Failing examples by their descriptions; Minitest's by class and method."""
    sums, mini = rx(_SUM).findall(output), rx(_MINITEST).findall(output)
    raised = rx(_RAISED).search(output)
    fragment = rx(r"(?m)^Failures:\n\n  1\) ").search(output) is not None
    if not (sums or mini or raised or fragment):
        return None
    tally = _counts(sums, mini)
    failing = unique([*(name for _, name in rx(_RERUN).findall(output)), *(each[0] for each in rx(_MINI).findall(output))])
    if not failing and (fragment or (tally and tally.failed)):
        failing = unique(name.strip() for _, name in rx(_NUMBERED).findall(output))
    failed = bool(failing) or bool(tally and (tally.failed or tally.errors)) or (raised is not None and tally is None)
    ran = bool(tally and tally.total)
    error = rx(_ERROR).search(output)
    name = error[1] if error else raised[2] if raised else None
    message = rx(r"(?m)^ +(?:Failure/Error: .+|expected.*)$").search(output)
    return Reading(
        tool=NAME if sums or not mini else "minitest",
        kind=(Kind.TEST_FAILURE if failing or tally else Kind.EXCEPTION) if failed else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran or failed else Evidence.NONE,
        says="fail" if failed else "pass" if ran else "none_ran",
        classes=(name,) if name and failed else (),
        message=short(raised[0] if raised else message[0] if message else None) if failed else None,
        frames=tuple(Frame(each[3] or "", each[1].removeprefix("./"), int(each[2])) for each in rx(_AT).finditer(output))[:50] if failed else (),
        failing=failing if failed else (),
        counts=tally,
        span=(raised or message or [""])[0],
    )


def _counts(sums: list[tuple[str, ...]], mini: list[tuple[str, ...]]) -> Counts | None:
    if sums:
        total, failed, pending, errors = (int(part or 0) for part in sums[0])
        return Counts(total=total, failed=failed, skipped=pending, errors=errors, passed=max(0, total - failed - pending))
    if mini:
        total, failed, errors, skipped = (int(part) for part in mini[-1])
        return Counts(total=total, failed=failed, errors=errors, skipped=skipped, passed=max(0, total - failed - errors - skipped))
    return None
