"""`ruledout show RECORD`: one record on one screen."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("record", metavar="RECORD", nargs="?", help="a record's digest, or its first six or more hex digits (default: the newest)")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="the record as JSON")


def run(options: Namespace) -> int:
    """Show one record."""
    from ruledout.doors.show.record import record_text
    from ruledout.doors.show.standing import standings_text
    from ruledout.flows.list_records import newest, standings_of

    with wiring.store(options.repo) as store:
        record = store.get(options.record or newest(store))
        stands = standings_of(store, record.digest)
    out(record.body.decode() if options.json else record_text(record) + standings_text(stands))
    return 0
