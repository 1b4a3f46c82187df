"""How records stand: appended under a chain of their own, and whatever is done to the rows shows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ruledout.errors import CannotRun
from ruledout.model import wire
from ruledout.ports import NewStanding
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

ONE = wire.record(samples.residual())
SECRET = "a phrase that nobody else says"
NO_TRIGGERS = ("DROP TRIGGER standings_are_never_deleted", "DROP TRIGGER standings_are_only_forgotten")


def standing(finding: str, evidence: str = "3 runs") -> NewStanding:
    return NewStanding(digest=ONE.digest, branch=None, finding=finding, evidence=evidence, inputs="r1:sha256:0")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, StillClock())) as store:
        store.keep(ONE, None)
        for finding in ("holds", "broken", "holds"):
            store.stand(standing(finding))
        yield store


@pytest.mark.parametrize("statement", ["DELETE FROM standings", "UPDATE standings SET body = x'00'", "UPDATE standings SET chain = ''"])
def test_standings_are_append_only_for_every_program_that_opens_the_file(path: Path, store: SqliteStore, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    assert [stood.finding for stood in store.standings()] == ["holds", "broken", "holds"]


FORGERIES = {
    "a finding is changed": ("UPDATE standings SET body = replace(body, 'broken', 'holds')", {"digest_mismatch"}),
    "the middle row is taken out": ("DELETE FROM standings WHERE seq = 2", {"missing_row", "chain_broken"}),
    "the last row is cut off": ("DELETE FROM standings WHERE seq = 3", {"missing_row"}),
    "all rows are cut off": ("DELETE FROM standings", {"missing_row"}),
    "a finding is forgotten and its record is not": ("UPDATE standings SET body = NULL, salt = NULL WHERE seq = 2", {"missing_row"}),
    "a row is given to another record": ("UPDATE standings SET digest = 'r1:sha256:0' WHERE seq = 3", {"chain_broken"}),
    "the last link is forged": ("UPDATE standings SET chain = '00' WHERE seq = 3", {"chain_broken", "head_mismatch"}),
}


@pytest.mark.parametrize(("statement", "codes"), FORGERIES.values(), ids=FORGERIES)
def test_R11_whatever_is_done_to_standings_shows(path: Path, store: SqliteStore, statement: str, codes: set[str]) -> None:
    assert store.audit() == ()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for each in (*NO_TRIGGERS, statement.replace("replace(body, 'broken', 'holds')", "CAST(replace(CAST(body AS TEXT), 'broken', 'holds') AS BLOB)")):
            db.execute(each)
    assert {finding.code for finding in store.audit()} == codes


def test_R11_a_changed_standing_is_never_served(path: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for each in (*NO_TRIGGERS, "UPDATE standings SET body = CAST(replace(CAST(body AS TEXT), 'broken', 'holds') AS BLOB) WHERE seq = 2"):
            db.execute(each)
    with pytest.raises(CannotRun) as caught:
        store.standings()
    assert caught.value.slug == "damaged-record"


def test_what_was_found_about_a_forgotten_record_leaves_no_byte(path: Path, store: SqliteStore) -> None:
    store.stand(standing("flaky", SECRET))
    assert any(SECRET.encode() in file.read_bytes() for file in path.parent.iterdir())
    store.forget(ONE.digest)
    assert not [file.name for file in path.parent.iterdir() if SECRET.encode() in file.read_bytes()]
    assert (store.standings(), store.audit()) == ((), ())


def test_standings_are_there_when_the_file_is_opened_again(path: Path, store: SqliteStore) -> None:
    with closing(SqliteStore(path, StillClock())) as again:
        assert again.standings() == store.standings()
        assert again.audit() == ()
