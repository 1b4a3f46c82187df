"""Lines that begin a report, lines that look like an error, wrappers' lines, and lines too generic to sign. `observe.span` reads with them."""

from ruledout.observe.late import Late

STARTS = Late(
    r"ERROR: \w*Sanitizer|WARNING: ThreadSanitizer|: runtime error: |^panic: |^thread '[^']*'.* panicked at |^Exception in thread |^fatal error: "
    r"|^E       |^error(?:\[E\d+\])?: (?!could not compile|aborting)|^[\w./\\-]+:\d+(?::\d+)?: (?:fatal )?error: |^[\w./\\-]+\(\d+,\d+\): error "
    r"|Uncaught \w*(?:Error|Exception)|^(?:Unhandled|Uncaught) "
)

STRONG = Late(
    r"^\W{0,8}(?:[\w./-]{1,40}: ){0,2}(?:fatal|FATAL|[Ee]rror|ERROR|FAIL(?:ED|URE)?|[Ff]ailed|panic|BUG|MISMATCH|INCORRECT|WRONG|ABORTED)\b"
    r"|(?<![\w.])(?:[A-Za-z_][\w.]{0,100})?(?:Error|Exception): |: (?:fatal )?error\b|[✗✘❌✖]|\b[Mm]ismatch\b|command not found"
)
"""lines that begin as an error or name its class: taken before lines that only hold such a word"""

ERROR = Late(
    r"\b(?:[A-Za-z]*(?:Error|Exception)|error|ERROR|fatal|FATAL|panic|failed|FAILED|failure|Failure|FAILURE|FAIL|abort(?:ed)?|Abort(?:ed)?)\b"
    r"|[Cc]annot|[Cc]an't|[Cc]ould not|[Uu]nable to|not found|No such|[Ii]nvalid|[Uu]nexpected|[Uu]nknown|[Uu]ndefined|[Uu]nbound|[Dd]enied"
    r"|[Rr]efused|No rule to make"
)

WRAPPER = Late(
    r"^(?:make|gmake|ninja|cmake|cargo|npm|yarn|pnpm|lerna|nx|turbo|gradle|mvn|tox|nox|just|rake|bazel|collect2|ERR_PNPM\w*)\b[:\[ ].*(?:Error \d+"
    r"|failed|ELIFECYCLE|exit(?:ed)?|ERR!)"
    r"|^npm (?:ERR!|error)|^ninja: build stopped|^error: could not compile|^error: aborting due to|^collect2: error"
    r"|^\[ERROR\] (?:Failed to execute goal|To see|Re-run|For more)"
    r"|^error Command failed|^error: script \"|^error: test failed|^FAILED: |ELIFECYCLE|^ERROR: InvocationError|^subprocess\.CalledProcessError"
    r"|^error: Recipe `",
)

GENERIC = Late(
    r"^[ \t]*File \"[^\"]*\", line \d+|pip's dependency resolver does not currently take into account|"
    r"^[ \t]*(?:error: )?(?:Error: )?Process completed with exit code \d+\.?\s*$|^[ \t]*npm (?:ERR!|error) (?:code ELIFECYCLE|errno \d+|A complete log"
    r"|[ \t]*$|.*_logs/)|^[ \t]*(?:Build|Tests?|Task) [Ff]ailed[.!]?\s*$"
    r"|^[ \t]*(?:FAILED?|ERRORS?|FAILURES?|BUILD FAILED|BUILD FAILURE|Failed)[.!:]?\s*$|^[ \t]*[=_*-]{3,}[ \w]{0,40}[=_*-]{3,}\s*$|^[ \t]*exit (?:status"
    r"|code):? \d+\s*$"
    r"|^[ \t]*\d+ (?:errors?|failed|warnings?)(?:, \d+ \w+)*\s*$|\b0 (?:errors?|failed|failures?)\b|^[ \t]*note: |^[ \t]*hint: |^[ \t]*\[?[Ww]arning\b"
    r"|^[ \t]*WARN(?:ING)?\b|automation\.py \| application timed out"
    r"|^[ \t]*Node\.js v\d|^[ \t]*at .*:\d+:\d+\)?$"
    r"|^[ \t]*\^+\s*$|^[ \t]*compilation terminated\.|^[ \t]*\[?exit[: ]\d+\]?\s*$|^[ \t]*Command exited with code \d+"
    r"|^[ \t=✖]*(?:(?:Tests?|Test Suites?|Test Files?|Suites?|Snapshots):? +)?\d+ (?:failed|passed|failing|passing|failures?|problems?|errors? generated)\b"
    r"|^FAILED \((?:failures|errors)=|^[ \t]*test result: FAILED|^[ \t]*(?:Ran|Found|Executed) \d+ (?:tests?|errors?|problems?)\b|^[ \t]*Tests run: \d+"
    r"|^<?(?:shellId|shell|process|command)\b.{0,40}(?:completed|exited|finished).{0,20}code \d+"
)
"""among them summaries: two runs that failed at different things may count the same"""

_BEGINNINGS = ("anitizer", "runtime error: ", "panic", "Exception in thread ", "fatal error: ", "E       ", "error", "Uncaught ", "Unhandled ")
_GENERIC_WORDS = (
    *('File "', "pip's", "Process completed", "npm ", "ailed", "FAIL", "ERR", "BUILD", "exit", "error", "arning", "WARN", "failure", "note: ", "hint: "),
    *("automation.py", "Node.js v", "at ", "^", "compilation", "Command exited", "passed", "failing", "passing", "problem", "Ran ", "Found ", "Executed "),
    *("Tests run", "shell", "process", "command"),
)
_RULE = Late(r"[=_*-]{3}")
_WRAPPERS = (
    *("make", "gmake", "ninja", "cmake", "cargo", "npm", "yarn", "pnpm", "lerna", "nx", "turbo", "gradle", "mvn", "tox", "nox", "just", "rake", "bazel"),
    *("collect2", "ERR_PNPM", "error", "[ERROR] ", "FAILED: ", "ERROR: Inv", "subprocess."),
)
"""one of these stands in whatever `STARTS` or `GENERIC`, or begins whatever `WRAPPER`, finds"""


def is_start(line: str) -> bool:
    """Does a report of a known shape begin here."""
    return any(word in line for word in _BEGINNINGS) and STARTS.search(line) is not None


def is_generic(line: str) -> bool:
    """Is it a line that every failure ends with."""
    return (any(word in line for word in _GENERIC_WORDS) or _RULE.search(line) is not None) and GENERIC.search(line) is not None


def is_wrapper(line: str) -> bool:
    """Does it say only that what was wrapped failed."""
    return (line.startswith(_WRAPPERS) or "ELIFECYCLE" in line) and WRAPPER.search(line) is not None
