"""How a record stands, beside the record: what was found since it was kept. The record itself says what it said."""

from collections.abc import Sequence

from ruledout.doors.show.session import line
from ruledout.ports import Stood


def standings_text(standings: Sequence[Stood]) -> str:
    """A line for the record and one for each branch that was replayed; empty where nothing was found since."""
    return "".join(
        f"\n{'stands' if stood.branch is None else f'replay {stood.branch}':<9} {stood.finding.replace('_', ' ')}, {stood.at}: {line(stood.evidence, 140)}"
        for stood in standings
    )
