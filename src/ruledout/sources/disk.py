"""`SessionSource` on this machine's file system: what lies in the places, and the bytes of each. What cannot be taken is counted with its reason (R14)."""

import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from ruledout.errors import BadInput
from ruledout.ports import FoundSession, FoundSessions
from ruledout.sources import files, pieces
from ruledout.sources.places import PLACES, REPOSITORY, Machine, Place, agent_named, root_of
from ruledout.sources.walk import DENIED, Tally, Walk, printable

_MOST_PATH = 4096
SIDE, EMPTY = "side chain of another session", "empty file"


class Disk:
    """The sessions of one machine. Is told all about the machine, and asks nothing of the environment itself."""

    def __init__(self, machine: Machine) -> None:
        """Look at nothing yet."""
        self._machine = machine

    def found(self, agent: str | None = None, since: str | None = None) -> FoundSessions:
        """Every session of every place, newest first. Raises `BadInput` (`unknown-agent`) for an agent that has no place."""
        wanted = agent_named(agent) if agent is not None else None
        tally = Tally()
        seen: dict[str, FoundSession] = {}
        for place, root in self._places(wanted):
            for entry in Walk(tally, folders=bool(place.events)).entries(root, place.pattern.split("/")):
                if session := self._session(place, entry, tally):
                    seen.setdefault(os.path.realpath(session.path), session)
        taken = [session for session in seen.values() if since is None or session.modified >= since]
        return FoundSessions(sessions=tuple(sorted(taken, key=lambda one: (one.modified, one.path), reverse=True)), skipped=tally.skipped())

    def read(self, session: FoundSession, limit: int | None = None) -> bytes:
        """Its bytes up to the last whole record, at most `limit`. Raises `BadInput` as `files.read` does."""
        kinds = [place for place in PLACES if place.agent == session.agent]
        if any(place.pieces for place in kinds):
            return pieces.read(session.path, limit)
        if any(place.events for place in kinds) and os.path.isdir(session.path):  # noqa: PTH112  # paths of others may hold bytes that are no text; os keeps them
            return files.folder(session.path, _events(session.path), limit)
        return files.read(session.path, limit)

    def _places(self, wanted: str | None) -> Iterator[tuple[Place, str]]:
        """The places to look at with their roots; one that two rows of the table come to is looked at once."""
        done: set[tuple[str, str]] = set()
        for place in PLACES:
            root = root_of(place, self._machine) if wanted in (None, place.agent) else None
            if root is not None and (root, place.pattern) not in done:
                done.add((root, place.pattern))
                yield place, root

    def _session(self, place: Place, entry: "os.DirEntry[str]", tally: Tally) -> FoundSession | None:
        """A session by its entry, or None where it is none, counted."""
        reason = place.refused or (SIDE if any(fnmatchcase(entry.name, side) for side in place.side) else None)
        size, modified = 0, 0.0
        if reason is None:
            try:
                size, modified = pieces.facts(entry.path) if place.pieces else _facts(entry, folder=bool(place.events))
                reason = None if size else EMPTY
            except (OSError, BadInput):
                reason = DENIED
        if reason is not None:
            tally.skip(reason, entry.path)
            return None
        return FoundSession(agent=place.agent, path=entry.path, bytes=size, modified=_stamp(modified), repository=self._work_tree(place, entry.path))

    def _work_tree(self, place: Place, path: str) -> str | None:
        """The work tree that a session's place stands for, where the place tells it."""
        here = self._machine.repository
        if place.roots[0].startswith(REPOSITORY):
            return here
        if place.project is None:
            return None
        folder = os.path.dirname(os.path.dirname(path))  # noqa: PTH120  # as in read
        if here and os.path.basename(folder) == hashlib.sha256(os.fsencode(here)).hexdigest():  # noqa: PTH119  # as in read
            return here
        try:
            return files.read(f"{folder}/{place.project}", _MOST_PATH).decode("utf-8", "replace").strip() or None
        except BadInput:
            return None


def _facts(entry: "os.DirEntry[str]", *, folder: bool) -> tuple[int, float]:
    """Bytes and time of change: of a file, or of all event files of a folder."""
    if not folder:
        facts = [entry.stat(follow_symlinks=False)]
    else:
        facts = [os.stat(os.path.join(entry.path, name), follow_symlinks=False) for name in _events(entry.path)]  # noqa: PTH116, PTH118  # as in read
    return sum(fact.st_size for fact in facts), max((fact.st_mtime for fact in facts), default=0.0)


def _events(path: str) -> tuple[str, ...]:
    """The event files of a folder in the order of their numbers: JSON alone, never a pickle, never a link."""
    try:
        with os.scandir(path) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False)]
    except OSError as error:
        raise BadInput("unreadable", f"{printable(path)} cannot be read: {error.strerror}", "check that it is still there, and its permissions") from None
    return tuple(sorted(names, key=_number))


def _number(name: str) -> tuple[int, str]:
    """The order of event files: `2.json` before `10.json`; `event-00002-...` by its name."""
    stem = name.partition(".")[0]
    return (int(stem) if stem.isdecimal() and len(stem) < 19 else 0, name)


def _stamp(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):  # a time that no calendar has
        return "1970-01-01T00:00:00Z"
