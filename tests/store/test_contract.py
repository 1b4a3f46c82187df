"""Every store keeps the same promises."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ruledout.ports import Store
from ruledout.store.sqlite import SqliteStore
from ruledout.testing.clock import StillClock
from ruledout.testing.contract import CHECKS, Check
from ruledout.testing.memory import MemoryStore

MAKERS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _: MemoryStore(StillClock()),
    "sqlite": lambda folder: SqliteStore(folder / "kept" / "store.db", StillClock()),
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize("maker", MAKERS)
def test_every_store_keeps_the_contract(check: Check, maker: str, tmp_path: Path) -> None:
    opened: list[Store] = []

    def make() -> Store:
        opened.append(MAKERS[maker](tmp_path / str(len(opened))))
        return opened[-1]

    check(make)
    for store in opened:
        store.close()
