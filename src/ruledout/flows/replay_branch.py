"""Does a dead end still fail so: its edits tried again, with leave, and what came of it appended (R10). The record stays as it was made."""

from msgspec import Struct

from ruledout.flows.stored_gate import StoredGate
from ruledout.flows.trust import require
from ruledout.model.record import Replayed
from ruledout.ports import NewStanding, Stood, Store
from ruledout.rerun import Grants, Replay, ReplayRequest, Rerunner

EXITS = {Replayed.STILL_FAILS_SO: 0, Replayed.FLAKY: 3, Replayed.CANNOT_RUN: 3}
"""everything else is a no: 1"""


class BranchReplayed(Struct, frozen=True, kw_only=True):
    """What a replay came to; `standing` is None where nothing was run, or nothing is kept."""

    record: str
    branch: str
    replay: Replay
    standing: Stood | None


def replay_branch(store: Store, rerunner: Rerunner, grants: Grants, gate: StoredGate) -> BranchReplayed:
    """Replay one branch. Raises `Refused` (`needs-trust`) before anything is run."""
    assert gate.branch is not None  # noqa: S101  # made by `stored_gate.branch_gate`
    name = gate.branch.rejected_hypothesis_id
    facts = require(rerunner, grants, gate)
    branch = gate.branch
    request = ReplayRequest(gate=gate.request, edits=branch.edits, before=branch.before, expected=branch.terminal_error_signature, reached=facts.files)
    found = rerunner.replay(request)
    standing = store.stand(_standing(gate, name, found)) if found.finding is not Replayed.DOES_NOT_APPLY else None
    return BranchReplayed(record=gate.record.digest, branch=name, replay=found, standing=standing)


def _standing(gate: StoredGate, name: str, found: Replay) -> NewStanding:
    where = f"on {gate.request.base[:12]}" if gate.request.base else "on the tree of that day"
    trees = f", tree {found.runs[0].tree[:12]}" if found.runs else ""
    return NewStanding(digest=gate.record.digest, branch=name, finding=found.finding.value, evidence=f"{found.why}; {where}{trees}, {found.isolation.value}")
