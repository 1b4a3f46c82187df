"""An agent states what its session found: judged by R1-R9 on that session, and kept as what it is. Runs nothing (R12)."""

import msgspec
from msgspec import Struct, structs

from ruledout.distill.face import DebugSessionDistiller
from ruledout.distill.observed import argv_of
from ruledout.errors import BadInput
from ruledout.flows.distill_session import OpenSession
from ruledout.model import wire
from ruledout.model.attempt import Attempt, Boundary
from ruledout.model.gate import Reason
from ruledout.model.proposal import ClaimedBoundary, ClaimedGuard, ClaimedHypothesis, Proposal
from ruledout.model.record import Record
from ruledout.model.residual import SessionOutcome, UnresolvedHandoff
from ruledout.ports import Store
from ruledout.redact import redact
from ruledout.text import cap, clean

_BY_A_RUN = frozenset(("R1", "R2", "R9"))
"""the rules that a run of ours can meet; the others are met by better words alone"""
_NAME, _TEXT, _SNIPPET, _MOST = 300, 2_000, 20_000, 200


class Proposed(Struct, frozen=True, kw_only=True):
    """What became of a proposal. `argv` is the command whose run would settle it, empty where the session shows none that could be run as it is.

    `new` is None where nothing was kept. `attempts` are the session's, with the ids that a proposal names; `needs_run` says that a rule stands open that only
    a run can meet.
    """

    record: Record
    new: bool | None
    attempts: tuple[Attempt, ...]
    argv: tuple[str, ...]
    needs_run: bool


def propose(session: OpenSession, proposal: Proposal, store: Store, branch: str | None) -> Proposed:
    """Judge a proposal by the session's own runs, and keep the residual (`observed`), or the handoff with every rule that is not met.

    A handoff from a session without a failure and without a try holds nothing to go on with: it is told and not kept.

    Raises `BadInput` (`too-many-claims`), `CannotRun` when the store cannot keep, `Refused` for a record that was forgotten.
    """
    claims = (*proposal.hypotheses, *proposal.guards, *proposal.boundaries)
    if len(claims) > _MOST or any(len(guard.neutralizes) > _MOST for guard in proposal.guards):
        raise BadInput("too-many-claims", f"a proposal holds at most {_MOST} hypotheses, guards and boundaries", "propose what the session bears out")
    distiller = DebugSessionDistiller(session.transcript, safe_proposal(proposal), session_digest=session.digest)
    outcome = distiller.distill()
    if isinstance(outcome, UnresolvedHandoff):
        outcome = structs.replace(outcome, unmet_rules=tuple(_told(reason) for reason in outcome.unmet_rules))
    record = wire.record(outcome)
    new = store.keep(record, branch)[1] if _is_of_use(outcome) else None
    unmet = outcome.unmet_rules if isinstance(outcome, UnresolvedHandoff) else ()
    return Proposed(record=record, new=new, attempts=distiller.attempts, argv=_argv(distiller), needs_run=any(reason.rule in _BY_A_RUN for reason in unmet))


def _is_of_use(outcome: SessionOutcome) -> bool:
    return not isinstance(outcome, UnresolvedHandoff) or bool(outcome.last_red or outcome.ruled_out or outcome.open_hypotheses)


def safe_proposal(proposal: Proposal) -> Proposal:
    """R13: every text redacted, clean and capped before anything is made of it; of a boundary, only what an agent can know."""
    return Proposal(
        root_cause=None if proposal.root_cause is None else _safe(proposal.root_cause, _TEXT),
        hypotheses=tuple(ClaimedHypothesis(attempt=_safe(h.attempt), text=_safe(h.text, _TEXT)) for h in proposal.hypotheses),
        guards=tuple(
            ClaimedGuard(location=_safe(g.location), snippet=_safe(g.snippet, _SNIPPET), neutralizes=tuple(_safe(name) for name in g.neutralizes))
            for g in proposal.guards
        ),
        boundaries=tuple(ClaimedBoundary(attempt=_safe(b.attempt), boundary=_claimed(b.boundary)) for b in proposal.boundaries),
        falsified_count=proposal.falsified_count,
    )


def _claimed(boundary: Boundary) -> Boundary:
    """R8: an agent types a threshold; how it was found and what was run for it are not its to say."""
    return Boundary(
        parameter=_safe(boundary.parameter),
        relation=_safe(boundary.relation),
        last_holding=None if boundary.last_holding is None else _safe(boundary.last_holding),
        first_failing=None if boundary.first_failing is None else _safe(boundary.first_failing),
    )


def _safe(text: str, limit: int = _NAME) -> str:
    return cap(redact(clean(text)), limit)


def _told(reason: Reason) -> Reason:
    """A reason quotes names and commands: they are made safe before it is kept."""
    return msgspec.structs.replace(reason, message=_safe(reason.message, _TEXT), mend=_safe(reason.mend, _TEXT))


def _argv(distiller: DebugSessionDistiller) -> tuple[str, ...]:
    """The session's own gate, else its last failing command; empty for words that could not be shown as they are."""
    judged = distiller.judged
    red = next((run.run.command for run in reversed(judged.runs) if run.failed), None)
    commands = [command for command in (judged.gate and judged.gate.command, red) if command]
    found = next((argv for command in commands if (argv := argv_of(command))), ())
    return found if all(clean(word) == word for word in found) else ()
