"""A failure, a file, a test id, a signature or a question finds the record that bears on it, the surest first."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ruledout.errors import BadInput
from ruledout.flows.list_records import listed, newest
from ruledout.flows.recall_residuals import recall
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.model.residual import EvidenceGrade
from ruledout.observe.outcome import observe
from ruledout.ports import Store
from ruledout.recall.brief import BUDGET, tokens
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

OUTPUT = """\
Traceback (most recent call last):
  File "/home/someone/shop/src/ledger.py", line 41, in <module>
    main()
  File "/home/someone/shop/src/ledger.py", line 17, in post
    raise LedgerClosedError("period 2026-03 is closed")
shop.errors.LedgerClosedError: period 2026-03 is closed
"""
SIGNATURE = observe("", OUTPUT).signature
CART = wire.record(samples.residual())
RATES = wire.record(samples.handoff())
LEDGER = wire.record(samples.residual("A closed period still accepts postings from the queue.", branches=[], symptom=SIGNATURE))
POOL = wire.record(
    samples.residual("The connection pool hands out sockets that the peer has closed.", branches=[samples.branch(files=["src/net/pool.py"], hypothesis=None)])
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(SqliteStore(tmp_path / "store.db", StillClock())) as store:
        for record in (CART, RATES, LEDGER, POOL):
            store.keep(record, None)
        yield store


CASES = {
    "the same failure's output": (OUTPUT, LEDGER, "same failure"),
    "the same failure with other numbers and paths": (OUTPUT.replace("/home/someone", "/build/77").replace("line 41", "line 52"), LEDGER, "same failure"),
    "a normalised id": (samples.signature("KeyError", "tests/test_rates.py::test_rate").normalised, RATES, "same failure"),
    "a coarse id": (f"seen before? {samples.signature('KeyError').coarse}", RATES, "same kind of failure"),
    "a test id": ("FAILED tests/test_rates.py::test_rate - KeyError: 'rate'", RATES, "test tests/test_rates.py::test_rate"),
    "a path": ("what about src/net/pool.py here", POOL, "file src/net/pool.py"),
    "a question in words": ("why are sockets from the pool closed already?", POOL, "words"),
    "a question in other forms of the words": ("closing sockets of pooled connections by peers", POOL, "words"),
}


@pytest.mark.parametrize(("text", "expected", "why"), CASES.values(), ids=CASES)
def test_the_record_that_bears_on_it_comes_first_and_says_why(store: Store, text: str, expected: Record, why: str) -> None:
    found = recall(store, text)
    assert found.hits[0].record == expected.digest
    assert why in found.hits[0].why
    assert found.brief.startswith("<quoted-")
    assert tokens(found.brief) <= BUDGET


@pytest.mark.parametrize("text", ["", "zebra", "\ud800", "\0", "the of and", '"'])
def test_what_nothing_bears_on_finds_nothing_and_says_nothing(store: Store, text: str) -> None:
    found = recall(store, text)
    assert (found.hits, found.brief) == ((), "")


def test_a_failure_stands_before_a_test_before_a_file_before_words(store: Store) -> None:
    hits = recall(store, OUTPUT + "tests/test_rates.py::test_rate\nsrc/net/pool.py\nrounded per item, tax law, invoice").hits
    assert [hit.record for hit in hits] == [LEDGER.digest, RATES.digest, POOL.digest, CART.digest]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_proved_record_is_not_pushed_out_by_many_unproved_ones(store: Store) -> None:
    for n in range(60):
        store.keep(wire.record(samples.residual(f"Flood {n}: a closed period.", branches=[], symptom=SIGNATURE, evidence=EvidenceGrade.OBSERVED)), None)
    assert recall(store, OUTPUT, 3).hits[0].record == LEDGER.digest


def test_no_more_than_the_limit_and_the_json_is_the_contracts(store: Store) -> None:
    found = json.loads(msgspec.json.encode(recall(store, "src/cart.py", 1, id="q1")))
    assert sorted(found) == ["brief", "hits", "id"]
    assert [sorted(hit) for hit in found["hits"]] == [["record", "score", "why"]]


def test_long_output_is_read_from_its_end(store: Store) -> None:
    assert recall(store, "noise of a build\n" * 20_000 + OUTPUT).hits[0].record == LEDGER.digest


def test_records_are_listed_newest_first_and_an_empty_store_says_so(store: Store, tmp_path: Path) -> None:
    assert [kept.digest for kept in listed(store).records] == [POOL.digest, LEDGER.digest, RATES.digest, CART.digest]
    assert newest(store) == POOL.digest
    with closing(SqliteStore(tmp_path / "empty.db", StillClock())) as empty, pytest.raises(BadInput, match="nothing is kept"):
        newest(empty)
