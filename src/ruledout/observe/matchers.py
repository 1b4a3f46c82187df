"""Problem matchers: what a user writes to have a tool's lines read, in the form that GitHub gave them (owner, severity, patterns with group numbers).

They come from settings that whoever sends a change may write (R12), so a matcher can only find a problem, never a pass; its patterns are bounded
before they are compiled: what could take more than a small power of a line's length is refused. It reads no file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ruledout.errors import BadInput
from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe import runaway
from ruledout.observe.reading import Reading
from ruledout.observe.scan import MOST, errors_first, first_error, rx, short

MATCHERS = 50
"""matchers beyond these are refused"""
PATTERNS = 10
"""lines that one problem may span"""
REGEXP = 500
"""characters of one pattern"""
LINE = 240
"""characters of a line that are looked at"""
LINES = 4000
"""lines of an output that are looked at"""
_MEND = "see docs/outcomes.md, Problem matchers"
_GROUPS = ("file", "from_path", "line", "column", "severity", "code", "message")
_WORDS = {"error": "error", "err": "error", "fatal": "error", "fatal error": "error", "e": "error", "warning": "warning", "warn": "warning", "w": "warning"}


class Pattern(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_path": "fromPath"}):
    """One line of a problem. The numbers are groups of `regexp`, from 1 on. `loop`, on the last pattern: each further line that it matches is one more."""

    regexp: str
    file: int | None = None
    from_path: int | None = None
    line: int | None = None
    column: int | None = None
    severity: int | None = None
    code: int | None = None
    message: int | None = None
    loop: bool = False


class Matcher(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of problem. `owner` names the tool; `severity` is used where no pattern tells one: `error` (the default), `warning`, `notice`."""

    owner: str
    pattern: tuple[Pattern, ...]
    severity: str = "error"


def parse(value: object) -> tuple[Matcher, ...]:
    """Matchers from parsed JSON or TOML: a list of them, or an object with `problemMatcher` as GitHub's files have it.

    Raises `BadInput` `bad-matcher` for an unknown key, a wrong type, a group that is not there, a pattern that does not compile or may run too long.
    """
    listed = value.get("problemMatcher") if isinstance(value, Mapping) else value
    try:
        found = msgspec.convert(listed, list[Matcher], strict=True)
    except msgspec.ValidationError as error:
        raise BadInput("bad-matcher", f"a problem matcher is not as it should be: {error}", _MEND) from None
    check(found)
    return tuple(found)


def check(found: Sequence[Matcher]) -> None:
    """Refuse matchers that are not sound. Raises `BadInput` `bad-matcher` as `parse` does."""
    if len(found) > MATCHERS:
        raise BadInput("bad-matcher", f"{len(found)} problem matchers, more than {MATCHERS}", "take out those that are not needed")
    for matcher in found:
        _checked(matcher)


def read(matchers: Sequence[Matcher], output: str) -> Reading | None:
    """Every problem that the matchers find in a cleaned output, in its order; None where they find none."""
    lines = [line[:LINE] for line in output.split("\n")[:LINES]]
    hits = sorted(((at, matcher.owner, one) for matcher in matchers for at, one in _found(matcher, lines)), key=lambda hit: hit[0])[:MOST]
    found = errors_first(one for _, _, one in hits)
    if not found:
        return None
    error = first_error(found)
    first = error or found[0]
    return Reading(
        tool=next(owner for _, owner, one in hits if one is first or one == first),
        kind=Kind.DIAGNOSTIC if error else Kind.NONE,
        ran=Evidence.RAN,
        says="fail" if error else None,
        classes=(error.code,) if error and error.code else (),
        code=error.code if error else None,
        message=short(f"{first.file}:{first.line}: {first.message}" if first.file else first.message),
        diagnostics=found,
        span="\n".join(f"{each.file}: {each.code or ''} {each.message}" for each in found[:20]),
    )


def _found(matcher: Matcher, lines: list[str]) -> Iterator[tuple[int, Diagnostic]]:
    at, size = 0, len(matcher.pattern)
    while at + size <= len(lines):
        values = _matched(matcher.pattern, lines[at : at + size])
        if values is None:
            at += 1
            continue
        yield at, _diagnostic(matcher, values)
        at += size
        while matcher.pattern[-1].loop and at < len(lines) and (more := _groups(matcher.pattern[-1], lines[at])) is not None:
            values = {**values, **more}
            yield at, _diagnostic(matcher, values)
            at += 1


def _matched(patterns: Sequence[Pattern], lines: Sequence[str]) -> dict[str, str] | None:
    """What a run of patterns tells about as many lines, the later over the earlier; None where one does not match."""
    values: dict[str, str] = {}
    for pattern, line in zip(patterns, lines, strict=True):
        found = _groups(pattern, line)
        if found is None:
            return None
        values.update(found)
    return values


def _groups(pattern: Pattern, line: str) -> dict[str, str] | None:
    hit = rx(pattern.regexp).search(line)
    if hit is None:
        return None
    numbers = ((name, getattr(pattern, name)) for name in _GROUPS)
    return {name: hit[number] for name, number in numbers if number is not None and hit[number] is not None}


def _diagnostic(matcher: Matcher, values: Mapping[str, str]) -> Diagnostic:
    told = values.get("severity", "").strip().lower() or matcher.severity
    return Diagnostic(
        file=values.get("file", "").replace("\\", "/"),
        line=_number(values.get("line")),
        column=_number(values.get("column")),
        code=values.get("code") or None,
        severity=_WORDS.get(told, "info"),
        message=values.get("message", "").strip(),
    )


def _number(text: str | None) -> int | None:
    return int(text) or None if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _checked(matcher: Matcher) -> None:
    name = matcher.owner
    if not re.fullmatch(r"[\w.-]{1,40}", name):
        raise BadInput("bad-matcher", f"a problem matcher's owner is {name!a}", "name it by up to 40 letters, digits, dots and dashes")
    if matcher.severity not in ("error", "warning", "notice"):
        raise BadInput("bad-matcher", f"the problem matcher {name} has the severity {matcher.severity!a}", "use error, warning or notice")
    if not 1 <= len(matcher.pattern) <= PATTERNS:
        raise BadInput("bad-matcher", f"the problem matcher {name} has {len(matcher.pattern)} patterns", f"give it one to {PATTERNS}")
    if any(pattern.loop for pattern in matcher.pattern[:-1]) or (matcher.pattern[-1].loop and len(matcher.pattern) == 1):
        raise BadInput("bad-matcher", f"the problem matcher {name} loops where it cannot", "`loop` belongs to the last of several patterns")
    for pattern in matcher.pattern:
        _bounded(name, pattern)


def _bounded(name: str, pattern: Pattern) -> None:
    """Compile it only when it cannot run away, and see that its groups are there."""
    if len(pattern.regexp) > REGEXP:
        raise BadInput("bad-matcher", f"a pattern of the problem matcher {name} has {len(pattern.regexp)} characters", f"keep it to {REGEXP}")
    if reason := runaway.reason(pattern.regexp):
        raise BadInput("bad-matcher", f"a pattern of the problem matcher {name} may run too long: {reason}", "write it with fewer, narrower repeats")
    try:
        groups = re.compile(pattern.regexp).groups
    except (re.error, OverflowError, RecursionError) as error:
        raise BadInput("bad-matcher", f"a pattern of the problem matcher {name} does not compile: {error}", _MEND) from None
    wrong = [number for key in _GROUPS if (number := getattr(pattern, key)) is not None and not 1 <= number <= groups]
    if wrong:
        raise BadInput("bad-matcher", f"the problem matcher {name} uses group {wrong[0]}, and its pattern has {groups}", "number the groups from 1 on")
