"""`ruledout doctor`: where the hook is installed, whether its command answers, and whether what it stands on is sound. Exit 0 sound, 1 something is wrong."""

from argparse import ArgumentParser, Namespace

from ruledout import fitting, wiring
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Look, try, tell."""
    from ruledout.doors.front import front
    from ruledout.doors.show.installs import diagnosis_text
    from ruledout.flows.diagnose import diagnose
    from ruledout.flows.install import Asked

    python, windows = fitting.front()
    root = wiring.repository(options.repo)
    asked = Asked(project=str(root) if root else None, windows=windows)
    found = diagnose(fitting.settings_files(), asked, front(python, windows=windows), fitting.machine(options.repo), fitting.replayer())
    out(as_json(found) if options.json else diagnosis_text(found))
    return int(not found.sound)
