"""`ruledout init`: puts the hook into agents' settings, and nothing else. Everything that is written is in a manifest, and `uninstall` takes it back."""

from argparse import ArgumentParser, Namespace

from ruledout import fitting, wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--agent", metavar="NAME", help="one agent (default: all that are found): claude, codex, gemini, copilot, opencode, cursor, openhands")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="your own settings (default)")
    where.add_argument("--project", action="store_true", help="this repository's settings: for all who work in it; silent where ruledout is not installed")
    parser.add_argument("--dry-run", action="store_true", help="show every write, and write nothing")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Install: exit 0, or 1 when a file was refused."""
    from ruledout.doors.front import front
    from ruledout.doors.show.installs import steps_text
    from ruledout.flows.install import Asked, init

    files = fitting.settings_files()
    python, windows = fitting.front()
    project = str(wiring.require_repository(None)) if options.project else None
    steps = init(files, Asked(agent=options.agent, project=project, dry=options.dry_run, windows=windows), front(python, windows=windows))
    out(as_json({"writes": steps, "command": files.shim(), "dry_run": options.dry_run}) if options.json else steps_text(steps, dry=options.dry_run))
    return int(any(step.state == "refused" for step in steps))
