"""The local store with the hot index beside it: made again whenever a record was kept or forgotten, or a standing changed.

The index is made under the store's lock and put in place whole, so that a hook reads the old one or the new one. That it cannot be written takes back nothing.
"""

from contextlib import suppress

from ruledout import hot
from ruledout.errors import CannotRun
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual
from ruledout.ports import Kept, NewStanding, Stood
from ruledout.recall import heat
from ruledout.store import naming, place, schema
from ruledout.store.sqlite import SqliteStore

MOST = 2000
"""the newest records that the index holds"""
INDEX, WORDS = "hot.idx", "hot.words"


class HotStore(SqliteStore):
    """Implements `ports.Store`; what changed is written to the index when the store is closed."""

    _stale = False

    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:
        """As the store does."""
        kept, new = super().keep(record, branch)
        self._stale = self._stale or new
        return kept, new

    def forget(self, digest: str) -> None:
        """As the store does; the index forgets at once, for it holds words of the record."""
        super().forget(digest)
        self.heat()

    def stand(self, new: NewStanding) -> Stood:
        """As the store does."""
        self._stale = True
        return super().stand(new)

    def close(self) -> None:
        """Bring the index up to date, and let go."""
        if self._stale:
            self.heat()
        super().close()

    def heat(self) -> None:
        """Make the index again. What goes wrong here does no harm: a hook with an old index, or none, is silent."""
        self._stale = False
        with suppress(CannotRun, OSError):
            self._run(self._heat)

    def _heat(self) -> None:
        with self._writing():
            listed = self._db.execute(f"{schema.KEPT} ORDER BY records.seq DESC LIMIT {MOST}").fetchall()
            stood = self.standings()
            rows: list[str] = []
            words: set[str] = set()
            solved: set[str] = set()
            for seq, digest, *_, branch in listed:
                body = self._db.execute("SELECT body FROM records WHERE seq = ?", (seq,)).fetchone()[0]
                record = naming.sound(self.path, seq, digest, body)
                session = record.outcome.provenance.session or record.outcome.provenance.session_digest
                solved |= {session} if isinstance(record.outcome, DebugResidual) else set()
                rows += heat.lines(record, [one for one in stood if one.digest == digest], None if session in solved else branch)
                words.update(heat.words(record))
            folder = place.folder(self.path)
            place.write_whole(f"{folder}/{INDEX}", hot.written(rows, len(listed)))
            place.write_whole(f"{folder}/{WORDS}", spelled(words))


def spelled(words: set[str]) -> bytes:
    """The words as a call's JSON may spell them, one a line; no empty line, which every text would hold."""
    forms = {form for word in words if len(word) > 2 and "\n" not in word for form in (word, word.encode("ascii", "backslashreplace").decode())}
    return "".join(f"{form}\n" for form in sorted(forms)).encode("utf-8", "replace")
