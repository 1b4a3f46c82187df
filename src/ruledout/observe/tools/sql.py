"""Errors of SQL: PostgreSQL's psql, MySQL and MariaDB, SQLite, SQL Server, Oracle, each with its code and line. A driver's exception is its language's."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short

NAME = "sql"
PROGRAMS = frozenset(("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "sqlplus", "duckdb", "clickhouse-client"))
_FORMS: tuple[tuple[str, str], ...] = (
    (
        "postgresql",
        (r"(?m)^(?:psql:(?P<file>[^:\n]{1,300}):(?P<line>\d+): )?(?:ERROR|FATAL): {1,2}(?:(?P<code>[0-9A-Z]{5}): )?"
        r"(?P<text>(?:syntax error at|relation |column |function |operator |type |schema |role |database |table |constraint |duplicate key |null value "
        r"|insert or update |update or delete |invalid input |division by zero|permission denied for|could not |deadlock |current transaction |new row "
        r"|value too long|canceling statement|cannot |must be |password authentication|unterminated )[^\n]{0,300})$"),
    ),
    ("mysql", (r"(?m)^ERROR (?P<code>\d{4}) \((?P<state>[0-9A-Z]{5})\)(?: at line (?P<line>\d+))?(?: in file: '(?P<file>[^'\n]{1,300})')?"
        r": (?P<text>\S[^\n]{0,300})$")),
    (
        "sqlite",
        (r"(?m)^(?:Error: (?:stepping, |in prepare, |near line (?P<near>\d+): )?|(?:Parse|Runtime) error(?: near line (?P<line>\d+))?: )"
        r"(?P<text>(?:near \"[^\"\n]{1,200}\": syntax error|no such (?:table|column|function|index|module)[^\n]{0,200}|incomplete input"
        r"|unrecognized token[^\n]{0,200}"
        r"|[A-Z ]{4,20} constraint failed[^\n]{0,200}|table \S{1,200} already exists|table \S{1,200} has [^\n]{0,100}|ambiguous column[^\n]{0,200}"
        r"|datatype mismatch|database is locked|file is not a database|attempt to write a readonly database)[^\n]{0,200})$"),
    ),
    ("sqlserver", (r"(?m)^Msg (?P<code>\d{1,6}), Level (?:1[1-9]|2\d), State \d{1,3}, (?:Server [^,\n]{1,200}, )?(?:Procedure [^,\n]{1,200}, )?"
        r"Line (?P<line>\d+)\n(?P<text>\S[^\n]{0,300})$")),
    ("oracle", r"(?m)^(?P<code>(?:ORA|PLS|SP2)-\d{4,5}): (?P<text>\S[^\n]{0,300})$"),
)  # fmt: skip


def claims(output: str) -> bool:
    """The words that each puts in front of an error."""
    return any(
        mark in output
        for mark in ("ERROR:  ", "ERROR: ", "FATAL: ", "ERROR 1", "ERROR 2", "ERROR 3", "Error: ", " error near line", "Parse error", "Msg ", "ORA-")
    )


def read(output: str) -> Reading | None:
    """The first error of the first family that has one; what is wrong with the statement itself is told apart from what the data refused."""
    hits = [(found.start(), tool, found) for tool, form in _FORMS if (found := rx(form).search(output)) is not None]
    if not hits:
        return None
    _, tool, found = min(hits, key=lambda hit: hit[0])
    parts = found.groupdict()
    line = parts.get("line") or parts.get("near") or _numbered(output, found.end())
    code = parts.get("code") or _state(output)
    file = parts.get("file") or ""
    return Reading(
        tool=tool,
        kind=Kind.DIAGNOSTIC,
        ran=Evidence.RAN,
        says="fail",
        classes=("sql_syntax" if "syntax" in parts["text"].lower() or parts["text"] == "incomplete input" else "sql_error",),
        code=code,
        message=short(found[0].replace("\n", " ")),
        diagnostics=(Diagnostic(file=file, line=int(line) if line else None, severity="error", code=code, message=parts["text"]),) if line else (),
        span=found[0],
    )


def _numbered(output: str, at: int) -> str | None:
    """The line that psql shows below the error."""
    found = rx(r"\nLINE (\d+): ").match(output, at)
    return found[1] if found else None


def _state(output: str) -> str | None:
    found = rx(r"(?m)^(?:SQLSTATE|SQL state): ([0-9A-Z]{5})$").search(output)
    return found[1] if found else None
