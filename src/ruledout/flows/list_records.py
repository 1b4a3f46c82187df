"""What is kept, newest first. Reads titles only."""

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.ports import Kept, Stood, Store
from ruledout.recall.stands import last_of, replays_of


class Listing(Struct, frozen=True, kw_only=True):
    """All records of a store, and how those that were re-checked stood last."""

    records: tuple[Kept, ...]
    standings: tuple[Stood, ...] = ()


def listed(store: Store) -> Listing:
    """All records, newest first. Raises what the store raises."""
    return Listing(records=store.listed(), standings=tuple(last_of(store.standings()).values()))


def standings_of(store: Store, digest: str) -> tuple[Stood, ...]:
    """How one record stood last, and what the last decisive replay of each of its branches came to."""
    found = store.standings([digest])
    return (*last_of(found).values(), *sorted(replays_of(found).values(), key=lambda stood: stood.branch or ""))


def newest(store: Store) -> str:
    """The digest of the record kept last. Raises `BadInput` (`no-records`) when there is none."""
    kept = store.listed()
    if not kept:
        raise BadInput("no-records", "nothing is kept for this repository yet", "distil a session first: `ruledout distill SESSION`")
    return kept[0].digest
