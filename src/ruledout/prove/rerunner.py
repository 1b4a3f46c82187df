"""Everything that is run again, behind one port: boundaries, replays, re-checks.

Implements `rerun.Rerunner`; the runs are made in `bounds` and `again`, what leave hangs on is read in `reach`.
"""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from ruledout import digest
from ruledout.errors import BadInput, CannotRun
from ruledout.model.attempt import BranchEdit
from ruledout.model.gate import PatchReceipt
from ruledout.model.record import Replayed
from ruledout.ports import ProofRequest
from ruledout.prove import again, bounds, git, location, patch, reach, surroundings
from ruledout.prove.gate import Runner
from ruledout.prove.patch import Patch
from ruledout.rerun import BoundaryRequest, Presence, Rechecked, RecheckRequest, Replay, ReplayRequest, Search, Today, TrustFacts

if TYPE_CHECKING:
    from collections.abc import Iterator


class Rerunner(Runner):
    """See `rerun.Rerunner`. What a run may see and reach is settled as for a proof."""

    def boundary(self, request: BoundaryRequest) -> Search:
        """See the port."""
        return bounds.find(self.lab, request)

    def replay(self, request: ReplayRequest) -> Replay:
        """See the port. A base that is no commit of this repository is of another one: nothing to lay the edits on."""
        if request.gate.base is not None:
            with self._repository(request.gate.root) as repository:
                if _resolved(repository, request.gate.base) is None:
                    return Replay(finding=Replayed.DOES_NOT_APPLY, why=f"{request.gate.base[:40]} is no commit of this repository")
        return again.replay(self.lab, request)

    def recheck(self, request: RecheckRequest) -> Rechecked:
        """See the port."""
        return again.recheck(self.lab, request)

    def today(self, request: RecheckRequest) -> Today:
        """See the port: the work tree is read and hashed, nothing is run but git."""
        with self._repository(request.gate.root) as repository:
            base = _resolved(repository, request.patch.base)
            found = patch.find(repository, base, ())
            seen = {"tree": found.after, "gate": request.digest, "programs": list(self.facts(request.gate).toolchain), "runs": request.gate.runs}
            told = Today(presence=Presence.UNKNOWN, inputs=digest.tagged("recheck", seen))
            if request.patch.base is None:
                return told
            if base is None:
                return structs.replace(told, foreign=request.patch.base)
            return structs.replace(told, presence=_presence(found, request.patch), retested=_retested(repository, found, request.patch))

    def changed(self, root: str, since: str) -> frozenset[str]:
        """See the port."""
        with self._repository(root) as repository:
            return frozenset(change.path for change in patch.find(repository, since, ()).changes)

    def facts(self, gate: ProofRequest, edits: Sequence[BranchEdit] = ()) -> TrustFacts:
        """See the port."""
        return reach.facts(self._environment, gate, edits)

    @contextmanager
    def _repository(self, root: str) -> "Iterator[git.Repository]":
        site = location.site(root)
        with tempfile.TemporaryDirectory(prefix="ruledout-look-", dir=self._environment.get("TMPDIR")) as folder:
            yield git.Repository(site, Path(folder) / "git", _path(self._environment, site))


def _path(environment: Mapping[str, str], site: location.Site) -> str:
    return surroundings.search_path(environment, site.root, ())


def _resolved(repository: git.Repository, base: str | None) -> str | None:
    """The base where it is a commit of this repository."""
    try:
        return repository.resolve(base)[0] if base else None
    except BadInput:
        return None


def _presence(found: Patch, kept: PatchReceipt) -> Presence:
    """By bytes alone. The digest is over what differs from the base, so the same files with the same blobs have the same one."""
    files = frozenset(kept.files)
    same = structs.replace(found, changes=tuple(change for change in found.changes if change.path in files))
    if patch.receipt(same).patch_digest == kept.patch_digest:
        return Presence.PRESENT
    product = frozenset(kept.product or kept.files)
    return Presence.CHANGED if any(change.path in product for change in found.changes) else Presence.GONE


def _retested(repository: git.Repository, found: Patch, kept: PatchReceipt) -> tuple[str, ...]:
    """Paths of the test side that differ from the tree that was proved, where that tree is here: a weaker test would call a broken fix green."""
    try:
        then = repository.entries(kept.tree) if kept.tree and kept.tests else {}
    except CannotRun:  # the tree that was proved was never committed as it was
        then = {}
    if not then:
        return ()
    return tuple(path for path in kept.tests if then.get(path) != found.files.get(path))
