"""Which edits live on in the final state. Plays the session's edits and answers for a group of them; judges nothing."""

from collections.abc import Iterable, Sequence

from ruledout.distill.replay import Replay
from ruledout.distill.seen import PlacedEdit
from ruledout.model.action import Action, Edit, Ending, Run
from ruledout.model.attempt import Survival
from ruledout.observe.late import Late

_COMMIT = Late(r"\bgit commit\b(?!.*--dry-run)")


class Fates:
    """What became of each edit of a session, asked by its place in `Transcript.actions`."""

    def __init__(self, actions: Sequence[tuple[int, Action]], final_patch: str | None = None) -> None:
        """Play all edits and commits in order."""
        events: list[Edit | None] = []
        self._number: dict[int, int] = {}
        self._places: list[int] = []
        commands: dict[str, str] = {}
        for _, action in actions:
            if isinstance(action, Run):
                commands.setdefault(action.ref, action.command)
        for place, action in actions:
            if isinstance(action, Edit):
                self._number[place] = len(events)
                events.append(action)
                self._places.append(place)
            elif isinstance(action, Run) and _commits(action):
                events.append(None)
                self._places.append(place)
        self._replay = Replay(events, commands, final_patch)

    def of(self, edits: Iterable[PlacedEdit]) -> Survival:
        """The fate of several edits as one: it survives if any of it does; it is gone only if all of it is (R4)."""
        fates = [self._replay.fate(self._number[edit.place]) for edit in edits]
        if not fates:
            return Survival.NO_EDIT
        if Survival.SURVIVES in fates:
            return Survival.SURVIVES
        return Survival.UNKNOWN if Survival.UNKNOWN in fates else Survival.GONE

    def undone_at(self, edits: Iterable[PlacedEdit]) -> int | None:
        """The place of the act that took out the last of these edits; None unless all are gone."""
        events = [self._replay.undone(self._number[edit.place]) for edit in edits]
        known = [event for event in events if event is not None]
        return self._places[max(known)] if known and len(known) == len(events) else None


def _commits(run: Run) -> bool:
    return "git commit" in run.command and run.ending is Ending.DONE and run.exit in (0, None) and _COMMIT.search(run.command) is not None
