"""`ruledout trust RECORD [BRANCH]`: allows exactly what a record would run here, and nothing else; any change of it asks again (R12). Runs nothing."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out
from ruledout.doors.verbs.replay_ import add_place
from ruledout.errors import BadInput

if TYPE_CHECKING:
    from ruledout.flows.stored_gate import StoredGate


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.usage = "ruledout trust RECORD [BRANCH] | --list | --revoke ID"
    parser.add_argument("record", metavar="RECORD", nargs="?", help="the record whose gate may run: its digest, or the first six or more hex digits of it")
    parser.add_argument("branch", metavar="BRANCH", nargs="?", help="the branch whose edits may be laid on a tree and run (`ruledout replay`)")
    parser.add_argument("--list", action="store_true", help="what you have allowed")
    parser.add_argument("--revoke", metavar="ID", help="take back a leave, by its id")
    add_place(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Allow, list or take back: exit 0."""
    from ruledout.doors.show.leave import granted_text, grants_text
    from ruledout.flows.trust import allow

    grants = wiring.grants()
    if options.list:
        found = grants.listed()
        out(as_json({"grants": found}) if options.json else grants_text(found))
    elif options.revoke is not None:
        gone = grants.revoke(options.revoke)
        out(as_json({"revoked": gone}) if options.json else f"taken back: {gone.key[:12]} for {gone.subject}")
    else:
        granted = allow(wiring.rerunner(), grants, _gate(options))
        out(as_json(granted) if options.json else granted_text(granted))
    return 0


def _gate(options: Namespace) -> "StoredGate":
    from ruledout.flows.stored_gate import branch_gate, gate_of

    if options.record is None:
        raise BadInput("no-record", "there is no record to allow", "give its digest, as `ruledout list` shows it; or --list, or --revoke ID")
    root = str(wiring.require_repository(options.repo))
    with wiring.store(options.repo) as store:
        record = store.get(options.record)
    if options.branch is None and options.on is None:
        return gate_of(record, root, 3)
    return branch_gate(record, options.branch, root, 3, options.on)
