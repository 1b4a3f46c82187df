"""SARIF, in which many linters and compilers write what they found: rule, level, place, message of each result."""

from collections.abc import Iterator

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import MOST, errors_first, first_error, short

NAME = "sarif"
PROGRAMS: frozenset[str] = frozenset()
_LEVELS = {"error": "error", "warning": "warning", "note": "info", "none": "info"}


def claims(output: str) -> bool:
    """A whole JSON value that has runs with results."""
    return output[:200].lstrip("\ufeff \n").startswith("{") and '"runs"' in output and '"results"' in output


def read(output: str) -> Reading | None:
    """All results; a level that is not given is a warning, as the format says."""
    import json

    try:
        whole = json.loads(output.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    runs = _list(whole.get("runs")) if isinstance(whole, dict) else []
    if not runs:
        return None
    found = errors_first([one for run in runs for one in _results(run)][:MOST])
    error = first_error(found)
    first = error or (found[0] if found else None)
    return Reading(
        tool=_tool(runs[0]),
        kind=Kind.DIAGNOSTIC if error else Kind.NONE,
        ran=Evidence.RAN,
        says="fail" if error else "pass" if not found else None,
        classes=(error.code,) if error and error.code else (),
        code=error.code if error else None,
        message=short(f"{first.file}:{first.line}: {first.message}") if first else None,
        diagnostics=found,
        span="\n".join(f"{each.file}: {each.code} {each.message}" for each in found[:20]),
    )


def _results(run: dict[str, object]) -> Iterator[Diagnostic]:
    for result in _list(run.get("results")):
        place = next(iter(_list(result.get("locations"))), {})
        physical = _dict(place.get("physicalLocation"))
        region, file = _dict(physical.get("region")), _dict(physical.get("artifactLocation")).get("uri")
        message, code = _dict(result.get("message")).get("text"), result.get("ruleId")
        yield Diagnostic(
            file=str(file or "").removeprefix("file://"),
            line=_number(region.get("startLine")),
            column=_number(region.get("startColumn")),
            severity=_LEVELS.get(str(result.get("level") or "warning"), "warning"),
            code=str(code) if code else None,
            message=str(message or ""),
        )


def _tool(run: dict[str, object]) -> str:
    name = _dict(_dict(run.get("tool")).get("driver")).get("name")
    return str(name)[:40].lower() if name else NAME


def _list(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None
