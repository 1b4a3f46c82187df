"""Every store keeps the same promises."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ruledout.errors import RuledoutError
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.ports import Kept, Key, KeyHit, Store
from ruledout.store.sqlite import SqliteStore
from ruledout.testing.clock import StillClock
from ruledout.testing.contract import CHECKS
from ruledout.testing.memory import MemoryStore
from ruledout.testing.promises import Check

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


class Forgetful(MemoryStore):
    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:
        self._rows = [row for row in self._rows if row[0].digest != record.digest]
        return super().keep(record, branch)


class Undead(MemoryStore):
    def forget(self, digest: str) -> None:
        super().forget(digest)
        self._forgotten.clear()


class Loose(MemoryStore):
    def find(self, keys: Sequence[Key]) -> tuple[KeyHit, ...]:
        held = [(kept, indexed) for kept, _, indexed in reversed(self._rows)]
        return tuple(
            KeyHit(key=key, digest=kept.digest, branch=branch, evidence=indexed.evidence)
            for key in keys
            for kept, indexed in held
            for other, branch in indexed.keys
            if other.kind == key.kind and other.value.startswith(key.value)
        )


class Trusting(MemoryStore):
    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:
        return super().keep(wire.record(record.outcome), branch)


class Backwards(MemoryStore):
    def listed(self) -> tuple[Kept, ...]:
        return super().listed()[::-1]


class Restless(MemoryStore):
    def close(self) -> None:
        pass


@pytest.mark.parametrize("kind", [Forgetful, Undead, Loose, Trusting, Backwards, Restless])
def test_a_store_that_breaks_a_promise_is_caught(kind: type[MemoryStore]) -> None:
    caught = []
    for name, check in CHECKS.items():
        try:
            check(lambda: kind(StillClock()))
        except (AssertionError, RuledoutError):
            caught.append(name)
    assert caught
