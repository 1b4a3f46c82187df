"""How fast the store answers with many records: `python benchmarks/store_speed.py [COUNT]`. Fills a store of its own in a temporary folder."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ruledout.flows.check_action import check
from ruledout.flows.recall_residuals import recall
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.recall.question import AskedEdit, Question
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

NOUNS = [
    "cache",
    "ledger",
    "pool",
    "socket",
    "invoice",
    "parser",
    "lock",
    "queue",
    "token",
    "schema",
    "cursor",
    "buffer",
    "thread",
    "header",
    "session",
    "index",
]


def record(n: int) -> Record:
    """A residual that shares words and a test with others, and an edit with none."""
    one, two, three = NOUNS[n % 16], NOUNS[n // 16 % 16], NOUNS[n // 256 % 16]
    branch = samples.branch(
        hypothesis=f"The {one} drops the {two} before the {three} number {n} is written.",
        fingerprints=[f"e1:{n:032x}"],
        files=[f"src/{one}/{two}_{n % 97}.py"],
        failure=samples.signature("ValueError", f"tests/test_{one}.py::test_{two}_{n}"),
    )
    return wire.record(samples.residual(f"The {one} of the {two} outlives its {three} {n}.", branches=[branch], survived=[f"e1:{'f' * 24}{n:08x}"]))


def timed(what: str, act: Callable[[int], object], rounds: int = 200) -> None:
    """Print the median, the 99th percentile and the worst, in milliseconds."""
    spent = []
    for n in range(rounds):
        start = time.perf_counter()
        act(n)
        spent.append((time.perf_counter() - start) * 1e3)
    spent.sort()
    print(f"{what:34} p50 {statistics.median(spent):9.2f}  p99 {spent[int(len(spent) * 0.99)]:9.2f}  max {spent[-1]:9.2f} ms")


def fill(store: SqliteStore, count: int) -> None:
    """Keep them without waiting for the disk, which is not what is measured."""
    store._db.execute("PRAGMA synchronous = OFF")  # noqa: SLF001  # only here
    start = time.perf_counter()
    for n in range(count):
        store.keep(record(n), None)
    print(f"{'filled, not synced':34} {count} records, {(time.perf_counter() - start) / count * 1e3:.2f} ms each")
    store._db.execute("PRAGMA synchronous = EXTRA")  # noqa: SLF001  # as above


def main(count: int) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        store = SqliteStore(path, StillClock())
        fill(store, count)
        print(f"{'file':34} {path.stat().st_size / 1e6:.1f} MB")
        timed("keep, synced", lambda n: store.keep(record(count + n), None), 100)
        timed("open and close", lambda _: SqliteStore(path, StillClock()).close(), 50)
        edit = AskedEdit(path="src/cache/pool_1.py", removed=("a",), added=("b",))
        timed("check: an edit never seen", lambda _: check(store, Question(edit=edit)))
        timed(
            "check: a signature seen once",
            lambda n: check(store, Question(signature=samples.signature("ValueError", f"tests/test_{NOUNS[n % 16]}.py").normalised)),
        )
        timed("check: an idea", lambda n: check(store, Question(idea=f"maybe the {NOUNS[n % 16]} drops the {NOUNS[n % 7]} number {n}")))
        timed("recall: words", lambda n: recall(store, f"why does the {NOUNS[n % 16]} lose its {NOUNS[n % 7]}"))
        timed("recall: a file", lambda n: recall(store, f"src/cache/ledger_{n % 97}.py"))
        timed("get", lambda n: store.get(record(n).digest), 100)
        timed("quick_check", lambda _: store._db.execute("PRAGMA quick_check").fetchall(), 3)  # noqa: SLF001  # only here
        timed("audit", lambda _: store.audit(), 1)
        timed("rebuild the search tables", lambda _: store.rebuild_search(), 1)
        timed("forget", lambda n: store.forget(record(n).digest), 3)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
