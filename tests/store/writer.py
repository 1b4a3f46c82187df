"""A process that keeps records and prints each digest only when it has been acknowledged. `writer.py PATH NAME COUNT`; COUNT 0 never ends."""

import itertools
import sys

from ruledout.model import wire
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock


def main(path: str, name: str, count: int) -> None:
    """Keep them."""
    store = SqliteStore(path, StillClock())
    for n in range(count) if count else itertools.count():
        record = wire.record(samples.residual(f"Cause {n} of writer {name}."))
        kept, new = store.keep(record, name)
        sys.stdout.write(f"{kept.seq} {kept.digest} {new}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
