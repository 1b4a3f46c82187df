"""One run of an agent, as read from its own file."""

from enum import StrEnum

from msgspec import Struct

from ruledout.model.action import Action
from ruledout.model.turn import DebugTurn


class Fidelity(StrEnum):
    """How much the file can be trusted to hold what happened: `lossy` for screen captures and exports that cut."""

    FULL = "full"
    LOSSY = "lossy"


class Skipped(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a reader could not or did not use: `count` records for one `reason`; `first` is the place of the first (`line:N`, `step:N`, `byte:N`)."""

    reason: str
    count: int
    first: str


class Transcript(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session: what was said, what was done, in the file's order, and what was left out.

    `actions` are in the order of the calls; an action's `at` indexes `turns`. One call may give several actions of one `ref` (a patch over three
    files; a shell command that writes a file, then runs it: the edits first). `final_patch` is the unified diff that the file itself records as
    the session's result. Side chains stand in `subagents`, each with the `parent_ref` of the call that started it.
    """

    format: str
    turns: tuple[DebugTurn, ...]
    actions: tuple[Action, ...]
    skipped: tuple[Skipped, ...] = ()
    agent: str | None = None
    version: str | None = None
    session: str | None = None
    cwd: str | None = None
    fidelity: Fidelity = Fidelity.FULL
    final_patch: str | None = None
    parent_ref: str | None = None
    subagents: tuple["Transcript", ...] = ()
