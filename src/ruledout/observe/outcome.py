"""What a run showed: every toolchain that knows the text reads it, the one that fits best speaks, the verdict table decides (docs/outcomes.md).

Never taken from the exit status alone. It refuses nothing and raises nothing: any text has an outcome.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ruledout.model.action import Ending
from ruledout.model.outcome import Diagnostic, ErrorSignature, Evidence, Kind, Outcome, Result, Sight, Signal
from ruledout.observe import nosignal, signature, span, verdict, words
from ruledout.observe.command import shape
from ruledout.observe.names import Role
from ruledout.observe.reading import Reading, Shape
from ruledout.observe.scan import rx, short, window, without_prefixes
from ruledout.observe.toolchains import TOOLCHAINS
from ruledout.redact import redact
from ruledout.text import clean

if TYPE_CHECKING:
    from ruledout.observe.matchers import Matcher

_WHOLE = r"\ufeff?\s{0,20}(?:<[?!A-Za-z]|[\[{]\s{0,20}[\"{\[])"
"""a report file is one whole and is read so"""
_REPORT = 2_000_000
"""characters read of a report file"""
_TIMED_OUT = (
    r"(?m)^\W{0,3}(?:Error: )?(?:Command (?:timed out after|execution timed out|exceeded the time)|timeout: sending signal"
    r"|The command (?:was terminated|timed out))"
)
"""how harnesses write that they stopped it"""
_NO_TIER: tuple[Signal, str | None] = (Signal.AMBIGUOUS, None)
_SILENT = r"(?m)\A(?:Your command ran successfully and did not produce any output\.|\(Bash completed with no output\)|\(no output\)|<no output>)\s*\Z"
"""how harnesses show that nothing was printed"""
_LAST = frozenset(("json", "lines", "stacks"))
"""asked only where nobody that knows the tool by name has spoken"""
_LISTENS = "sarif"
"""before this one the user's own matchers are heard"""
_PLACELESS = frozenset(("shell", "wrappers"))
"""say that something is wrong, never where"""
_TELLS_BY_EXIT = frozenset((Role.TEST.value, Role.BUILD.value, Role.LINT.value, Role.SCRIPT.value))
"""what the shell complained of on the way of these did not matter where they ended with zero"""
_WEAK = frozenset(("json", "sarif", "lines", "python", "node", "shell", "stacks", "jvm", "cc", "crash", "sql", "msbuild", "terraform"))
"""what a passing test run may print on its way without failing"""


def observe(  # the fifth is the user's own
    command: str,
    output: str,
    exit: int | None = None,  # noqa: A002  # the word of the shared values
    ending: Ending = Ending.DONE,
    matchers: Sequence["Matcher"] = (),
) -> Outcome:
    """What a run showed. `output` as the session has it; `exit` None where it is not told; `command` may be empty: the text alone then tells.

    `matchers` are the user's own (`observe.matchers.parse`): what they find is heard before the readers that know no tool by name.
    """
    parted = shape(command)
    text = _prepared(output)
    told = _own_exit(parted, exit, text)
    if ending is Ending.DONE and exit != 0 and rx(_TIMED_OUT).search(text[:400] + text[-400:]):
        ending = Ending.TIMED_OUT
    readings = _readings(text, matchers)
    primary = _primary(parted, readings, told)
    fine = told in (None, 0) and ending is Ending.DONE and primary is not None and primary.says == "pass"
    silent = told == 0 and primary is None
    tier = _NO_TIER if fine or silent else nosignal.tier(command, told, text, primary)
    seen = verdict.Seen(
        shape=parted, exit=told, ending=ending, text=text, source=command, primary=primary, readings=tuple(reading for _, reading in readings), tier=tier
    )
    result = verdict.decide(seen)
    if silent and result is Result.FAIL:  # the tier of what only the words told
        seen = replace(seen, tier=nosignal.tier(command, told, text, primary))
    return _outcome(seen, result, exit)


def _prepared(output: str) -> str:
    """Cleaned, the head and tail of what is very long, without the task names of runners."""
    if "━━━" in output:  # Biome's headings end in bars that look like progress
        output = rx(r"(?m) ━{3,}[ \t]*$").sub(" ══", clean(output))
    text = rx(_SILENT).sub("", span.clean(output))
    if rx(_WHOLE).match(text):
        return text[:_REPORT]
    return without_prefixes(window(text))


def _own_exit(parted: Shape, exit: int | None, text: str) -> int | None:  # noqa: A002  # as above
    """The tool's own status: told, printed by the list itself, or None where it is hidden. A failure that shows through is told."""
    if parted.hides_exit is None:
        return exit
    if parted.prints_exit:
        return words.printed_exit(text)
    return None


def _readings(text: str, matchers: Sequence["Matcher"]) -> tuple[tuple[str, Reading], ...]:
    if not text.strip():
        return ()
    found: list[tuple[str, Reading]] = []
    for name, tool in TOOLCHAINS.items():
        if name == _LISTENS and matchers and (own := _matched(matchers, text)) is not None:
            found.append(("matchers", own))
        if name in _LAST and any(_has_spoken(spoke, reading, name) for spoke, reading in found):
            continue
        if tool.claims(text) and (reading := tool.read(text)) is not None:
            found.append((name, reading))
    return tuple(found)


def _matched(matchers: Sequence["Matcher"], text: str) -> Reading | None:
    from ruledout.observe import matchers as own  # who has none waits for none

    return own.read(matchers, text)


def _has_spoken(name: str, reading: Reading, asked: str) -> bool:
    """Has one that knows the tool spoken. The shell and wrappers of builds name no place: for that the lines may still be asked."""
    if reading.diagnostics:
        return True
    return reading.says is not None and not (asked == "lines" and (name in _PLACELESS or reading.tool == "make"))


def _primary(parted: Shape, readings: tuple[tuple[str, Reading], ...], exit: int | None) -> Reading | None:  # noqa: A002  # as above
    """Who speaks: a failure before anything else, but not one that a passing run printed on its way; the tool that was asked before others."""
    asked = next((reading for name, reading in readings if _is_asked(parted, name) and reading.says is not None), None)
    if asked is not None and parted.role == Role.TEST.value and parted.checks == 1 and asked.ran is Evidence.RAN:
        return asked
    ran = any(reading.says in ("pass", "flaky") and reading.ran is Evidence.RAN for _, reading in readings)
    fine = exit == 0 and parted.role in _TELLS_BY_EXIT
    strong = [each for each in readings if not (ran and exit in (None, 0) and each[1].says == "fail" and _is_weak(*each)) and not (fine and each[0] == "shell")]
    for says in ("fail", "flaky", "pass", "none_ran", None):
        group = [(name, reading) for name, reading in strong if reading.says == says]
        if group:
            return next((reading for name, reading in group if _is_asked(parted, name)), group[0][1])
    return None


def _is_weak(name: str, reading: Reading) -> bool:
    return name in _WEAK or reading.kind in (Kind.EXCEPTION, Kind.GATE_INVALID)


def _is_asked(parted: Shape, name: str) -> bool:
    return name in TOOLCHAINS and parted.tool in TOOLCHAINS[name].PROGRAMS and name not in ("python", "node", "shell", "git")


def _outcome(seen: verdict.Seen, result: Result, exit: int | None) -> Outcome:  # noqa: A002  # as above
    reading = seen.primary
    good = result is Result.PASS
    kind = _kind(seen, result)
    message = None if good else _message(seen, result)
    failing = reading.failing if reading and not good else ()
    return Outcome(
        result=result,
        sight=_sight(seen.shape, exit, result),
        signal=seen.tier[0],
        kind=kind,
        tool=_tool(seen),
        error_class=None if good else _error_class(seen, result),
        message=message,
        frames=reading.frames if reading and not good else (),
        diagnostics=_diagnostics(seen),
        failing=failing,
        passing=reading.passing if reading else (),
        counts=reading.counts if reading else None,
        evidence=verdict.evidence(reading),
        signature=None if good else _signed(seen, result, kind, message),
    )


def _sight(parted: Shape, exit: int | None, result: Result) -> Sight:  # noqa: A002  # as above
    """Hidden by the list or pipe, or by the program itself: one that failed and still ended with zero."""
    if parted.hides_exit is not None or (exit == 0 and result is Result.FAIL):
        return Sight.MASKED
    return Sight.UNTOLD if exit is None else Sight.TOLD


def _kind(seen: verdict.Seen, result: Result) -> Kind:
    reading = seen.primary
    if result is Result.PASS:
        return Kind.NONE
    if seen.ending is Ending.TIMED_OUT or seen.exit == 124:
        return Kind.TIMEOUT
    if reading is not None and reading.kind is not Kind.NONE:
        return reading.kind
    if seen.exit is not None and (seen.exit < 0 or 128 < seen.exit < 160):
        return Kind.SIGNAL
    return Kind.INFRA if result is Result.INFRA else Kind.NONE


def _tool(seen: verdict.Seen) -> str | None:
    if seen.primary is not None and seen.primary.says is not None and seen.primary.tool not in ("shell", "stacks"):
        return seen.primary.tool
    return seen.shape.tool


def _error_class(seen: verdict.Seen, result: Result) -> str | None:
    reading = seen.primary
    if reading is not None and reading.classes:
        return reading.classes[0]
    if result is Result.FAIL and (reading is None or reading.kind is Kind.TEST_FAILURE) and seen.tier[1] is None:
        return "FAIL" if reading is not None or seen.exit not in (None, 0) else "wrong output"
    if result is Result.UNKNOWN and seen.exit in (None, 0):
        return None
    return seen.tier[1]


def _message(seen: verdict.Seen, result: Result) -> str | None:
    if seen.primary is not None and seen.primary.message:
        return redact(seen.primary.message)
    if (result is Result.UNKNOWN and seen.exit == 0) or not seen.text.strip():
        return None
    if result is Result.FAIL and seen.primary is None and (line := words.complaint(seen.text)):
        return short(redact(line))
    cause = span.cause(seen.text)
    return short(redact(span.decisive(cause))) if cause else None


def _diagnostics(seen: verdict.Seen) -> tuple[Diagnostic, ...]:
    """Those of the one who speaks; a wrapper's inner tool may have more to say."""
    if seen.primary is not None and seen.primary.diagnostics:
        return seen.primary.diagnostics
    return next((reading.diagnostics for reading in seen.readings if reading.diagnostics), ())


def _signed(seen: verdict.Seen, result: Result, kind: Kind, message: str | None) -> ErrorSignature | None:
    """The signature of what failed. An unknown result is signed only where the text holds a failure."""
    reading = seen.primary
    if result is Result.UNKNOWN and (reading is None or reading.says != "fail") and message is None:
        return None
    base = reading if reading is not None else Reading(tool=seen.shape.tool or "", kind=kind)
    return signature.sign(base, seen.exit, seen.text)
