"""How records and their dead ends stand now, out of what was appended about them, newest first (R10). Pure; the newest decisive finding counts."""

from collections.abc import Sequence

from ruledout.model.record import Replayed
from ruledout.ports import Stood

DECISIVE = frozenset((Replayed.STILL_FAILS_SO, Replayed.FAILS_OTHERWISE, Replayed.PASSES))
"""a replay that was flaky, or that could not be run, takes back nothing that was found before"""


def last_of(standings: Sequence[Stood]) -> dict[str, Stood]:
    """The last standing of each record itself."""
    found: dict[str, Stood] = {}
    for stood in standings:
        if stood.branch is None:
            found.setdefault(stood.digest, stood)
    return found


def replays_of(standings: Sequence[Stood]) -> dict[tuple[str, str], Stood]:
    """The last decisive replay of each branch, by record and branch."""
    found: dict[tuple[str, str], Stood] = {}
    for stood in standings:
        if stood.branch is not None and stood.finding in DECISIVE:
            found.setdefault((stood.digest, stood.branch), stood)
    return found


def overturned(standings: Sequence[Stood]) -> dict[tuple[str, str], str]:
    """Branches whose last decisive replay passed, with when that was seen."""
    return {place: f"it passed when it was replayed, {stood.at}" for place, stood in replays_of(standings).items() if stood.finding == Replayed.PASSES}
