"""The file: private, forward only, refused when it is damaged, locked, full or later, and empty of what was forgotten."""

import os
import random
import shutil
import sqlite3
import stat
import string
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ruledout.errors import CannotRun, RuledoutError
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.ports import Key, NewStanding
from ruledout.recall.index import indexed
from ruledout.store import schema
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

ONE = wire.record(samples.residual())
NOW = len(schema.MIGRATIONS)
POSIX = pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")


def numbered(n: int) -> Record:
    return wire.record(samples.residual(f"Cause number {n} of the failure."))


def opened(path: Path, **more: object) -> SqliteStore:
    return SqliteStore(path, StillClock(), **more)  # type: ignore[arg-type]  # the tests' own keywords


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(opened(path)) as store:
        yield store


def refused(path: Path, **more: object) -> CannotRun:
    """What opening this store, or the first use of it, is refused with."""
    try:
        with closing(opened(path, **more)) as store:
            store.listed()
            store.keep(ONE, None)
    except CannotRun as error:
        return error
    pytest.fail("the store was not refused")


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@POSIX
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_folder_and_files_are_private_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with closing(opened(path)) as store:
            store.keep(ONE, None)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {"store.db": 0o600, "store.db.head": 0o600}


@POSIX
def test_a_store_that_others_could_read_is_taken_back_and_a_folder_that_was_there_is_left_alone(path: Path) -> None:
    path.parent.mkdir(mode=0o755)
    path.parent.chmod(0o755)
    opened(path).close()
    path.chmod(0o644)
    opened(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755


def test_what_was_kept_is_there_when_the_file_is_opened_again(path: Path) -> None:
    with closing(opened(path)) as store:
        kept, _ = store.keep(ONE, "main")
    with closing(opened(path)) as store:
        assert (store.listed(), list(store.records()), store.get(ONE.digest)) == ((kept,), [ONE], ONE)
        assert store.find([Key("edit", "e1:" + "1" * 32)])[0].digest == ONE.digest
        assert store.audit() == ()


def test_the_journal_is_rolled_back_and_synced_to_the_disk_with_its_folder(store: SqliteStore) -> None:
    pragmas = {name: store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "secure_delete", "trusted_schema")}
    assert pragmas == {"journal_mode": "delete", "synchronous": 3, "secure_delete": 1, "trusted_schema": 0}


def test_a_file_that_someone_put_into_wal_mode_comes_back_out_of_it(path: Path) -> None:
    opened(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    with closing(opened(path)) as store:
        store.keep(ONE, None)
        assert sorted(file.name for file in path.parent.iterdir()) == ["store.db", "store.db.head"]


@pytest.mark.parametrize(
    "statement", ["DELETE FROM records", "UPDATE records SET body = x'00'", "UPDATE records SET branch = 'other'", "UPDATE records SET chain = ''"]
)
def test_rows_are_append_only_for_every_program_that_opens_the_file(path: Path, store: SqliteStore, statement: str) -> None:
    store.keep(ONE, "main")
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    assert store.get(ONE.digest) == ONE


def test_opening_and_reading_change_no_byte_and_leave_no_file(path: Path) -> None:
    with closing(opened(path)) as store:
        store.keep(ONE, "main")
    before = bytes_of(path.parent)
    with closing(opened(path)) as store:
        assert (store.get(ONE.digest), len(store.listed()), len(list(store.records())), store.audit()) == (ONE, 1, 1, ())
        assert store.find([Key("edit", "e1:" + "1" * 32)])
        assert store.search(["cart"], 5)
        store.keep(ONE, "main")
    assert bytes_of(path.parent) == before


# --- a later schema, migrations ---


def test_a_later_schema_is_refused_and_not_one_byte_is_touched(path: Path) -> None:
    opened(path, migrations=(*schema.MIGRATIONS, ("CREATE TABLE later (a TEXT) STRICT",))).close()
    before = bytes_of(path.parent)
    error = refused(path)
    assert (error.slug, "newer ruledout" in error.mend) == ("later-store-schema", True)
    assert bytes_of(path.parent) == before


def test_a_migration_leaves_a_copy_beside_and_every_record_as_it_was(path: Path) -> None:
    with closing(opened(path)) as store:
        for n in range(5):
            store.keep(numbered(n), None)
        before = (store.listed(), list(store.records()))
    with closing(opened(path, migrations=(*schema.MIGRATIONS, ("ALTER TABLE titles ADD COLUMN extra TEXT",)))) as store:
        assert (store.listed(), list(store.records()), store.audit()) == (*before, ())
    backup = path.with_name(f"store.db.backup-v{NOW}")
    with closing(sqlite3.connect(backup)) as db:
        assert db.execute("SELECT count(*), user_version FROM records, pragma_user_version").fetchone() == (5, NOW)
    if os.name == "posix":
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_store_of_the_first_schema_gets_its_standings_and_keeps_every_record(path: Path) -> None:
    with closing(opened(path, migrations=schema.MIGRATIONS[:1])) as store:
        for n in range(3):
            store.keep(numbered(n), None)
        before = (store.listed(), list(store.records()))
        assert (store.standings(), store.audit()) == ((), ())
    with closing(opened(path)) as store:
        assert (store.listed(), list(store.records()), store.audit()) == (*before, ())
        told = store.stand(NewStanding(digest=numbered(1).digest, branch=None, finding="holds", evidence="green"))
        assert (store.standings(), store.audit()) == ((told,), ())
    assert path.with_name("store.db.backup-v1").exists()


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    with closing(opened(path)) as store:
        store.keep(ONE, None)
    before = path.read_bytes()
    with pytest.raises(sqlite3.OperationalError):
        opened(path, migrations=(*schema.MIGRATIONS, ("CREATE TABLE fine (a TEXT) STRICT", "CREATE NONSENSE")))
    assert path.read_bytes() == before
    with closing(opened(path)) as store:
        assert store.get(ONE.digest) == ONE


def test_search_tables_of_older_rules_are_made_again_on_opening(path: Path) -> None:
    with closing(opened(path)) as store:
        store.keep(ONE, None)
        for statement in ("UPDATE facts SET value = '0'", "DELETE FROM keys", "DELETE FROM words", "UPDATE titles SET title = 'x'"):
            store._db.execute(statement)
        assert [finding.code for finding in store.audit()] == ["search_stale"]
    with closing(opened(path)) as store:
        assert store.audit() == ()
        assert store.search(["cart"], 1)[0].digest == ONE.digest


def test_rebuilding_the_search_tables_gives_the_same_answers(store: SqliteStore) -> None:
    records = [ONE, numbered(1), wire.record(samples.handoff())]
    for record in records:
        store.keep(record, "main")
    store.forget(numbered(1).digest)
    keys = [Key("edit", "e1:" + "1" * 32), Key("file", "src/cart.py"), Key("test", "tests/test_rates.py::test_rate")]
    before = (store.listed(), store.find(keys), store.search(["cart", "rate"], 9))
    assert store.rebuild_search() == 2
    assert (store.listed(), store.find(keys), store.search(["cart", "rate"], 9)) == before


# --- locked, full, not writable ---


def test_a_lock_that_outlasts_the_patience_is_said_and_nothing_is_lost(path: Path) -> None:
    with closing(opened(path, patience_s=0.3)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.keep(ONE, None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CannotRun) as caught:
            store.keep(numbered(1), None)
        assert caught.value.slug == "locked-store"
        assert store.get(ONE.digest) == ONE, "readers go on while another process prepares to write"
        other.execute("COMMIT")
        assert store.keep(numbered(1), None)[1]
        assert store.audit() == ()


def test_a_short_lock_is_waited_for(path: Path) -> None:
    with closing(opened(path)) as store, closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        timer = threading.Timer(0.4, lambda: other.execute("COMMIT"))
        timer.start()
        assert store.keep(ONE, None)[1]
        timer.join()


def test_a_full_disk_is_said_nothing_is_lost_and_it_goes_on_when_there_is_room(store: SqliteStore) -> None:
    store.keep(ONE, None)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")  # SQLite then says what it says of a full disk
    refusals: list[str] = []
    kept = [ONE]
    for n in range(40):
        try:
            store.keep(numbered(n), None)
            kept.append(numbered(n))
        except CannotRun as error:
            refusals.append(error.slug)
            break
    assert refusals == ["disk-full"]
    store._db.execute("PRAGMA max_page_count = 1000000")
    assert store.keep(numbered(99), None)[1]
    assert list(store.records()) == [*kept, numbered(99)]
    assert store.audit() == ()


FULL_DISK = """
import subprocess, sys
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", sys.argv[1]], check=True)
sys.path[:0] = sys.argv[2:]
from tests_full import main
main(sys.argv[1])
"""
FULL_DISK_MAIN = """
from ruledout.errors import CannotRun
from ruledout.model import wire
from ruledout.store.sqlite import SqliteStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

def main(folder):
    store = SqliteStore(folder + "/kept/store.db", StillClock())
    acknowledged, refusals = [], 0
    for n in range(400):
        record = wire.record(samples.residual(f"Cause number {n}."))
        try:
            store.keep(record, None)
            acknowledged.append(record)
        except CannotRun as error:
            assert error.slug == "disk-full", error
            refusals += 1
            if refusals == 3:
                break
    assert refusals == 3 and len(acknowledged) > 5, (refusals, len(acknowledged))
    assert list(store.records()) == acknowledged
    assert store.audit() == (), store.audit()
    print("held", len(acknowledged))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs a mount of its own")
def test_a_disk_that_is_really_full_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "tests_full.py").write_text(FULL_DISK_MAIN)
    source = Path(__file__).resolve().parents[2] / "src"
    command = ["unshare", "--map-root-user", "--mount", sys.executable, "-c", FULL_DISK, str(tmp_path / "disk"), str(tmp_path), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and ("Operation not permitted" in done.stderr or "permission denied" in done.stderr.lower()):
        pytest.skip("no mounts of one's own here")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("held ")


@POSIX
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert refused(tmp_path / "kept" / "store.db").slug == "not-writable"


def test_a_path_that_leads_through_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    assert refused(tmp_path / "kept" / "store.db").slug == "not-writable"


# --- damage ---


def fill(path: Path) -> list[Record]:
    records = [numbered(n) for n in range(30)]
    with closing(opened(path)) as store:
        for record in records:
            store.keep(record, None)
    return records


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


DAMAGE = {
    "header overwritten": lambda path: overwrite(path, 0, b"not a database at all"),
    "cut in the middle": lambda path: os.truncate(path, path.stat().st_size // 2 + 7),
    "cut to a few bytes": lambda path: os.truncate(path, 40),
    "schema page overwritten": lambda path: overwrite(path, 100, b"\xff" * 3000),
}


@pytest.mark.parametrize("harm", DAMAGE.values(), ids=DAMAGE)
def test_damage_is_refused_by_name_with_a_mend_and_nothing_is_touched(path: Path, harm: object) -> None:
    fill(path)
    harm(path)  # type: ignore[operator]  # a table of functions
    before = bytes_of(path.parent)
    error = refused(path)
    assert (error.slug, str(path) in error.message, "restore" in error.mend) == ("damaged-store", True, True)
    assert bytes_of(path.parent) == before


def test_a_store_that_is_gone_or_empty_while_its_head_is_there_is_lost_and_not_begun_anew(path: Path) -> None:
    fill(path)
    os.truncate(path, 0)
    assert refused(path).slug == "lost-store"
    path.unlink()
    assert refused(path).slug == "lost-store"
    assert not path.exists()


def test_an_empty_file_without_a_head_is_a_store_that_was_never_begun(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with closing(opened(path)) as store:
        assert store.keep(ONE, None)[1]


def test_another_programs_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE mine (a)")
    before = path.read_bytes()
    assert refused(path).slug == "not-a-store"
    assert path.read_bytes() == before


def test_every_page_overwritten_in_turn_is_found_or_harmless_and_no_wrong_record_is_ever_served(path: Path) -> None:
    records = {record.digest: record for record in fill(path)}
    sound = path.read_bytes()
    size = 4096
    for page in range(1, len(sound) // size):
        path.write_bytes(sound[: page * size] + bytes(byte ^ 0x55 for byte in sound[page * size : page * size + 400]) + sound[page * size + 400 :])
        served: list[Record] = []
        found = True
        try:
            with closing(opened(path)) as store:
                found = bool(store.audit())
                for digest in records:
                    try:
                        served.append(store.get(digest))
                    except RuledoutError:
                        found = True
        except CannotRun:
            pass
        assert all(record == records[record.digest] for record in served)
        assert found, f"page {page} was overwritten and the audit was clean"


# --- forgetting and secrets ---

SECRET = "correct-horse-battery-staple-4711"


def secretive() -> Record:
    branch = samples.branch(hypothesis=f"{SECRET} hypothesis", files=[f"src/{SECRET}.py"], failure=samples.signature(SECRET, f"tests/a.py::{SECRET}"))
    return wire.record(samples.residual(f"{SECRET} is the cause.", branches=[branch]))


def traces(folder: Path, secret: str = SECRET) -> list[str]:
    """Files that hold the secret, whole or as one of its words beside another."""
    parts = [secret.encode(), secret.upper().encode(), b"battery", b"stapl", secret.encode("utf-16-le")]
    return [file.name for file in folder.iterdir() for part in parts if part in file.read_bytes()]


def test_a_forgotten_record_leaves_no_byte_in_any_file_of_the_folder(path: Path) -> None:
    with closing(opened(path)) as store:
        for n in range(40):
            store.keep(numbered(n), None)
            if n == 20:
                store.keep(secretive(), f"branch-{SECRET}")
    with closing(opened(path, migrations=(*schema.MIGRATIONS, ("ALTER TABLE titles ADD COLUMN extra TEXT",)))) as store:
        assert sorted(set(traces(path.parent))) == ["store.db", f"store.db.backup-v{NOW}"], "the scan must be able to find it"
        store.forget(secretive().digest)
        assert traces(path.parent) == []
        assert store.audit() == ()
        assert len(store.listed()) == 40
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT body, at, branch, salt FROM records WHERE digest = ?  AND kind = 'keep'", (secretive().digest,)).fetchone() == (None,) * 4


def test_a_forgetting_that_was_cut_short_is_finished_by_asking_again(path: Path) -> None:
    with closing(opened(path)) as store:
        store.keep(secretive(), None)
        store._run(lambda: store._forget(secretive().digest))  # what stands when the process dies here
    with closing(opened(path)) as store:
        store.forget(secretive().digest)
        assert traces(path.parent) == []
        assert store.audit() == ()


def test_a_forgetting_that_could_not_be_finished_says_so(path: Path) -> None:
    with closing(opened(path)) as store, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        store.keep(secretive(), None)

        class Watched(SqliteStore):
            def _checkpoint(self) -> None:  # somebody begins to read just between the two steps
                reader.execute("BEGIN").execute("SELECT * FROM records").fetchone()

        with closing(Watched(path, StillClock(), patience_s=0.3)) as watched, pytest.raises(CannotRun) as caught:
            watched.forget(secretive().digest)
        assert (caught.value.slug, "again" in caught.value.mend) == ("half-forgotten", True)
        reader.execute("COMMIT")
        store.forget(secretive().digest)
        assert traces(path.parent) == []


# --- processes and threads ---


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_store_is_not_carried_over_a_fork(store: SqliteStore) -> None:
    store.keep(ONE, None)
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        said = b"answered"
        try:
            store.listed()
        except CannotRun as error:
            said = error.slug.encode()
        finally:
            os.write(writer, said)
            os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(reader, 100) == b"store-not-open"
    os.close(reader)
    os.close(writer)
    assert store.get(ONE.digest) == ONE


def test_threads_share_one_store(store: SqliteStore) -> None:
    errors: list[BaseException] = []

    def work(which: int) -> None:
        try:
            for n in range(5):
                store.keep(numbered(which * 100 + n), None)
                store.search(["cart"], 3)
        except BaseException as error:  # noqa: BLE001  # a thread's error would be lost
            errors.append(error)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(kept.seq for kept in store.listed()) == list(range(1, 21))
    assert store.audit() == ()


def test_order_is_that_of_keeping_even_when_the_clock_goes_back(path: Path) -> None:
    clock = StillClock("2026-06-01T00:00:00Z")
    with closing(SqliteStore(path, clock)) as store:
        store.keep(numbered(1), None)
        clock.time = "2025-06-01T00:00:00Z"
        store.keep(numbered(2), None)
        assert [(kept.seq, kept.at) for kept in store.listed()] == [(2, "2025-06-01T00:00:00Z"), (1, "2026-06-01T00:00:00Z")]
        assert store.audit() == ()


def test_a_record_whose_bytes_were_changed_is_never_served(path: Path, store: SqliteStore) -> None:
    store.keep(ONE, None)
    store.keep(numbered(1), None)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER records_are_only_forgotten")
        db.execute("UPDATE records SET body = ? WHERE seq = 1", (msgspec.structs.replace(numbered(7)).body,))
    with pytest.raises(CannotRun) as caught:
        store.get(ONE.digest)
    assert caught.value.slug == "damaged-record"
    assert store.get(numbered(1).digest) == numbered(1)


def test_a_word_that_very_many_records_hold_neither_hides_a_rare_one_nor_finds_nothing(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruledout.store.naming.COMMON", 10)
    monkeypatch.setattr("ruledout.store.naming.MOST_RANKED", 12)
    store.keep(wire.record(samples.residual("The zebra cache is the cause.")), None)
    store._db.execute("PRAGMA synchronous = OFF")
    for n in range(30):
        store.keep(numbered(n), None)
    assert [hit.digest for hit in store.search(["caus", "zebra", "failur"], 5)] == [wire.record(samples.residual("The zebra cache is the cause.")).digest]
    assert len(store.search(["caus", "failur"], 5)) == 5
    assert len(store.search(["caus"], 50)) == 12


def test_no_copy_that_the_database_made_while_moving_rows_outlives_a_forgetting(store: SqliteStore, path: Path) -> None:
    store._db.execute("PRAGMA synchronous = OFF")
    chance = random.Random(5)  # noqa: S311  # the same rows in every run
    kept: list[tuple[bytes, str]] = []
    for n in range(400):
        word = "".join(chance.choices(string.ascii_lowercase, k=12))
        branch = samples.branch(
            hypothesis=f"because {word} broke",
            files=[f"{word}/{n}.py"],
            fingerprints=[f"e1:{chance.getrandbits(100):032x}"],
            failure=samples.signature(f"E{n}", f"tests/{word}.py::x"),
        )
        record = wire.record(samples.residual(f"{word} is the cause.", branches=[branch]))
        store._run(lambda record=record, word=word: store._keep(record, word, indexed(record)))  # type: ignore[misc]  # without its head: four hundred syncs less
        kept.append((word.encode(), record.digest))
    forgotten = chance.sample(kept, 120)
    for _, digest in forgotten[1:]:
        store._run(lambda digest=digest: store._forget(digest))  # type: ignore[misc]  # the rows alone
    assert any(word_ in path.read_bytes() for word_, _ in forgotten[1:]), "rows alone are not enough, or this test shows nothing"
    store.forget(forgotten[0][1])
    assert [word_ for word_, _ in forgotten if word_ in path.read_bytes()] == []
