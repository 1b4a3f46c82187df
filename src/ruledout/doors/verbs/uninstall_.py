"""`ruledout uninstall`: takes the hook out of agents' settings again: byte for byte as they were, or exactly our entries. Records stay."""

from argparse import ArgumentParser, Namespace

from ruledout import fitting, wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--agent", metavar="NAME", help="one agent (default: all)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="your own settings only")
    where.add_argument("--project", action="store_true", help="this repository's settings only")
    parser.add_argument("--dry-run", action="store_true", help="show what would be taken out, and write nothing")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Uninstall: exit 0, or 1 when a file was refused."""
    from ruledout.doors.show.installs import gone_text
    from ruledout.flows.install import Asked
    from ruledout.flows.uninstall import uninstall

    root = wiring.require_repository(None) if options.project else wiring.repository(None)
    scope = "user" if options.user else "project" if options.project else None
    asked = Asked(agent=options.agent, project=str(root) if root else None, dry=options.dry_run, windows=fitting.front()[1])
    steps, gone = uninstall(fitting.settings_files(), asked, scope)
    out(as_json({"writes": steps, "gone": gone, "dry_run": options.dry_run}) if options.json else gone_text(steps, gone, dry=options.dry_run))
    return int(any(step.state == "refused" for step in steps))
