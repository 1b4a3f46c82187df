"""`ruledout distill SESSION`: a residual or a handoff, kept. Runs a gate only when told to, by `--prove` or a command after `--`; many at once run none."""

from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from typing import TYPE_CHECKING

from ruledout import wiring
from ruledout.doors.show.plain import out
from ruledout.doors.verbs import many
from ruledout.doors.verbs.prove_ import add_depth_options, add_gate_options, depth_of, request_of

if TYPE_CHECKING:
    from ruledout.flows.distill_session import OpenSession
    from ruledout.model.gate import Proof
    from ruledout.model.proposal import Proposal


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.usage = "ruledout distill SESSION | --last | --all [options] [-- CMD ...]"
    parser.add_argument("session", metavar="SESSION", nargs="?", help="a session file, a folder of event files, or - for standard input")
    many.add_options(parser)
    parser.add_argument("--proposal", metavar="FILE", help="what the agent claims: root cause, hypotheses, guards, boundaries (JSON; - for standard input)")
    parser.add_argument(
        "--prove", action="store_true", help="run the gate ourselves: the command after --, else the one that the session shows red, then green"
    )
    parser.add_argument("--no-keep", action="store_true", help="show the record, keep nothing")
    parser.add_argument("--json", action="store_true", help="the record as JSON")
    add_gate_options(parser)
    add_depth_options(parser)


def run(options: Namespace) -> int:
    """Distil one session: exit 0 for a residual, 1 for a handoff."""
    from ruledout.doors.show.record import record_text
    from ruledout.flows.distill_session import distill_session, open_session
    from ruledout.model.residual import DebugResidual

    many.require_one(options)
    if options.all:
        return many.run(options)
    session = many.last(options) if options.last else open_session(wiring.session_bytes(options.session), options.session)
    proposal = wiring.proposal_of(options.proposal)
    repo = wiring.home_of(session.transcript.cwd, options.repo)
    proof = _proof(options, session, repo, proposal) if options.prove or options.rest or options.ablate else None
    branch = wiring.current_branch(wiring.repository(repo))
    with nullcontext(None) if options.no_keep else wiring.store(repo, make=True) as store:
        distilled = distill_session(session, proposal, proof, store, branch)
    if options.json:
        out(distilled.record.body.decode())
    else:
        out(record_text(distilled.record, new=distilled.new))
    return 0 if isinstance(distilled.record.outcome, DebugResidual) else 1


def _proof(options: Namespace, session: "OpenSession", repo: str | None, proposal: "Proposal | None") -> "Proof | None":
    """Our own runs; None when there is no command to run, which the rules will say."""
    from msgspec import structs

    from ruledout.doors.show.depth import teller
    from ruledout.flows.distill_session import claims_of, gate_argv, prove_fix

    argv = tuple(options.rest) or gate_argv(session)
    if not argv:
        return None
    options.repo = repo
    request = structs.replace(request_of(options, argv), depth=depth_of(options, claims_of(proposal)))
    return prove_fix(wiring.runner(teller()), request)
