"""What the flows need from outside, as Protocols. Adapters live in `prove`, `store` and `sources`; only `wiring` picks them."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from ruledout.model.gate import Proof
from ruledout.model.record import Record
from ruledout.model.transcript import Skipped


class Clock(Protocol):
    """The time, handed in."""

    def now(self) -> str:
        """Now in UTC, RFC 3339 with seconds: `2026-11-30T12:00:00Z`."""
        ...


class Claim(Struct, frozen=True, kw_only=True):
    """A guard that someone claims: where it stands (`path` or `path:line`) and its text, to be taken out by itself."""

    location: str
    snippet: str


class DepthRequest(Struct, frozen=True, kw_only=True):
    """How far to look into a proved patch: each piece out alone, `claims` too; `minimise`: the smallest patch that does. `budget_s` is for all of it."""

    claims: tuple[Claim, ...] = ()
    ablate: bool = True
    minimise: bool = False
    budget_s: float = 600.0


class ProofRequest(Struct, frozen=True, kw_only=True):
    """What to prove. `root` is the repository's top folder; `base` a revision, or None for uncommitted work on HEAD.

    `test_paths` are globs (git pathspec style, relative to the root) of the test side; empty means the usual names. `cwd` is relative to the root.
    `runs` is how often each tree is run (at least 3 for a proof that counts), `deadline_s` the time budget of one run in seconds.
    """

    root: str
    argv: tuple[str, ...]
    base: str | None = None
    test_paths: tuple[str, ...] = ()
    cwd: str = "."
    env: tuple[str, ...] = ()
    runs: int = 3
    deadline_s: float = 300.0
    depth: DepthRequest | None = None


class GateRunner(Protocol):
    """Runs a gate on trees of its own making. Holds no rule about residuals: it reports runs and what they come to."""

    def prove(self, request: ProofRequest) -> Proof:
        """Red on base + test side, green on everything, red with the product side alone taken out, each `runs` times.

        Raises `BadInput` for a folder that is no repository or a revision that is none, `CannotRun` where no process can be started.
        Everything else is a verdict with its typed reasons.
        """
        ...


class Kept(Struct, frozen=True, kw_only=True):
    """A record's place in the store: `seq` counts from 1; `at` is when it was first kept; `title` is the cause, or what stands open."""

    seq: int
    digest: str
    at: str
    status: str
    title: str
    branch: str | None


class Key(Struct, frozen=True, order=True):
    """An exact key under which a record can be found. `kind`: `edit`, `command`, `normalised`, `coarse`, `test`, `file`, or `survived`.

    `edit` and `command` are of falsified branches only; a `survived` fingerprint is of a change or command that proved right, and only acquits (R4).
    """

    kind: str
    value: str


class KeyHit(Struct, frozen=True, kw_only=True):
    """A key that matched: the record, and the falsified branch that holds it (`b1`), or None where the record itself does."""

    key: Key
    digest: str
    branch: str | None
    evidence: str = ""
    """the record's evidence grade, so that proved records can be put first without reading them"""


class WordHit(Struct, frozen=True, kw_only=True):
    """A record found by words; `score` is greater for better, comparable only within one answer."""

    digest: str
    score: float
    evidence: str = ""


class AuditFinding(Struct, frozen=True, kw_only=True):
    """Something that does not add up: the row, a stable code (`digest_mismatch`, `unreadable`, `missing_row`, `chain_broken`), and what was seen."""

    row: str
    code: str
    message: str


class Indexed(Struct, frozen=True, kw_only=True):
    """What a record is to be found under, made by `recall.index` from the record alone, so that the search tables can be rebuilt."""

    status: str
    title: str
    evidence: str
    words: str
    keys: tuple[tuple[Key, str | None], ...]


class NewStanding(Struct, frozen=True, kw_only=True):
    """What a re-check (`branch` None) or a replay of one branch found. `finding` is a value of `Standing` or `Replayed`.

    `evidence` is one redacted line for people, at most 2,000 characters; `inputs` a digest over what the finding hangs on, so that it need not be found twice.
    """

    digest: str
    branch: str | None
    finding: str
    evidence: str
    inputs: str = ""


class Stood(Struct, frozen=True, kw_only=True):
    """A standing as it is kept: `seq` counts from 1 over all standings of the store, `digest` is whole, `at` is when it was found."""

    seq: int
    digest: str
    branch: str | None
    finding: str
    at: str
    evidence: str
    inputs: str = ""


class Store(Protocol):
    """Append-only home of records. Same record twice is one record. What `keep` has returned is on the disk.

    Every method raises `CannotRun` when the store is locked beyond the time-out, damaged, full or of a later schema, and `BadInput` for an unknown record.
    """

    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:
        """Keep a record; the second value says whether it was new. Raises `Refused` for a record that was forgotten."""
        ...

    def get(self, digest: str) -> Record:
        """The record with this digest, or with the only one that starts so (with or without `r1:sha256:`, at least six hex digits)."""
        ...

    def listed(self) -> tuple[Kept, ...]:
        """All records, newest first, without their bodies."""
        ...

    def records(self) -> Iterator[Record]:
        """All records, oldest first."""
        ...

    def find(self, keys: Sequence[Key]) -> tuple[KeyHit, ...]:
        """Exact look-up, in the order of `keys`, newest record first within one key."""
        ...

    def search(self, words: Sequence[str], limit: int) -> tuple[WordHit, ...]:
        """Records that hold some of these words (as `recall.words` cuts them), best first; what very many hold may be left out."""
        ...

    def stand(self, new: NewStanding) -> Stood:
        """Append a standing to a record that is kept; nothing is ever changed or taken back. Raises `BadInput` (`unknown-record`, `bad-standing`)."""
        ...

    def standings(self, digests: Sequence[str] | None = None) -> tuple[Stood, ...]:
        """Standings, newest first: all, or those of these records by their whole digests."""
        ...

    def forget(self, digest: str) -> None:
        """Take a record out for good: body, keys, words and standings; a tombstone of the digest alone stays and stops it from coming back."""
        ...

    def audit(self) -> tuple[AuditFinding, ...]:
        """Derive every digest and the chain of rows again; empty when all is sound."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


class FoundSession(Struct, frozen=True, kw_only=True):
    """A session file, or folder of event files, on this machine: not opened yet. `modified` is RFC 3339 in UTC with seconds.

    `repository` is the work tree that the file's place stands for, where it tells: it lies in it, or in a folder named for it. Else the file says where it
    worked, or nothing does.
    """

    agent: str
    path: str
    bytes: int
    modified: str
    repository: str | None = None


class FoundSessions(Struct, frozen=True, kw_only=True):
    """What was found, newest first, and what lies in the same places and was passed over, by reason."""

    sessions: tuple[FoundSession, ...]
    skipped: tuple[Skipped, ...]


class SessionSource(Protocol):
    """Where agents keep their sessions. Reads; writes, locks, follows and runs nothing."""

    def found(self, agent: str | None = None, since: str | None = None) -> FoundSessions:
        """All sessions, or one agent's, changed at or after `since` (as `FoundSession.modified`). Raises `BadInput` (`unknown-agent`)."""
        ...

    def read(self, session: FoundSession, limit: int | None = None) -> bytes:
        """A session's bytes up to its last whole record, at most `limit`. Raises `BadInput` where it cannot be read."""
        ...
