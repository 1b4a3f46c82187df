"""What a run showed. Never taken from the exit status alone."""

from enum import StrEnum

from msgspec import Struct


class Result(StrEnum):
    """The reading of one run (docs/signatures.md). Unknown is an answer of its own (R14)."""

    PASS = "pass"  # noqa: S105  # a result, no password
    FAIL = "fail"
    INFRA = "infra"
    """the environment failed, not the code: missing binary, network, out of memory, refused"""
    NOISE = "noise"
    """the call itself was wrong: a typo, a wrong directory, a text to replace that is not there"""
    FLAKY = "flaky"
    UNKNOWN = "unknown"


class Signal(StrEnum):
    """Does a failure say anything about the code: `yes`, `no` (environment), or `ambiguous` (it does if it repeats or was predicted)."""

    YES = "yes"
    NO = "no"
    AMBIGUOUS = "ambiguous"


class Kind(StrEnum):
    """What the failure was read from."""

    EXCEPTION = "exception"
    DIAGNOSTIC = "diagnostic"
    TEST_FAILURE = "test_failure"
    CRASH = "crash"
    SIGNAL = "signal"
    TIMEOUT = "timeout"
    GATE_INVALID = "gate_invalid"
    INFRA = "infra"
    NONE = "none"


class Sight(StrEnum):
    """What can be seen of the exit status: it is told, a pipeline or list hides it, or the session does not tell."""

    TOLD = "told"
    MASKED = "masked"
    UNTOLD = "untold"


class Evidence(StrEnum):
    """Is there positive evidence that tests, a compiler or a program really ran."""

    RAN = "ran"
    NONE = "none"


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """A stack frame; `line` is None where not told. Paths with `/`."""

    function: str
    path: str
    line: int | None = None


class Diagnostic(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One message of a compiler or linter at a place. `severity` is error, warning, note, info or None."""

    file: str
    line: int | None = None
    column: int | None = None
    code: str | None = None
    severity: str | None = None
    message: str = ""


class Counts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Test counts as the tool printed them; None where it did not."""

    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    xfailed: int | None = None
    xpassed: int | None = None
    deselected: int | None = None
    flaky: int | None = None
    total: int | None = None


class ErrorSignature(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The stable identity of one failure (docs/signatures.md): three ids, `dbs1:e:`, `dbs1:n:`, `dbs1:c:` and 32 hex digits, and the readable parts.

    Compare ids only within one version (the digit in the prefix). `coarse` never rules anything out by itself.
    """

    exact: str
    normalised: str
    coarse: str
    kind: Kind
    tool: str
    exit: str | None = None
    """`code:1`, `signal:SIGSEGV`, `timeout`, or None where not told"""
    classes: tuple[str, ...] = ()
    """outer to inner"""
    code: str | None = None
    message: str = ""
    """masked"""
    addr: str | None = None
    frames: tuple[Frame, ...] = ()
    """in-app only, innermost first, without lines, at most five"""
    tests: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run showed.

    `message` is the first decisive line, unmasked but redacted, at most 300 characters. `failing` are test ids as printed. `signature` is None
    for a pass and for a failure with no text to sign. `passing` are ids that were printed as passed (gates need them).
    """

    result: Result
    sight: Sight = Sight.UNTOLD
    signal: Signal = Signal.AMBIGUOUS
    kind: Kind = Kind.NONE
    tool: str | None = None
    error_class: str | None = None
    message: str | None = None
    frames: tuple[Frame, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    failing: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    counts: Counts | None = None
    evidence: Evidence = Evidence.NONE
    signature: ErrorSignature | None = None
