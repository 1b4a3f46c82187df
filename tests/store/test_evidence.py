"""Whatever is done to the rows behind the store's back, the audit names the row."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ruledout.flows.audit import audit
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.store import chain
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

Found = set[tuple[str, str]]
COUNT = 8
FORGOTTEN = 5


def numbered(n: int) -> Record:
    return wire.record(samples.residual(f"Cause number {n} of the failure."))


def filled(path: Path) -> None:
    """Rows 1 to 8 are records, of which 5 is forgotten; row 9 says so."""
    with closing(SqliteStore(path, StillClock())) as store:
        for n in range(1, COUNT + 1):
            store.keep(numbered(n), f"branch-{n}")
        store.forget(numbered(FORGOTTEN).digest)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of a filled store, made once."""
    folder = tmp_path_factory.mktemp("whole")
    filled(folder / "store.db")
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture
def path(whole: dict[str, bytes], tmp_path: Path) -> Path:
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path / "store.db"


def freed(db: sqlite3.Connection) -> None:
    """Take away what holds the table together, as an intruder would."""
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute("DROP INDEX records_by_digest")


def findings(path: Path) -> Found:
    with closing(SqliteStore(path, StillClock())) as store:
        return {(finding.row, finding.code) for finding in store.audit()}


def after(path: Path, *statements: str) -> Found:
    with closing(sqlite3.connect(path)) as db, db:
        freed(db)
        for statement in statements:
            db.execute(statement)
    return findings(path)


SWAP = ("UPDATE records SET seq = -1 WHERE seq = 2", "UPDATE records SET seq = 2 WHERE seq = 3", "UPDATE records SET seq = 3 WHERE seq = -1")
COPY = "INSERT INTO records SELECT {to}, kind, digest, body, at, branch, salt, leaf, chain FROM records WHERE seq = {of}"
TAMPERED: dict[str, tuple[tuple[str, ...], Found]] = {
    "nothing": ((), set()),
    "a row deleted": (("DELETE FROM records WHERE seq = 3",), {("3", "missing_row"), ("4", "chain_broken"), ("search", "search_stale")}),
    "the first row deleted": (("DELETE FROM records WHERE seq = 1",), {("1", "missing_row"), ("2", "chain_broken"), ("search", "search_stale")}),
    "the last rows cut off": (("DELETE FROM records WHERE seq > 6",), {("7..9", "missing_row"), ("5", "missing_row"), ("search", "search_stale")}),
    "the last row cut off": (("DELETE FROM records WHERE seq = 9",), {("9", "missing_row"), ("5", "missing_row")}),
    "two rows exchanged": (SWAP, {("2", "chain_broken"), ("3", "chain_broken"), ("4", "chain_broken"), ("2", "search_stale"), ("3", "search_stale")}),
    "a row doubled at the end": ((COPY.format(to=10, of=3),), {("10", "chain_broken"), ("10", "search_stale")}),
    "a row put before the first": ((COPY.format(to=0, of=3),), {("0", "chain_broken"), ("1", "chain_broken"), ("3", "chain_broken"), ("0", "search_stale")}),
    "a body exchanged": (("UPDATE records SET body = (SELECT body FROM records WHERE seq = 2) WHERE seq = 4",), {("4", "digest_mismatch")}),
    "a body and its digest exchanged": (
        ("UPDATE records SET (body, digest) = (SELECT body, digest FROM records WHERE seq = 2) WHERE seq = 4",),
        {("4", "chain_broken"), ("4", "search_stale")},
    ),
    "a body taken out": (("UPDATE records SET body = NULL WHERE seq = 4",), {("4", "missing_row"), ("4", "search_stale"), ("search", "search_stale")}),
    "a row made to look forgotten": (
        (
            "UPDATE records SET body = NULL, at = NULL, branch = NULL, salt = NULL WHERE seq = 4",
            "DELETE FROM keys WHERE seq = 4",
            "DELETE FROM titles WHERE seq = 4",
        ),
        {("4", "missing_row"), ("4", "search_stale"), ("search", "search_stale")},
    ),
    "a time changed": (("UPDATE records SET at = '2020-01-01T00:00:00Z' WHERE seq = 4",), {("4", "chain_broken")}),
    "a branch changed": (("UPDATE records SET branch = 'x' WHERE seq = 4",), {("4", "chain_broken")}),
    "a branch taken out": (("UPDATE records SET branch = NULL WHERE seq = 4",), {("4", "chain_broken")}),
    "a salt taken out": (("UPDATE records SET salt = NULL WHERE seq = 4",), {("4", "chain_broken")}),
    "salt and time taken out": (("UPDATE records SET salt = NULL, at = NULL WHERE seq = 4",), {("4", "chain_broken")}),
    "a tombstone made a record": (("UPDATE records SET kind = 'keep' WHERE seq = 9",), {("9", "chain_broken"), ("5", "missing_row"), ("9", "missing_row")}),
    "a key added": (("INSERT INTO keys VALUES ('edit', 'e1:planted', 4, 'b1')",), {("4", "search_stale")}),
    "a key of no record added": (("INSERT INTO keys VALUES ('edit', 'e1:planted', 77, 'b1')",), {("search", "search_stale")}),
    "a title changed": (("UPDATE titles SET title = 'All is well.' WHERE seq = 4",), {("4", "search_stale")}),
    "a grade raised": (("UPDATE titles SET evidence = 'proved' WHERE seq = 4",), {("4", "search_stale")}),
    "words changed": (("UPDATE words SET text = 'zebra' WHERE rowid = 4",), {("4", "search_stale")}),
    "the index of words changed": (("UPDATE words_content SET c0 = 'zebra' WHERE id = 4",), {("4", "search_stale"), ("search", "search_stale")}),
}


@pytest.mark.parametrize(("statements", "expected"), TAMPERED.values(), ids=TAMPERED)
def test_R11_what_was_done_to_a_row_is_found_and_the_row_named(path: Path, statements: tuple[str, ...], expected: Found) -> None:
    found = after(path, *statements)
    assert expected <= found
    assert {row for row, _ in found} <= {row for row, _ in expected} | {"9", "10"}, "only these rows, and what follows from them"
    assert bool(found) is bool(expected)


def test_R11_any_flipped_bit_in_any_column_of_any_row_is_found_and_the_row_named(path: Path) -> None:
    chance = random.Random(20260102)  # noqa: S311  # the same bits in every run
    with closing(sqlite3.connect(path)) as db, db:
        freed(db)
        sound = db.execute("SELECT * FROM records ORDER BY seq").fetchall()
        columns = [column[1] for column in db.execute("PRAGMA table_info(records)")]
    missed: list[str] = []
    with closing(SqliteStore(path, StillClock())) as store:
        for row in sound:
            for column, value in zip(columns, row, strict=True):
                if column in ("seq", "kind") or value is None:
                    continue
                data = bytearray(value if isinstance(value, bytes) else str(value).encode())
                bit = chance.randrange(len(data) * 8)
                data[bit // 8] ^= 1 << bit % 8
                changed = f"CAST(x'{data.hex()}' AS {'BLOB' if isinstance(value, bytes) else 'TEXT'})"
                store._db.execute(f"UPDATE records SET {column} = {changed} WHERE seq = {row[0]}")  # noqa: S608  # columns from the table itself
                if str(row[0]) not in {finding.row for finding in store.audit()}:
                    missed.append(f"{column} of row {row[0]}, bit {bit}")
                store._db.execute(f"UPDATE records SET {column} = ? WHERE seq = ?", (value, row[0]))  # noqa: S608  # as above
        assert missed == []
        assert store.audit() == (), "every bit was flipped back"


def forged(path: Path, keep: int) -> None:
    """Cut rows off the end and make the rest consistent, as whoever knows the rules could."""
    with closing(sqlite3.connect(path)) as db, db:
        freed(db)
        db.execute("DELETE FROM records WHERE seq > ?", (keep,))
        for table, column in (("titles", "seq"), ("keys", "seq"), ("words", "rowid")):
            db.execute(f"DELETE FROM {table} WHERE {column} > ?", (keep,))  # noqa: S608  # names from the line above


def test_a_rollback_that_leaves_the_rows_consistent_is_seen_by_the_head(path: Path) -> None:
    forged(path, 4)
    assert findings(path) == {("5..9", "missing_row")}


def test_a_rollback_stays_seen_after_new_records(path: Path) -> None:
    forged(path, 4)
    with closing(SqliteStore(path, StillClock())) as store:
        for n in range(20, 28):
            store.keep(numbered(n), None)
    assert findings(path) == {("9", "head_mismatch")}


def test_a_chain_that_was_made_anew_is_seen_by_the_head(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        freed(db)
        db.execute("UPDATE records SET branch = 'forged' WHERE seq = 2")
        before = chain.START
        for seq, kind, digest, at, branch, salt, leaf in db.execute("SELECT seq, kind, digest, at, branch, salt, leaf FROM records ORDER BY seq").fetchall():
            new = chain.leaf(at, branch, salt) if salt else leaf
            before = chain.link(before, seq, kind, digest, new)
            db.execute("UPDATE records SET leaf = ?, chain = ? WHERE seq = ?", (new, before, seq))
    assert findings(path) == {("9", "head_mismatch")}


HEADS = {
    "gone": (None, {("head", "head_missing")}),
    "not a head": (b"hello", {("head", "head_mismatch")}),
    "of another store": (b'{"seq": 9, "chain": "' + b"0" * 64 + b'"}', {("9", "head_mismatch")}),
    "at the start": (b'{"seq": 0, "chain": "' + b"0" * 64 + b'"}', set()),
}


@pytest.mark.parametrize(("data", "expected"), HEADS.values(), ids=HEADS)
def test_a_head_that_is_not_this_stores_is_said(path: Path, data: bytes | None, expected: Found) -> None:
    head = path.with_name("store.db.head")
    if data is None:
        head.unlink()
    else:
        head.write_bytes(data)
    assert findings(path) == expected


def test_a_head_that_lags_is_sound_and_the_next_keeping_brings_it_up(path: Path, whole: dict[str, bytes]) -> None:
    with closing(SqliteStore(path, StillClock())) as store:
        store.keep(numbered(30), None)
        path.with_name("store.db.head").write_bytes(whole["store.db.head"])
        assert store.audit() == ()
        store.keep(numbered(31), None)
        assert chain.from_bytes(path.with_name("store.db.head").read_bytes()) == store.head()


def test_the_flow_counts_and_says_sound_or_broken(path: Path) -> None:
    with closing(SqliteStore(path, StillClock())) as store:
        assert (audit(store).verdict.value, audit(store).records) == ("sound", COUNT - 1)
    after(path, "DELETE FROM records WHERE seq = 3")
    with closing(SqliteStore(path, StillClock())) as store:
        assert audit(store).verdict.value == "broken"


def test_a_branch_name_that_was_forgotten_cannot_be_guessed_from_its_leaf() -> None:
    leaves = {chain.leaf("2026-01-02T03:04:05Z", "main", salt) for salt in (b"a" * 16, b"b" * 16)}
    assert len(leaves) == 2


ENCODINGS: dict[str, Callable[[], tuple[str, str]]] = {
    "no branch and an empty one": lambda: (chain.leaf("t", None, b"s"), chain.leaf("t", "", b"s")),
    "a field that moves over": lambda: (chain.link("a", 1, "keep", "bc", "d"), chain.link("a", 1, "keep", "b", "cd")),
    "a row number that runs into the kind": lambda: (chain.link("a", 1, "1keep", "b", "c"), chain.link("a", 11, "keep", "b", "c")),
}


@pytest.mark.parametrize("pair", ENCODINGS.values(), ids=ENCODINGS)
def test_R11_no_two_rows_share_an_encoding(pair: Callable[[], tuple[str, str]]) -> None:
    one, other = pair()
    assert one != other
