"""`ruledout why FILE[:LINE]`: what a line guards against, with the proof. Reads; runs nothing."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("place", metavar="FILE[:LINE]", help="a file of the repository, or a line in it")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object, as docs/cli.md gives it")


def run(options: Namespace) -> int:
    """Say it: exit 0, also where nothing is kept."""
    from ruledout.doors.show.guards import why_text
    from ruledout.flows.protect_guards import why

    name, _, number = options.place.rpartition(":")
    file, line = (name, int(number)) if name and number.isdigit() else (options.place, None)
    with wiring.changes(options.repo) as changes, wiring.store(options.repo) as store:
        answer = why(store, changes.files(), wiring.inside(file, options.repo), line)
    out(as_json(answer) if options.json else why_text(answer))
    return 0
