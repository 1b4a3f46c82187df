"""Go: test (text, `-json`, gotestsum), build, vet, panics, the race detector."""

from msgspec.structs import replace

from ruledout.model.outcome import Counts, Diagnostic, Evidence, Frame, Kind
from ruledout.observe.goevents import Events, unfold
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, line_at, rx, short, unique

NAME = "go test"
PROGRAMS = frozenset(("go", "gotestsum", "ginkgo"))
_TEST = r"(?m)^[ \t]*(?:=== )?--- (FAIL|PASS|SKIP): (.+?)(?: \([\d.]+m?s\))?$"
_PACKAGE = (
    r"(?m)^(ok|FAIL|---|\?) ?[ \t]+(\S+)(?:[ \t]+([\d.]+s|\(cached\)|\[[^\]\n]+\]|coverage: .*))?(?:[ \t]*(?:coverage: [^\n\[]*)?(\[no tests? to run\]))?"
)
_PLACE = r"(?m)^(?:vet: |\# )?((?:\.{0,2}/)?[\w@./\\~+-]+\.(?:go|s|c|cgo\d?\.\w+)):(\d+)(?::(\d+))?: (.+)$"
_LOGGED = r"(?m)^[ \t]+(?:\S+: )?(\S+\.go):(\d+): (.+)$"
_BAD = (
    r"(?i)\b(?:expected|want(?:ed)?|got|should|must|errors?|fail(?:s|ed|ure)?|unexpected|mismatch|missing|cannot|can't|not equal|not found|differs?|panic"
    r"|invalid)\b|!="
)
_BLOCK = 20_000
_PANIC = r"(?m)^(?:panic: |fatal error: )(.+)$"
_FRAME = r"(?m)^([\w./*()\[\]·~%-]{1,300})\(.{0,400}\)\n\t(\S+\.(?:go|s)):(\d+)"
_SETUP = r"(?m)^(?:go: .+|no Go files in .+|package \S+ is not in (?:std|GOROOT).*|cannot find (?:main module|package).*|pattern \S+: .+)$"
_DONE = r"(?m)^DONE (?:(\d+) runs?, )?(\d+) tests?(?:, (\d+) skipped)?(?:, (\d+) failures?)?(?:, (\d+) errors?)?"


def claims(output: str) -> bool:
    """Its test lines, package lines, compiler places, goroutines or JSON events."""
    marks = (
        "--- FAIL: ",
        "--- PASS: ",
        "\nok  \t",
        "ok  \t",
        "FAIL\t",
        "goroutine ",
        "DATA RACE",
        "[no test files]",
        '"Action":',
        "\nDONE ",
        ".go:",
        "no Go files",
        "go: ",
        "panic: ",
        "FAIL ",
    )
    return any(mark in output for mark in marks)


def read(output: str) -> Reading | None:
    """Failing tests with their sub-tests; where a package failed without any, the package as printed (`pkg [build failed]`)."""
    events = unfold(output) if '"Action":' in output else None
    text = events.text if events else output
    tests = rx(_TEST).findall(text)
    packages = rx(_PACKAGE).findall(text)
    failing = unique(name for word, name in tests if word == "FAIL")
    told = rx(r"(?m)^(?:=== )?FAIL:? (\S+) (\S+)(?: \([\d.]+s\))?$|^FAIL (\S+\.(?:Test|Example|Fuzz|Benchmark)\S*)").findall(text)
    failing = failing or unique(test or dotted for _, test, dotted in told)
    panic = rx(_PANIC).search(text) if "goroutine " in text or "[recovered]" in text else None
    diagnostics = _diagnostics(text)
    done = rx(_DONE).findall(text)
    raced = "WARNING: DATA RACE" in text
    if not (tests or packages or panic or diagnostics or done or raced or _alone(text)):
        return _setup(text)
    if events:  # events name their packages without a mark
        failing, broken = unique([*failing, *(name for name in events.broken if failing)]), events.broken
    else:
        broken = unique(f"{name} {mark}" if mark.startswith("[") else name for word, name, mark, _ in packages if word == "FAIL")
    failed = bool(failing or broken or panic or raced or _alone(text) == "FAIL") or (bool(diagnostics) and not packages)
    found = _reading(text, tests, packages, failing or broken, diagnostics, "fail" if failed else _unfailed(tests, packages, text, done))
    return replace(found, counts=_told(events, len(diagnostics))) if events and found.tool == NAME else found


def _told(events: Events, errors: int) -> Counts:
    """As the events tell: a package that failed without a test that failed is a failure of its own."""
    return Counts(passed=events.passed, failed=events.failed, skipped=events.skipped, errors=errors if events.built else 0, total=events.total)


def _alone(text: str) -> str | None:
    """`FAIL` or `PASS` on a line of its own."""
    found = rx(r"(?m)^(FAIL|PASS)$").findall(text)
    return "FAIL" if "FAIL" in found else found[-1] if found else None


def _unfailed(tests: list[tuple[str, str]], packages: list[tuple[str, str, str, str]], text: str, done: list[tuple[str, ...]]) -> str | None:
    ran = any(word == "PASS" for word, _ in tests) or any(word == "ok" and not none and mark != "[no tests to run]" for word, _, mark, none in packages)
    if ran or (_alone(text) == "PASS" and "no tests to run" not in text) or any(total != "0" for _, total, *_ in done):
        return "pass"
    return "none_ran" if packages or "no tests to run" in text or done else None


def _reading(
    text: str,
    tests: list[tuple[str, str]],
    packages: list[tuple[str, str, str, str]],
    failing: tuple[str, ...],
    diagnostics: tuple[Diagnostic, ...],
    says: str | None,
) -> Reading:
    flaky = _flaky(text)
    failed_tests = any(word == "FAIL" for word, _ in tests)
    panic = rx(_PANIC).search(text) if says == "fail" else None
    message, name, kind = _error(text, failed_tests=failed_tests, diagnostics=diagnostics, panic=panic[0] if panic else None)
    return Reading(
        tool="gotestsum" if rx(_DONE).search(text) else NAME if tests or packages else "go",
        kind=kind if says == "fail" else Kind.NONE,
        ran=Evidence.RAN if says in ("pass", "fail") else Evidence.NONE,
        says="flaky" if flaky and says == "fail" else says,
        classes=(name,) if says == "fail" and name else (),
        message=short(message) if says == "fail" else None,
        frames=_frames(text, panic.start()) if panic else _raced(text) or _logged_frames(text),
        diagnostics=diagnostics,
        failing=failing if says == "fail" else (),
        passing=unique(test for word, test in tests if word == "PASS"),
        skipping=unique(test for word, test in tests if word == "SKIP"),
        counts=_counts(text, tests),
        span=_span(text, panic.start() if panic else None, message),
    )


def _error(text: str, *, failed_tests: bool, diagnostics: tuple[Diagnostic, ...], panic: str | None) -> tuple[str | None, str | None, Kind]:
    if panic:
        return panic, "panic" if panic.startswith("panic") else "fatal error", Kind.CRASH
    if diagnostics and not failed_tests:
        first = diagnostics[0]
        where = f"{first.file}:{first.line}" + (f":{first.column}" if first.column else "")
        return f"{where}: {first.message}", "compile error", Kind.DIAGNOSTIC
    if "WARNING: DATA RACE" in text and not failed_tests:
        return line_at(text, text.find("WARNING: DATA RACE")), "DATA RACE", Kind.CRASH
    if logged := _complaint(text):
        return logged, "FAIL", Kind.TEST_FAILURE
    setup = rx(_SETUP).search(text)
    line = setup[0] if setup else next(iter(rx(r"(?m)^(?:--- FAIL: .*|FAIL[ \t]\S.*)$").findall(text)), None)
    return line, "setup failed" if "[setup failed]" in text else "FAIL", Kind.TEST_FAILURE


def _diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Compiler and vet messages; log lines of tests are indented and so are none."""
    if ".go:" not in text:
        return ()
    marked = "\n# " in text or text.startswith("# ") or "vet: " in text or "[build failed]" in text or "[setup failed]" in text
    return errors_first(
        Diagnostic(file=place[1].replace("\\", "/"), line=int(place[2]), column=int(place[3]) if place[3] else None, severity="error", message=place[4])
        for place in rx(_PLACE).finditer(text)
        if place[3] or marked
    )


def _frames(text: str, start: int) -> tuple[Frame, ...]:
    """The first goroutine behind the panic, innermost first, as Go prints it."""
    end = text.find("\n\n", text.find("goroutine ", start) + 1)
    return tuple(Frame(found[1], found[2], int(found[3])) for found in rx(_FRAME).finditer(text, start, end if end > 0 else len(text)))[:50]


def _raced(text: str) -> tuple[Frame, ...]:
    """The stack of the first access that a race report names."""
    start = text.find("WARNING: DATA RACE")
    end = text.find("\n\n", start)
    pairs = rx(r"(?m)^  ([\w./*()\[\]·~%-]{1,300})\(.{0,400}\)\n {6}(\S+\.(?:go|s)):(\d+)").finditer(text, start, end if end > 0 else len(text))
    return tuple(Frame(found[1], found[2], int(found[3])) for found in pairs)[:50] if start >= 0 else ()


def _logged_frames(text: str) -> tuple[Frame, ...]:
    found = rx(_LOGGED).search(text) if "--- FAIL" in text else None
    return (Frame("", found[1], int(found[2])),) if found else ()


def _counts(text: str, tests: list[tuple[str, str]]) -> Counts | None:
    if done := rx(_DONE).findall(text):
        total, skipped, failures, errors = (int(part or 0) for part in done[-1][1:])
        return Counts(total=total, skipped=skipped, failed=failures, errors=errors, passed=max(0, total - skipped - failures))
    if not tests:
        return None
    last = {name: word for word, name in tests}
    tally = [sum(word == each for word in last.values()) for each in ("PASS", "FAIL", "SKIP")]
    return Counts(passed=tally[0], failed=tally[1], skipped=tally[2])


def _flaky(text: str) -> bool:
    """Under gotestsum: it ran failing tests again, and each passed in the end."""
    if not rx(r"(?m)^DONE \d+ runs, ").search(text):
        return False
    last = {name: word for word, name in rx(r"(?m)^(PASS|FAIL) (\S+?\.\w\S*?)(?: \(re-run \d+\))?(?: \([\d.]+s\))?$").findall(text)}
    return bool(last) and "FAIL" not in last.values()


def _complaint(text: str) -> str | None:
    """Of the lines that a failing test logged, the first that complains; else the last, since what ends a test is logged last."""
    start = max(0, text.find("--- FAIL")) if "=== RUN" not in text else 0
    end = text.find("\n--- ", start + 1)
    block = text[start : end if end > 0 and start > 0 else None][:_BLOCK]
    logged = list(rx(_LOGGED).finditer(block))
    first = next((each for each in logged if rx(_BAD).search(each[3])), None)
    return (first or logged[-1])[0].strip() if logged else None


def _span(text: str, panic: int | None, message: str | None) -> str:
    if panic is not None:
        end = text.find("\n\n", text.find("goroutine ", panic) + 1)
        return text[panic : end if end > 0 else len(text)]
    start = text.find("--- FAIL")
    return text[start : start + 4000] if start >= 0 else message or ""


def _setup(text: str) -> Reading | None:
    found = rx(_SETUP).search(text)
    if not found or found[0].startswith("go: downloading") or found[0].startswith("go: finding"):
        return None
    return Reading(tool="go", kind=Kind.GATE_INVALID, says="fail", classes=("setup failed",), message=short(found[0]), span=found[0])
