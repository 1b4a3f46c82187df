"""`ruledout forget RECORD`: takes a record out for good; only a tombstone of its digest stays, so that it does not come back."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("record", metavar="RECORD", help="a record's digest, or its first six or more hex digits")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Forget one record."""
    from ruledout.flows import trust
    from ruledout.flows.stored_gate import short

    with wiring.store(options.repo) as store:
        record = store.get(options.record)
        digest = record.digest
        store.forget(digest)
    trust.forget(wiring.grants(), short(record))
    out(as_json({"forgotten": digest}) if options.json else f"forgotten: {digest}")
    return 0
