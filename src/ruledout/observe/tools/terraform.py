"""Terraform and OpenTofu: errors with their place, plans, validation."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import errors_first, first_error, rx, short

NAME = "terraform"
PROGRAMS = frozenset(("terraform", "tofu", "terragrunt"))
_BAR = r"(?m)^[│╷╵|] ?"
_BLOCK = r"(?m)^(Error|Warning): (\S[^\n]{0,300})\n(?:\n(?:  (?:with|on) [^\n]{0,300}\n?){1,3})?"
_ON = r"  on (\S{1,300}) line (\d+)"
_FINE = r"(?m)^(?:Success! The configuration is valid.*|No changes\. .*|Plan: \d+ to (?:add|import).*|Apply complete! .*|Destroy complete! .*)$"


def claims(output: str) -> bool:
    """A place in its language, or one of its closing lines."""
    if any(mark in output for mark in ("The configuration is valid", "No changes. ", "Plan: ", "Apply complete!", "Destroy complete!")):
        return True
    return "Error: " in output and (".tf line " in output or ".tf.json line " in output or ".tfvars line " in output or "terraform init" in output)


def read(output: str) -> Reading | None:
    """Each error with its file and line, where it gives them."""
    text = rx(_BAR).sub("", output)
    found = errors_first(_diagnostic(block[0], block[1], block[2]) for block in rx(_BLOCK).finditer(text) if _ON_LINE in block[0])
    error = first_error(found)
    bare = rx(r"(?m)^Error: (\S.{0,300})$").search(text)
    if error is None and bare is None:
        return Reading(tool=NAME, ran=Evidence.RAN, says="pass", diagnostics=found) if rx(_FINE).search(text) else None
    said = error.message if error else bare[1] if bare else ""
    setup = "terraform init" in text and error is None
    return Reading(
        tool=NAME,
        kind=Kind.INFRA if setup else Kind.DIAGNOSTIC,
        ran=Evidence.NONE if setup else Evidence.RAN,
        says="fail",
        classes=("setup_missing",) if setup else (said,),
        message=short(f"Error: {said}"),
        diagnostics=found,
        span=f"Error: {said}",
    )


_ON_LINE = " line "


def _diagnostic(block: str, grade: str, message: str) -> Diagnostic:
    place = rx(_ON).search(block)
    return Diagnostic(file=place[1] if place else "", line=int(place[2]) if place else None, severity=grade.lower(), message=message)
