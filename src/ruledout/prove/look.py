"""A work tree looked at once for many questions: is a patch in it, what differs from a revision. Starts git, and nothing of the repository's."""

from collections.abc import Callable

from msgspec import structs

from ruledout import digest
from ruledout.errors import BadInput, CannotRun
from ruledout.model.gate import PatchReceipt
from ruledout.ports import ProofRequest
from ruledout.prove import patch
from ruledout.prove.git import Entries, Repository
from ruledout.prove.patch import Change, Patch
from ruledout.rerun import Presence, RecheckRequest, Today, TrustFacts


class Look:
    """Implements `rerun.Look`. `facts` tells what a gate reaches and which programs it finds."""

    def __init__(self, repository: Repository, facts: Callable[[ProofRequest], TrustFacts]) -> None:
        """Read the work tree."""
        self._repository = repository
        self._facts = facts
        self._now: Patch = patch.find(repository, None, ())

    def today(self, request: RecheckRequest) -> Today:
        """See the port."""
        programs = list(self._facts(request.gate).toolchain)
        inputs = digest.tagged("recheck", {"tree": self._now.after, "gate": request.digest, "programs": programs, "runs": request.gate.runs})
        told = Today(presence=Presence.UNKNOWN, tree=self._now.after, inputs=inputs)
        if request.patch.base is None:
            return told
        base = resolved(self._repository, request.patch.base)
        if base is None:
            return structs.replace(told, foreign=request.patch.base)
        retested = tuple(test_side(self._repository, request.patch, self._now.files))
        return structs.replace(told, presence=self._presence(self._repository.entries(base), request.patch), retested=retested)

    def changed(self, since: str) -> frozenset[str]:
        """See the port."""
        then = self._repository.entries(self._repository.resolve(since)[1])
        return frozenset(path for path in {*then, *self._now.files} if then.get(path) != self._now.files.get(path))

    def _presence(self, base: Entries, kept: PatchReceipt) -> Presence:
        """By bytes alone. The digest is over what differs from the base, so the same files with the same blobs have the same one."""
        pairs = [Change(path=path, before=base.get(path), after=self._now.files.get(path)) for path in sorted(kept.files)]
        changes = tuple(change for change in pairs if change.before != change.after)
        if patch.receipt(structs.replace(self._now, changes=changes)).patch_digest == kept.patch_digest:
            return Presence.PRESENT
        product = frozenset(kept.product or kept.files)
        return Presence.CHANGED if any(change.path in product for change in changes) else Presence.GONE


def resolved(repository: Repository, base: str | None) -> str | None:
    """The base where it is a commit of this repository."""
    try:
        return repository.resolve(base)[0] if base else None
    except BadInput:
        return None


def test_side(repository: Repository, kept: PatchReceipt, files: Entries) -> Entries:
    """The test side as it was proved, where it differs from these files and the tree that was proved is here; a path that was not there has no entry."""
    try:
        then = repository.entries(kept.tree) if kept.tree and kept.tests else {}
    except CannotRun:  # the tree that was proved was never committed as it was
        return {}
    return {path: then[path] for path in kept.tests if path in then and then[path] != files.get(path)}
