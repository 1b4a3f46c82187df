"""`ruledout list`: what is kept for this repository, newest first."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """List the records."""
    from ruledout.doors.show.answers import listing
    from ruledout.flows.list_records import listed

    with wiring.store(options.repo) as store:
        found = listed(store)
    out(as_json(found) if options.json else listing(found))
    return 0
