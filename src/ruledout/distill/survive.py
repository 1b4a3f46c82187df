"""Which edits live on in the final state. Plays the session's edits and answers for a group of them; judges nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruledout.distill import acts
from ruledout.distill.acts import Act, Happening
from ruledout.distill.replay import Replay
from ruledout.distill.seen import PlacedEdit
from ruledout.model.action import Action, Edit, EditKind, Run
from ruledout.model.attempt import Survival
from ruledout.model.transcript import Transcript

_SCRIPT = re.compile(r"\.(?:py|sh|js|mjs|cjs|ts|rb|pl|php|awk|sed|patch|diff)$")
_WRITES = re.compile(r"write|open\(|sed\s+-i|patch|git\s+apply|>\s*\S|shutil|rename|perl\s+-p|^[-+]{3}\s", re.MULTILINE)
_ALL_FILES = re.compile(r"argv|glob|walk|find\s|\$[1@*]|\bargs\b")


class Fates:
    """What became of each edit of a session, asked by its place in `Transcript.actions`."""

    def __init__(self, actions: Sequence[tuple[int, Action]], transcript: Transcript) -> None:
        """Play all edits and what else touched them, in order."""
        self._number: dict[int, int] = {}
        self._places: list[int] = []
        commands: dict[str, str] = {}
        for _, action in actions:
            if isinstance(action, Run):
                commands.setdefault(action.ref, action.command)
        events: list[Edit | Happening] = []
        for place, event in _events(actions, commands, transcript.subagents):
            if isinstance(event, Edit):
                self._number[place] = len(events)
            events.append(event)
            self._places.append(place)
        self._replay = Replay(events, commands, transcript.final_patch, transcript.cwd)

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


def _events(actions: Sequence[tuple[int, Action]], commands: Mapping[str, str], subagents: Sequence[Transcript]) -> Iterator[tuple[int, Edit | Happening]]:
    """Edits, and what commands do beyond them. A command that saves or commits is taken to do so both before and after its own edits."""
    files = frozenset(action.path for _, action in actions if isinstance(action, Edit))
    scripts: dict[str, str] = {}
    begun: set[str] = set()
    popped = any(acts.takes_stash_back(command) for command in commands.values())
    for place, action in actions:
        if action.ref not in begun:
            begun.add(action.ref)
            before = acts.happenings(commands.get(action.ref, ""), files, popped=popped)
            yield from ((place, happening) for happening in before if happening.act is not Act.RETURN)
            yield from ((place, Happening(act=Act.HAZE, paths=(path,))) for path in _by_subagents(subagents, action.ref))
        if isinstance(action, Edit):
            yield place, action
            if action.kind is EditKind.WRITE and _SCRIPT.search(action.path):
                scripts[action.path] = "\n".join(line for hunk in action.hunks for line in hunk.added)
        elif isinstance(action, Run):
            yield from ((place, happening) for happening in acts.happenings(action.command, files, popped=popped))
            yield from ((place, Happening(act=Act.HAZE, paths=paths)) for paths in _by_scripts(action.command, scripts, files))


def _by_subagents(subagents: Sequence[Transcript], ref: str) -> Iterator[str]:
    """Files that the sub-agents of this call edited: unseen from here."""
    for one in subagents:
        if one.parent_ref == ref:
            yield from dict.fromkeys(action.path for action in one.actions if isinstance(action, Edit))


def _by_scripts(command: str, scripts: Mapping[str, str], files: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Files that a script, written earlier and started now, may have written to."""
    for path, text in scripts.items():
        if path.rpartition("/")[2] not in command or not _WRITES.search(text):
            continue
        yield ("*",) if _ALL_FILES.search(text) else tuple(file for file in files if file != path and file.rpartition("/")[2] in text)
