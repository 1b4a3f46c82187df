"""A machine that does whatever a store can be asked to memory and file side by side, and compares every answer."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from ruledout.errors import RuledoutError
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.model.residual import EvidenceGrade
from ruledout.ports import Key, NewStanding, Store
from ruledout.recall.index import indexed
from ruledout.recall.words import words
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock
from ruledout.testing.memory import MemoryStore

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
PRINT = st.sampled_from([f"e1:{n:032x}" for n in range(4)] + [f"c1:{n:032x}" for n in range(2)])


@st.composite
def records(draw: st.DrawFn) -> Record:
    branches = [
        samples.branch(
            f"b{n}", hypothesis=draw(st.none() | TEXT), fingerprints=draw(st.lists(PRINT, max_size=3, unique=True)), files=draw(st.lists(TEXT, max_size=2))
        )
        for n in range(draw(st.integers(0, 2)))
    ]
    if draw(st.booleans()):
        return wire.record(samples.handoff(draw(TEXT), ruled_out=branches))
    return wire.record(
        samples.residual(draw(TEXT), branches=branches, evidence=draw(st.sampled_from(EvidenceGrade)), survived=draw(st.lists(PRINT, max_size=1)))
    )


class Agreement(RuleBasedStateMachine):
    kept = Bundle("kept")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="ruledout-agree-"))
        self.clock = StillClock()
        self.memory: Store = MemoryStore(self.clock)
        self.file: Store = SqliteStore(self.folder / "store.db", self.clock)

    def both(self, name: str, *args: object) -> object:
        """What both answer, or raise; they must agree."""
        answers: list[object] = []
        for store in (self.memory, self.file):
            try:
                answers.append(getattr(store, name)(*args))
            except RuledoutError as error:
                answers.append((type(error), error.slug))
        assert answers[0] == answers[1]
        return answers[0]

    @rule(target=kept, record=records(), branch=st.none() | st.text(max_size=10))
    def keep(self, record: Record, branch: str | None) -> Record:
        self.both("keep", record, branch)
        return record

    @rule(record=kept, length=st.integers(0, 80))
    def get(self, record: Record, length: int) -> None:
        self.both("get", record.digest[:length])

    @rule(record=kept)
    def keep_again(self, record: Record) -> None:
        self.both("keep", record, "again")

    @rule(record=kept)
    def forget(self, record: Record) -> None:
        self.both("forget", record.digest)

    @rule(record=kept, extra=st.lists(st.builds(Key, st.sampled_from(["edit", "file", "test"]), st.text(max_size=10)), max_size=2))
    def find(self, record: Record, extra: list[Key]) -> None:
        self.both("find", [*extra, *(key for key, _ in indexed(record).keys)])

    @rule(record=kept, branch=st.none() | TEXT, finding=st.sampled_from(["holds", "broken", "passes", "no finding"]), evidence=TEXT)
    def stand(self, record: Record, branch: str | None, finding: str, evidence: str) -> None:
        self.both("stand", NewStanding(digest=record.digest, branch=branch, finding=finding, evidence=evidence))
        self.both("standings", [record.digest])
        self.both("standings")

    @rule(text=TEXT, record=kept)
    def search(self, text: str, record: Record) -> None:
        asked = [*words(text), *indexed(record).words.split()[:3]]
        assert {hit.digest for hit in self.memory.search(asked, 1000)} == {hit.digest for hit in self.file.search(asked, 1000)}

    @rule(time=st.sampled_from(["2025-01-01T00:00:00Z", "2027-01-01T00:00:00Z"]))
    def move_the_clock(self, time: str) -> None:
        self.clock.time = time

    @rule()
    def open_the_file_again(self) -> None:
        self.file.close()
        self.file = SqliteStore(self.folder / "store.db", self.clock)

    @invariant()
    def they_list_the_same(self) -> None:
        self.both("listed")

    def teardown(self) -> None:
        assert self.memory.audit() == self.file.audit() == ()
        assert list(self.memory.records()) == list(self.file.records())
        self.file.close()
        shutil.rmtree(self.folder)


def test_memory_and_file_agree_on_everything() -> None:
    run_state_machine_as_test(Agreement, settings=settings(max_examples=25, stateful_step_count=15, deadline=None))
