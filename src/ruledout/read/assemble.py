"""Builds a transcript call by call. Every text goes through one door here: redacted, cleaned, capped (R13); what is left out is counted (R14).

Readers know their format; this room knows none.
"""

from typing import TypedDict, Unpack

from msgspec import Struct

from ruledout import redact, text
from ruledout.model.action import Action, Ending
from ruledout.model.transcript import Fidelity, Skipped, Transcript
from ruledout.model.turn import DebugTurn, Role, Track
from ruledout.read import shell, tools

TURN_LIMIT = 16 * 1024
"""Characters of one turn."""
OUTPUT_LIMIT = 64 * 1024
"""Characters of one run's output."""
OTHER_LIMIT = 4 * 1024
"""Characters of what any other tool gave back: files read, search hits. They say nothing that an action does not."""
_REASONS = 200
_NAME = 200


class Facts(TypedDict, total=False):
    """What a reader knows of the whole session."""

    agent: str | None
    version: str | None
    session: str | None
    cwd: str | None
    fidelity: Fidelity
    final_patch: str | None
    parent_ref: str | None
    subagents: tuple[Transcript, ...]


class _Result(Struct):
    """What closed a call."""

    output: str
    exit: int | None
    ending: Ending
    result_ref: str | None
    original: str | None


class _Slot(Struct):
    """A call in its place, with what has come back so far."""

    ref: str
    at: int
    name: str
    arguments: object
    cwd: str | None
    result: _Result | None = None
    stash_returns: bool = False


class Assembler:
    """One transcript in the making. Calls and results may come in any order and be split by anything; `finish` closes what is open as missing."""

    def __init__(self, format: str) -> None:  # noqa: A002 - it is the transcript's field
        """Start an empty transcript of this format."""
        self._format = format
        self._turns: list[DebugTurn] = []
        self._slots: list[_Slot] = []
        self._open: dict[str, _Slot] = {}
        self._early: dict[str, _Result] = {}
        self._skipped: dict[str, tuple[int, str]] = {}

    def say(self, role: Role, text: str, ref: str, track: Track = Track.LIVE) -> int:
        """Add something said; gives the index of its turn. Blank text adds a turn too."""
        return self._add(role, tools.safe(text, TURN_LIMIT), ref, track)

    def call(self, ref: str, name: str, arguments: object, *, cwd: str | None = None, track: Track = Track.LIVE, shown: str | None = None) -> None:
        """Add a tool call. `arguments` as the agent gave them: a mapping, text, a list; `cwd` the folder it ran in, where the session tells.

        `shown` is what its turn says where the input itself says it badly. The same ref may come again (some agents count calls anew in each step):
        a result goes to the latest.
        """
        at = self._add(Role.CALL, tools.safe(tools.shown(name, arguments) if shown is None else shown, TURN_LIMIT), ref, track)
        slot = _Slot(ref, at, name, arguments, cwd, self._early.pop(ref, None))
        self._slots.append(slot)
        self._open[ref] = slot

    def result(
        self,
        ref: str,
        text: str,
        *,
        exit: int | None = None,  # noqa: A002 - the words of `Run`
        ending: Ending = Ending.DONE,
        result_ref: str | None = None,
        original: str | None = None,
    ) -> None:
        """Close the call with this ref, which may not have been read yet. `original` is the file's content before an edit, where the session shows it.

        A later result replaces one that said `running` and fills in an exit that was not told; otherwise the first one stands.
        """
        slot = self._open.get(ref)
        known = slot.result if slot else self._early.get(ref)
        if known is not None and known.ending is not Ending.RUNNING:
            if known.exit is None:
                known.exit = exit
            return
        output = tools.safe(text, OUTPUT_LIMIT if slot is None or tools.is_run(slot.name) else OTHER_LIMIT)
        track = self._turns[slot.at].track if slot else Track.LIVE
        self._add(Role.OUTPUT, _short(output), result_ref or ref, track)
        new = _Result(output, exit, ending, result_ref, original)
        if slot:
            slot.result = new
        else:
            self._early[ref] = new

    def close(self, ref: str, ending: Ending) -> None:
        """End a call that stands open, without an output turn: the session says how it ended, but shows nothing."""
        slot = self._open.get(ref)
        if slot and slot.result is None:
            slot.result = _Result("", None, ending, None, None)

    def open_calls(self) -> list[str]:
        """The refs of calls without any result yet, in order."""
        return [slot.ref for slot in self._slots if slot.result is None]

    def ended(self, ref: str) -> Ending | None:
        """How the call with this ref has ended so far; None while it is open or unknown."""
        slot = self._open.get(ref)
        return slot.result.ending if slot and slot.result else None

    def mark(self, at: int, track: Track) -> None:
        """Move the turn with this index to another track, once the session's tree is known."""
        turn = self._turns[at]
        self._turns[at] = DebugTurn(role=turn.role, text=turn.text, ref=turn.ref, track=track)

    def skip(self, reason: str, place: str) -> None:
        """Count something left out. Beyond 200 reasons (a hostile file) the rest share one."""
        if reason not in self._skipped and len(self._skipped) >= _REASONS:
            reason = "other reasons"
        count, first = self._skipped.get(reason, (0, place))
        self._skipped[reason] = (count + 1, _plain(first))

    def __len__(self) -> int:
        """The number of turns so far."""
        return len(self._turns)

    def finish(self, **facts: Unpack[Facts]) -> Transcript:
        """The transcript. Calls without a result end as `missing`; results without a call are counted."""
        for ref in self._early:
            self.skip("result without a call", ref)
        _pair_stashes(self._slots)
        root = facts.get("cwd")
        actions = tuple(action for slot in self._slots for action in _actions(slot, root))
        if patch := facts.get("final_patch"):
            facts["final_patch"] = redact.redact(text.clean(patch))
        if root:
            facts["cwd"] = tools.safe(root)
        named: Facts = {"session": _named(facts.get("session")), "version": _named(facts.get("version")), "agent": _named(facts.get("agent"))}
        facts.update(named)
        return Transcript(
            format=self._format,
            turns=tuple(self._turns),
            actions=actions,
            skipped=tuple(Skipped(reason=reason, count=count, first=first) for reason, (count, first) in sorted(self._skipped.items())),
            **facts,
        )

    def _add(self, role: Role, shown: str, ref: str, track: Track) -> int:
        self._turns.append(DebugTurn(role=role, text=shown, ref=_plain(ref), track=track))
        return len(self._turns) - 1


def _plain(ref: str) -> str:
    """An id or a name without control and invisible characters, at most 200 characters. Ids are no prose and hold no secrets, so they are not redacted."""
    return ref if len(ref) <= _NAME and ref.isascii() and ref.isprintable() else text.cap(text.clean(ref), _NAME)


def _named(name: str | None) -> str | None:
    return None if name is None else _plain(name)


def _pair_stashes(slots: list[_Slot]) -> None:
    """A stash that is taken out again undid nothing: agents stash to see whether a failure was there before."""
    put_away: list[_Slot] = []
    for slot in slots:
        line = tools.command(slot.arguments) if tools.is_run(slot.name) else None
        for verb in shell.stashes(line) if line else ():
            if verb == "push":
                put_away.append(slot)
            elif put_away:
                put_away.pop().stash_returns = slot.stash_returns = True


def _short(output: str) -> str:
    """An output as its turn shows it."""
    return text.head_tail(output, TURN_LIMIT)


def _actions(slot: _Slot, root: str | None) -> tuple[Action, ...]:
    """What the call did. Its arguments are let go, so that a big session is not held twice."""
    result = slot.result or _Result("", None, Ending.MISSING, None, None)
    call = tools.Call(
        ref=_plain(slot.ref),
        at=slot.at,
        name=slot.name,
        arguments=slot.arguments,
        cwd=slot.cwd,
        root=root,
        output=result.output,
        exit=result.exit,
        ending=result.ending,
        result_ref=result.result_ref and _plain(result.result_ref),
        original=result.original,
        stash_returns=slot.stash_returns,
    )
    slot.arguments = None
    return tools.actions(call)
