"""Standings in the local store: appended under a chain of their own, read newest first, forgotten with their record. Judges nothing."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from ruledout.ports import AuditFinding, NewStanding, Stood
from ruledout.store import chain, schema, standing
from ruledout.store.sqlite_file import SqliteFile

_AT_ONCE = 200
_SINCE = 2
"""the schema that brought the table"""


class SqliteStandings(SqliteFile, ABC):
    """The part of `ports.Store` that tells how records stand."""

    def stand(self, new: NewStanding) -> Stood:
        """Append one; what is returned is on the disk. Raises `BadInput` (`unknown-record`, `bad-standing`)."""
        standing.checked(new)
        found = self._run(lambda: self._stand(new))
        self._checkpoint()
        return found

    def standings(self, digests: Sequence[str] | None = None) -> tuple[Stood, ...]:
        """Newest first: all, or those of these records by their whole digests."""
        if self._schema < _SINCE:
            return ()
        rows: list[standing.Row] = []
        if digests is None:
            rows = [standing.Row(*values) for values in self._select(f"{schema.STANDING} ORDER BY seq DESC")]
        for at in range(0, len(digests or ()), _AT_ONCE):
            part = list(dict.fromkeys(digests or ()))[at : at + _AT_ONCE]
            places = ", ".join("?" * len(part))
            rows += [standing.Row(*values) for values in self._select(f"{schema.STANDING} WHERE digest IN ({places})", part)]
        found = [standing.stood(self.path, row) for row in sorted(rows, key=lambda row: -row.seq)]
        return tuple(one for one in found if one is not None)

    def _stand(self, new: NewStanding) -> Stood:
        with self._writing():
            full = self._whole(new.digest)
            at = self._clock.now()
            named = NewStanding(digest=full, branch=new.branch, finding=new.finding, evidence=new.evidence, inputs=new.inputs)
            row = standing.row(chain.Head(0, chain.START, *self._last_standing()), named, standing.body(named, at), os.urandom(16))
            self._db.execute("INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?)", (row.seq, row.digest, row.body, row.salt, row.leaf, row.chain))
        return Stood(seq=row.seq, digest=full, branch=new.branch, finding=new.finding, at=at, evidence=new.evidence, inputs=new.inputs)

    @abstractmethod
    def _whole(self, digest: str) -> str:
        """The whole digest of a record that is kept. The records' room knows it."""

    @abstractmethod
    def _checkpoint(self) -> None:
        """Bring the head up to date. The records' room knows how."""

    def _last_standing(self) -> tuple[int, str]:
        if self._schema < _SINCE:
            return 0, chain.START
        return self._db.execute(schema.LAST_STANDING).fetchone() or (0, chain.START)

    def _stands_as(self, head: chain.Head) -> bool:
        """Whether the standing that a head names is here as it was: only then may the head move on."""
        if self._schema < _SINCE or head.stood == 0:
            return head.stood == 0
        at = self._db.execute("SELECT chain FROM standings WHERE seq = ?", (head.stood,)).fetchone()
        return bool(at and at[0] == head.stands)

    def _forget_standings(self, digest: str) -> None:
        if self._schema >= _SINCE:
            self._db.execute("UPDATE standings SET body = NULL, salt = NULL WHERE digest = ?", (digest,))

    def _audited_standings(self, head: bytes | None) -> Iterator[AuditFinding]:
        if self._schema < _SINCE:
            return iter(())
        forgotten = frozenset(row[0] for row in self._select("SELECT digest FROM records WHERE kind = 'forget'"))
        rows = [standing.Row(*values) for values in self._select(f"{schema.STANDING} ORDER BY seq")]
        return standing.findings(rows, forgotten, head)
