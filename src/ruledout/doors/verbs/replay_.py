"""`ruledout replay RECORD [BRANCH]`: tries a dead end again on the tree it was tried on, or on today's. Runs what is stored, so only with leave (R12)."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("record", metavar="RECORD", help="a record's digest, or its first six or more hex digits")
    parser.add_argument("branch", metavar="BRANCH", nargs="?", help="the branch, b1 and so on (default: the only one)")
    add_place(parser)
    parser.add_argument("--runs", type=int, default=3, help="how often each tree is run (default: 3)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def add_place(parser: ArgumentParser) -> None:
    """Where a replay is made; `trust` takes it too, for leave hangs on it."""
    parser.add_argument("--on", choices=("base", "today"), help="the commit it was tried on, with today's tests, or today's tree (default: base, where known)")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")


def run(options: Namespace) -> int:
    """Replay one branch: exit 0 it still fails so, 1 it does not, 3 it could not be found out."""
    from ruledout.doors.show.again import replay_text
    from ruledout.flows.replay_branch import EXITS, replay_branch
    from ruledout.flows.stored_gate import branch_gate

    root = str(wiring.require_repository(options.repo))
    with wiring.store(options.repo) as store:
        gate = branch_gate(store.get(options.record), options.branch, root, options.runs, options.on)
        found = replay_branch(store, wiring.rerunner(), wiring.grants(), gate)
    out(as_json(found) if options.json else replay_text(found))
    return EXITS.get(found.replay.finding, 1)
