"""What distilling passes from step to step: a run with its reading, and the session as it was judged. Values only."""

from msgspec import Struct

from ruledout.model.action import Edit, Run
from ruledout.model.attempt import Attempt
from ruledout.model.outcome import Outcome, Result
from ruledout.model.residual import Symptom


class SeenRun(Struct, frozen=True, kw_only=True):
    """A run whose result says whether something works. `place` is its index in `Transcript.actions`."""

    place: int
    run: Run
    outcome: Outcome

    @property
    def decided(self) -> bool:
        """True where the run said yes or no about the code."""
        return self.outcome.result in (Result.PASS, Result.FAIL)

    @property
    def failed(self) -> bool:
        """True where it said no."""
        return self.outcome.result is Result.FAIL


class PlacedEdit(Struct, frozen=True, kw_only=True):
    """An edit and its index in `Transcript.actions`."""

    place: int
    edit: Edit


class Batch(Struct, frozen=True, kw_only=True):
    """Edits made in one go, and the runs between them and the next product edits: the raw form of an attempt."""

    edits: tuple[PlacedEdit, ...]
    runs: tuple[SeenRun, ...]


class GateSeen(Struct, frozen=True, kw_only=True):
    """A command that the session itself shows failing, then passing: the two runs."""

    command: str
    red: SeenRun
    green: SeenRun


class Candidate(Struct, frozen=True, kw_only=True):
    """Words of the assistant that may state the root cause, and where they stand.

    `near_fix`: it calls itself the statement of the fault, and was said just before the change that turned the gate, or after.
    """

    text: str
    ref: str
    near_fix: bool = False


class Judged(Struct, frozen=True, kw_only=True):
    """A session as it was judged. `resolved` is `resolved` or `unresolved`: did the last run that decides pass."""

    runs: tuple[SeenRun, ...]
    attempts: tuple[Attempt, ...]
    symptom: Symptom | None
    gate: GateSeen | None
    ending: str
    candidates: tuple[Candidate, ...]
    product: tuple[str, ...]
    """files that ship, of which something lives on"""
    surviving: tuple[str, ...]
    """fingerprints of edits that live on: never to be ruled out (R4)"""
