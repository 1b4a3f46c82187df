"""The store of a place where nothing was ever kept: reading it makes no file. It keeps nothing either."""

from collections.abc import Iterator, Sequence

from ruledout.errors import BadInput, CannotRun
from ruledout.model.record import Record
from ruledout.ports import AuditFinding, Kept, Key, KeyHit, NewStanding, Stood, WordHit


class EmptyStore:
    """No records."""

    def keep(self, record: Record, branch: str | None) -> tuple[Kept, bool]:  # noqa: ARG002  # the port's names
        """Refuse: this store is for reading."""
        raise CannotRun("store-for-reading", "this store was opened for reading", "report this as a defect")

    def get(self, digest: str) -> Record:
        """There is no such record."""
        raise BadInput("nothing-kept", f"there is no record {digest[:80]!a}: nothing is kept here yet", "distil a session first: `ruledout distill SESSION`")

    def listed(self) -> tuple[Kept, ...]:
        """None."""
        return ()

    def records(self) -> Iterator[Record]:
        """None."""
        return iter(())

    def find(self, keys: Sequence[Key]) -> tuple[KeyHit, ...]:  # noqa: ARG002  # the port's names
        """None."""
        return ()

    def search(self, words: Sequence[str], limit: int) -> tuple[WordHit, ...]:  # noqa: ARG002  # the port's names
        """None."""
        return ()

    def stand(self, new: NewStanding) -> Stood:
        """There is no such record."""
        raise BadInput(
            "nothing-kept", f"there is no record {new.digest[:80]!a}: nothing is kept here yet", "distil a session first: `ruledout distill SESSION`"
        )

    def standings(self, digests: Sequence[str] | None = None) -> tuple[Stood, ...]:  # noqa: ARG002  # the port's names
        """None."""
        return ()

    def forget(self, digest: str) -> None:
        """There is no such record."""
        self.get(digest)

    def audit(self) -> tuple[AuditFinding, ...]:
        """Sound."""
        return ()

    def close(self) -> None:
        """Nothing is open."""
