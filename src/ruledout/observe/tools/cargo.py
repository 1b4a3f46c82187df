"""Rust: cargo test, build, check, clippy, run; bare rustc; nextest; panics."""

import re

from ruledout.model.outcome import Counts, Diagnostic, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, first_error, rx, short, unique

NAME = "cargo"
PROGRAMS = frozenset(("cargo", "rustc", "cross", "clippy-driver", "rustdoc", "trybuild"))
_TEST = r"(?m)^test (.+?) \.\.\. (?:.*\n)??(ok|FAILED|ignored|bench:)(?:,.*| .*)?$"
_RESULT = r"(?m)^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; (\d+) filtered out"
_NEXTEST = r"(?m)^ *(PASS|FAIL|SIGSEGV|SIGABRT|TIMEOUT|FLAKY[^\[]*|TRY \d+ (?:PASS|FAIL)) \[ *[\d.]+s\](?: \([\d/ ]+\))? +(\S+) (\S.*)$"
_NEXTEST_SUM = (
    r"Summary \[ {0,9}[\d.]{1,12}s\] {0,9}(\d{1,9})(?:/\d{1,9})? tests? run: (\d{1,9}) passed"
    r"(?: \([^)\n]{0,60}?(\d{1,9}) flaky[^)\n]{0,60}\))?(?:[^,\n]{0,100})?"
    r"(?:, (\d+) failed)?(?:, \d+ timed out)?(?:, (\d+) skipped)?"
)
_DIAGNOSTIC = r"(?m)^(error|warning)(?:\[([\w:]+)\])?: (.+)\n(?: *\|\n)?(?: *= .*\n)* *--> ([^\n]+?):(\d+):(\d+)"
_SHORT_FORM = r"(?m)^(\S+\.rs):(\d+):(\d+): (error|warning)(?:\[([\w:]+)\])?: (.+)$"
_BARE = r"(?m)^error(?:\[(E\d+)\])?: (?!could not compile|aborting due|test failed|build failed|\d+ targets? failed|process didn't exit|Recipe)(.+)$"
_PANIC = (
    r"thread '(?P<thread>[^'\n]{0,300})'(?: \(\d+\))? panicked at (?:'(?P<old>[^\n]{0,600})', )?"
    r"(?P<file>[^\n:]{1,300}):(?P<line>\d+):(?P<column>\d+):?"
    r"(?:\n(?P<message>[^\n]*))?"
)
_FRAME = r"(?m)^ *\d+: (?:0x[0-9a-f]+ - )?(\S.*)\n +at (\S+?):(\d+)"
_BROKEN = (
    r"(?m)^error: could not compile `([^`\n]{1,200})`(?: \((lib test|lib|bin|test|example|bench|build script|doctest)"
    r"[^)\"\n]{0,100}(?:\"([^\"\n]{1,200})\")?[^)\n]{0,100}\))?"
)
_NO_TARGET = (
    r"(?m)^(error: (?:no (?:test|bin|example|bench|library)[\w ]* targets?|no such (?:command|subcommand)|package ID"
    r"|could not find `Cargo|failed to parse manifest|no matching package|manifest path|none of the selected|package\(s\)|cannot specify features).*)"
)


def claims(output: str) -> bool:
    """Its compiler's arrows, test lines, results, panics and closing words."""
    marks = (
        "test result: ",
        "error[E",
        "\n  --> ",
        " --> ",
        "panicked at ",
        "could not compile",
        "Finished `",
        "Finished dev",
        "Finished test",
        "Finished release",
        "   Compiling ",
    )
    return (
        any(mark in output for mark in marks)
        or "... ok" in output
        or "... FAILED" in output
        or "Cargo.toml" in output
        or "nextest" in output
        or "Summary [" in output
        or "error: " in output
    )


def read(output: str) -> Reading | None:
    """Failing tests (`mod::test`), else the targets that did not compile; the first error with its place; the first panic."""
    tests = rx(_TEST).findall(output)
    results = rx(_RESULT).findall(output)
    next_run = _nextest(output)
    diagnostics = _diagnostics(output)
    panic = rx(_PANIC).search(output)
    broken = rx(_BROKEN).findall(output)
    target = rx(_NO_TARGET).search(output)
    finished = rx(r"(?m)^ *Finished (?:`|dev|test|release|bench|optimized).*").search(output)
    compiling = rx(r"(?m)^ +(?:Compiling|Checking|Running|Blocking|Updating|Downloading|Doc-tests) ").search(output)
    if not (tests or results or next_run or broken or panic or target or finished or compiling or _is_rust(output, diagnostics)):
        return None
    failing = unique(
        [*(name.removesuffix(" - compile") for name, word in tests if word == "FAILED"), *_listed(output, tests), *(next_run.failing if next_run else ())]
    )
    errors = first_error(diagnostics) or rx(_BARE).search(output)
    failed = bool(failing or broken or target or errors) or any(word == "FAILED" for word, *_ in results) or bool(panic and not _expected(results, next_run))
    failed = failed or bool(next_run and next_run.says == "fail")
    says = "fail" if failed else _unfailed(tests, results, next_run, finished=bool(finished), output=output)
    names = failing or unique(name for _, kind, name in broken if kind in ("test", "bench", "example"))
    return _reading(output, says, names, tests, results, next_run, diagnostics, target[1] if target else None)


def _is_rust(output: str, diagnostics: tuple[Diagnostic, ...]) -> bool:
    return any(each.file.endswith(".rs") for each in diagnostics) or rx(r"(?m)^error\[E\d+\]: ").search(output) is not None


def _unfailed(tests: list[tuple[str, str]], results: list[tuple[str, ...]], next_run: Reading | None, *, finished: bool, output: str) -> str | None:
    ran = sum(int(result[1]) for result in results) or sum(word == "ok" for _, word in tests)
    if next_run and next_run.says == "flaky":
        return "flaky"
    if ran or (next_run and next_run.says == "pass"):
        return "pass"
    if results or next_run or "\nrunning 0 tests" in output:
        return "none_ran"
    return "pass" if finished else None


def _expected(results: list[tuple[str, ...]], next_run: Reading | None) -> bool:
    """Panics inside tests that pass (`should panic`, caught ones) are no failure."""
    return bool(results or next_run)


def _reading(  # noqa: PLR0917, PLR0913  # the parts of one reading, put together in one place
    output: str,
    says: str | None,
    failing: tuple[str, ...],
    tests: list[tuple[str, str]],
    results: list[tuple[str, ...]],
    next_run: Reading | None,
    diagnostics: tuple[Diagnostic, ...],
    target: str | None,
) -> Reading:
    message, name, kind = _error(output, diagnostics, target) if says == "fail" else (None, None, Kind.NONE)
    error = first_error(diagnostics)
    panic = rx(_PANIC).search(output) if says == "fail" and error is None else None
    return Reading(
        tool=NAME,
        kind=kind,
        ran=Evidence.RAN if says in ("pass", "fail", "flaky") else Evidence.NONE,
        says=says,
        classes=(name,) if name else (),
        code=error.code if error and says == "fail" else None,
        message=short(message),
        frames=_frames(output, panic) if panic else (),
        diagnostics=diagnostics,
        failing=failing if says == "fail" else (),
        passing=unique([*(test for test, word in tests if word == "ok"), *(next_run.passing if next_run else ())]),
        skipping=unique(test for test, word in tests if word == "ignored"),
        counts=_counts(tests, results, next_run),
        span=_span(output, panic.start() if panic else None, message),
    )


def _error(output: str, diagnostics: tuple[Diagnostic, ...], target: str | None) -> tuple[str | None, str | None, Kind]:
    """The first error of the compiler; else the first panic; else what cargo itself says."""
    error = first_error(diagnostics)
    if error is not None:
        bracket = f"[{error.code}]" if error.code else ""
        return f"error{bracket}: {error.message}", error.code or "syntax error", Kind.DIAGNOSTIC
    if target:
        return target, "no such target", Kind.GATE_INVALID
    if panic := rx(_PANIC).search(output):
        return panic["old"] or panic["message"] or panic[0], "panic", Kind.CRASH if "test result" not in output else Kind.TEST_FAILURE
    if bare := rx(_BARE).search(output):
        return bare[0], bare[1], Kind.DIAGNOSTIC
    line = rx(r"(?m)^(?:test .* FAILED|error: .*|test result: FAILED.*)$").search(output)
    return line[0] if line else None, None, Kind.TEST_FAILURE


def _diagnostics(output: str) -> tuple[Diagnostic, ...]:
    found = [
        Diagnostic(file=each[4].replace("\\", "/"), line=int(each[5]), column=int(each[6]), code=each[2], severity=each[1], message=each[3])
        for each in rx(_DIAGNOSTIC).finditer(output)
    ]
    found += [
        Diagnostic(file=each[1], line=int(each[2]), column=int(each[3]), severity=each[4], code=each[5], message=each[6])
        for each in rx(_SHORT_FORM).finditer(output)
    ]
    return errors_first(found)


def _frames(output: str, panic: re.Match[str]) -> tuple[Frame, ...]:
    traced = [Frame(name.strip(), path, int(line)) for name, path, line in rx(_FRAME).findall(output[panic.start() :])][:50]
    own = [frame for frame in traced if "/rustc/" not in frame.path and "/library/" not in frame.path]
    here = Frame(panic["thread"], panic["file"], int(panic["line"]))
    return tuple(own) if own else (here,)


def _listed(output: str, tests: list[tuple[str, str]]) -> list[str]:
    """The names under the last `failures:`, which come alone where the rest was cut off."""
    at = output.rfind("\nfailures:\n")
    if at < 0:
        return []
    names = []
    for line in output[at + 11 :].split("\n"):
        if not line.startswith("    "):
            break
        names.append(line.strip())
    longer = [test for test, _ in tests]  # `x - should panic` is listed as `x`
    return [name for name in names if name and not name.startswith("note:") and not any(test.startswith(f"{name} - ") for test in longer)]


def _nextest(output: str) -> Reading | None:
    if "Summary [" not in output and not rx(_NEXTEST).search(output):
        return None
    last: dict[str, str] = {}
    for word, crate, test in rx(_NEXTEST).findall(output):
        last[f"{crate} {test}"] = "PASS" if word.startswith("FLAKY") or word.endswith("PASS") else "FAIL"
    failing = unique(name for name, word in last.items() if word == "FAIL")
    sums = rx(_NEXTEST_SUM).findall(output)
    tally = Counts(total=int(sums[-1][0]), passed=int(sums[-1][1]), failed=int(sums[-1][3] or 0), skipped=int(sums[-1][4] or 0)) if sums else None
    failed = bool(failing) or bool(tally and tally.failed)
    ran = bool(last) or bool(tally and tally.total)
    flaky = any(word.startswith("FLAKY") for word, _, _ in rx(_NEXTEST).findall(output)) or bool(sums and sums[-1][2])
    says = "fail" if failed else "flaky" if flaky else "pass" if ran else "none_ran"
    return Reading(tool="nextest", says=says, failing=failing, passing=unique(name for name, word in last.items() if word == "PASS"), counts=tally)


def _counts(tests: list[tuple[str, str]], results: list[tuple[str, ...]], next_run: Reading | None) -> Counts | None:
    if results:
        passed, failed, ignored, filtered = (sum(int(result[at]) for result in results) for at in (1, 2, 3, 4))
        return Counts(passed=passed, failed=failed, skipped=ignored, deselected=filtered)
    if next_run is not None:
        return next_run.counts
    if not tests:
        return None
    tally = [sum(word == each for _, word in tests) for each in ("ok", "FAILED", "ignored")]
    return Counts(passed=tally[0], failed=tally[1], skipped=tally[2])


def _span(output: str, panic: int | None, message: str | None) -> str:
    start = panic if panic is not None else output.find(message[:60]) if message else -1
    if start < 0:
        return message or ""
    end = output.find("\n\n", start)
    return output[start : end if end > 0 else len(output)][:4000]
