"""`ruledout audit`: derives every digest and the chain of rows again."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Audit the store: exit 0 sound, 1 when something does not add up."""
    from ruledout.doors.show.answers import audited
    from ruledout.flows.audit import audit

    with wiring.store(options.repo) as store:
        found = audit(store)
    out(as_json(found) if options.json else audited(found))
    return 1 if found.findings else 0
