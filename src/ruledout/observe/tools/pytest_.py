"""pytest: summaries, failure sections, verbose lines, collection errors, in all its styles."""

from msgspec.structs import replace

from ruledout.model.outcome import Diagnostic, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import counts, line_at, number, rx, short, unique

NAME = "pytest"
PROGRAMS = frozenset(("pytest", "py.test", "tox", "nox", "pytest-xdist"))
_WORDS = {
    **{word: word for word in ("passed", "failed", "skipped", "deselected", "xfailed", "xpassed")},
    "error": "errors",
    "errors": "errors",
    "rerun": "flaky",
    "reruns": "flaky",
}
_CLOSING = r"(?m)^(?:=+ )?((?:\d+ [a-z]+(?: [a-z]+)?(?:, )?)+|no tests ran)(?: in [\d.:]+ ?s(?:econds)?\b.*|(?: =+))$"
_SUMMARY = r"(?m)^(?:\[gw\d+\] \[ *\d+%\] )?(FAILED|ERROR|PASSED|SKIPPED|XFAIL|XPASS|SUBFAIL(?:ED)?(?:[\[(].*?[\])])?|SUBPASS(?:ED)?) (\S.*)$"
_VERBOSE = (
    r"(?m)^(?:collecting \.\.\. )?(\S{1,300}?(?:::| > )\S.{0,400}?|\S{1,300}\.(?:txt|rst|md|pyi?)) (PASSED|FAILED"
    r"|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))?(?: *\[ *\d+%\])?$"
)
_HEADING = r"(?m)^_{2,} (.+?) _{2,}$"
_PLACE = r"(?m)^(\S[^:\n]*):(\d+): (?:in (\S+)$)?(\w[\w.]*)?.*$"
_E_LINE = r"(?m)^E   +(\S.*)$"
_CLASS = (
    r"^((?:[A-Za-z_][\w]*\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Failed|Timeout|Group|Iteration)|Failed|[a-z_]\w*(?:\.\w+)*\.[A-Z]\w+)(?::|$)"
)
_USAGE = (
    r"(?m)^(?:collecting \.\.\. )?(ERROR: (?:not found|file or directory not found|file not found|usage|Wrong expression|while parsing|found no collectors).*"
    r"|(?:pytest|py\.test|__main__\.py): error: .*)$"
)
_STATES = {"FAILED": "failed", "ERROR": "failed", "PASSED": "passed", "SKIPPED": "skipped", "XPASS": "other", "XFAIL": "other"}


def claims(output: str) -> bool:
    """The opening, the short summary, a closing line, or sections and lines of its style."""
    if "test session starts" in output or "short test summary info" in output or "= FAILURES =" in output or "= ERRORS =" in output or "no tests ran" in output:
        return True
    if "\nE   " in output or "INTERNALERROR>" in output or "ERROR: not found: " in output or ": error: " in output or "::" in output:
        return True
    return (
        (" in " in output and rx(_CLOSING).search(output) is not None) or rx(r"(?m)^(?:PASSED|FAILED|ERROR) \S").search(output) is not None or _is_block(output)
    )


def _is_block(output: str) -> bool:
    return "___ " in output and rx(_HEADING).search(output) is not None and rx(_PLACE).search(output) is not None


def read(output: str) -> Reading | None:
    """Failing ids from the short summary, else the verbose lines, else the headings with the file of their first place."""
    states = _states(output)
    closing = _closing(output)
    sections = _sections(output)
    failing = states["failed"] or unique(_heading_id(*section) for section in sections)
    usage = rx(_USAGE).search(output)
    internal = rx(r"(?m)^(?:INTERNALERROR> (?:\S*Error.*|\S+: .*)|ImportError while loading conftest .*)$").findall(output)
    if not (closing or failing or usage or internal or states["passed"] or states["skipped"] or "test session starts" in output):
        return None
    counted = counts(closing, _WORDS) if closing else None
    failed = bool(failing or internal) or bool(counted and (counted.failed or counted.errors)) or "!!! Interrupted" in output
    passed = bool(states["passed"]) or bool(counted and (counted.passed or counted.xpassed or counted.xfailed))
    none_ran = bool(usage) or not (passed or failed or _dots(output))
    only_listed = rx(r"(?m)^(?:=+ )?\d+(?:/\d+)? tests? collected(?: \(.*\))? in ").search(output) is not None and not failed
    says = None if only_listed else "fail" if failed else "none_ran" if none_ran else "flaky" if counted and counted.flaky else "pass"
    complaint = usage[1] if usage else (internal[-1] if internal else None)
    outcome = Reading(
        tool=NAME,
        ran=Evidence.RAN if says in ("pass", "fail", "flaky") else Evidence.NONE,
        says=says,
        failing=failing,
        passing=states["passed"],
        skipping=states["skipped"],
        counts=counted,
    )
    return _with_error(outcome, output, sections, complaint)


def _with_error(outcome: Reading, output: str, sections: list[tuple[str, str]], complaint: str | None) -> Reading:
    first = sections[0][1] if sections else ""
    classes, message = _error(first, output) if outcome.says == "fail" else ((), None)
    collecting = bool(sections) and sections[0][0].startswith("ERROR collecting")
    if complaint and not message:
        classes, message = (complaint.split(":", 2)[1].strip() if outcome.says == "none_ran" else "INTERNALERROR",), complaint
    if outcome.says == "none_ran" and not classes:
        classes = ("no tests selected" if "deselected" in output else "no tests ran",)
    if outcome.says == "none_ran" and not message:
        message = next(iter(rx(r"(?m)^.*(?:collected 0 items|\d deselected|no tests ran).*$").findall(output)), None)
    kind = {"fail": Kind.EXCEPTION if collecting else Kind.TEST_FAILURE, "none_ran": Kind.GATE_INVALID}.get(outcome.says or "", Kind.NONE)
    return replace(
        outcome,
        kind=kind,
        classes=classes,
        message=short(message),
        frames=_frames(sections[0][0], first) if sections else (),
        diagnostics=_syntax_place(classes, first),
        span=first.strip() or message or "",
    )


def _states(output: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {"failed": [], "passed": [], "skipped": [], "other": []}
    for word, rest in rx(_SUMMARY).findall(output):
        name = _node_id(rest)
        if name and not rest.startswith(("root:", "not found", "[", "(")):
            found["failed" if word.startswith("SUBFAIL") else _STATES.get(word, "other")].append(name)
    if not found["failed"]:
        for name, word in rx(_VERBOSE).findall(output):
            found[_STATES[word]].append(name.strip())
    else:
        for name, word in rx(_VERBOSE).findall(output):
            if _STATES[word] != "failed":
                found[_STATES[word]].append(name.strip())
    return {state: unique(names) for state, names in found.items()}


def _node_id(rest: str) -> str:
    """The id in front of ` - message`; a parameter may hold ` - `, so the bracket closes first."""
    bracket, dash = rest.find("["), rest.find(" - ")
    if bracket >= 0 and (dash < 0 or bracket < dash) and "::" in rest[:bracket]:
        close = rest.find("] - ", bracket)
        if close >= 0:
            return rest[: close + 1]
        if rest.rstrip().endswith("]"):
            return rest.rstrip()
    name = rest[:dash] if dash >= 0 else rest
    name = rx(r" \([^\n]{0,400}\)$| {0,20}\[ {0,3}\d{1,3}%\]$").sub("", name).strip()
    return name if " " not in name or "::" in name else ""


def _closing(output: str) -> list[tuple[str, str]]:
    """The counts of the last closing line as `(number, word)`; `no tests ran` counts nothing and is still a closing line."""
    lines = rx(_CLOSING).findall(output)
    if not lines:
        return []
    found = rx(r"(?<!\d)(\d{1,9}) ([a-z]{1,20}(?: passed)?)").findall(lines[-1])
    return [(value, word) for value, word in found if not word.startswith("subtests")] or [("0", "tests")]


def _dots(output: str) -> bool:
    return rx(r"(?m)^(?:\S+\.py )?[.sxXF]{1,200} *\[ *\d+%\]$").search(output) is not None


def _sections(output: str) -> list[tuple[str, str]]:
    """Heading and text of each failure section; captured output has headings of its own, with dashes."""
    if "__" not in output:
        return []
    heads = [head for head in rx(_HEADING).finditer(output) if not set(head[1]) <= set("_ ")]
    ends = [*(head.start() for head in heads[1:]), len(output)]
    found = []
    for head, end in zip(heads, ends, strict=False):
        body = output[head.end() : end]
        stop = rx(r"(?m)^={3,} .*={3,}$").search(body)
        found.append((head[1].strip(), body[: stop.start()] if stop else body))
    return found


def _heading_id(heading: str, body: str) -> str:
    """`TestA.test_b[x]` with the file of the first place: `test_f.py::TestA::test_b[x]`."""
    for start in ("ERROR collecting ", "ERROR at setup of ", "ERROR at teardown of ", "ERROR at call of "):
        if heading.startswith(start):
            heading = heading.removeprefix(start)
            if start.startswith("ERROR coll"):
                return heading
    if heading.startswith(("[doctest] ", "summary", "coverage")) or " coverage: " in heading:
        return heading.removeprefix("[doctest] ") if heading.startswith("[doctest]") else ""
    places = [each[1] for each in rx(_PLACE).finditer(body)]
    place = next((path for path in places if path.endswith((".py", ".txt", ".rst", ".md", ".pyi"))), places[0] if places else "")
    bare, bracket, parameters = heading.partition("[")
    name = bare.replace(".", "::") + bracket + parameters
    return f"{place}::{name}" if place else name


def _error(section: str, output: str) -> tuple[tuple[str, ...], str | None]:
    """The class and the decisive line: of the first section, else of the short summary."""
    lines = rx(_E_LINE).findall(section) or ([] if section else rx(_E_LINE).findall(output))
    named = [match[1] for line in lines if (match := rx(_CLASS).match(line))]
    places = [place for place in rx(_PLACE).finditer(section) if place[4] and not place[3]]
    raised = places[-1][4] if places and rx(_CLASS).match(places[-1][4] + ":") else None
    name = raised or (named[-1] if named else None)
    if lines:
        message = next((line for line in lines if name and line.startswith(name)), lines[0])
        if name is None and lines[0].startswith("assert"):
            name = "AssertionError"
        if name and named and named[-1].endswith(name):
            name = named[-1]
        return ((name,) if name else ()), message
    return _summary_error(output, name)


def _summary_error(output: str, name: str | None) -> tuple[tuple[str, ...], str | None]:
    """What the short summary says behind the first failing id."""
    for rest in rx(r"(?m)^(?:FAILED|ERROR) (\S.*)$").findall(output):
        message = rest.removeprefix(_node_id(rest)).removeprefix(" - ").strip()
        if message and message != rest:
            match = rx(_CLASS).match(message)
            found = match[1] if match else "AssertionError" if message.startswith("assert") else name
            return ((found,) if found else ()), message
    return ((name,) if name else ()), None


def _frames(heading: str, section: str) -> tuple[Frame, ...]:
    """The places of a section, innermost first; long style prints no function, so the `def` above a place names it."""
    frames: list[Frame] = []
    start = 0
    test = heading.rpartition(".")[2].partition("[")[0]
    for place in rx(_PLACE).finditer(section):
        above = rx(r"(?m)^ +(?:async )?def (\w+)").findall(section, start, place.start())
        frames.append(Frame(place[3] or (above[-1] if above else test if not frames else "<unknown>"), place[1].replace("\\", "/"), int(place[2])))
        start = place.end()
    return tuple(reversed(frames[:200]))[:50]


def _syntax_place(classes: tuple[str, ...], section: str) -> tuple[Diagnostic, ...]:
    if not classes or classes[0] not in ("SyntaxError", "IndentationError"):
        return ()
    place = rx(r'(?m)^E +File "([^"\n]+)", line (\d+)').search(section)
    return (Diagnostic(file=place[1], line=number(place[2]), severity="error", code=classes[0], message=line_at(section, place.start())),) if place else ()
