"""TypeScript's compiler, plain and pretty, and Vue's and Svelte's checkers that print alike."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, rx, short

NAME = "tsc"
PROGRAMS = frozenset(("tsc", "vue-tsc", "tsup", "ngc", "tspc", "svelte-check"))
_PLACE = r"(?m)^(?:ERROR in )?(\S[^\n(]*?)(?:\((\d+),(\d+)\)|:(\d+):(\d+))(?:: | - )(error|warning) (TS\d+): (.*)$"
_BARE = r"(?m)^(?:error|fatal error) (TS\d+): (.*)$"


def claims(output: str) -> bool:
    """A code of its own."""
    return "TS" in output and rx(r"\bTS\d{3,5}\b").search(output) is not None


def read(output: str) -> Reading | None:
    """All its messages, with their codes."""
    found = [
        Diagnostic(
            file=each[1].replace("\\", "/"),
            line=int(each[2] or each[4]),
            column=int(each[3] or each[5]),
            code=each[7],
            severity=each[6],
            message=each[8],
        )
        for each in rx(_PLACE).finditer(output)
    ]
    bare = rx(_BARE).search(output)
    if not found and not bare:
        return None
    errors = [each for each in found if each.severity == "error"]
    line = rx(_PLACE).search(output)
    code = errors[0].code if errors else bare[1] if bare else None
    text = line[0] if line else bare[0] if bare else ""
    return Reading(
        tool=NAME,
        kind=Kind.DIAGNOSTIC,
        ran=Evidence.RAN,
        says="fail" if errors or bare else None,
        classes=(code,) if code else (),
        code=code,
        message=short(text),
        diagnostics=errors_first(found),
        span="\n".join(each[0] for each in list(rx(_PLACE).finditer(output))[:20]) or text,
    )
