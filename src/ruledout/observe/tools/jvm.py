"""The JVM: JUnit under Maven and Gradle, plain exceptions, report files in JUnit's XML."""

from ruledout.model.outcome import Counts, Diagnostic, Evidence, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, first_error, rx, short, unique

NAME = "jvm"
PROGRAMS = frozenset(("mvn", "mvnw", "gradle", "gradlew", "java", "sbt", "ant", "kotlin", "lein"))
_SUREFIRE = r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?"
_FAILED = r"(?m)^(?:\[ERROR\] +)?(?:  )?([\w$.]+(?:Test|Tests|IT|Spec|Case)?\.\w+)(?::\d+)?(?:->.*)?(?: »| Expected|:\d+| expected).*$"
_MARKED = r"(?m)^(?:\[ERROR\] +)?(\w[\w$]*)\(([\w$.]+)\).*<<< (?:FAILURE|ERROR)!|^(?:\[ERROR\] +)?([\w$.]+\.[\w$]+) .*<<< (?:FAILURE|ERROR)!"
_GRADLE = r"(?m)^(\S[^\n>]*(?: > [^\n>]+)+?)(?: ?\n(?:WARNING: [^\n]{0,300}\n)?| )(PASSED|FAILED|SKIPPED)(?: \([\d.]+m?s\))?$"
_JAVAC = (
    r"(?m)^(?:\[(ERROR|WARNING)\] )?((?:[A-Za-z]:)?[^\s:\[\n][^:\[\n]{0,300}\.(?:java|kt|scala|groovy)):\[(\d+)(?:,(\d+))?\] ?(?:error: )?"
    r"(?:\[([\w:-]+)\] )?(.*)$"
)
_THROWN = r"(?m)^(?:Exception in thread \"[^\"]*\" )?((?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:Error|Exception|Failure|Failed\w*)?)(?:: (.*))?$"
_AT = r"(?m)^[ \t]+at (?:[\w.-]+(?:@[\w.-]+)?/+)?([\w.$<>]+)\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)$"
_BUILD = r"(?m)^(?:\[INFO\] |\[ERROR\] )?BUILD (SUCCESS|FAILURE|SUCCESSFUL|FAILED)"
_TRACKED = r"(?m)^\+ .*-Dtest=(\S+)\n(?:(?!\+ ).*\n)*?.*BUILD (SUCCESS|FAILURE)"


def claims(output: str) -> bool:
    """Surefire's counts, Gradle's lines, a stack of Java frames, the end of a build."""
    marks = ("Tests run: ", "BUILD SUCC", "BUILD FAIL", "\tat ", ".java:", "Exception in thread", "> Task ", " > ", "<testsuite")
    return any(mark in output for mark in marks)


def read(output: str) -> Reading | None:
    """Failing tests as `Class.method` or as Gradle prints them; else the compiler's errors; else the exception that came out."""
    sums = rx(_SUREFIRE).findall(output)
    gradle = rx(_GRADLE).findall(output)
    build = rx(_BUILD).findall(output)
    found = _diagnostics(output)
    thrown = rx(_THROWN).search(output) if rx(_AT).search(output) else None
    tracked = rx(_TRACKED).findall(output)
    if not (sums or gradle or build or found or thrown):
        return None
    failing = _failing(output, gradle, tracked)
    tally = _counts(sums[-1] if sums else None)
    bad = bool(tally and (tally.failed or tally.errors))
    error = first_error(found)
    failed = bool(failing or bad or error) or any(word.startswith("FAIL") for word in build) or (thrown is not None and not sums and not build)
    ran = bool(tally and tally.total) or any(word == "PASSED" for _, word in gradle)
    message = _message(output, thrown.group(0) if thrown else None, error)
    return Reading(
        tool="junit" if sums or gradle else NAME,
        kind=(Kind.TEST_FAILURE if failing or bad else Kind.DIAGNOSTIC if error else Kind.EXCEPTION) if failed else Kind.NONE,
        ran=Evidence.RAN if ran or failed else Evidence.NONE,
        says="fail"
        if failed
        else "flaky"
        if rx(r"Tests run: \d.*, Flakes: [1-9]").search(output)
        else "pass"
        if ran or (build and not sums)
        else None
        if found
        else "none_ran",
        classes=(thrown[1], *unique(rx(r"(?m)^Caused by: ([\w.$]+)").findall(output)))
        if failed and thrown and not error
        else (("compile error",) if failed and error else ()),
        message=short(message) if failed else None,
        frames=tuple(Frame(each[1], each[2], int(each[3])) for each in rx(_AT).finditer(output))[:50] if failed else (),
        diagnostics=found,
        failing=failing if failed else (),
        passing=unique([*(name for name, word in gradle if word == "PASSED"), *(name for name, word in tracked if word == "SUCCESS")]),
        skipping=unique(name for name, word in gradle if word == "SKIPPED"),
        counts=tally or _gradle_counts(output),
        span=output[thrown.start() : thrown.start() + 2000].split("\n\n", maxsplit=1)[0] if thrown and failed else message or "",
    )


def _failing(output: str, gradle: list[tuple[str, str]], tracked: list[tuple[str, str]]) -> tuple[str, ...]:
    marked = [f"{owner}.{method}" if method else dotted for method, owner, dotted in rx(_MARKED).findall(output)]
    listed = rx(_FAILED).findall(output[output.find("Results") :]) if "Results" in output else []
    return unique([*(name for name, word in gradle if word == "FAILED"), *(name for name, word in tracked if word == "FAILURE"), *(marked or listed)])


def _counts(last: tuple[str, str, str, str] | None) -> Counts | None:
    if last is None:
        return None
    total, failed, errors, skipped = (int(part or 0) for part in last)
    return Counts(total=total, failed=failed, errors=errors, skipped=skipped, passed=max(0, total - failed - errors - skipped))


def _gradle_counts(output: str) -> Counts | None:
    found = rx(r"(?m)^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?").search(output)
    return Counts(total=int(found[1]), failed=int(found[2] or 0), skipped=int(found[3] or 0)) if found else None


def _diagnostics(output: str) -> tuple[Diagnostic, ...]:
    return errors_first(
        Diagnostic(
            file=each[2].replace("\\", "/"),
            line=int(each[3]),
            column=int(each[4]) if each[4] else None,
            severity="warning" if each[1] == "WARNING" else "error",
            code=each[5],
            message=each[6],
        )
        for each in rx(_JAVAC).finditer(output)
    )


def _message(output: str, thrown: str | None, error: Diagnostic | None) -> str | None:
    if error:
        return f"{error.file}:{error.line}: {error.message}"
    if thrown:
        return thrown
    line = rx(r"(?m)^(?:\* What went wrong:\n.*|\[ERROR\] (?!-> |To see|Re-run|For more).+)$").search(output)
    return line[0] if line else None
