"""Report files of test runners, where a session shows one: JUnit, NUnit, xUnit and TRX, all in XML.

Read as a stream of tags: no entity is expanded and nothing outside the text is touched.
"""

from collections.abc import Iterator

from ruledout.model.outcome import Counts, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short, unique

NAME = "reports"
PROGRAMS: frozenset[str] = frozenset()
_TAG = r"<(/?)([A-Za-z][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(/?)>"
_ATTRIBUTE = r"(?<![\w.:-])([\w.:-]{1,100})\s{0,20}=\s{0,20}(?:\"([^\"<]*)\"|'([^'<]*)')"
_CASES = frozenset(("testcase", "test-case", "UnitTestResult", "test"))
_MARKS = {"failure": "failed", "error": "errors", "skipped": "skipped", "rerunFailure": "", "flakyFailure": "flaky", "flakyError": "flaky", "rerunError": ""}
_WORDS = {
    **dict.fromkeys(("pass", "passed", "success", "true", "completed"), "passed"),
    **dict.fromkeys(("fail", "failed", "failure", "false", "timeout", "aborted"), "failed"),
    **dict.fromkeys(("error",), "failed"),
    **dict.fromkeys(("skip", "skipped", "ignored", "notexecuted", "notrunnable", "inconclusive", "notrun", "pending", "disconnected"), "skipped"),
}
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def claims(output: str) -> bool:
    """A root element of one of these."""
    head = output[:4000]
    return any(mark in head for mark in ("<testsuite", "<TestRun", "<test-run", "<test-results", "<assemblies", "<assembly "))


def read(output: str) -> Reading | None:
    """Every test case with its state; the worst of several states counts."""
    cases = list(_cases(_without_comments(output)))
    if not cases and "<testsuite" not in output and "<assembl" not in output:
        return None
    flaky = not any(state in ("failed", "errors") for _, state, _ in cases) and ("<flakyFailure" in output or "<flakyError" in output)
    tally = {name: sum(state == name for _, state, _ in cases) for name in ("passed", "failed", "errors", "skipped")}
    bad = [(name, message) for name, state, message in cases if state in ("failed", "errors")]
    return Reading(
        tool="junit",
        kind=Kind.TEST_FAILURE if bad else Kind.NONE if tally["passed"] else Kind.GATE_INVALID,
        ran=Evidence.RAN if bad or tally["passed"] else Evidence.NONE,
        says="fail" if bad else "flaky" if flaky else "pass" if tally["passed"] else "none_ran",
        message=short(next((message for _, message in bad if message), bad[0][0])) if bad else None,
        failing=unique(name for name, _ in bad),
        passing=unique(name for name, state, _ in cases if state == "passed"),
        skipping=unique(name for name, state, _ in cases if state == "skipped"),
        counts=Counts(**tally, total=len(cases)),
        span="\n".join(f"{name}: {message}" for name, message in bad[:20]),
    )


def _cases(output: str) -> Iterator[tuple[str, str, str]]:
    """Name, state and message of each case, in the order of the file."""
    case: tuple[str, str, str] | None = None
    for tag in rx(_TAG).finditer(output):
        closing, element, attributes, empty = tag[1], tag[2].rpartition(":")[2], tag[3], tag[4]
        if element in _CASES and not closing:
            if case is not None:
                yield case
            found = _attributes(attributes)
            case = (_name(found), _state(found), "")
            if empty:
                yield case
                case = None
        elif element in _CASES and case is not None:
            yield case
            case = None
        elif case is not None and not closing and element in _MARKS:
            case = _marked(case, _MARKS[element], _attributes(attributes).get("message", ""))
    if case is not None:
        yield case


def _without_comments(output: str) -> str:
    """What stands in a comment was not run. A comment that never ends hides the rest, as it does for any reader of XML."""
    parts = output.split("<!--")
    return parts[0] + "".join(part.partition("-->")[2] for part in parts[1:])


def _marked(case: tuple[str, str, str], mark: str, message: str) -> tuple[str, str, str]:
    """The worst of what stands under a case: an error, then a failure, then a skip."""
    order = ("passed", "skipped", "flaky", "failed", "errors")
    if not mark or mark == "flaky":
        return case
    name, state, said = case
    return name, mark if order.index(mark) > order.index(state) else state, said or message


def _attributes(text: str) -> dict[str, str]:
    return {found[1]: _plain(found[2] or found[3] or "") for found in rx(_ATTRIBUTE).finditer(text)}


def _plain(text: str) -> str:
    if "&" not in text:
        return text
    text = rx(r"&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));").sub(lambda found: _character(found[1], found[2]), text)
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text


def _character(hexadecimal: str | None, decimal: str | None) -> str:
    point = int(hexadecimal, 16) if hexadecimal else int(decimal or "0")
    return chr(point) if 31 < point < 0x110000 and not 0xD800 <= point < 0xE000 else " "


def _name(found: dict[str, str]) -> str:
    if name := found.get("fullname"):
        return name
    name = found.get("name") or found.get("testName") or found.get("method") or "Unknown test"
    owner = found.get("classname") or found.get("type") or ""
    return f"{name} ({owner})" if owner and " " not in owner and owner not in name else name


def _state(found: dict[str, str]) -> str:
    said = found.get("outcome") or found.get("result") or found.get("status") or found.get("success") or ""
    if found.get("executed", "").lower() == "false" or found.get("enabled", "").lower() == "false":
        return "skipped"
    return _WORDS.get(said.lower(), "passed")
