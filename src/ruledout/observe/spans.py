"""Lines that begin a report, lines that look like an error, wrappers' lines, and lines too generic to sign. `observe.span` reads with them."""

import re

STARTS = re.compile(
    r"ERROR: \w*Sanitizer|WARNING: ThreadSanitizer|: runtime error: |^panic: |^thread '[^']*'.* panicked at |^Exception in thread |^fatal error: "
    r"|^E       |^error(?:\[E\d+\])?: (?!could not compile|aborting)|^[\w./\\-]+:\d+(?::\d+)?: (?:fatal )?error: |^[\w./\\-]+\(\d+,\d+\): error "
    r"|Uncaught \w*(?:Error|Exception)|^(?:Unhandled|Uncaught) "
)

ERROR = re.compile(
    r"\b(?:[A-Za-z]*(?:Error|Exception)|error|ERROR|fatal|FATAL|panic|failed|FAILED|failure|Failure|FAILURE|FAIL|abort(?:ed)?|Abort(?:ed)?)\b"
    r"|[Cc]annot|[Cc]an't|[Cc]ould not|[Uu]nable to|not found|No such|[Ii]nvalid|[Uu]nexpected|[Uu]nknown|[Uu]ndefined|[Uu]nbound|[Dd]enied"
    r"|[Rr]efused|No rule to make"
)

WRAPPER = re.compile(
    r"^(?:make|gmake|ninja|cmake|cargo|npm|yarn|pnpm|lerna|nx|turbo|gradle|mvn|tox|nox|just|rake|bazel|collect2|ERR_PNPM\w*)\b[:\[ ].*(?:Error \d+"
    r"|failed|ELIFECYCLE|exit(?:ed)?|ERR!)"
    r"|^npm (?:ERR!|error)|^ninja: build stopped|^error: could not compile|^error: aborting due to|^collect2: error"
    r"|^\[ERROR\] (?:Failed to execute goal|To see|Re-run|For more)"
    r"|^error Command failed|^error: script \"|^error: test failed|^FAILED: |ELIFECYCLE|^ERROR: InvocationError|^subprocess\.CalledProcessError"
    r"|^error: Recipe `",
)

GENERIC = re.compile(
    r"^\s*(?:error: )?(?:Error: )?Process completed with exit code \d+\.?\s*$|^\s*npm (?:ERR!|error) (?:code ELIFECYCLE|errno \d+|A complete log"
    r"|\s*$|.*_logs/)|^\s*(?:Build|Tests?|Task) [Ff]ailed[.!]?\s*$"
    r"|^\s*(?:FAILED?|ERRORS?|FAILURES?|BUILD FAILED|BUILD FAILURE|Failed)[.!:]?\s*$|^\s*[=_*-]{3,}[ \w]{0,40}[=_*-]{3,}\s*$|^\s*exit (?:status"
    r"|code):? \d+\s*$"
    r"|^\s*\d+ (?:errors?|failed|warnings?)(?:, \d+ \w+)*\s*$|\b0 (?:errors?|failed|failures?)\b|^\s*note: |^\s*hint: |^\s*\[?[Ww]arning\b"
    r"|^\s*WARN(?:ING)?\b|automation\.py \| application timed out"
    r"|^\s*Node\.js v\d|^\s*at .*:\d+:\d+\)?$|^\s*\^+\s*$|^\s*compilation terminated\.|^\s*\[?exit[: ]\d+\]?\s*$|^\s*Command exited with code \d+"
)
