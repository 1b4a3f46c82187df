"""What is asked of commands and records that are run again, and the answers: boundaries, replays, re-checks, and the user's leave to run what is stored.

Protocols and values beside `ports`. The adapters live in `prove` and `store`; only `wiring` picks them. Holds no rule.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from ruledout.model.attempt import Boundary, BranchEdit
from ruledout.model.gate import GateRun, Isolation, PatchReceipt
from ruledout.model.outcome import ErrorSignature
from ruledout.model.record import Replayed, Standing
from ruledout.ports import ProofRequest


class BoundaryRequest(Struct, frozen=True, kw_only=True):
    """Which parameter to move, and how. The gate's argv holds `{NAME}` where its value goes; `gate.runs` is how often each edge is run.

    `parameter` is `workers=1..64`: whole numbers, decimals, sizes (`64K..1G`), ISO dates and times, or an ordered list (`a,b,c`). `scale` is `linear` or `log`.
    `tolerance` is the step of the answer, as text in the parameter's own unit; None takes the natural one.
    """

    gate: ProofRequest
    parameter: str
    scale: str = "linear"
    tolerance: str | None = None


class End(StrEnum):
    """What a search came to. Only `found` is a threshold; a `flaky` zone is a finding of its own."""

    FOUND = "found"
    FLAKY = "flaky"
    ALWAYS_HOLDS = "always_holds"
    ALWAYS_FAILS = "always_fails"
    NOT_MONOTONE = "not_monotone"
    CANNOT_RUN = "cannot_run"


class State(StrEnum):
    """What the runs at one value showed."""

    HOLDS = "holds"
    FAILS = "fails"
    FLAKY = "flaky"
    CANNOT_RUN = "cannot_run"


class Point(Struct, frozen=True, kw_only=True):
    """One value that was tried: how often, what it showed, and the first failure there."""

    value: str
    state: State
    runs: int
    signature: ErrorSignature | None = None
    message: str | None = None


class Search(Struct, frozen=True, kw_only=True):
    """A search for a threshold (R8). `points` are all values that were tried, in the parameter's order; `why` says what was seen where nothing was found.

    With `flaky`, the boundary's two values are the last on either side that were equal in all runs: between them nobody knows.
    """

    end: End
    boundary: Boundary | None
    points: tuple[Point, ...]
    runs: int
    isolation: Isolation
    why: str = ""


class TrustFacts(Struct, frozen=True, kw_only=True):
    """What a leave to run hangs on (R12): change any of it, and the user is asked again.

    `repository` is the git common directory with the address of `origin`; `root` the work tree's real path; `files` are the files of the repository that the
    argv reaches, with their digests; `toolchain` the programs that it finds, as `name=path`; `applies` a digest over edits that are laid on the tree first.
    """

    repository: str
    root: str
    argv: tuple[str, ...]
    cwd: str
    env: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    toolchain: tuple[str, ...]
    applies: str = ""


class Grant(Struct, frozen=True, kw_only=True):
    """A user's leave. `key` is the digest of the facts; `subject` the record, or record and branch, that it was given for; `at` when."""

    key: str
    subject: str
    at: str
    facts: TrustFacts


class Grants(Protocol):
    """The user's own list of what may run, kept outside of every repository. Nothing in a repository can write to it."""

    def listed(self) -> tuple[Grant, ...]:
        """All of them, oldest first. Raises `CannotRun` (`bad-trust-file`) for a list that others could have written, or that cannot be read."""
        ...

    def grant(self, facts: TrustFacts, subject: str) -> Grant:
        """Add one."""
        ...

    def revoke(self, key: str) -> Grant:
        """Take one out by the start of its key. Raises `BadInput` (`unknown-grant`)."""
        ...


class ReplayRequest(Struct, frozen=True, kw_only=True):
    """A dead end to be tried again: `edits` on the tree of `gate.base` with the test side of today's patch, or on today's tree where that is None."""

    gate: ProofRequest
    edits: tuple[BranchEdit, ...]
    before: tuple[BranchEdit, ...]
    """what stood besides when it was judged: laid first on the base, and on today's tree only where the edits do not fit without"""
    expected: ErrorSignature
    reached: tuple[tuple[str, str], ...] = ()
    """the files that leave was given for, as in `TrustFacts.files`: what is run must be made of these bytes"""


class Replay(Struct, frozen=True, kw_only=True):
    """What a replay came to: the runs with the edits and the control runs without them."""

    finding: Replayed
    why: str
    runs: tuple[GateRun, ...] = ()
    control: tuple[GateRun, ...] = ()
    isolation: Isolation = Isolation.NONE


class Presence(StrEnum):
    """Is a patch still in the tree, as far as bytes tell: as it was proved, not at all, or otherwise. The gate decides."""

    PRESENT = "present"
    CHANGED = "changed"
    GONE = "gone"
    UNKNOWN = "unknown"


class Today(Struct, frozen=True, kw_only=True):
    """A work tree as it is now: `inputs` is a digest over the tree, the gate and the programs it finds.

    `foreign` names the patch's base where it is no commit of this repository; `retested` are paths of the test side that are not as they were proved.
    """

    presence: Presence
    tree: str
    inputs: str
    foreign: str | None = None
    retested: tuple[str, ...] = ()


class RecheckRequest(Struct, frozen=True, kw_only=True):
    """A record's gate and patch. `tests` are the ids that must pass; `gate.base` is None: it is run on today's tree."""

    gate: ProofRequest
    digest: str
    patch: PatchReceipt
    tests: tuple[str, ...]
    reached: tuple[tuple[str, str], ...] = ()
    """as in `ReplayRequest`"""


class Rechecked(Struct, frozen=True, kw_only=True):
    """What the gate showed on today's tree."""

    finding: Standing
    why: str
    runs: tuple[GateRun, ...]
    isolation: Isolation


class Look(Protocol):
    """A work tree as it was when it was looked at; runs nothing of the repository's."""

    def today(self, request: RecheckRequest) -> Today:
        """Is a patch in it, and what a re-check of it would hang on."""
        ...

    def changed(self, since: str) -> frozenset[str]:
        """Paths that differ between a revision and this tree. Raises `BadInput` for what is no revision."""
        ...


class Rerunner(Protocol):
    """Runs commands again on trees of its own making; the user's checkout stays as it is. Asks nobody for leave: whoever calls it has asked (R12)."""

    def boundary(self, request: BoundaryRequest) -> Search:
        """Find the threshold. Raises `BadInput` for a parameter that cannot be read or that the argv does not hold."""
        ...

    def replay(self, request: ReplayRequest) -> Replay:
        """Lay the edits on the tree and run the gate. Raises `Refused` (`needs-trust`) when a reached file is not as it was when leave was asked for."""
        ...

    def recheck(self, request: RecheckRequest) -> Rechecked:
        """Run the gate on today's tree. Raises as `replay` does."""
        ...

    def look(self, root: str) -> AbstractContextManager[Look]:
        """Look at the work tree of a repository, once for many questions."""
        ...

    def facts(self, gate: ProofRequest, edits: Sequence[BranchEdit] = ()) -> TrustFacts:
        """What leave to run this would hang on, read from files; starts no process."""
        ...
