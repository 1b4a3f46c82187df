"""Any other linter or compiler: lines that name a file, a line, and what is wrong there. Asked where no tool that is known by name has spoken."""

from collections.abc import Iterator

from ruledout.model.outcome import Diagnostic
from ruledout.observe.diagnosed import diagnosed
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx

NAME = "lines"
PROGRAMS: frozenset[str] = frozenset()
_PREFIX = (
    r"^[ \t]*(?:(?:\d{1,6}(?::\d{1,6})?>|\[[A-Za-z+]{2,12}\]|\d\d:\d\d:\d\d|C/C\+\+:|EXEC :|[ew]:|[Ee]rror:|[Ww]arning:"
    r"|[A-Z][A-Za-z() -]{2,28}:|awk:|\()[ \t]*){0,5}"
)
_FILE = r"(?P<file>(?:file://)?(?:[A-Za-z]:)?[^\s:()\[\]<>,;\"'|=*]{0,180}(?:\.[A-Za-z][\w+-]{0,11}|(?:Make|Docker|Gem|Rake|Vagrant|Jenkins)file)|\.env)"
_FORMS = (
    # `a.c:3:5: error: x`, `a.yml:1: [E201] x`, `a.haml:33 [W] x`, `.env:1 x`
    _PREFIX + _FILE + r":(?P<line>\d{1,7})(?:[:.](?P<column>\d{1,6}))?(?:-\d+(?:[:.]\d+)?)?(?:: ?\d+:\d+)?(?::|(?= [\[A-Z]))\s{0,4}(?P<text>\S.{0,400})",
    # `A.cs(229,30): warning CS0618: x [A.csproj]`
    _PREFIX
    + r"(?P<file>(?:[A-Za-z]:)?[^\s:()\"'][^:()\"']{0,180}\.\w{1,12}) ?\((?P<line>\d{1,7})(?:[,:](?P<column>\d{1,6}))?(?:,\d+,\d+)?\) ?: ?(?P<text>\S.{0,400})",
    # `"a.c", line 7: warning (dcc:1521): x`, `a.f90, line 12: x`
    _PREFIX + r"\"?(?P<file>(?:[A-Za-z]:)?[^\s:\"',]{1,180}\.\w{1,12}) ?\"?, line (?P<line>\d{1,7})(?: \(col\. (?P<column>\d{1,6})\))?: ?(?P<text>\S.{0,400})",
    # `a.sh: line 2: foo: command not found`
    _PREFIX + _FILE + r": line (?P<line>\d{1,7})(?P<column>)[:,] ?(?P<text>\S.{0,400})",
    # `w: /a/B.kt: (214, 35): x`
    _PREFIX + _FILE + r": \((?P<line>\d{1,7}), ?(?P<column>\d{1,6})\): (?P<text>\S.{0,400})",
    # `a.ts[418, 38]: x`, `[a.proto:1:1] x`
    r"^\[?" + _FILE + r"(?:\[(?P<line>\d{1,7}), ?(?P<column>\d{1,6})\]:|:(?P<line2>\d{1,7}):(?P<column2>\d{1,6})\]) ?(?P<text>\S.{0,400})",
    # `"a.c",432 Warning[Pe852]: x`
    _PREFIX + r"\"(?P<file>[^\s\",][^\",]{0,180}\.\w{1,12})\",(?P<line>\d{1,7})(?P<column>)\s+(?P<text>\S.{0,400})",
    # `[HIGH] C:\a b\c.h:3:5: x [check]`
    r"^\[(?:LOW|MEDIUM|HIGH|CRITICAL|STYLE|UNSPECIFIED)\] (?P<file>[^\n]{1,300}?):(?P<line>\d{1,7}):(?P<column>\d{1,6}): (?P<text>\S.{0,400})",
    # `/app/a.rb   13   Command Injection   x`
    r"^(?P<file>/\S{1,200}\.\w{1,12})\s{2,20}(?P<line>\d{1,7})(?P<column>)\s{2,20}(?P<text>\S.{0,400})",
    # `awk: ./a:2: x`, `error: patch failed: f:1`
    r"^(?:awk: |error: patch failed: )(?P<file>[^\s:]{1,200}):(?P<line>\d{1,7})(?P<column>)(?=:|$)(?P<text>.{0,400})",
    # `fatal: bad config file line 1 in /a/config`
    r"^(?P<text>fatal: bad config (?:file )?line) (?P<line>\d{1,7})(?P<column>) in (?:file )?(?P<file>\S{1,300})$",
    # `FC001: x: ./a.rb:8`
    r"^(?P<text>[A-Z]{1,4}\d{3}: .{3,300}): " + _FILE + r":(?P<line>\d{1,7})(?P<column>)$",
    # `a.f90:81.24-26:`, with the message further down
    r"^[ \t]*" + _FILE + r":(?P<line>\d{1,7})[.:](?P<column>\d{1,6})(?:-\d+)?:(?P<text>)$",
    # `error: cannot format app.py: Cannot parse: 10:3: x`
    r"^error: ?cannot format " + _FILE + r": (?P<text>Cannot parse[^:\n]{0,60}): (?P<line>\d{1,7}):(?P<column>\d{1,6})",
    # `x at a.pl line 2.`, `x in a.php on line 25`
    r"^(?P<text>\S.{3,400}?) (?:at|in|file) " + _FILE + r"(?::| on line | line )(?P<line>\d{1,7})(?P<column>)\b",
    # `/a/B.java (at line 90)`
    r"^.{0,60}?(?P<text>ERROR|WARNING) in " + _FILE + r" \(at line (?P<line>\d{1,7})\)(?P<column>)",
)
_ARROW = r"(?m)^(?P<grade>error|warning)(?:\[(?P<code>[\w-]+)\])?: (?P<text>.+)\n +(?:-->|╭─\[|┌─) ?(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+)"
_GRADE = (
    r"(?i)^\W{0,3}(?P<grade>fatal error|syntax error|error|warning|remark|note|info(?:rmation)?|hint"
    r"|severity-(?:low|medium|high)|[EWCRFIN](?=\]))\b:?[\]:,]*\s*(?:-\s*)?"
)
_CODE = r"^\(?\[?(?P<code>[A-Z]{1,8}-?\d{2,6}(?:-[A-Z])?|#\d+(?:-D)?|\w+:\d+)\]?\)?:? ?"
_QUICK = r"\w[:(\[]\d|line \d|: \(\d|\",\d|\w \(\d|\w \t?\s{1,20}\d"
_MOST = 3000
"""lines beyond these are not looked at"""


def claims(output: str) -> bool:
    """A name with a number behind it."""
    return rx(_QUICK).search(output) is not None


def read(output: str) -> Reading | None:
    """All such lines, with the grade and code that they give."""
    return diagnosed(NAME, _found(output))


def _found(output: str) -> Iterator[Diagnostic]:
    for arrow in rx(_ARROW).finditer(output):
        yield Diagnostic(
            file=arrow["file"],
            line=int(arrow["line"]),
            column=int(arrow["column"]),
            code=arrow["code"],
            severity=arrow["grade"],
            message=arrow["text"],
        )
    for line in output.split("\n")[:_MOST]:
        if len(line) > 8 and rx(_QUICK).search(line) and (one := _one(line[:1000])) is not None:
            yield one


def _one(line: str) -> Diagnostic | None:
    for form in _FORMS:
        place = rx(form).match(line)
        if place is not None:
            break
    else:
        return None
    groups = place.groupdict()
    number, column = groups["line"] or groups.get("line2"), groups["column"] or groups.get("column2")
    text = groups["text"]
    grade = rx(_GRADE).match(text)
    rest = text[grade.end() :] if grade else text
    code = rx(_CODE).match(rest)
    return Diagnostic(
        file=groups["file"].removeprefix("file://").replace("\\", "/"),
        line=int(number or 0) or None,
        column=int(column) if column else None,
        code=code["code"] if code else None,
        severity=_severity(grade["grade"] if grade else "", line),
        message=(rest[code.end() :] if code else rest).strip() or text,
    )


def _severity(word: str, line: str) -> str | None:
    """As the text grades it, else by the tag in front of the line."""
    word = word.lower()
    if "error" in word or word in ("e", "f"):
        return "error"
    if word in ("warning", "w", "c", "r"):
        return "warning"
    if word in ("note", "info", "information", "hint", "remark", "i", "n"):
        return "info"
    tag = rx(r"^\W*(error|warning|w|e)\b[\]:]").match(line.lower())
    return {"e": "error", "w": "warning"}.get(tag[1], tag[1]) if tag else None
