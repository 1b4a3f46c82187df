"""A session laid out for judging: its live actions, its runs read, its edits with their fates, and the batches they were made in."""

from msgspec import Struct

from ruledout import fingerprint
from ruledout.distill import gates
from ruledout.distill.seen import PlacedEdit, SeenRun
from ruledout.distill.segment import batches, flaky_places, going_back, holds_tests, is_product, live, scratch, seen_runs
from ruledout.distill.survive import Fates
from ruledout.model.action import Edit, EditKind, Ending
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
        self.fates = Fates(self.actions, transcript)
        self.batches = batches(self.actions, self.runs)
        self.flaky = flaky_places(self.runs, self.edits, gates.bare)
        self.gate = gates.gate_seen(self.runs, self.edits)
        self.ending = gates.ending(self.runs, self.gate)
        self.going_back = going_back(self.edits)
        self._scratch = scratch(self.actions)
        kept = [edit.edit for edit in self.edits if may_have_happened(edit.edit) and self.fates.of([edit]) is not Survival.GONE]
        self.surviving = frozenset(f for edit in kept for f in fingerprints(edit))
        self._anywhere = frozenset(fingerprint.edit_anywhere(hunk.removed, hunk.added) for edit in kept for hunk in edit.hunks if hunk.removed or hunk.added)

    def is_product(self, edit: PlacedEdit) -> bool:
        """Can this edit be part of a fix: of a file that ships, and that the session did not make for itself."""
        return is_product(edit.edit) and edit.edit.path not in self._scratch and not holds_tests(edit.edit)

    def lives_again(self, edit: Edit) -> bool:
        """R4: does the very same change live on, made once more, here or in another file."""
        return any(
            fingerprint.edit_anywhere(hunk.removed, hunk.added) in self._anywhere
            for hunk in edit.hunks
            if any(line.strip() for line in (*hunk.removed, *hunk.added))
        )


def may_have_happened(edit: Edit) -> bool:
    """False for a call that was refused or malformed: nothing was changed by it."""
    return edit.ending not in (Ending.REFUSED, Ending.MALFORMED)


def fingerprints(edit: Edit) -> tuple[str, ...]:
    """The exact keys of an edit's hunks; none where the session does not show the lines."""
    if edit.kind in (EditKind.OPAQUE, EditKind.PATTERN, EditKind.RESTORE, EditKind.DELETE):
        return ()
    return tuple(fingerprint.edit(edit.path, hunk.removed, hunk.added) for hunk in edit.hunks if hunk.removed or hunk.added)
