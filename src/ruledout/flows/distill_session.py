"""A session in, a residual or a handoff out, kept. Runs the gate only when it was asked to, through the port."""

from msgspec import Struct, structs

from ruledout.distill.face import DebugSessionDistiller, digest_of_session
from ruledout.distill.judge import judge
from ruledout.distill.observed import gate_of
from ruledout.distill.policy import LEAST_RUNS
from ruledout.model import wire
from ruledout.model.gate import Proof, ProofVerdict, Reason
from ruledout.model.proposal import Proposal
from ruledout.model.record import Record
from ruledout.model.transcript import Transcript
from ruledout.ports import Claim, GateRunner, ProofRequest, Store
from ruledout.read.detect import read


class Distilled(Struct, frozen=True, kw_only=True):
    """The record as it was made, and whether the store had it already; `new` is None when it was not kept."""

    record: Record
    new: bool | None


class OpenSession(Struct, frozen=True, kw_only=True):
    """A session file as read, and the digest of its bytes."""

    transcript: Transcript
    digest: str


def open_session(raw: bytes, name: str) -> OpenSession:
    """Read a session file's bytes once; `name` stands in errors. Raises `BadInput` for what is no session."""
    return OpenSession(transcript=read(raw, name), digest=digest_of_session(raw))


def distill_session(session: OpenSession, proposal: Proposal | None, proof: Proof | None, store: Store | None, branch: str | None = None) -> Distilled:
    """Distil a session. `proof` is what our own runs came to, if they were asked for; `store` is None to keep nothing.

    Raises `CannotRun` when the store cannot keep, `Refused` for a record that was forgotten.
    """
    base = proof.patch.base if proof is not None and proof.patch is not None else None
    distiller = DebugSessionDistiller(session.transcript, proposal, proof, session_digest=session.digest, commit=base)
    record = wire.record(distiller.distill())
    if store is None:
        return Distilled(record=record, new=None)
    _, new = store.keep(record, branch)
    return Distilled(record=record, new=new)


def prove_fix(runner: GateRunner, request: ProofRequest) -> Proof:
    """Red, green, red on revert, by the port. R9: fewer equal runs than the rule asks for leave it open, however they came out."""
    proof = runner.prove(request)
    if proof.verdict is not ProofVerdict.PROVED or request.runs >= LEAST_RUNS:
        return proof
    few = Reason("R9", "too_few_runs", f"{request.runs} equal runs of each tree, at least {LEAST_RUNS} prove", f"prove with --runs {LEAST_RUNS} or more")
    return structs.replace(proof, verdict=ProofVerdict.INCONCLUSIVE, reasons=(few,))


def claims_of(proposal: Proposal | None) -> tuple[Claim, ...]:
    """The guards that a proposal claims, for the ablation to take out (R6)."""
    return tuple(Claim(location=guard.location, snippet=guard.snippet) for guard in proposal.guards) if proposal is not None else ()


def gate_argv(session: OpenSession) -> tuple[str, ...]:
    """The plain command that the session shows red, then green; empty where there is none."""
    seen = judge(session.transcript).gate
    gate = gate_of(seen) if seen else None
    return gate.argv if gate else ()
