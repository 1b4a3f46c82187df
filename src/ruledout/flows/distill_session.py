"""A session in, a residual or a handoff out, kept. Runs the gate only when it was asked to, through the port."""

from msgspec import Struct

from ruledout.distill.face import DebugSessionDistiller, digest_of_session
from ruledout.distill.judge import judge
from ruledout.distill.observed import gate_of
from ruledout.model import wire
from ruledout.model.gate import Proof
from ruledout.model.proposal import Proposal
from ruledout.model.record import Record
from ruledout.ports import GateRunner, ProofRequest, Store
from ruledout.read.detect import read


class Distilled(Struct, frozen=True, kw_only=True):
    """The record as it was made, and whether the store had it already; `new` is None when it was not kept."""

    record: Record
    new: bool | None


def distill_session(raw: bytes, name: str, proposal: Proposal | None, proof: Proof | None, store: Store | None, branch: str | None = None) -> Distilled:
    """Distil a session file's bytes. `proof` is what our own runs came to, if they were asked for; `store` is None to keep nothing.

    Raises `BadInput` for what is no session, `CannotRun` when the store cannot keep.
    """
    base = proof.patch.base if proof is not None and proof.patch is not None else None
    distiller = DebugSessionDistiller(read(raw, name), proposal, proof, session_digest=digest_of_session(raw), commit=base)
    record = wire.record(distiller.distill())
    if store is None:
        return Distilled(record=record, new=None)
    _, new = store.keep(record, branch)
    return Distilled(record=record, new=new)


def prove_fix(runner: GateRunner, request: ProofRequest) -> Proof:
    """Red, green, red on revert, by the port."""
    return runner.prove(request)


def gate_argv(raw: bytes, name: str) -> tuple[str, ...]:
    """The plain command that the session shows red, then green; empty where there is none."""
    seen = judge(read(raw, name)).gate
    gate = gate_of(seen) if seen else None
    return gate.argv if gate else ()


def session_folder(raw: bytes, name: str) -> str | None:
    """The folder that the session worked in, as it says; None where it does not."""
    return read(raw, name).cwd
