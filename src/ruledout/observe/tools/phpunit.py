"""PHPUnit, Pest and ParaTest."""

import re

from ruledout.model.outcome import Counts, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short, unique

NAME = "phpunit"
PROGRAMS = frozenset(("phpunit", "pest", "paratest", "php", "composer"))
_SUM = r"(?m)^Tests: (\d+), Assertions: \d+(.*?)\.?$"
_OK = r"(?m)^OK \((\d+) tests?, \d+ assertions?\)"
_HEAD = r"(?m)^(\d+)\) (.+)$"
_PLACE = r"(?m)^(/?\S+\.php[t]?):(\d+)$"
_GROUP = r"(?m)^(?:There (?:was|were) (\d+) (failure|error|risky test|skipped test|incomplete test|warning|PHPUnit \w+|deprecation|notice)s?:|--)$"
_FATAL = r"(?m)^(?:PHP )?(Fatal error|Parse error|Warning): {1,8}(\S.{0,1000}?) in (\S{1,300}?)(?: on line |:)(\d+)"


def claims(output: str) -> bool:
    """Its banner, its closing lines, or PHP's own fatal error."""
    return (
        "PHPUnit" in output
        or "Assertions: " in output
        or "OK (" in output
        or "Fatal error: " in output
        or "Parse error: " in output
        or "No tests executed!" in output
    )


def read(output: str) -> Reading | None:
    """Failing and broken tests from the numbered lists of failures and errors."""
    sums, fine = rx(_SUM).findall(output), rx(_OK).search(output)
    empty = "No tests executed!" in output
    fatal = rx(_FATAL).search(output)
    if not (sums or fine or empty or fatal or ("PHPUnit" in output and "assertions" in output)):
        return None
    failing, first = _failing(output)
    tally = _counts(sums, fine)
    failed = bool(failing) or bool(tally and (tally.failed or tally.errors)) or (fatal is not None and fatal[1] != "Warning" and not fine)
    ran = bool(fine) or bool(tally and tally.total)
    error = rx(r"(?m)^((?:[\w\\]+\\)?\w*(?:Error|Exception))(?:: (.*))?$").search(first)
    body = [line for line in first.split("\n")[1:] if line.strip()]
    message = (body[0] if body else None) or (fatal[0] if fatal else None)
    return Reading(
        tool=NAME,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran or failed else Evidence.NONE,
        says="fail" if failed else "pass" if ran else "none_ran",
        classes=(error[1],) if error and failed else ((fatal[1],) if fatal and failed else ()),
        message=short(message) if failed else None,
        frames=tuple(Frame("", each[1], int(each[2])) for each in rx(_PLACE).finditer(first))[:50],
        failing=failing,
        counts=tally,
        span=first.strip(),
    )


def _failing(output: str) -> tuple[tuple[str, ...], str]:
    """The names in the lists of errors and failures, and the text of the first of them."""
    names: list[str] = []
    first = ""
    listing = False
    for group, kind in _groups(output):
        listing = kind in ("failure", "error") if kind else False
        if not listing:
            continue
        heads = list(rx(_HEAD).finditer(group))
        names += [head[2].strip() for head in heads]
        if heads and not first:
            first = group[heads[0].start() : heads[1].start() if len(heads) > 1 else len(group)]
    return unique(names), first


def _groups(output: str) -> list[tuple[str, str]]:
    heads = [head for head in rx(_GROUP).finditer(output) if head[2]]
    ends = [*(head.start() for head in heads[1:]), len(output)]
    return [(output[head.end() : end], head[2]) for head, end in zip(heads, ends, strict=False)]


def _counts(sums: list[tuple[str, str]], fine: re.Match[str] | None) -> Counts | None:
    if fine:
        return Counts(total=int(fine[1]), passed=int(fine[1]))
    if not sums:
        return None
    total, rest = int(sums[-1][0]), sums[-1][1]
    told = {word: int(count) for word, count in rx(r"([A-Z][\w ]{1,40}): (\d{1,9})").findall(rest)}
    failed, errors, skipped = told.get("Failures", 0), told.get("Errors", 0), told.get("Skipped", 0) + told.get("Incomplete", 0)
    return Counts(total=total, failed=failed, errors=errors, skipped=skipped)
