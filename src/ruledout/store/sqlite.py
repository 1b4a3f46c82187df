"""The local store: one SQLite file, append-only.

Every write is one transaction that takes the lock first; a rollback journal, never a write-ahead log (docs/decisions/0040-rollback-journal.md). Damage, a lock,
a full disk and a later schema are refusals that name the file and the mend: nothing is ever rebuilt, repaired or deleted unasked. Decides nothing about what a
record means: `recall.index` says under what it is found.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from ruledout import recall
from ruledout.errors import CannotRun, Refused
from ruledout.model.record import Record
from ruledout.ports import AuditFinding, Indexed, Kept, Key, KeyHit, WordHit
from ruledout.store import auditing, chain, naming, place, schema
from ruledout.store.sqlite_standings import SqliteStandings

_PAGE = 200
_KEYS_AT_ONCE = 200
_FIRST = -(2**63)
"""less than any row number, even one that was tampered with"""


class SqliteStore(SqliteStandings):
    """Implements `ports.Store` on one file: the records here, the file itself and the standings in the rooms that it builds on."""

    # --- the port ---

    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:
        """One record, once; what is returned is on the disk. Raises `Refused` (`forgotten`), `BadInput` (`digest-mismatch`, `bad-branch`)."""
        naming.keepable(record, branch)
        indexed = naming.indexed(record)
        kept, new = self._run(lambda: self._keep(record, branch, indexed))
        if new:
            self._checkpoint()
        return kept, new

    def get(self, digest: str) -> Record:
        """The record, its digest derived again before anything of it is believed."""
        seq, full, body = self._run(lambda: self._resolve(digest))
        if body is None:
            raise naming.unknown(digest, self.path)
        return naming.sound(self.path, seq, full, body)

    def listed(self) -> tuple[Kept, ...]:
        """All records, newest first."""
        rows = self._select(f"{schema.KEPT} ORDER BY records.seq DESC")
        return tuple(_kept(row) for row in rows)

    def records(self) -> Iterator[Record]:
        """All records, oldest first, read in pages so that no lock outlives a page."""
        for row in self._rows():
            if row.body is not None:
                yield naming.sound(self.path, row.seq, row.digest, row.body)

    def find(self, keys: Sequence[Key]) -> tuple[KeyHit, ...]:
        """One indexed look-up for every two hundred keys."""
        asked = list(dict.fromkeys(keys))
        found: list[KeyHit] = []
        for at in range(0, len(asked), _KEYS_AT_ONCE):
            part = asked[at : at + _KEYS_AT_ONCE]
            values = [value for n, key in enumerate(part) for value in (n, key.kind, naming.bindable(key.value))]
            query = schema.FIND.format(places=", ".join(["(?, ?, ?)"] * len(part)))
            rows = self._select(query, values)
            found += [KeyHit(key=part[n], digest=digest, branch=branch or None, evidence=evidence) for n, digest, branch, evidence in rows]
        return tuple(found)

    def search(self, words: Sequence[str], limit: int) -> tuple[WordHit, ...]:
        """By bm25 over at most 64 distinct words, common ones left out where there are rare ones; the newer record first at equal score."""
        match = naming.telling([(self._select(schema.COUNT, (phrase, naming.COMMON + 1))[0][0], phrase) for phrase in naming.quoted(words)])
        if not match or limit < 1:
            return ()
        found = self._select(schema.SEARCH, (match, naming.MOST_RANKED, limit))
        return tuple(WordHit(digest=digest, score=score, evidence=evidence) for digest, score, evidence in found)

    def forget(self, digest: str) -> None:
        """Body, keys and words out of the file and its backups for good. Asked again, it makes sure of it again."""
        self._run(lambda: self._forget(digest))
        self._checkpoint()
        try:
            self._run(lambda: self._db.execute("VACUUM"))
        except CannotRun as error:
            raise naming.half_forgotten(self.path, error) from error
        for backup in place.backups(self.path):  # a copy made before a migration still holds what is to be forgotten
            place.remove(backup)

    def audit(self) -> tuple[AuditFinding, ...]:
        """Every digest, leaf and link derived again, the head beside the file compared, the search tables made again. Newer rows may be kept meanwhile."""
        head = place.read_whole(place.head_path(self.path))
        try:
            pages = [str(row[0]) for row in self._select("PRAGMA integrity_check(20)")]
            found = (*auditing.findings(self._audited(), head), *self._audited_standings(head), *self._run(self._strays))
        except CannotRun as error:
            if error.slug != "damaged-store":
                raise
            return (AuditFinding(row="file", code="unreadable", message=error.message),)
        return (*(AuditFinding(row="file", code="unreadable", message=message) for message in pages if message != "ok"), *found)

    # --- beyond the port ---

    def rebuild_search(self) -> int:
        """Make the search tables again from the records, all or nothing; the number of records. Damaged ones raise, and the old tables stay."""
        return self._run(self._rebuild)

    def head(self) -> chain.Head:
        """The last row and its chain value, to be kept where nobody who can write this file can write."""
        return self._run(self._head)

    def _head(self) -> chain.Head:
        return chain.Head(*self._last(), *self._last_standing())

    def _begin(self, migrations: Sequence[Sequence[str]]) -> None:
        """What the file needs, then the search tables of today's rules, and a head."""
        super()._begin(migrations)
        if self._rules() < recall.RULES:
            self._rebuild()
        if self._last()[0] == 0 and place.read_whole(place.head_path(self.path)) is None:
            self._write_head()

    def _keep(self, record: Record, branch: str | None, indexed: Indexed) -> tuple[Kept, bool]:
        with self._writing():
            there = self._db.execute("SELECT seq, body IS NULL FROM records WHERE digest = ? AND kind = 'keep'", (record.digest,)).fetchone()
            if there and there[1]:
                raise Refused("forgotten", f"{record.digest} was forgotten and is not kept again", "change the record, or leave it forgotten")
            if there:
                return _kept(self._db.execute(f"{schema.KEPT} AND records.seq = ?", (there[0],)).fetchone()), False
            seq, at = self._append("keep", record.digest, record.body, branch)
            self._index(seq, indexed)
        return Kept(seq=seq, digest=record.digest, at=at, status=indexed.status, title=indexed.title, branch=branch), True

    def _append(self, kind: str, digest: str, body: bytes | None, branch: str | None) -> tuple[int, str]:
        last, before = self._last()
        at, salt = self._clock.now(), os.urandom(16)
        leaf = chain.leaf(at, branch, salt)
        link = chain.link(before, last + 1, kind, digest, leaf)
        self._db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (last + 1, kind, digest, body, at, branch, salt, leaf, link))
        return last + 1, at

    def _index(self, seq: int, indexed: Indexed) -> None:
        self._db.execute("INSERT INTO titles VALUES (?, ?, ?, ?)", (seq, indexed.status, indexed.title, indexed.evidence))
        self._db.executemany("INSERT INTO keys VALUES (?, ?, ?, ?)", [(key.kind, key.value, seq, branch or "") for key, branch in indexed.keys])
        self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (seq, indexed.words))

    def _forget(self, digest: str) -> None:
        with self._writing():
            seq, full, body = self._resolve(digest)
            if body is None:
                return
            for table, column in (("titles", "seq"), ("keys", "seq"), ("words", "rowid")):
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (seq,))  # noqa: S608  # names from the line above
            self._db.execute("INSERT INTO words (words) VALUES ('optimize')")  # merged segments alone hold no trace of deleted words
            self._db.execute("UPDATE records SET body = NULL, at = NULL, branch = NULL, salt = NULL WHERE seq = ?", (seq,))
            self._forget_standings(full)
            self._append("forget", full, None, None)

    def _rebuild(self) -> int:
        with self._writing():
            for table in ("titles", "keys", "words"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608  # names from the line above
            seqs = [row[0] for row in self._db.execute("SELECT seq FROM records WHERE body IS NOT NULL ORDER BY seq")]
            for seq in seqs:
                digest, body = self._db.execute("SELECT digest, body FROM records WHERE seq = ?", (seq,)).fetchone()
                self._index(seq, naming.indexed(naming.sound(self.path, seq, digest, body)))
            self._db.execute("INSERT OR REPLACE INTO facts VALUES ('search', ?)", (str(recall.RULES),))
        return len(seqs)

    def _rules(self) -> int:
        found = self._db.execute("SELECT value FROM facts WHERE name = 'search'").fetchone()
        return int(found[0]) if found else 0

    def _last(self) -> tuple[int, str]:
        return self._db.execute(schema.LAST).fetchone() or (0, chain.START)

    def _resolve(self, digest: str) -> tuple[int, str, bytes | None]:
        low, high = naming.bounds(digest)
        rows = self._db.execute("SELECT seq, digest, body FROM records WHERE kind = 'keep' AND digest >= ? AND digest < ? LIMIT 2", (low, high)).fetchall()
        if len(rows) != 1:
            raise naming.unknown(digest, self.path) if not rows else naming.ambiguous(digest)
        seq, full, body = rows[0]
        return seq, full, body

    def _whole(self, digest: str) -> str:
        _, full, body = self._resolve(digest)
        if body is None:
            raise naming.unknown(digest, self.path)
        return full

    def _rows(self) -> Iterator[chain.Row]:
        after = _FIRST
        while page := self._select(f"{schema.ROW} WHERE seq > ? ORDER BY seq LIMIT ?", (after, _PAGE)):
            yield from (naming.row(values) for values in page)
            after = page[-1][0]

    def _audited(self) -> Iterator[tuple[chain.Row, Indexed | None]]:
        """Rows with what stands in the search tables for them, page by page, each page as of one moment."""
        after = _FIRST
        while page := self._run(partial(self._audited_page, after)):
            yield from page
            after = page[-1][0].seq

    def _audited_page(self, after: int) -> list[tuple[chain.Row, Indexed | None]]:
        with self._transaction("BEGIN"):
            rows = self._db.execute(f"{schema.ROW} WHERE seq > ? ORDER BY seq LIMIT ?", (after, _PAGE)).fetchall()
            return [(naming.row(values), self._indexed(values[0])) for values in rows]

    def _indexed(self, seq: int) -> Indexed | None:
        titles = self._db.execute("SELECT status, title, evidence FROM titles WHERE seq = ?", (seq,)).fetchone()
        words = self._db.execute("SELECT text FROM words WHERE rowid = ?", (seq,)).fetchone()
        keys = self._db.execute("SELECT kind, value, branch FROM keys WHERE seq = ? ORDER BY kind, value, branch", (seq,)).fetchall()
        return naming.held(titles, words[0] if words else None, keys)

    def _strays(self) -> tuple[AuditFinding, ...]:
        """Search rows of no record, and an index of words that is not the one of its words."""
        with self._writing():
            strays: int = self._db.execute(schema.STRAYS).fetchone()[0]
            try:
                self._db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
                    raise
                strays += 1
        return (AuditFinding(row="search", code="search_stale", message="the search tables hold what no record does; rebuild them"),) if strays else ()

    def _checkpoint(self) -> None:
        """Bring the head up to date. That it lags does no harm, so nothing that goes wrong here takes back what was kept."""
        with suppress(CannotRun, OSError):
            self._run(self._write_head)

    def _write_head(self) -> None:
        """Under the lock, so that heads are written in the order of rows; only ever forward, so that a rollback stays to be seen."""
        path = place.head_path(self.path)
        with self._writing():
            data = place.read_whole(path)
            old = chain.from_bytes(data) if data is not None else chain.Head(0, chain.START)
            at = self._db.execute("SELECT chain FROM records WHERE seq = ?", (old.seq,)).fetchone() if old else None
            if old and (old.seq == 0 or (at and at[0] == old.chain)) and self._stands_as(old):
                place.write_whole(path, chain.to_bytes(self._head()))


def _kept(row: Sequence[object]) -> Kept:
    return Kept(**dict(zip(("seq", "digest", "at", "status", "title", "branch"), row, strict=True)))  # type: ignore[arg-type]  # STRICT columns
