"""A reading made of diagnostics alone: what linters and compilers that print a list of places have in common. Refuses an empty list."""

from collections.abc import Iterable

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, first_error, short

_SPAN = 20
"""diagnostics in the cause span"""


def diagnosed(tool: str, rows: Iterable[Diagnostic]) -> Reading | None:
    """The reading of these diagnostics: the first error speaks, else the first of all; None where there are none."""
    found = errors_first(rows)
    if not found:
        return None
    error = first_error(found)
    first = error or found[0]
    return Reading(
        tool=tool,
        kind=Kind.DIAGNOSTIC,
        ran=Evidence.RAN,
        says="fail" if error else None,
        classes=(first.code,) if first.code else (),
        code=first.code,
        message=short(f"{first.file}:{first.line}: {first.message}"),
        diagnostics=found,
        span="\n".join(f"{each.file}: {each.code or ''} {each.message}" for each in found[:_SPAN]),
    )
