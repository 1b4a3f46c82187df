"""`ruledout demo`: the main job on a small real repository and a session that was recorded on it, with the real program, before your eyes."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from ruledout import wiring
from ruledout.doors.show.plain import out

GATE = "python -m unittest -v tests.test_shares"
STEPS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("What happened in this session?", "ruledout inspect session.jsonl", (0,)),
    (
        "Did that fix really fix it? The gate is run: red without the patch, green with it, red again on revert; then each piece is taken out alone.",
        f"ruledout distill session.jsonl --proposal proposal.json --ablate -- {GATE}",
        (0,),
    ),
    ("Has this been tried? The first dead end, about to be made again:", "ruledout check --diff dead_end.diff", (1,)),
    ("The change that won is clear:", "ruledout check --diff winner.diff", (0,)),
    ("May this odd check be deleted? What it stands against:", "ruledout why shares/__init__.py:10", (0,)),
    ("And a change that deletes it:", "ruledout guard --diff no_refunds.diff", (1,)),
    ("The same session, had it broken off before its last run: no proof, so no residual.", "ruledout distill broken_off.jsonl --no-keep", (1,)),
)
"""What is shown, the command, and the exit codes that are right for it."""


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--keep", metavar="DIR", help="lay the repository out here and leave it (default: a temporary folder)")


def run(options: Namespace) -> int:
    """Play the demo: exit 0 when every step ended as it should, 1 when one did not."""
    with wiring.demo_ground(options.keep) as ground:
        wrong = [command for told, command, right in STEPS if not _step(ground.ruledout, told, command, right)]
        if options.keep:
            out(f"\nThe repository stays in {Path(options.keep)}.")
    for command in wrong:
        out(f"\nThis step did not end as it should: {command}")
    return 1 if wrong else 0


def _step(ruledout: Callable[[str], tuple[str, int | None]], told: str, command: str, right: tuple[int, ...]) -> bool:
    """One command, shown and run."""
    out(f"\n# {told}\n$ {command}")
    text, code = ruledout(command)
    out(text)
    return code in right
