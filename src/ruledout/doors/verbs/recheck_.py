"""`ruledout recheck`: do the kept fixes still hold. First by bytes, then by their own gates where you allowed them (R12)."""

import re
from argparse import ArgumentParser, Namespace
from time import monotonic

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out
from ruledout.errors import BadInput

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("records", metavar="ID", nargs="*", help="records, by at least six hex digits (default: all residuals of this repository)")
    parser.add_argument("--changed-since", metavar="REV", help="only those whose patch or gate reaches a file that differs from this revision")
    parser.add_argument("--budget", metavar="TIME", help="start no more runs after this time: 90s, 10m, 1h (default: no limit)")
    parser.add_argument("--runs", type=int, default=3, help="how often each gate is run (default: 3)")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Re-check: exit 0 nothing is broken, 1 a bug is back or leave is missing, 3 something could not be found out."""
    from ruledout.doors.show.again import recheck_text
    from ruledout.doors.show.depth import teller
    from ruledout.flows.recheck import Asked, Watch, exit_of, recheck

    root = str(wiring.require_repository(options.repo))
    if options.runs < 1:
        raise BadInput("bad-number", "--runs takes a positive number", "give at least 1 run")
    asked = Asked(root=root, ids=tuple(options.records), changed_since=options.changed_since, budget_s=_seconds(options.budget), runs=options.runs)
    with wiring.store(options.repo) as store:
        report = recheck(store, wiring.rerunner(), wiring.grants(), asked, Watch(monotonic, teller()))
    out(as_json(report) if options.json else recheck_text(report))
    return exit_of(report)


def _seconds(budget: str | None) -> float | None:
    if budget is None:
        return None
    found = re.fullmatch(r"(\d{1,6})([smh]?)", budget)
    if found is None:
        raise BadInput("bad-number", f"--budget {budget[:40]!a} is no time", "give seconds, minutes or hours: 90s, 10m, 1h")
    return int(found[1]) * _UNITS[found[2]]
