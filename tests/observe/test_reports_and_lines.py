"""Report files in XML, and the lines of linters that no toolchain knows by name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.model.outcome import Result
from ruledout.observe.outcome import observe
from ruledout.observe.tools import lines, reports

JUNIT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="shop" tests="4">
  <testcase classname="shop.PriceTest" name="tea" time="0.1"/>
  <testcase classname="shop.PriceTest" name="milk &amp; sugar"><failure message="expected 3 &lt; 2">trace</failure></testcase>
  <testcase classname="shop.PriceTest" name="boom"><error message="ValueError: x"/></testcase>
  <testcase classname="shop.PriceTest" name="later"><skipped/></testcase>
</testsuite></testsuites>
"""
TRX = """<TestRun id="1"><Results>
  <UnitTestResult testName="Shop.Price.Tea" outcome="Passed" />
  <UnitTestResult testName="Shop.Price.Milk" outcome="Failed"><Output><ErrorInfo><Message>no</Message></ErrorInfo></Output></UnitTestResult>
</Results></TestRun>
"""
NUNIT = """<test-run id="2" total="2"><test-suite type="Assembly" result="Failed">
  <test-case id="1" name="Tea" fullname="Shop.Price.Tea" result="Passed"/>
  <test-case id="2" name="Milk" fullname="Shop.Price.Milk" result="Failed"><failure><message>no</message></failure></test-case>
</test-suite></test-run>
"""
EMPTY = '<?xml version="1.0"?><testsuites><testsuite tests="0" failures="0"></testsuite></testsuites>'

REPORTS = {
    "JUnit": (JUNIT, Result.FAIL, ("milk & sugar (shop.PriceTest)", "boom (shop.PriceTest)")),
    "TRX": (TRX, Result.FAIL, ("Shop.Price.Milk",)),
    "NUnit": (NUNIT, Result.FAIL, ("Shop.Price.Milk",)),
    "without tests": (EMPTY, Result.UNKNOWN, ()),
}


@pytest.mark.parametrize(("text", "result", "failing"), REPORTS.values(), ids=REPORTS)
def test_a_report_file_tells_result_and_failing_ids(text: str, result: Result, failing: tuple[str, ...]) -> None:
    outcome = observe("cat report.xml", text, 0)
    assert (outcome.result, outcome.failing) == (result, failing)


def test_counts_of_a_report_are_of_its_cases() -> None:
    counts = observe("", JUNIT).counts
    assert counts is not None
    assert (counts.passed, counts.failed, counts.errors, counts.skipped, counts.total) == (1, 1, 1, 1, 4)


def test_entities_of_a_report_are_never_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"><failure message="&a;"/></testcase></testsuite>'
    assert observe("", bomb).failing == ("&b;",)


PLACES: dict[str, tuple[str, tuple[str, int, int | None, str | None, str | None]]] = {
    "colons": ("a/b.yml:3:7: [error] too many spaces (commas)", ("a/b.yml", 3, 7, None, "error")),
    "a line alone": ("main.yml:86: [E301] Commands should not change things", ("main.yml", 86, None, "E301", None)),
    "brackets": (r"C:\src\A.cs(229,30): warning CS0618: obsolete [C:\src\A.csproj]", ("C:/src/A.cs", 229, 30, "CS0618", "warning")),
    "words": ('"lint.c", line 7: warning (dcc:1521): missing return', ("lint.c", 7, None, "dcc:1521", "warning")),
    "a graded letter": ("app/x.haml:33 [W] ImplicitDiv: use a class", ("app/x.haml", 33, None, None, "warning")),
    "Kotlin": ("w: /a/B.kt: (214, 35): Unchecked cast", ("/a/B.kt", 214, 35, None, "warning")),
    "square brackets": ("path/to/f.ts[418, 38]: ' should be \"", ("path/to/f.ts", 418, 38, None, None)),
    "at the end": ('Global symbol "$y" requires a package name at a.pl line 2.', ("a.pl", 2, None, None, None)),
    "an arrow": ("error: `zeebra` should be `zebra`\n  --> a.in:1:2\n", ("a.in", 1, 2, None, "error")),
    "a tag in front": ("[ERROR] src/m.xyz:4: no", ("src/m.xyz", 4, None, None, "error")),
}


@pytest.mark.parametrize(("text", "place"), PLACES.values(), ids=PLACES)
def test_a_line_with_a_place_is_a_diagnostic(text: str, place: tuple[str, int, int | None, str | None, str | None]) -> None:
    reading = lines.read(text)
    assert reading is not None
    first = reading.diagnostics[0]
    assert (first.file, first.line, first.column, first.code, first.severity) == place


@pytest.mark.parametrize("text", ["12:30:11 started", "http://localhost:8080/x", "total: 3", "key: value", "2026-01-02 10:11:12: done", "ratio 3:2"])
def test_times_and_addresses_are_no_places(text: str) -> None:
    assert lines.read(text) is None


def test_the_general_reader_is_silent_where_a_known_tool_speaks() -> None:
    outcome = observe("pytest", "src/a.py:3: error: printed by a test\n=== 2 passed in 0.10s ===", 0)
    assert (outcome.result, outcome.tool) == (Result.PASS, "pytest")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="<>/ab='\"& :1,()[].\n;#x", max_size=120))
def test_no_text_crashes_the_two(text: str) -> None:
    reports.read(text)
    lines.read(text)
