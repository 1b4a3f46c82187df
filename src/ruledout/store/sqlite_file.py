"""The local store's file: opened, brought to the present schema, locked, waited for. The only rooms that import the driver are this one and its neighbours.

Every write is one transaction that takes the lock first; a rollback journal, never a write-ahead log (docs/decisions/0040-rollback-journal.md). Damage, a lock,
a full disk and a later schema are refusals that name the file and the mend. Knows no row: `sqlite` and `sqlite_standings` do.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any, TypeVar

from ruledout.errors import CannotRun
from ruledout.ports import Clock
from ruledout.store import naming, place, schema

PATIENCE_S = 10.0
_NAP_S = 0.1

T = TypeVar("T")


class SqliteFile:
    """One open file. Safe between processes and between threads; not to be carried over a fork.

    `path` is made with its folder when it is not there (0600 in 0700). `migrations` are the steps of `schema`, handed in so that a later one can be tried.
    """

    def __init__(
        self, path: str | os.PathLike[str], clock: Clock, *, migrations: Sequence[Sequence[str]] = schema.MIGRATIONS, patience_s: float = PATIENCE_S
    ) -> None:
        """Open or make the file. Raises `CannotRun`: `later-schema`, `not-a-store`, `lost-store`, `not-writable`."""
        self.path = os.fspath(path)
        self._clock = clock
        self._patience = patience_s
        self._pid = os.getpid()
        self._mutex = threading.RLock()
        self._open = True
        self._schema = len(migrations)
        place.prepare(self.path)
        try:
            self._db = sqlite3.connect(self.path, timeout=_NAP_S, isolation_level=None, check_same_thread=False)
            self._db.text_factory = naming.text  # a flipped bit may leave bytes that are no UTF-8: they must show as changed, not stop the reading
            self._run(lambda: self._begin(migrations))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file. Twice is once."""
        with self._mutex:
            if self._open and hasattr(self, "_db") and os.getpid() == self._pid:
                self._db.close()
            self._open = False

    def _begin(self, migrations: Sequence[Sequence[str]]) -> None:
        """Pragmas and migrations. A later schema is seen by a read alone, so not one byte of the file changes."""
        version = self._version()
        if version > len(migrations):
            raise CannotRun(
                "later-store-schema", f"{self.path} has schema {version}, this program knows {len(migrations)}", "use a newer ruledout; nothing was changed"
            )
        for pragma in (
            "journal_mode = DELETE",
            "synchronous = EXTRA",
            "secure_delete = ON",
            "temp_store = MEMORY",
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            self._db.execute(f"PRAGMA {pragma}")
        if version < len(migrations):
            self._migrate(migrations)

    def _version(self) -> int:
        mark, version = self._db.execute("PRAGMA application_id").fetchone()[0], self._db.execute("PRAGMA user_version").fetchone()[0]
        tables: int = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if mark != schema.APPLICATION_ID and (mark or version or tables):
            raise CannotRun("not-a-store", f"{self.path} is a SQLite file of another program", "choose another place for the store")
        return int(version)

    def _migrate(self, migrations: Sequence[Sequence[str]]) -> None:
        with self._writing():
            version = self._version()
            if 0 < version < len(migrations):
                self._back_up(version)
            for number, step in enumerate(migrations[version:], version + 1):
                for statement in step:
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {number}")
            self._db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")

    def _back_up(self, version: int) -> None:
        """A whole copy beside the file, made through a second reader while this one holds the lock; an earlier copy of the same version stays."""
        path = f"{self.path}.backup-v{version}"
        beside = place.copies_to(path)
        if beside is None:
            return
        with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(beside)) as copy:
            source.backup(copy)
        place.rename(beside, path)

    def _writing(self) -> AbstractContextManager[None]:
        """A transaction that holds the write lock from its first statement: no later one can find the lock taken."""
        return self._transaction("BEGIN IMMEDIATE")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._db.execute(begin)
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _select(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._run(lambda: self._db.execute(query, values).fetchall())

    def _run(self, work: Callable[[], T]) -> T:
        """Do the work, again while another process holds the lock, until the patience ends. What SQLite refuses comes out as `CannotRun`."""
        deadline, nap = time.monotonic() + self._patience, 0.002
        while True:
            with self._mutex:
                if not self._open or os.getpid() != self._pid:
                    why = "is closed" if not self._open else "was opened before a fork"
                    raise CannotRun("store-not-open", f"{self.path} {why}", "open it anew in this process")
                try:
                    return work()
                except sqlite3.Error as error:
                    refusal = naming.refusal(self.path, str(error), getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR))
                    if refusal is None:
                        raise
                    if refusal.slug != "locked-store" or time.monotonic() > deadline:
                        raise refusal from error
            time.sleep(nap * (0.5 + os.urandom(1)[0] / 255))  # jitter, so that waiting processes do not wake together
            nap = min(nap * 2, _NAP_S)
