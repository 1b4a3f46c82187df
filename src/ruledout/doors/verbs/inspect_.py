"""`ruledout inspect SESSION`: what happened in a session. Reads, keeps nothing, runs nothing."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("session", metavar="SESSION", help="a session file, a folder of event files, or - for standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object, as docs/cli.md gives it")


def run(options: Namespace) -> int:
    """Inspect one session."""
    from ruledout.flows.inspect_session import inspect_session

    answer = inspect_session(wiring.session_bytes(options.session), options.session)
    if options.json:
        out(as_json(answer))
        return 0
    from ruledout.doors.show.session import inspected

    out(inspected(answer))
    return 0
