"""Tries, and what became of them: attempts, falsified branches, boundaries, guards."""

from enum import StrEnum

from msgspec import Struct

from ruledout.model.action import EditKind
from ruledout.model.gate import Anchor, GateRun, Isolation
from ruledout.model.outcome import ErrorSignature, Result


class Verdict(StrEnum):
    """What became of an attempt (R4)."""

    FALSIFIED = "falsified"
    PARTIAL = "partial"
    HELD = "held"
    INCONCLUSIVE = "inconclusive"
    ABANDONED = "abandoned"
    NOISE = "noise"


class Survival(StrEnum):
    """Is what an attempt changed still there at the end of the session. Only `gone` may falsify."""

    SURVIVES = "survives"
    GONE = "gone"
    UNKNOWN = "unknown"
    NO_EDIT = "no_edit"
    """the attempt changed only the command"""


class Attempt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hypothesis -> edits or a changed command -> the run that judged it.

    `id` is `a1`, `a2`, ... in session order; `from_ref` the first act, `to_ref` the judging run or None. `hypothesis` is one sentence of the
    assistant said before the act, with its ref; None when only implied. `fingerprints` are of the edits, then of the changed command.
    """

    id: str
    from_ref: str
    to_ref: str | None
    hypothesis: str | None
    hypothesis_ref: str | None
    strategy: str
    """made from the acts, not from words: `edit src/a.py (+3 -1)`"""
    files: tuple[str, ...]
    fingerprints: tuple[str, ...]
    command: str | None
    """of the judging run"""
    result: Result | None
    signature: ErrorSignature | None
    message: str | None
    survival: Survival
    verdict: Verdict
    why: str
    """the clause of R4 that decided, in plain words"""


class Found(StrEnum):
    """How a boundary was found (R8)."""

    BISECTION = "bisection"
    SESSION = "session"
    CLAIMED = "claimed"


class Boundary(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The threshold at which a hypothesis breaks. `relation` is one of `<`, `<=`, `>`, `>=`, `==`; values as text, as they were given.

    A measured one (`found` is `bisection`) says `<=` or `>=`: it holds while the parameter is so to `last_holding`. What it was measured with stands beside:
    how many runs, the signature of the failure at `first_failing`, and how far the runs were kept from the machine.
    """

    parameter: str
    relation: str
    last_holding: str | None
    first_failing: str | None
    found: Found = Found.CLAIMED
    runs: int = 0
    signature: ErrorSignature | None = None
    isolation: Isolation | None = None


class Conditions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a falsification was seen under (R10): when one changes, the branch is reopened."""

    commit: str | None = None
    gate: str | None = None
    """digest of the gate, or the judging command where there was no gate"""
    dependencies: tuple[str, ...] = ()


class BranchEdit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hunk of a dead end, redacted: what a replay applies. `write` is the whole new file, `delete` takes it away; both sides are lines without ends."""

    path: str
    kind: EditKind = EditKind.REPLACE
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class FalsifiedBranch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attempt, or a class of equal ones, that may not be retried, with the error that eliminated it. What is falsified is the edit or command as made."""

    rejected_hypothesis_id: str
    hypothesis: str | None
    candidate_strategy: str
    observed_failure_class: str
    terminal_error_signature: ErrorSignature
    refuting_counterexample: str
    """the decisive line or failing test of the judging run"""
    refuting_evidence_digest: str
    failure_boundary: Boundary | None
    conditions: Conditions
    count: int
    files: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    """the judging runs, one for each of `count`"""
    edits: tuple[BranchEdit, ...] = ()
    """all of what was changed in the product, in order; empty where the session does not show all of it, or it is longer than 20 KB: a part is another edit"""
    before: tuple[BranchEdit, ...] = ()
    """what stood in the product besides when it was judged, from the session's base on; empty as above"""


class Ablation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the gate showed with one guard taken out."""

    runs: tuple[GateRun, ...]
    signature: ErrorSignature | None


class Guard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A defensive check in the final code. `location` is `path:line`; `neutralizes` are branch ids, or `symptom` (R6)."""

    location: str
    snippet_digest: str
    neutralizes: tuple[str, ...]
    ablation: Ablation | None = None
    snippet: str = ""
    anchor: Anchor = Anchor()
