"""`ruledout inspect SESSION`: what happened in a session. Reads, keeps nothing, runs nothing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def arguments(parser: "ArgumentParser") -> None:
    """The verb's own arguments."""
    parser.add_argument("session", metavar="SESSION", help="a session file, a folder of event files, or - for standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object, as docs/cli.md gives it")


def plainly(argv: Sequence[str]) -> dict[str, object] | None:
    """The options of `SESSION` with or without `--json`; None for anything else, which the parser then reads or refuses."""
    sessions = [word for word in argv if word != "--json"]
    if len(sessions) != 1 or (sessions[0].startswith("-") and sessions[0] != wiring.STDIN):
        return None
    return {"session": sessions[0], "json": "--json" in argv}


def run(options: "Namespace") -> int:
    """Inspect one session."""
    from ruledout.flows.inspect_session import inspect_session

    answer = inspect_session(wiring.session_bytes(options.session), options.session)
    if options.json:
        out(as_json(answer))
        return 0
    from ruledout.doors.show.session import inspected

    out(inspected(answer))
    return 0
