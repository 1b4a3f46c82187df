"""Mocha and what reports like it: vscode-test, Cypress, Jasmine, Karma, Playwright."""

from ruledout.model.outcome import Counts, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short, unique

NAME = "mocha"
PROGRAMS = frozenset(("mocha", "vscode-test", "cypress", "jasmine", "karma", "ng", "playwright", "nyc", "c8", "web-test-runner", "wtr"))
_SUM = r"(?m)^ *(\d+) (passing|failing|pending)\b"
_PLAYWRIGHT = r"(?m)^ *(\d+) (passed|failed|skipped|flaky|did not run)(?: \([\d.]+m?s?\))?$"
_KARMA = r"Executed (\d+) of (\d+)[^\n]*?(?:(\d+) FAILED)?[^\n]*?(SUCCESS|FAILED|DISCONNECTED|ERROR|\(skipped \d+\)|$)"
_JASMINE = r"(?m)^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?"
_NUMBERED = r"(?m)^ *(\d+)\) (.+)\n((?:[ \t]+.*\n){0,8}?)(?=\n|.*Error)"
_ERROR = r"(?m)^ *(?:Uncaught )?((?:\w+\.)*\w*(?:Error|Exception)(?: \[\w+\])?)(?::[ \n]+(.*))?$"
_AT = r"(?m)^ +at (?:(?:async )?(.+?) \()?((?:file://)?[^()\n]+?):(\d+):(\d+)\)?$"


def claims(output: str) -> bool:
    """Its counts of passing and failing, or Karma's and Jasmine's closing lines."""
    marks = (" passing", " failing", "Executed ", " specs, ", " spec, ", " passed (", " failed\n", "playwright")
    return any(mark in output for mark in marks)


def read(output: str) -> Reading | None:
    """Failing ids as the numbered list prints them, the suites joined with `›`."""
    sums = {word: int(count) for count, word in rx(_SUM).findall(output)}
    if sums:
        return _mocha(output, sums)
    if karma := list(rx(_KARMA).finditer(output)):
        return _karma(output, karma[-1][0])
    if jasmine := rx(_JASMINE).search(output):
        specs, failures, pending = (int(part or 0) for part in jasmine.groups())
        tally = Counts(passed=max(0, specs - failures - pending), failed=failures, skipped=pending, total=specs)
        return _reading(output, tally, unique(name for _, name in rx(r"(?m)^(\d+)\) (.+)$").findall(output)) if failures else (), "jasmine")
    return _playwright(output)


def _mocha(output: str, sums: dict[str, int]) -> Reading:
    failing = _numbered(output) if sums.get("failing") else ()
    tally = Counts(passed=sums.get("passing"), failed=sums.get("failing"), skipped=sums.get("pending"))
    return _reading(output, tally, failing, NAME)


def _reading(output: str, tally: Counts, failing: tuple[str, ...], tool: str) -> Reading:
    failed = bool(tally.failed or tally.errors or failing)
    ran = bool(tally.passed or tally.failed)
    start = output.rfind(" failing") if tool == NAME else 0
    error = rx(_ERROR).search(output, max(0, start)) if failed else None
    return Reading(
        tool=tool,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran or failed else Evidence.NONE,
        says="flaky" if tally.flaky and not failed else "fail" if failed else "pass" if ran else "none_ran",
        classes=(error[1].split(" [")[0],) if error else (),
        message=short(error[0]) if error else None,
        frames=tuple(Frame(at[1] or "<anonymous>", at[2], int(at[3])) for at in rx(_AT).finditer(output, max(0, start)))[:50] if failed else (),
        failing=failing,
        passing=unique(rx(r"(?m)^ +[✔✓] (.+?)(?: \(\d+ms\))?$").findall(output)),
        counts=tally,
        span=output[error.start() : error.start() + 2000].split("\n\n", maxsplit=1)[0] if error else "",
    )


def _numbered(output: str) -> tuple[str, ...]:
    """The list behind `N failing`: number and suite, then the names below it, the last with a colon."""
    names: list[str] = []
    lines = output[output.rfind(" failing") :].split("\n")
    for number, line in enumerate(lines):
        head = rx(r"^ +\d+\) (.+)$").match(line)
        if not head:
            continue
        parts = [head[1].strip()]
        for below in lines[number + 1 : number + 9]:
            if parts[-1].endswith(":") or not below.strip() or rx(_ERROR).match(below):
                break
            parts.append(below.strip())
        names.append(" › ".join(parts).rstrip(":"))
    return unique(names)


def _karma(output: str, last: str) -> Reading:
    executed, of = (int(part) for part in rx(r"Executed (\d+) of (\d+)").findall(last)[-1])
    failures = rx(r"(?<!\d)(\d{1,9}) FAILED").findall(last)
    failed = int(failures[-1]) if failures else 0
    skipped = rx(r"skipped (\d+)").findall(last)
    tally = Counts(passed=max(0, executed - failed), failed=failed, skipped=int(skipped[-1]) if skipped else 0, total=of)
    names = unique(name.strip() for name in rx(r"(?m)^\S.{0,120}?\) (\S.{1,300}) FAILED$").findall(output))
    return _reading(output, tally, names if failed else (), "karma")


def _playwright(output: str) -> Reading | None:
    sums = {word: int(count) for count, word in rx(_PLAYWRIGHT).findall(output)}
    if not sums or not rx(r"(?m)^Running \d+ tests? using \d+ workers?|\[chromium\]|playwright|› .+\.spec\.[jt]s").search(output):
        return None
    tally = Counts(passed=sums.get("passed"), failed=sums.get("failed"), skipped=sums.get("skipped"), flaky=sums.get("flaky"))
    failing = unique(name.strip() for name in rx(r"(?m)^ +\d+\) (.{1,300}? › .{1,300}?) ─+$").findall(output))
    return _reading(output, tally, failing if sums.get("failed") else (), "playwright")
