"""What an agent claims. Untrusted: nothing here becomes a fact without evidence (R1-R8)."""

from msgspec import Struct

from ruledout.model.attempt import Boundary


class ClaimedHypothesis(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words for an attempt, named by its id (`a2`) or by a ref of its first act or judging run."""

    attempt: str
    text: str


class ClaimedGuard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A guard: where it stands (`path:line` or `path`), its text, and the attempts (ids or refs) or `symptom` that make it necessary."""

    location: str
    snippet: str
    neutralizes: tuple[str, ...]


class ClaimedBoundary(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A threshold for an attempt, as claimed."""

    attempt: str
    boundary: Boundary


class Proposal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything an agent may claim about its session. `falsified_count` is read only to be refused when it is not the recomputed one (R5)."""

    root_cause: str | None = None
    hypotheses: tuple[ClaimedHypothesis, ...] = ()
    guards: tuple[ClaimedGuard, ...] = ()
    boundaries: tuple[ClaimedBoundary, ...] = ()
    falsified_count: int | None = None
