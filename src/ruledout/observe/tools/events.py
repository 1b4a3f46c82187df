"""Test reports in JSON, whole or a line an event: pytest-reportlog, pytest-json-report, libtest, Dart and Flutter, Mocha, RSpec, CTRF."""

from collections.abc import Callable, Iterator

from ruledout.model.outcome import Counts, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import short, unique

NAME = "events"
PROGRAMS: frozenset[str] = frozenset()
_MARKS = ('"$report_type"', '"testDone"', '"type"', '"fullTitle"', '"summary_line"', '"nodeid"', '"results"')
_WORDS = {
    **dict.fromkeys(("passed", "ok", "pass", "success", "xfailed"), "passed"),
    **dict.fromkeys(("failed", "fail", "failure", "xpassed"), "failed"),
    **dict.fromkeys(("error", "errors", "broken", "timeout"), "errors"),
    **dict.fromkeys(("skipped", "ignored", "pending", "todo", "other"), "skipped"),
}
_LINES = 100_000
Row = tuple[str, str, str]
"""a test's id, its state, and what it said"""


def claims(output: str) -> bool:
    """JSON that carries one of their keys."""
    start = output[:200].lstrip("\ufeff \n")[:1]
    return start in ("{", "[") and any(mark in output for mark in _MARKS)


def read(output: str) -> Reading | None:
    """Every test with its worst state."""
    rows = _whole(output) or _by_line(output)
    if not rows:
        return None
    states: dict[str, tuple[str, str]] = {}
    for name, state, said in rows:
        before = states.get(name)
        if before is None or _ORDER.index(state) >= _ORDER.index(before[0]):
            states[name] = (state, said or (before[1] if before else ""))
    bad = [(name, said) for name, (state, said) in states.items() if state in ("failed", "errors")]
    tally = {each: sum(state == each for state, _ in states.values()) for each in _ORDER}
    ran = bool(bad or tally["passed"])
    return Reading(
        tool=_tool(output),
        kind=Kind.TEST_FAILURE if bad else Kind.NONE if ran else Kind.GATE_INVALID,
        ran=Evidence.RAN if ran else Evidence.NONE,
        says="fail" if bad else "pass" if ran else "none_ran",
        message=short(next((said for _, said in bad if said), bad[0][0])) if bad else None,
        failing=unique(name for name, _ in bad),
        passing=unique(name for name, (state, _) in states.items() if state == "passed"),
        skipping=unique(name for name, (state, _) in states.items() if state == "skipped"),
        counts=Counts(**tally, total=len(states)),
        span="\n".join(f"{name}: {said}" for name, said in bad[:20]),
    )


_ORDER = ("skipped", "passed", "failed", "errors")


def _tool(output: str) -> str:
    names = (('"$report_type"', "pytest"), ('"nodeid"', "pytest"), ('"testDone"', "dart"), ('"fullTitle"', "mocha"), ('"summary_line"', "rspec"))
    return next((name for mark, name in names if mark in output), "cargo" if '"type":"test"' in output.replace(" ", "")[:20_000] else NAME)


def _by_line(output: str) -> list[Row]:
    """Events, one an object a line."""
    names: dict[object, str] = {}
    rows: list[Row] = []
    for line in output.split("\n")[:_LINES]:
        if line.startswith("{") and (event := _dict(_parsed(line))):
            rows += _reported(event) or _libtest(event) or _dart(event, names)
    return rows


def _reported(event: dict[str, object]) -> list[Row]:
    """pytest-reportlog: set-up, call and tear-down report apart; a passed set-up is no passed test."""
    if event.get("$report_type") not in ("TestReport", "CollectReport") or not event.get("nodeid"):
        return []
    outcome, when = str(event.get("outcome")), event.get("when")
    if event["$report_type"] == "CollectReport" and outcome != "failed":
        return []
    if outcome == "passed" and when != "call":
        return []
    state = "errors" if outcome == "failed" and when != "call" else _WORDS.get(outcome, "skipped")
    crash = _dict(_dict(event.get("longrepr")).get("reprcrash"))
    return [(str(event["nodeid"]), state, str(crash.get("message") or ""))]


def _libtest(event: dict[str, object]) -> list[Row]:
    if event.get("type") != "test" or event.get("event") not in ("ok", "failed", "ignored", "timeout"):
        return []
    return [(str(event.get("name")), _WORDS[str(event["event"])], _first(event.get("stdout")))]


def _dart(event: dict[str, object], names: dict[object, str]) -> list[Row]:
    """Hidden tests are the loading of files."""
    kind, test = event.get("type"), _dict(event.get("test"))
    if kind == "testStart" and isinstance(test.get("id"), int):
        names[test["id"]] = str(test.get("name"))
    elif kind == "error" and event.get("testID") in names:
        return [(names[event["testID"]], "failed", _first(event.get("error")))]
    elif kind == "testDone" and event.get("testID") in names and not event.get("hidden"):
        state = "skipped" if event.get("skipped") else "failed" if event.get("result") != "success" else "passed"
        return [(names[event["testID"]], state, "")]
    return []


def _whole(output: str) -> list[Row]:
    """One report for all."""
    report = _dict(_parsed(output.lstrip("\ufeff")))
    for family in _FAMILIES:
        if rows := list(family(report)):
            return rows
    return []


def _pytest_json(report: dict[str, object]) -> Iterator[Row]:
    for test in _list(report.get("tests")):
        if "nodeid" in test:
            crash = _dict(_dict(test.get("call")).get("crash"))
            yield str(test["nodeid"]), _WORDS.get(str(test.get("outcome")), "skipped"), str(crash.get("message") or "")


def _mocha(report: dict[str, object]) -> Iterator[Row]:
    if isinstance(report.get("stats"), dict):
        for key, state in (("passes", "passed"), ("failures", "failed"), ("pending", "skipped")):
            for test in _list(report.get(key)):
                if "fullTitle" in test:
                    yield str(test["fullTitle"]), state, _first(_dict(test.get("err")).get("message"))


def _rspec(report: dict[str, object]) -> Iterator[Row]:
    if "summary_line" in report:
        for test in _list(report.get("examples")):
            yield str(test.get("full_description")), _WORDS.get(str(test.get("status")), "skipped"), _first(_dict(test.get("exception")).get("message"))


def _ctrf(report: dict[str, object]) -> Iterator[Row]:
    results = _dict(report.get("results"))
    if isinstance(results.get("summary"), dict):
        for test in _list(results.get("tests")):
            yield str(test.get("name")), _WORDS.get(str(test.get("status")), "skipped"), _first(test.get("message"))


_FAMILIES: tuple[Callable[[dict[str, object]], Iterator[Row]], ...] = (_pytest_json, _mocha, _rspec, _ctrf)


def _parsed(text: str) -> object:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _first(value: object) -> str:
    """The first line of a message that says something."""
    return next((line.strip() for line in str(value).split("\n") if line.strip()), "") if isinstance(value, str) else ""
