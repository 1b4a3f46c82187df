"""`ruledout sessions`: what agents keep on this machine, newest first. Reads other programs' files, writes none, runs nothing."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--since", metavar="SPAN", help="only sessions changed since (30m, 12h, 2d, 1w, or a day as 2026-11-01)")
    parser.add_argument("--repo", metavar="DIR", help="only sessions of this repository (default: all of this machine)")
    parser.add_argument("--agent", metavar="NAME", help="only this agent's sessions (claude-code, codex-cli, ...)")
    parser.add_argument("--full", action="store_true", help="read every session to its end, however many; without it, the newest 32 MiB")
    parser.add_argument("--json", action="store_true", help="one JSON object, as docs/cli.md gives it")


def run(options: Namespace) -> int:
    """List the sessions."""
    from ruledout.doors.show.found import listed
    from ruledout.doors.verbs.many import of_repository
    from ruledout.flows.list_sessions import BUDGET, list_sessions, since

    after = None if options.since is None else since(wiring.clock().now(), options.since)
    belongs = None if options.repo is None else of_repository(str(wiring.require_repository(options.repo)))
    found = list_sessions(wiring.sessions(options.repo), options.agent, after, belongs, 1 << 62 if options.full else BUDGET)
    out(as_json(found) if options.json else listed(found))
    return 0
