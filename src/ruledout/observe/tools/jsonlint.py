"""Linters and type checkers that were asked for JSON: lists of objects that name a file, a line and a message, whatever they call them."""

from collections.abc import Iterator

from ruledout.model.outcome import Diagnostic
from ruledout.observe.diagnosed import diagnosed
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx

NAME = "json"
PROGRAMS: frozenset[str] = frozenset()
_FILE = ("file", "filename", "filepath", "path", "filePath", "Filename", "uri", "file_name")
_LINE = ("line", "startline", "beginLine", "line_no", "Line", "line_start", "start_line_no", "lineNumber", "row")
_COLUMN = ("column", "col", "startColumn", "line_pos", "Column", "column_start", "start_line_pos", "character", "endColumn")
_TEXT = ("message", "Text", "description", "text", "msg", "failure")
_CODE = ("code", "rule", "ruleId", "rule_code", "FromLinter", "check_name", "symbol", "message-id", "test_id", "type", "level_code", "rule_id")
_GRADE = ("severity", "Severity", "level", "issue_severity", "kind")
_DEPTH = 12
_MOST = 400


def claims(output: str) -> bool:
    """A whole JSON value that names lines."""
    start = output[:200].lstrip("\ufeff \n")[:1]
    return start in ("{", "[") and rx(r'(?i)"(?:start_?|begin)?line(?:_no|_start|number)?"|"row"').search(output) is not None


def read(output: str) -> Reading | None:
    """Every object with a place and a message; a file named further out holds for what is below it."""
    values = list(_values(output))
    return diagnosed(NAME, [one for value in values for one in _found(value, "", 0)][:_MOST])


def _values(output: str) -> Iterator[object]:
    """One value, or one on each line."""
    import json

    try:
        yield json.loads(output.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        for line in output.split("\n")[:_MOST]:
            if line.startswith("{"):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    continue


def _found(value: object, file: str, depth: int) -> Iterator[Diagnostic]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for each in value:
            yield from _found(each, file, depth + 1)
    elif isinstance(value, dict):
        file = _text(value, _FILE) or _text(_inner(value), _FILE) or file
        one = _diagnostic(value, file)
        if one is not None:
            yield one
            return
        for each in value.values():
            yield from _found(each, file, depth + 1)


def _diagnostic(value: dict[str, object], file: str) -> Diagnostic | None:
    place = {**_inner(value), **value}
    line, text, code = _number(place, _LINE), _text(value, _TEXT), _text(value, _CODE) or _nested_code(value)
    if not text or not file or (line is None and not code):
        return None
    if line is not None and isinstance(value.get("range"), dict):  # the language server's ranges count from 0
        line += 1
    return Diagnostic(
        file=file.removeprefix("file://").replace("\\", "/"),
        line=line or None,
        column=_number(place, _COLUMN),
        code=code,
        severity=_severity(value),
        message=text,
    )


def _inner(value: dict[str, object]) -> dict[str, object]:
    """The place, where it is an object of its own, two levels down at most: `location.start.line`, `Pos.Line`, `range.start.line`."""
    found: dict[str, object] = {}
    for key in ("location", "Pos", "position", "range", "start", "loc", "begin", "lines", "span", "physicalLocation", "artifactLocation", "region"):
        inner = value.get(key)
        if isinstance(inner, dict):
            found = {**found, **_inner(inner), **inner}
    return found


def _text(value: dict[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        found = value.get(name)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, dict) and isinstance(found.get("text"), str):
            return str(found["text"])
    return ""


def _nested_code(value: dict[str, object]) -> str | None:
    code = value.get("code")
    return str(code["code"]) if isinstance(code, dict) and isinstance(code.get("code"), str) else str(code) if isinstance(code, int) else None


def _number(value: dict[str, object], names: tuple[str, ...]) -> int | None:
    for name in names:
        found = value.get(name)
        if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**9:
            return found
    return None


def _severity(value: dict[str, object]) -> str | None:
    said = next((value[name] for name in _GRADE if name in value), None)
    if isinstance(said, int) and not isinstance(said, bool):  # ESLint's numbers
        return {2: "error", 1: "warning"}.get(said)
    word = str(said).lower() if isinstance(said, str) else ""
    if word in ("error", "fatal", "high", "critical", "blocker"):
        return "error"
    return "warning" if word.startswith("warn") or word in ("medium", "major", "minor") else "info" if word else None
