"""`ruledout boundary --param NAME=LOW..HIGH -- CMD {NAME}`: finds the value at which a command stops to hold. The command is run as it is, without a shell."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out
from ruledout.doors.verbs.prove_ import request_of
from ruledout.errors import BadInput


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.usage = "ruledout boundary --param NAME=LOW..HIGH [options] -- CMD ... {NAME}"
    values = "1..64, 0.1..0.9, 64K..1G, 2026-01-01..2026-12-31, or a,b,c in order"
    parser.add_argument("--param", metavar="NAME=VALUES", required=True, help=f"the parameter and its values: {values}; `{{NAME}}` in the command is replaced")
    parser.add_argument("--scale", choices=("linear", "log"), default="linear", help="log: from the low end by doubling, then bisection (default: linear)")
    parser.add_argument("--tolerance", metavar="STEP", help="how near to find it (default: 1, a day, a second, the low end's unit, a thousandth of the range)")
    parser.add_argument("--runs", type=int, default=3, help="how often both edges are run, to tell a threshold from a flaky zone (default: 3)")
    parser.add_argument("--timeout", type=float, metavar="S", default=300.0, help="time budget of one run in seconds; a run over it fails (default: 300)")
    parser.add_argument("--env", metavar="NAME", action="append", default=[], help="let this variable of yours reach the run")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Find a boundary: exit 0 found (or a flaky zone), 1 not there in the range, 3 could not run."""
    from ruledout.doors.show.again import boundary_text
    from ruledout.doors.show.depth import teller
    from ruledout.flows.find_boundary import EXITS, find_boundary
    from ruledout.rerun import BoundaryRequest

    if not options.rest:
        raise BadInput("no-command", "there is no command to run", "put it after --: `ruledout boundary --param n=1..64 -- python load.py {n}`")
    options.base, options.test_paths = None, ()
    gate = request_of(options, tuple(options.rest))
    request = BoundaryRequest(gate=gate, parameter=options.param, scale=options.scale, tolerance=options.tolerance)
    found = find_boundary(wiring.rerunner(teller()), request)
    out(as_json(found) if options.json else boundary_text(found, request.parameter))
    return EXITS[found.end]
