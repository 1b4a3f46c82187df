"""The words that programs and agents' own scripts use of themselves: success, complaint, nothing, an echoed status. Asked where no tool is known."""

from ruledout.observe.scan import line_at, rx

GOOD = (
    r"(?im)^\W{0,8}(?:success|passed|pass|ok|correct|works|verified|all (?:good|ok|done|checks|tests|\w+ tests))\b"
    r"|\b(?:successful(?:ly)?|succeeded|as expected|no errors|all matched files use)\b"
    r"|\btests? (?:\w+ )?(?:passed|passes|succeeded|completed)\b|[✓✅✔🎉]|\bOK$|^\W{0,6}(?:Finished|Compiled|Done)\b"
    r"|\(expected(?: (?:for|by|in|with|as|since|because)\b[^)\n]{0,80})?\)|\(should be [^)\n]+\)"
)
STRONG_BAD = r"(?m)^\W{0,6}(?:FAIL(?:ED|URE)?|BUG|MISMATCH)\b|^[ \t]*[✗✘❌✖]"
NOTHING = r"^(?:\[\]|\{\}|null|None|undefined|0|\(none\)|N/A|(?:Note: )?No\b.*|Nothing\b.*|Skipp\w+\b.*)$"
_FALLBACK = r"\|\|\s*echo\s+(['\"]?)([^'\"\n;&|]{4,80})\1"
BAD = (
    r"(?m)^\W{0,6}(?:FAIL(?:ED|URE)?|ERROR|BUG|INCORRECT|WRONG|MISMATCH|NOT OK)\b(?!\s*(?:as expected|\(as expected|\(expected))|[✗✘❌✖]|"
    r"^\W{0,6}(?:Error|Exception|Failed|fatal|panic): (?!\(expected)|\b(?:test|check|assertion|verification)s? failed\b|\bstill (?:fails|broken|wrong)\b"
    r"|\b(?:not working|does not work|doesn't work)\b|^\w*(?:Error|Exception): |Unhandled|(?:BUILD|TEST|ARCHIVE) FAILED"
    r"|\b[Ff]ailed to (?:compile|build|parse)\b|\berror during build\b|^ ?(?:Type )?[Ee]rror: |^\W{0,6}Error (?:during|while|in|occurred|running)\b"
    r"|\bBuild failed\b"
    r"|Code style issues|\bERR!"
    r"|ELIFECYCLE|command failed|\bexit(?:ed with)?(?: code| status)? [1-9]"
)
_DENIED = (
    r"(?i)\b(?:correct(?:ly)?|work(?:s|ed|ing)?|pass(?:ed|es)?|success(?:ful)?|valid|ok|match(?:es)?|equal)\s*[:=?]+\s*(?:False|No)\b"
    r"|\bmismatch(?:es)? found\b|\(unexpected\)"
)
_EXPECTED = r"(?i)as expected|\(expected|expected (?:error|failure|exception|to fail)|should fail|as intended"
_WANTED = r"expected(?: (?:output|value|result))?: ?(\S.{0,200})"
_CAME = r"(?:actual|got|received|returned)(?: (?:output|value|result))?: ?(\S.{0,200})"
_PAIRS = (
    rf"(?im)^[ \t]{{0,20}}{_WANTED}\n[ \t]{{0,20}}{_CAME}$",
    rf"(?im)^[ \t]{{0,20}}{_CAME}\n[ \t]{{0,20}}{_WANTED}$",
    r"(?i)\bexpected:? ([^\s,;()]{1,80}),? (?:but )?got:? ([^\s,;()]{1,80})",
)
"""what was wanted and what came, side by side"""
_PRINTED_EXIT = r"(?i)^.*?\b(?:exit|rc|status|code|result|ret|returned)\b\D{0,20}(\d{1,3})\D*$|^\s*(\d{1,3})\s*$"


def printed_exit(text: str) -> int | None:
    """The status that `echo $?` printed: the number on the last line."""
    last = text.rstrip().rpartition("\n")[2]
    found = rx(_PRINTED_EXIT).match(last)
    return int(found[1] or found[2]) if found else None


def own(text: str, source: str) -> str:
    """The text without what a later `; echo done` of the same command printed: that comes out either way."""
    if "echo" not in source:
        return text
    echoed = {words.strip() for words in rx(r"[;\n][ \t]*echo[ \t]+['\"]?([^'\"\n;&|]+)").findall(source)}
    return "\n".join(line for line in text.split("\n") if line.strip() not in echoed)


def complaint(text: str) -> str | None:
    """The first line in which a program itself says that something failed, unless the line says that it was to."""
    for found in rx(BAD).finditer(text):
        line = line_at(text, found.start() + len(found[0]) - len(found[0].lstrip()))
        if not rx(_EXPECTED).search(line):
            return line
    denied = rx(_DENIED).search(text)
    return line_at(text, denied.start()) if denied else differs(text) or None


def differs(text: str) -> str | None:
    """The first line where a program prints what it expected beside what it got, and they differ; empty where all pairs are equal, None without any.

    `Expected: 345` with `Got: 344` on a line beside it, or `expected 345, got 344` on one.
    """
    pairs = [(found[0], found[1], found[2]) for form in _PAIRS for found in rx(form).finditer(text)]
    return next((" ".join(whole.split()) for whole, wanted, got in pairs if wanted.strip() != got.strip()), "") if pairs else None


def fell_back(source: str, text: str) -> bool:
    """`tool || echo "message"`, and the message is there: the tool failed, whatever the status says."""
    found = rx(_FALLBACK).search(source)
    return found is not None and found[2].strip() in text and "$" not in found[2]
