"""The two outcomes of a session: a verified residual, or an honest handoff."""

from enum import StrEnum

from msgspec import Struct

from ruledout.model.attempt import FalsifiedBranch, Guard
from ruledout.model.gate import PatchReceipt, Reason, Receipt, RegressionGate
from ruledout.model.outcome import ErrorSignature


class EvidenceGrade(StrEnum):
    """R2: we ran it; the transcript shows it; someone says so. `asserted` never becomes a residual."""

    WITNESSED = "witnessed"
    OBSERVED = "observed"
    ASSERTED = "asserted"


class Grade(StrEnum):
    """R7: how much the ledger corroborates the cause."""

    SINGLE_PATH = "single_path"
    CORROBORATED = "corroborated"
    HARDENED = "hardened"


class Corroboration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """R7. `falsified` counts attempts (not classes), `replayed` those that we ran again ourselves."""

    grade: Grade
    falsified: int
    distinct_signatures: int
    replayed: int = 0


class Provenance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where an outcome comes from. `session_digest` is over the session file's bytes; `cause_from` is `proposal` or the ref of the quoted words."""

    agent: str | None
    format: str
    session: str | None
    session_digest: str
    tool_version: str
    evidence: EvidenceGrade
    cause_from: str | None = None


class Symptom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The failure that the session set out to cure."""

    ref: str
    command: str
    signature: ErrorSignature | None


class DebugResidual(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="status", tag="RESOLVED"):
    """The verified outcome. Built only by `distill.conclude`, when every rule is met."""

    root_cause_invariant: str
    symptom: Symptom | None
    falsified_branches: tuple[FalsifiedBranch, ...]
    required_defensive_guards: tuple[Guard, ...]
    verified_patch_receipt: PatchReceipt
    regression_gate_signature: RegressionGate
    receipts: Receipt
    corroboration: Corroboration
    provenance: Provenance


class OpenHypothesis(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A try that is neither proved nor ruled out, with its verdict and where it stands."""

    id: str
    hypothesis: str | None
    strategy: str
    verdict: str
    ref: str


class LastRed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The failure that stood last."""

    ref: str
    command: str
    message: str | None
    failing: tuple[str, ...]
    signature: ErrorSignature | None


class UnresolvedHandoff(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="status", tag="UNRESOLVED_HANDOFF"):
    """What is needed to go on. `unmet_rules` lists every rule that stood against a residual, each with its mend."""

    unmet_rules: tuple[Reason, ...]
    symptom: Symptom | None
    open_hypotheses: tuple[OpenHypothesis, ...]
    ruled_out: tuple[FalsifiedBranch, ...]
    last_red: LastRed | None
    working_commands: tuple[str, ...]
    diff_so_far: str
    corroboration: Corroboration
    provenance: Provenance
    survived: tuple[str, ...] = ()
    """fingerprints of the edits that live on: they acquit, here and wherever else they were ruled out (R4)"""


SessionOutcome = DebugResidual | UnresolvedHandoff
