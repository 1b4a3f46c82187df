"""An outcome as kept."""

from enum import StrEnum

from msgspec import Struct

from ruledout.model.residual import SessionOutcome


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Canonical bytes (RFC 8785) and their tagged digest (`r1:sha256:...`). Made only by `model.wire`, which holds the three together (R11)."""

    digest: str
    body: bytes
    outcome: SessionOutcome


class Standing(StrEnum):
    """What the last re-check of a record found."""

    HOLDS = "holds"
    BROKEN = "broken"
    CANNOT_RUN = "cannot_run"
    FLAKY = "flaky"
    UNCHECKED = "unchecked"


class Replayed(StrEnum):
    """What replaying a falsified branch came to. Only `passes` overturns it: the gate is red without its edits and green with them (R10)."""

    STILL_FAILS_SO = "still_fails_so"
    """the same normalised signature"""
    FAILS_OTHERWISE = "fails_otherwise"
    PASSES = "passes"
    PASSES_ANYWAY = "passes_anyway"
    """the gate is green without the edits as well: that it is green with them says nothing"""
    DOES_NOT_APPLY = "does_not_apply"
    FLAKY = "flaky"
    CANNOT_RUN = "cannot_run"
