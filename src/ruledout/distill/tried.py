"""What a dead end changed, as the session shows it: its own edits, and what stood in the product when it was judged, so that it can be tried again (R10).

All or nothing: a part of an edit is another edit, and whoever tries that has tried something else. Text is redacted, and 20 KB a branch are kept at most.
"""

from collections.abc import Iterable, Sequence

from msgspec import structs

from ruledout.distill.seen import Judged, PlacedEdit
from ruledout.distill.segment import is_product, live
from ruledout.distill.session import fingerprints
from ruledout.model.action import Edit, EditKind, Ending, Hunk
from ruledout.model.attempt import Attempt, BranchEdit, FalsifiedBranch
from ruledout.model.transcript import Transcript
from ruledout.redact import redact
from ruledout.text import clean

LIMIT = 20_000
"""characters a branch"""
_UNSHOWN = (EditKind.OPAQUE, EditKind.PATTERN)
_EVERYTHING = ("*", ".")


def with_edits(
    transcript: Transcript, judged: Judged, branches: Sequence[FalsifiedBranch], of_attempt: Iterable[tuple[str, str]]
) -> tuple[FalsifiedBranch, ...]:
    """The branches with the edits of their first attempts. `of_attempt` maps attempt ids to branch ids, in order."""
    attempts = {attempt.id: attempt for attempt in judged.attempts}
    firsts: dict[str, Attempt] = {}
    for attempt, branch in of_attempt:
        firsts.setdefault(branch, attempts[attempt])
    made = tuple(PlacedEdit(place=place, edit=action) for place, action in live(transcript) if isinstance(action, Edit) and _happened(action))
    places: dict[str, int] = {}
    for place, action in live(transcript):
        places.setdefault(action.ref, place)
    return tuple(_with(branch, firsts[branch.rejected_hypothesis_id], made, places) for branch in branches)


def _with(branch: FalsifiedBranch, attempt: Attempt, made: Sequence[PlacedEdit], places: dict[str, int]) -> FalsifiedBranch:
    start, end = places.get(attempt.from_ref), places.get(attempt.to_ref or "")
    if start is None or end is None:
        return branch
    window = [one.edit for one in made if start <= one.place < end]
    own = [edit for edit in window if _is_own(edit, attempt)]
    prints = {print_ for edit in own for print_ in fingerprints(edit)}
    if prints != {print_ for print_ in attempt.fingerprints if not print_.startswith("c")} or any(edit.kind in _UNSHOWN for edit in own):
        return branch
    rest = [edit for edit in window if edit not in own]
    edits, before = _kept(own), _kept(_standing([one.edit for one in made if one.place < start] + rest))
    if _size(edits) > LIMIT:
        return branch
    return structs.replace(branch, edits=edits, before=before if _size((*edits, *before)) <= LIMIT else ())


def _happened(edit: Edit) -> bool:
    return edit.ending in (Ending.DONE, Ending.TIMED_OUT)


def _is_own(edit: Edit, attempt: Attempt) -> bool:
    """Of the files of the attempt, and of its hunks as far as they are shown: a batch may be parted by what became of its edits."""
    return edit.path in attempt.files and edit.kind is not EditKind.RESTORE and set(fingerprints(edit)) <= set(attempt.fingerprints)


def _standing(edits: Sequence[Edit]) -> list[Edit]:
    """What had not been taken back by going to an earlier state; nothing where the session does not show all of it."""
    found: list[Edit] = []
    for edit in edits:
        if edit.kind is EditKind.RESTORE:
            found = [one for one in found if edit.path not in (*_EVERYTHING, one.path)]
        else:
            found.append(edit)
    return [] if any(edit.kind in _UNSHOWN and is_product(edit) for edit in found) else found


def _kept(edits: Iterable[Edit]) -> tuple[BranchEdit, ...]:
    """The product's hunks: the tests that judge are those of the tree that it is tried on."""
    return tuple(
        BranchEdit(path=clean(edit.path), kind=edit.kind, removed=_lines(hunk.removed), added=_lines(hunk.added))
        for edit in edits
        if is_product(edit)
        for hunk in (edit.hunks or ((Hunk(),) if edit.kind is EditKind.DELETE else ()))
    )


def _lines(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(redact("\n".join(lines)).split("\n")) if lines else ()


def _size(edits: Sequence[BranchEdit]) -> int:
    return sum(len(line) + 1 for edit in edits for line in (edit.path, *edit.removed, *edit.added))
