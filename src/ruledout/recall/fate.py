"""What a change does to one guard: leaves it, moves it, removes it, or keeps its words where they can no longer run. Pure; equal code only, never likeness.

Docs: `docs/decisions/0052-when-a-guard-is-gone.md`.
"""

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from ruledout.model.attempt import Guard
from ruledout.model.gate import Anchor
from ruledout.recall.anchor import Place, beside, best, likeness, own, places
from ruledout.recall.tokens import code_lines, comment_kind

_COMMENT = {"hash": r"\#", "slash": "//", "dash": "--"}
_NEAR = 0.6


class State(StrEnum):
    """`untouched`: no file of its was changed; `kept` and `moved`: it stands; `stale`: it is in neither version of its file; the rest is a finding."""

    UNTOUCHED = "untouched"
    KEPT = "kept"
    MOVED = "moved"
    STALE = "stale"
    REMOVED = "removed"
    CHANGED = "changed"
    DISABLED = "disabled"


LOST = (State.REMOVED, State.CHANGED, State.DISABLED)


class Fate(Struct, frozen=True, kw_only=True):
    """What became of a guard: where it stood before the change, where it stands after it, and for a finding what was seen."""

    state: State
    was: Place | None = None
    now: Place | None = None
    why: str = ""


def where(guard: Guard) -> tuple[str, int]:
    """Path and line of a guard's location; line 0 where it has none."""
    path, _, line = guard.location.rpartition(":")
    return (path, int(line)) if path and line.isdigit() else (guard.location, 0)


def fate(guard: Guard, before: Mapping[str, str], after: Mapping[str, str]) -> Fate:
    """What a change does to a guard. `before` and `after` hold the texts of the files that it touches, and no others."""
    path, line = where(guard)
    there = _all(guard, before)
    if not there and path not in before:
        return Fate(state=State.UNTOUCHED)
    was = best([place for place in there if _is(place, guard, path)], path, line, guard.anchor)
    here = _all(guard, after)
    if was is None:
        brought = best([place for place in here if _is(place, guard, path)], path, line, guard.anchor)
        if brought is not None:
            return Fate(state=State.KEPT, now=brought)
        return Fate(state=State.STALE if path in before else State.UNTOUCHED)
    live = [place for place in here if not place.dead]
    known = _anchored(was)
    now = best(live, was.path, was.first, known)
    if now is not None and _stands(guard, was, now, [place for place in there if not place.dead], live):
        same = (now.path, now.symbol) == (was.path, was.symbol)
        return Fate(state=State.KEPT if same else State.MOVED, was=was, now=now)
    dead = best([place for place in here if place.dead], was.path, was.first, known)
    if dead is not None and len(here) >= len(there):
        return Fate(state=State.DISABLED, was=was, now=dead, why=dead.dead)
    return _lost(guard, was, before[was.path], after.get(was.path))


def found(guard: Guard, files: Mapping[str, str], path: str) -> Place | None:
    """Where a guard stands now in the file `path`; None when it has lost its lines there."""
    home, line = where(guard)
    text = files.get(path, "")
    here = [place for place in places(path, text, guard.snippet) if path == home or own(path, guard.snippet) or place.symbol == guard.anchor.symbol]
    return best(here, home, line, guard.anchor)


def _all(guard: Guard, files: Mapping[str, str]) -> list[Place]:
    first = guard.snippet.split(maxsplit=1)[:1]
    return [place for path, text in files.items() if first and _may_hold(text, guard.snippet) for place in places(path, text, guard.snippet)]


def _may_hold(text: str, snippet: str) -> bool:
    """A quick look: a text without the snippet's longest word cannot hold it."""
    longest = max(re.findall(r"\w+", snippet), key=len, default="")
    return longest in text


def _is(place: Place, guard: Guard, path: str) -> bool:
    """Is a place the guard's own, and not other code of the same words: it could run, and it is long enough, or in its symbol, or beside its neighbours."""
    if place.dead:
        return False
    return own(place.path, guard.snippet) or (place.path == path and place.symbol == guard.anchor.symbol) or beside(place, guard.anchor) > 0


def _anchored(was: Place) -> Anchor:
    return Anchor(symbol=was.symbol, before=was.before, after=was.after)


def _stands(guard: Guard, was: Place, now: Place, before: Sequence[Place], after: Sequence[Place]) -> bool:
    """Does the guard still stand at `now`. In its own symbol it does, unless one of several equal ones went and no neighbour tells which.

    Elsewhere it does when nothing of its words was lost over all changed files, and it is known by its length, its symbol's name or its neighbours.
    """
    known = _anchored(was)
    if (now.path, now.symbol) == (was.path, was.symbol):
        counts = [sum((place.path, place.symbol) == (was.path, was.symbol) for place in side) for side in (before, after)]
        return counts[1] >= counts[0] or likeness(now, was.path, known) == likeness(was, was.path, known)
    if len(after) < len(before):
        return False
    same_name = now.symbol.rpartition(".")[2] == was.symbol.rpartition(".")[2]
    return own(now.path, guard.snippet) or same_name or beside(now, known) > 0


def _lost(guard: Guard, was: Place, old: str, text: str | None) -> Fate:
    """How it was lost: commented out, changed in place, or gone."""
    if text is None:
        return Fate(state=State.REMOVED, was=was, why=f"{was.path} is gone, and no other changed file holds it")
    bare = re.sub(rf"(?m)^(\s*){_COMMENT[comment_kind(was.path)]}+ ?", r"\1", text)
    if bare != text and places(was.path, bare, guard.snippet):
        return Fate(state=State.DISABLED, was=was, why="it is commented out")
    like = _like(was.path, guard.snippet, old, text)
    if like is not None:
        return Fate(state=State.CHANGED, was=was, why=f"the most like it now is line {like[0]}: {like[1]}")
    return Fate(state=State.REMOVED, was=was, why="its lines are gone")


def _like(path: str, snippet: str, old: str, text: str) -> tuple[int, str] | None:
    """The line that is most like the guard's first; said, never taken for it. It is a new line, or an equal one when none of its kind went."""
    lines = text.split("\n")
    rows, before = code_lines(path, lines), Counter(code_lines(path, old.split("\n")))
    first = next((row for row in code_lines(path, snippet.split("\n")) if row), "")
    now = Counter(rows)
    fresh = {row for row in now if row and (now[row] > before[row] or (row == first and now[row] == before[row]))}
    scored = [(difflib.SequenceMatcher(None, first, row, autojunk=False).ratio(), -at) for at, row in enumerate(rows) if row in fresh]
    ratio, at = max(scored, default=(0.0, 0))
    return (1 - at, lines[-at].strip()[:160]) if ratio >= _NEAR else None
