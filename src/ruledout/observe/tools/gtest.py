"""Test frameworks of C++: GoogleTest, Catch2, doctest, Boost.Test, by their closing lines and lists of failures."""

from ruledout.model.outcome import Counts, Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, number, rx, short, unique

NAME = "gtest"
PROGRAMS: frozenset[str] = frozenset()
_GOOGLE = r"(?m)^\[==========\] (?:Running )?(\d+) tests? from \d+ test (?:suites?|cases?)(?: ran)?\b"
_GOOGLE_STATE = r"(?m)^\[ {2}(FAILED|PASSED|SKIPPED) {1,2}\] (\d+) tests?\b"
_GOOGLE_FAILED = r"(?m)^\[  FAILED  \] ([\w/]+\.[\w/]+)(?:, where .{1,200}?)?(?: \(\d+ ms\))?$"
_GOOGLE_OK = r"(?m)^\[       OK \] ([\w/]+\.[\w/]+)"
_GOOGLE_AT = r"(?m)^((?:[A-Za-z]:)?[^\s:()]{1,300})(?::(\d+): |\((\d+)\): error: )(Failure|Expected[^\n]{0,300}|Value of[^\n]{0,300})$"
_CATCH = r"(?m)^test cases: *(\d+) \|(?: *(\d+) passed)?(?: \| *(\d+) skipped)?(?: \| *(\d+) failed)?(?: \| *\d+ failed as expected)?"
_CATCH_FINE = r"(?m)^All tests passed \(\d+ assertions? in (\d+) test cases?\)$"
_CATCH_AT = r"(?m)^((?:[A-Za-z]:)?[^\s:()]{1,300})(?::(\d+)|\((\d+)\)): (?:FAILED|ERROR):?(?:\n {2,}(\S[^\n]{0,300}))?"
_DOCTEST = r"(?m)^(?:\[doctest\] )?test cases: *(\d+) \| *(\d+) passed \| *(\d+) failed \| *(\d+) skipped"
_DOCTEST_NAME = r"(?m)^TEST CASE: +(\S[^\n]{0,300})$"
_BOOST = r"(?m)^\*\*\* (\d+) failures? (?:is|are) detected in (?:the )?test (?:module|suite)|^\*\*\* (No errors detected)$"
_BOOST_AT = r"(?m)^((?:[A-Za-z]:)?[^\s:()]{1,300})\((\d+)\): (?:fatal )?error: in \"([^\"\n]{1,300})\": (\S[^\n]{0,300})$"
_RULE = r"(?m)^-{20,}\n(\S[^\n]{0,200})\n(?:  [^\n]{0,200}\n){0,5}-{20,}$"


def claims(output: str) -> bool:
    """One of their closing lines' marks."""
    return any(mark in output for mark in ("[==========]", "[  FAILED  ]", "test cases: ", " test cases)", " test case)", "*** "))


def read(output: str) -> Reading | None:
    """Failing tests as printed: `Suite.Test`, the name of a test case, `suite/test`."""
    for family in (_google, _doctest, _catch, _boost):
        if (found := family(output)) is not None:
            return found
    return None


def _google(output: str) -> Reading | None:
    ran = rx(_GOOGLE).findall(output)
    failing = unique(rx(_GOOGLE_FAILED).findall(output))
    if not ran and not failing:
        return None
    sums = {word: int(count) for word, count in rx(_GOOGLE_STATE).findall(output)}
    passed, failed = sums.get("PASSED"), sums.get("FAILED", len(failing))
    tally = Counts(passed=passed, failed=failed, skipped=sums.get("SKIPPED"), total=number(ran[-1]) if ran else None)
    where = rx(_GOOGLE_AT).search(output)
    message = output[where.start() : where.start() + 400].split("\n\n", maxsplit=1)[0] if where else None
    place = Diagnostic(file=where[1], line=int(where[2] or where[3]), severity="error", message=short(message) or "") if where else None
    return _reading("googletest", tally, failing, message, (place,) if place else (), unique(rx(_GOOGLE_OK).findall(output)))


def _catch(output: str) -> Reading | None:
    if fine := rx(_CATCH_FINE).search(output):
        return _reading("catch2", Counts(passed=int(fine[1]), failed=0, total=int(fine[1])), (), None, ())
    closing = rx(_CATCH).findall(output)
    if not closing:
        return None
    total, passed, skipped, failed = (int(part or 0) for part in closing[-1])
    places = [Diagnostic(file=at[1], line=int(at[2] or at[3]), severity="error", message=at[4] or "") for at in rx(_CATCH_AT).finditer(output)]
    names = unique(rx(_RULE).findall(output)) if failed else ()
    message = f"{places[0].file}:{places[0].line}: {places[0].message}" if places else None
    return _reading("catch2", Counts(passed=passed, failed=failed, skipped=skipped, total=total), names, message, tuple(places))


def _doctest(output: str) -> Reading | None:
    closing = rx(_DOCTEST).findall(output)
    if not closing:
        return None
    total, passed, failed, skipped = (int(part) for part in closing[-1])
    at = rx(r"(?m)^([^\s:()]{1,300})(?::(\d+)|\((\d+)\)): (?:FATAL )?ERROR: (\S[^\n]{0,300})$").search(output)
    place = (Diagnostic(file=at[1], line=int(at[2] or at[3]), severity="error", message=at[4]),) if at else ()
    names = unique(rx(_DOCTEST_NAME).findall(output)) if failed else ()
    return _reading("doctest", Counts(passed=passed, failed=failed, skipped=skipped, total=total), names, at[0] if at else None, place)


def _boost(output: str) -> Reading | None:
    closing = rx(_BOOST).search(output)
    if closing is None:
        return None
    rows = list(rx(_BOOST_AT).finditer(output))
    places = tuple(Diagnostic(file=at[1], line=int(at[2]), severity="error", message=at[4]) for at in rows)
    names = unique(at[3] for at in rows)
    ran = rx(r"(?m)^Running (\d+) test cases?").search(output)
    total = int(ran[1]) if ran else None
    failed = len(names) or int(closing[1] or 0)
    passed = total - failed if total is not None else None if failed else 1
    return _reading("boost.test", Counts(passed=passed, failed=failed, total=total), names, rows[0][0] if rows else closing[0], places)


def _reading(  # the parts of one reading
    tool: str, tally: Counts, failing: tuple[str, ...], message: str | None, places: tuple[Diagnostic, ...], passing: tuple[str, ...] = ()
) -> Reading:
    bad = bool(tally.failed or failing)
    ran = bad or bool(tally.passed)
    return Reading(
        tool=tool,
        kind=Kind.TEST_FAILURE if bad else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran else Evidence.NONE,
        says="fail" if bad else "pass" if ran else "none_ran",
        message=short(message) if bad else None,
        diagnostics=errors_first(places) if bad else (),
        failing=failing if bad else (),
        passing=passing,
        counts=tally,
        span=(message or "")[:2000] if bad else "",
    )
