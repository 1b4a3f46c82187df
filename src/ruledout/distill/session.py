"""A session laid out for judging: its live actions, its runs read, its edits with their fates, and the batches they were made in."""

from msgspec import Struct

from ruledout.distill.seen import PlacedEdit, SeenRun
from ruledout.distill.segment import batches, flaky_places, is_product, live, scratch, seen_runs
from ruledout.distill.survive import Fates
from ruledout.model.action import Edit
from ruledout.model.attempt import Survival
from ruledout.model.transcript import Transcript


class Try(Struct, frozen=True, kw_only=True):
    """An attempt in the making: the edits of one fate, the run that judged them, and what was there before."""

    edits: tuple[PlacedEdit, ...]
    judge: SeenRun | None
    runs: tuple[SeenRun, ...]
    survival: Survival


class Session:
    """What the clauses of R4 need to look at."""

    def __init__(self, transcript: Transcript) -> None:
        """Lay out the branch that lived."""
        self.transcript = transcript
        self.actions = tuple(live(transcript))
        self.runs = seen_runs(self.actions)
        self.edits = tuple(PlacedEdit(place=place, edit=action) for place, action in self.actions if isinstance(action, Edit))
        self.fates = Fates(self.actions, transcript.final_patch)
        self.batches = batches(self.actions, self.runs)
        self.flaky = flaky_places(self.runs, self.edits)
        self._scratch = scratch(self.actions)

    def is_product(self, edit: PlacedEdit) -> bool:
        """Can this edit be part of a fix: of a file that ships, and that the session did not make for itself."""
        return is_product(edit.edit) and edit.edit.path not in self._scratch
