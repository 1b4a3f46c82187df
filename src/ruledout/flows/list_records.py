"""What is kept, newest first. Reads titles only."""

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.ports import Kept, Store


class Listing(Struct, frozen=True, kw_only=True):
    """All records of a store."""

    records: tuple[Kept, ...]


def listed(store: Store) -> Listing:
    """All records, newest first. Raises what the store raises."""
    return Listing(records=store.listed())


def newest(store: Store) -> str:
    """The digest of the record kept last. Raises `BadInput` (`no-records`) when there is none."""
    kept = store.listed()
    if not kept:
        raise BadInput("no-records", "nothing is kept for this repository yet", "distil a session first: `ruledout distill SESSION`")
    return kept[0].digest
