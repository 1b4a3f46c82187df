"""A store in memory: the whole duty of `ports.Store`, nothing on the disk."""

import math
from collections.abc import Iterator, Sequence

from ruledout import digest as digests
from ruledout.errors import CannotRun, Refused
from ruledout.model.record import Record
from ruledout.ports import AuditFinding, Clock, Indexed, Kept, Key, KeyHit, NewStanding, Stood, WordHit
from ruledout.recall import index
from ruledout.store import naming, standing


class MemoryStore:
    """Implements `ports.Store`; held to the same contract as the others (`testing.contract`)."""

    def __init__(self, clock: Clock) -> None:
        """Hold nothing yet."""
        self._clock = clock
        self._rows: list[tuple[Kept, Record, Indexed]] = []
        self._forgotten: set[str] = set()
        self._stood: list[Stood] = []
        self._last_stood = 0
        self._last = 0
        self._open = True

    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:
        """One record, once."""
        self._check()
        naming.keepable(record, branch)
        if record.digest in self._forgotten:
            raise Refused("forgotten", f"{record.digest} was forgotten and is not kept again", "change the record, or leave it forgotten")
        for kept, _, _ in self._rows:
            if kept.digest == record.digest:
                return kept, False
        indexed = index.indexed(record)
        self._last += 1
        kept = Kept(seq=self._last, digest=record.digest, at=self._clock.now(), status=indexed.status, title=indexed.title, branch=branch)
        self._rows.append((kept, record, indexed))
        return kept, True

    def get(self, digest: str) -> Record:
        """By digest or by the start of it."""
        self._check()
        full = self._resolve(digest)
        for _, record, _ in self._rows:
            if record.digest == full:
                return record
        raise naming.unknown(digest, "memory")

    def listed(self) -> tuple[Kept, ...]:
        """Newest first."""
        self._check()
        return tuple(kept for kept, _, _ in reversed(self._rows))

    def records(self) -> Iterator[Record]:
        """Oldest first."""
        self._check()
        return iter([record for _, record, _ in self._rows])

    def find(self, keys: Sequence[Key]) -> tuple[KeyHit, ...]:
        """In the order of the keys, newest record first, then by branch, the record's own first."""
        self._check()
        return tuple(
            KeyHit(key=key, digest=record.digest, branch=branch, evidence=indexed.evidence)
            for key in dict.fromkeys(keys)
            for _, record, indexed in reversed(self._rows)
            for held, branch in indexed.keys
            if held == key
        )

    def search(self, words: Sequence[str], limit: int) -> tuple[WordHit, ...]:
        """By shared words, rare ones worth more."""
        self._check()
        asked = set(words)
        held = [(record.digest, indexed.evidence, set(indexed.words.split())) for _, record, indexed in reversed(self._rows)]
        rarity = {word: math.log(1 + len(held) / max(1, sum(word in there for _, _, there in held))) for word in asked}
        hits = [
            WordHit(digest=digest, score=sum(rarity[word] for word in asked & there), evidence=evidence) for digest, evidence, there in held if asked & there
        ]
        return tuple(sorted(hits, key=lambda hit: -hit.score)[: max(0, limit)])

    def stand(self, new: NewStanding) -> Stood:
        """Behind the others."""
        self._check()
        standing.checked(new)
        full = self.get(new.digest).digest
        self._last_stood += 1
        found = Stood(
            seq=self._last_stood,
            digest=full,
            branch=new.branch,
            finding=new.finding,
            at=self._clock.now(),
            evidence=new.evidence,
            inputs=new.inputs,
        )
        self._stood.append(found)
        return found

    def standings(self, digests: Sequence[str] | None = None) -> tuple[Stood, ...]:
        """Newest first."""
        self._check()
        return tuple(one for one in reversed(self._stood) if digests is None or one.digest in digests)

    def forget(self, digest: str) -> None:
        """Everything of the record but its digest."""
        self._check()
        full = self._resolve(digest)
        if full not in self._forgotten:
            self._rows = [row for row in self._rows if row[0].digest != full]
            self._stood = [one for one in self._stood if one.digest != full]
            self._forgotten.add(full)
            self._last += 1

    def audit(self) -> tuple[AuditFinding, ...]:
        """Every digest derived again."""
        self._check()
        return tuple(
            AuditFinding(row=str(kept.seq), code="digest_mismatch", message=f"its bytes are not those of {record.digest}")
            for kept, record, _ in self._rows
            if digests.of_bytes("record", record.body) != kept.digest
        )

    def close(self) -> None:
        """Answer no more."""
        self._open = False

    def _resolve(self, digest: str) -> str:
        low, high = naming.bounds(digest)
        found = [known for known in (*(kept.digest for kept, _, _ in self._rows), *self._forgotten) if low <= known < high]
        if len(found) != 1:
            raise naming.unknown(digest, "memory") if not found else naming.ambiguous(digest)
        return found[0]

    def _check(self) -> None:
        if not self._open:
            raise CannotRun("store-not-open", "the store in memory is closed", "open it anew")
