"""The gate that a record holds, as a request: what a re-check or a replay would run. Runs nothing and reads no file."""

import msgspec
from msgspec import Struct

from ruledout.distill.observed import DEADLINE_S, argv_of
from ruledout.errors import BadInput
from ruledout.model.attempt import BranchEdit, FalsifiedBranch
from ruledout.model.gate import RegressionGate
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual
from ruledout.ports import ProofRequest
from ruledout.recall.index import branches

BASE, TODAY = "base", "today"


class StoredGate(Struct, frozen=True, kw_only=True):
    """A request with where it comes from: `subject` is the short digest, with the branch for a replay; `mend` the command that allows it."""

    record: Record
    request: ProofRequest
    subject: str
    mend: str
    branch: FalsifiedBranch | None = None
    edits: tuple[BranchEdit, ...] = ()


def gate_of(record: Record, root: str, runs: int) -> StoredGate:
    """A residual's own gate on today's tree. Raises `BadInput` (`no-gate`) for a handoff."""
    outcome = record.outcome
    if not isinstance(outcome, DebugResidual):
        raise BadInput("no-gate", f"{short(record)} is a handoff: it holds no gate", "give the record of a residual (`ruledout list`)")
    return StoredGate(
        record=record, request=_request(outcome.regression_gate_signature, root, runs), subject=short(record), mend=f"ruledout trust {short(record)}"
    )


def branch_gate(record: Record, name: str | None, root: str, runs: int, on: str | None) -> StoredGate:
    """What a replay of one branch runs: the command that judged it, where that needs no shell, else the record's gate.

    `on` is `base`, the commit it was tried on, or `today`; None takes the base where it is known. Raises `BadInput`: `no-branch`, `no-base`, `no-gate`.
    """
    branch = _branch(record, name)
    commit = branch.conditions.commit
    if on == BASE and commit is None:
        raise BadInput("no-base", f"{short(record)} does not tell the commit that {branch.rejected_hypothesis_id} was tried on", "give `--on today`")
    base = commit if on != TODAY else None
    argv = argv_of(branch.conditions.gate or "")
    outcome = record.outcome
    if isinstance(outcome, DebugResidual):
        kept = _request(outcome.regression_gate_signature, root, runs)
        request = msgspec.structs.replace(kept, argv=argv or kept.argv, base=base)
    elif argv:
        request = ProofRequest(root=root, argv=argv, base=base, runs=runs, deadline_s=DEADLINE_S)
    else:
        raise BadInput("no-gate", f"the command that judged {branch.rejected_hypothesis_id} needs a shell or is not known", "replay a branch of a residual")
    name = branch.rejected_hypothesis_id
    where = f" --on {on}" if on else ""
    subject = f"{short(record)} {name}{where}"
    return StoredGate(record=record, request=request, subject=subject, mend=f"ruledout trust {subject}", branch=branch, edits=(*branch.before, *branch.edits))


def short(record: Record) -> str:
    """The first 12 hex digits of a record's digest."""
    return record.digest.rpartition(":")[2][:12]


def _request(gate: RegressionGate, root: str, runs: int) -> ProofRequest:
    return ProofRequest(root=root, argv=gate.argv, cwd=gate.cwd, env=gate.env, runs=runs, deadline_s=gate.deadline_s)


def _branch(record: Record, name: str | None) -> FalsifiedBranch:
    known = {branch.rejected_hypothesis_id: branch for branch in branches(record.outcome)}
    if not known:
        raise BadInput("no-branch", f"{short(record)} holds no dead end", "give a record that does; `ruledout show` tells")
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name is None or name not in known:
        seen = f"there is no branch {name!a} in {short(record)}" if name else f"{short(record)} holds {len(known)} branches"
        raise BadInput("no-branch", seen, f"give one of: {', '.join(known)}")
    return known[name]
