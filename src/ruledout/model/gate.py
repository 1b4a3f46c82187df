"""The gate and what our own runs of it showed: the only thing that can verify anything (R1, R2, R9)."""

from enum import StrEnum

from msgspec import Struct

from ruledout.model.outcome import ErrorSignature, Result


class RegressionGate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The command a successor runs to see that the fix is still in force.

    `argv` is run as it is, without a shell. `cwd` is relative to the repository's root, with `/`, `.` for the root itself. `env` are the names of
    the caller's variables that may reach the run, beyond the house's own list. `tests` are the ids that must have run. `digest` is over the rest.
    """

    argv: tuple[str, ...]
    cwd: str
    env: tuple[str, ...]
    deadline_s: float
    tests: tuple[str, ...]
    digest: str


class TestStatus(StrEnum):
    """What became of one test in one run."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"


class TestResult(Struct, frozen=True, forbid_unknown_fields=True):
    """One test id and what became of it."""

    __test__ = False

    id: str
    status: TestStatus


class ReportSource(StrEnum):
    """What a run's tests were read from: the runner's own report file, its text, or nothing."""

    REPORT = "report"
    TEXT = "text"
    NONE = "none"


class Isolation(StrEnum):
    """How far a run was kept from the rest of the machine, best first. Named in every receipt."""

    BUBBLEWRAP = "bubblewrap"
    """own namespaces, the tree mounted at the repository's own path, no network"""
    NAMESPACE = "namespace"
    """user, mount and pid namespaces by `unshare`, the tree mounted at the repository's own path"""
    WORK_TREE = "work_tree"
    """a tree of its own in a private folder; absolute paths and editable installs may still reach the original"""
    NONE = "none"
    """read from a transcript, or run in place"""


class GateRun(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run of the gate on one tree.

    `exit` is None when it was killed; `ended` is `exited`, `signal:NAME`, `timeout`, or `not_started`. `tree` is the git tree id that was run, or the `ref` of
    the run in the session for evidence that was only observed. `facts` are environment facts as `name=value`. `tail` is the redacted end of the output.
    """

    exit: int | None
    outcome: Result
    tests: tuple[TestResult, ...]
    source: ReportSource
    signature: ErrorSignature | None
    seconds: float
    tree: str
    ended: str = "exited"
    facts: tuple[str, ...] = ()
    tail: str = ""


class Receipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Our runs, or for `observed` evidence the session's own: red before, green after, red again with the product side alone taken out."""

    red: tuple[GateRun, ...]
    green: tuple[GateRun, ...]
    red_on_revert: tuple[GateRun, ...]
    isolation: Isolation


class PatchKind(StrEnum):
    """What the change consists of."""

    GIT = "git"
    FILES = "files"
    DEPENDENCY = "dependency"
    CONFIGURATION = "configuration"


class PatchReceipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Digest and shape of the change. `base` and `tree` are git ids, or None where no repository was at hand. `patch_digest` is tagged (`r1:sha256:`)."""

    kind: PatchKind
    base: str | None
    tree: str | None
    patch_digest: str
    files: tuple[str, ...]
    product: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    """of the hunks that live on in the final state: what may never be called a dead end (R4)"""


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something was refused or could not be decided: the rule (`R9`), a stable code (`not_fail_to_pass`), what was seen, and the mend."""

    rule: str
    code: str
    message: str
    mend: str


class ProofVerdict(StrEnum):
    """`proved`; `refused`: the runs speak against it; `inconclusive`: it could not be run well enough to say."""

    PROVED = "proved"
    REFUSED = "refused"
    INCONCLUSIVE = "inconclusive"


class Need(StrEnum):
    """What the gate says of a piece of the patch that was taken out alone. `unresolved`: it says nothing, with the reason why (R14)."""

    LOAD_BEARING = "load_bearing"
    UNPROVEN = "unproven"
    """the gate stays green without it"""
    UNRESOLVED = "unresolved"


class Anchor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands around some lines, to find them again: the enclosing symbol (`Cart.total`; empty at the top), the code lines before and after."""

    symbol: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of the product side, and what the gate showed without it. `location` is `path:line` on the whole patch's tree; `lines` counts its lines there.

    `snippet` are these lines, redacted and capped; `digest` is over path and lines as they are. `failing` are the tests that fail without it; `slipped`
    names the failure where it is another one than the base's. `claimed` are the places of the claimed guards that it is.
    """

    location: str
    lines: int
    snippet: str
    digest: str
    need: Need
    why: str
    runs: tuple[GateRun, ...] = ()
    signature: ErrorSignature | None = None
    failing: tuple[str, ...] = ()
    slipped: str = ""
    anchor: Anchor = Anchor()
    claimed: tuple[str, ...] = ()


class Minimal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The smallest set of pieces found that keeps the gate green. `left_out` are the places it does without.

    `open` are those that could not be tried in the time budget: 0 means that no single piece more can be taken out.
    """

    patch: str
    kept: tuple[str, ...]
    left_out: tuple[str, ...]
    open: int


class Depth(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What looking into a proved patch came to: its pieces, each taken out alone, and the smallest patch that does, if that was asked for."""

    pieces: tuple[Piece, ...]
    minimal: Minimal | None
    runs: int
    seconds: float


class Proof(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an attempt to prove a fix came to. `reasons` is empty exactly when it is proved; `patch` is None when none was found.

    `depth` is None where nobody asked for an ablation, and where there is nothing proved to look into.
    """

    verdict: ProofVerdict
    reasons: tuple[Reason, ...]
    gate: RegressionGate
    patch: PatchReceipt | None
    receipt: Receipt
    depth: Depth | None = None
