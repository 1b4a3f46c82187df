"""The command line: parses, calls one flow, shows. It decides nothing but the exit code."""

from collections.abc import Sequence


def run(argv: Sequence[str]) -> int:
    """Run one verb; the exit code of the command contract."""
    return 2 if not argv else 70
