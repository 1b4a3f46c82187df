"""The library face for people who build their own agents: turns and a proposal in, an outcome out. Touches nothing outside."""

from collections.abc import Sequence

from msgspec import Struct

from ruledout import __version__, fingerprint
from ruledout.digest import of_bytes, tagged
from ruledout.distill.ablated import weigh
from ruledout.distill.conclude import case_of, conclude
from ruledout.distill.judge import judge
from ruledout.distill.ledger import Ledger, settle, verify_lineage
from ruledout.distill.seen import Judged
from ruledout.model.attempt import Attempt, FalsifiedBranch
from ruledout.model.gate import Proof
from ruledout.model.proposal import Proposal
from ruledout.model.residual import EvidenceGrade, Provenance, SessionOutcome
from ruledout.model.transcript import Transcript


class BranchEvidence(Struct, frozen=True, kw_only=True):
    """Why an act is ruled out: the branch with its error, and the key that matched."""

    branch: FalsifiedBranch
    matched: str


class DebugSessionDistiller:
    """Distils one session.

    `transcript` comes from `ruledout.read` (any known format) or from `ruledout.SessionLog` (your own loop); `proposal` is what your agent claims;
    `proof` is what a `GateRunner` came to, or None. `session_digest` names the session's bytes; without it, the transcript's own content is digested.
    """

    def __init__(
        self,
        transcript: Transcript,
        proposal: Proposal | None = None,
        proof: Proof | None = None,
        *,
        session_digest: str | None = None,
        commit: str | None = None,
    ) -> None:
        """Judge the session and settle the ledger at once."""
        self._transcript, self._proof = transcript, proof
        self._digest = session_digest or tagged("transcript", _content(transcript))
        self.judged: Judged = judge(transcript)
        self.ledger: Ledger = weigh(settle(transcript, self.judged, proposal, commit), self.judged, proof)

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Every attempt with its verdict, in session order."""
        return self.judged.attempts

    def distill(self) -> SessionOutcome:
        """A `DebugResidual` when every rule is met, else an `UnresolvedHandoff` that lists those that are not."""
        return conclude(case_of(self._transcript, self.judged, self.ledger, self._proof), self._provenance())

    def is_branch_falsified(self, path: str, removed: Sequence[str], added: Sequence[str]) -> BranchEvidence | None:
        """The evidence that this very edit was ruled out in this session, or None. Exact only: likeness never rules out (R4)."""
        if not any(line.strip() for line in (*removed, *added)):
            return None
        key = fingerprint.edit(path, tuple(removed), tuple(added))
        return next((BranchEvidence(branch=branch, matched=key) for branch in self.ledger.branches if key in branch.fingerprints), None)

    def _provenance(self) -> Provenance:
        return provenance(self._transcript, self._digest)


class FalsificationPreservationGate:
    """Guards the lineage of a ledger on its way: nothing refuted may be lost, nothing kept without its reason (R5, R6)."""

    def verify_epistemic_lineage(self, distiller: DebugSessionDistiller, ledger: Ledger | None = None) -> str:
        """The digest of the lineage; `ledger` is the one to check, if it is not the distiller's own.

        Raises `FalsificationLineageTruncationViolation`, naming each refuted step that was dropped, each step without counterexample or failure
        class, each guard without its reason.
        """
        ledger = ledger or distiller.ledger
        return verify_lineage(ledger.branches, ledger.guards, distiller.judged)


def provenance(transcript: Transcript, session_digest: str) -> Provenance:
    """Where an outcome comes from; the evidence grade is set by `conclude`."""
    return Provenance(
        agent=transcript.agent,
        format=transcript.format,
        session=transcript.session,
        session_digest=session_digest,
        tool_version=__version__,
        evidence=EvidenceGrade.ASSERTED,
    )


def digest_of_session(raw: bytes) -> str:
    """The tagged digest of a session file's bytes."""
    return of_bytes("session", raw)


def _content(transcript: Transcript) -> object:
    return [[turn.role.value, turn.text, turn.ref] for turn in transcript.turns]
