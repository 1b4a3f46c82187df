"""The verdict table (docs/outcomes.md): what was read, the exit status and how far it can be seen, and what kind of command it was.

It decides, it reads no tool's output. A failure believed to be a pass is the worst error here, so a pass needs positive evidence; what cannot be
told stays unknown (R14).
"""

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.outcome import Evidence, Kind, Result, Signal
from ruledout.observe import words
from ruledout.observe.names import Role
from ruledout.observe.reading import Reading, Shape
from ruledout.observe.scan import rx

_INFRA_CLASSES = frozenset(
    ("network", "oom", "disk", "timeout", "interrupted", "environment", "permission", "port_or_lock", "missing_module", "setup_missing", "refused")
)
_NOISE_CLASSES = frozenset(
    (
        *("missing_binary", "malformed_call", "agent_syntax", "wrong_cwd", "vcs_state", "no_tests", "missing binary", "unknown task", "wrong cwd", "pathspec"),
        *("patch does not apply", "shell syntax", "permission denied", "no such target", "not found"),
    )
)
_OF_THE_PROGRAM = frozenset(("pathspec", "patch does not apply"))
"""complaints that are the caller's only where the caller typed the command; inside a script they are the script's failure"""
_MISUSE = frozenset(("TypeError", "AttributeError", "NameError", "UnboundLocalError"))


class Seen(Struct, frozen=True, kw_only=True):
    """All that a verdict rests on. `exit` is the tool's own status, or None where it is hidden or not told."""

    shape: Shape
    exit: int | None
    ending: Ending
    text: str
    source: str
    """the command, for what a script was written to do"""
    primary: Reading | None
    readings: tuple[Reading, ...]
    tier: tuple[Signal, str | None]


def decide(seen: Seen) -> Result:
    """The result of a run."""
    return _by_ending(seen) or _by_reading(seen) or _without_reading(seen)


def _by_ending(seen: Seen) -> Result | None:
    """A call that was refused, cut off or malformed says nothing about the code."""
    if seen.ending in (Ending.REFUSED, Ending.INTERRUPTED):
        return Result.INFRA
    if seen.ending is Ending.MALFORMED:
        return Result.NOISE
    if seen.ending is Ending.RUNNING:  # it never ended: what it printed so far is no result
        return Result.UNKNOWN if seen.primary is not None and seen.primary.says == "pass" else Result.INFRA
    if seen.ending is Ending.MISSING and not seen.text.strip():
        return Result.UNKNOWN
    if seen.ending is Ending.TIMED_OUT or seen.exit == 124:
        told = seen.primary is not None and bool(seen.primary.failing or seen.primary.diagnostics) and seen.primary.says == "fail"
        return Result.FAIL if told else Result.INFRA
    return None


def _by_reading(seen: Seen) -> Result | None:
    reading = seen.primary
    if reading is None or reading.says is None:
        return None
    if reading.says == "flaky":
        return Result.FLAKY
    if reading.says == "fail":
        return _failed(seen, reading)
    if reading.says == "none_ran":
        return _none_ran(seen, reading)
    return _passed(seen)


def _failed(seen: Seen, reading: Reading) -> Result:
    """A failure of the environment or of the call is none of the code."""
    if (reading.classes and reading.classes[0] == "refused") or _is_missing_package(reading):
        return Result.INFRA
    if reading.kind is Kind.GATE_INVALID and reading.classes:
        return _of_the_call(seen, reading)
    signal, name = seen.tier
    if signal is Signal.NO and not reading.failing and not reading.diagnostics:
        if name in _INFRA_CLASSES:
            return Result.INFRA
        if name in _NOISE_CLASSES:
            return Result.NOISE
    return Result.NOISE if _is_misuse(seen, reading) else Result.FAIL


def _of_the_call(seen: Seen, reading: Reading) -> Result:
    """Nothing got as far as running: the call was wrong, unless the complaint arose inside the program that was run."""
    name = reading.classes[-1]
    if name in _OF_THE_PROGRAM and seen.shape.role in (Role.RUN.value, Role.SCRIPT.value, Role.TEST.value):
        return Result.FAIL
    return Result.NOISE if name in _NOISE_CLASSES or "FileNotFound" in name else Result.FAIL


def _is_missing_package(reading: Reading) -> bool:
    """A package that is not installed; a module of the project's own (dotted or relative) is a matter of the code."""
    if not reading.classes or reading.classes[-1] not in ("ModuleNotFoundError", "MODULE_NOT_FOUND"):
        return False
    text = f"{reading.message or ''}\n{reading.span}"
    found = rx(r"No module named '?([\w.-]+)'?|Cannot find (?:module|package) '([^']+)'").search(text)
    name = (found[1] or found[2]) if found else ""
    return bool(name) and "." not in name and not name.startswith("/")


def _is_misuse(seen: Seen, reading: Reading) -> bool:
    """A scratch script that the same command wrote, and whose own line breaks: its author's slip, not the code's."""
    if seen.shape.role != Role.RUN.value or not reading.frames or not reading.classes or reading.classes[0] not in _MISUSE:
        return False
    inner = reading.frames[0]
    written = inner.path.startswith("<") or f"> {inner.path.rpartition('/')[2]}" in seen.source
    return inner.function == "<module>" and (written or len(reading.frames) == 1)


def _none_ran(seen: Seen, reading: Reading) -> Result:
    """No test ran: never a pass. Asked for something that is not there it is the call's fault."""
    if "--collect-only" in seen.source or "--co " in seen.source or "--list" in seen.source:
        return Result.UNKNOWN
    return Result.NOISE if reading.tool == "pytest" or (seen.exit or 0) != 0 else Result.UNKNOWN


def _passed(seen: Seen) -> Result:
    """The text says so. A told status against it is a contradiction, unless something else ran that may have failed."""
    if seen.exit in (None, 0):
        return Result.PASS
    if seen.shape.checks > 1 or seen.shape.role in (Role.SCRIPT.value, Role.HOOKED.value) or len(seen.shape.programs) > 2:
        return _exit_alone(seen)
    return Result.UNKNOWN


def _exit_alone(seen: Seen) -> Result:
    signal, name = seen.tier
    if rx(words.STRONG_BAD).search(seen.text):
        return Result.FAIL
    if signal is not Signal.YES and name in _NOISE_CLASSES:
        return Result.NOISE
    if signal is not Signal.YES and name in _INFRA_CLASSES:
        return Result.INFRA
    return Result.FAIL


def _without_reading(seen: Seen) -> Result:
    """No tool's own words: the exit status by the kind of command, or the words of the program itself."""
    role = seen.shape.role
    if words.fell_back(seen.source, seen.text):
        return Result.INFRA if rx(r"(?i)not (?:available|installed|found)|missing|no \w+$").search(seen.text) else Result.FAIL
    if seen.exit not in (None, 0):
        return _exit_alone(seen) if role is not None else _unasked(seen)
    if role in (Role.RUN.value, None):
        return _by_words(seen)
    if seen.exit == 0 and role in (Role.BUILD.value, Role.LINT.value, Role.HOOKED.value):
        return Result.PASS
    if role == Role.TEST.value:
        return Result.FAIL if rx(words.BAD).search(seen.text) and seen.text.strip() and seen.exit is None else Result.UNKNOWN
    return _script(seen)


def _unasked(seen: Seen) -> Result:
    """A command that is not known failed: only what its text says decides."""
    signal, name = seen.tier
    if signal is Signal.YES:
        return Result.FAIL
    return _exit_alone(seen) if name else Result.UNKNOWN


def _script(seen: Seen) -> Result:
    """A task runner, or a hidden build: complaints fail; a good word passes, and so does a told zero of what is no test."""
    if not _own_words(seen).strip():
        return Result.UNKNOWN
    if seen.exit is None and rx(words.BAD).search(seen.text):
        return Result.FAIL
    good = rx(words.GOOD).search(_own_words(seen)) is not None
    return Result.PASS if good or (seen.exit == 0 and not rx(r"(?i)\btests?\b").search(seen.source)) else Result.UNKNOWN


def _by_words(seen: Seen) -> Result:
    """A program that was simply run: it passes where it says so, or where its script asserts and was quiet; else nobody can tell."""
    if words.complaint(seen.text):
        return Result.FAIL
    if seen.shape.role is None:
        return Result.UNKNOWN
    if rx(words.GOOD).search(_own_words(seen)) or _is_shell_script(seen) or words.differs(seen.text) == "":
        return Result.PASS
    return Result.PASS if seen.exit == 0 and rx(r"(?m)^[ \t]*assert\b").search(seen.source) else Result.UNKNOWN


def _own_words(seen: Seen) -> str:
    return words.own(seen.text, seen.source) if seen.shape.hides_exit is not None else seen.text


def _is_shell_script(seen: Seen) -> bool:
    """A shell script tells by its status, unless what it printed last is that there was nothing."""
    last = seen.text.rstrip().rpartition("\n")[2].strip()
    return seen.exit == 0 and bool(last) and (seen.shape.tool or "").endswith((".sh", ".bash")) and not rx(words.NOTHING).match(last)


def evidence(reading: Reading | None) -> Evidence:
    """Whether anything is known to have run."""
    return reading.ran if reading is not None else Evidence.NONE
