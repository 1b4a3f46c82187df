"""`ruledout handoff`: what the next agent needs to go on with unresolved work, within a token budget."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("record", metavar="RECORD", nargs="?", help="a handoff's digest (default: the newest handoff of this branch, else of this repository)")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--tokens", type=int, default=800, help="the most tokens to print (default: 800)")
    parser.add_argument("--json", action="store_true", help="the record as JSON")


def run(options: Namespace) -> int:
    """Show the handoff that stands open: exit 0 when there is one, 1 when nothing stands open."""
    from ruledout.flows.hand_off import hand_off

    branch = wiring.current_branch(wiring.repository(options.repo))
    with wiring.store(options.repo) as store:
        found = hand_off(store, options.record, branch, options.tokens)
    if found is None:
        out("null" if options.json else "nothing stands open here")
        return 1
    out(found.record.body.decode() if options.json else found.brief)
    return 0
