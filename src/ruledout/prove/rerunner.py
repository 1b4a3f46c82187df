"""Everything that is run again, behind one port: boundaries, replays, re-checks.

Implements `rerun.Rerunner`; the runs are made in `bounds` and `again`, what leave hangs on is read in `reach`.
"""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ruledout.model.attempt import BranchEdit
from ruledout.model.record import Replayed
from ruledout.ports import ProofRequest
from ruledout.prove import again, bounds, git, location, reach, surroundings
from ruledout.prove.gate import Runner
from ruledout.prove.look import Look, resolved
from ruledout.rerun import BoundaryRequest, Rechecked, RecheckRequest, Replay, ReplayRequest, Search, TrustFacts

if TYPE_CHECKING:
    from collections.abc import Iterator


class Rerunner(Runner):
    """See `rerun.Rerunner`. What a run may see and reach is settled as for a proof."""

    def boundary(self, request: BoundaryRequest) -> Search:
        """See the port."""
        return bounds.find(self.lab, request, self._told)

    def replay(self, request: ReplayRequest) -> Replay:
        """See the port. A base that is no commit of this repository is of another one: nothing to lay the edits on."""
        if request.gate.base is not None:
            with self._repository(request.gate.root) as repository:
                if resolved(repository, request.gate.base) is None:
                    return Replay(finding=Replayed.DOES_NOT_APPLY, why=f"{request.gate.base[:40]} is no commit of this repository")
        return again.replay(self.lab, request)

    def recheck(self, request: RecheckRequest) -> Rechecked:
        """See the port."""
        return again.recheck(self.lab, request)

    @contextmanager
    def look(self, root: str) -> "Iterator[Look]":
        """See the port."""
        with self._repository(root) as repository:
            yield Look(repository, self.facts)

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
