"""One output read, in the words of the `observe` contract."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from ruledout.model.outcome import Counts, Diagnostic, Outcome, Signal
from ruledout.observe.outcome import observe

if TYPE_CHECKING:
    from ruledout.observe.matchers import Matcher


class Question(Struct, frozen=True, kw_only=True):
    """What was run and what it printed; `command` may be empty and `exit` unknown."""

    id: str | int | None = None
    command: str | None = ""
    exit: int | None = None
    output: str = ""


class Levels(Struct, frozen=True, kw_only=True):
    """The three ids of a signature."""

    exact: str
    normalised: str
    coarse: str


class Observed(Struct, frozen=True, kw_only=True):
    """The answer of `observe`. `domain_signal` is true, false or `ambiguous`."""

    id: str | int | UnsetType | None = UNSET
    outcome: str
    domain_signal: bool | str
    kind: str
    tool: str | None
    error_class: str | None
    message: str | None
    frames: tuple[tuple[str, str, int | None], ...]
    diagnostics: tuple[Diagnostic, ...]
    failing: tuple[str, ...]
    counts: Counts
    signature: Levels | None


def observed(question: Question, matchers: Sequence["Matcher"] = ()) -> Observed:
    """Read one output, with the user's own problem matchers. Never raises on any text."""
    outcome = observe(question.command or "", question.output, question.exit, matchers=matchers)
    return Observed(
        id=question.id,
        outcome=outcome.result.value,
        domain_signal=_signal(outcome),
        kind=outcome.kind.value,
        tool=outcome.tool,
        error_class=outcome.error_class,
        message=outcome.message,
        frames=tuple((frame.function, frame.path, frame.line) for frame in outcome.frames),
        diagnostics=outcome.diagnostics,
        failing=outcome.failing,
        counts=outcome.counts or Counts(),
        signature=_levels(outcome),
    )


def _signal(outcome: Outcome) -> bool | str:
    return {Signal.YES: True, Signal.NO: False}.get(outcome.signal, "ambiguous")


def _levels(outcome: Outcome) -> Levels | None:
    signature = outcome.signature
    return Levels(exact=signature.exact, normalised=signature.normalised, coarse=signature.coarse) if signature else None
