"""Replays the session's edits, file by file, line by line, to know which of the lines an edit brought are still there at the end.

Works without the files: a line lives from the edit that brought it to the edit that takes it out. Where the session does not show what an act did to
a file, the answer is `unknown`, and unknown never falsifies (R4, R14). White space does not count: reformatting a line does not kill it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from ruledout.distill import acts
from ruledout.distill.acts import EVERYTHING, Act, Happening
from ruledout.distill.lines import key, keys, net, shape, significant, weighty
from ruledout.distill.marks import Mark, Shelf, State, blur, doubt
from ruledout.model.action import Edit, EditKind, Ending, Hunk
from ruledout.model.attempt import Survival

MOVED_SHARE = 0.5
"""this share of an edit's comments and declarations standing anywhere else counts as moved, not gone; of its statements, any"""
LEAST_PART = 3
"""characters by which a hunk of several lines is taken to begin or end inside a line"""
_NEVER = (Ending.REFUSED, Ending.MALFORMED)
_PLAYED = (Ending.DONE, Ending.TIMED_OUT)


class Replay:
    """The session's edits, played one after the other. `commands` gives the shell command for an edit's ref, where there is one."""

    def __init__(self, events: Sequence[Edit | Happening], commands: Mapping[str, str], final_patch: str | None = None, root: str | None = None) -> None:
        """Play all events. `root` is the folder that relative paths start from, where it is known. Nothing is read from outside."""
        self._commands, self._root = commands, root
        self._shelf = Shelf(rooted=root is not None)
        self._known: dict[str, str] = {}
        self._formed: dict[str, list[str]] = {}
        self._own: dict[int, list[tuple[str, Mark]]] = {}
        self._weighty: dict[int, set[str]] = {}
        self._unknown: set[int] = set()
        self._standing: set[str] | None = None
        self._doubtful: set[str] | None = None
        self._texts: dict[str, str] = {}
        self._popped = any(acts.takes_stash_back(command) for command in commands.values())
        self._last = max((n for n, e in enumerate(events) if isinstance(e, Edit) and e.kind is not EditKind.RESTORE and e.ending in _PLAYED), default=-1)
        patch = [line for line in (final_patch or "").split("\n") if not line.startswith(("+++", "---"))]
        self._came_at_last = {key(line[1:]) for line in patch if line.startswith("+")}
        self._went_at_last = {key(line[1:]) for line in patch if line.startswith("-")}
        for number, event in enumerate(events):
            if isinstance(event, Happening):
                self._happen(event)
            elif event.ending in _PLAYED:
                self._play(number, event)
            elif event.ending not in _NEVER:  # it may have been made, its result never came
                self._haze(event.path)

    def fate(self, number: int) -> Survival:
        """What became of one edit, by its index in the events."""
        own = self._own.get(number, [])
        told = [pair for pair in own if pair[1].line in self._weighty.get(number, set())] or own
        if any(mark.state is State.ALIVE for _, mark in told) or self._came_back(told, self._weighty.get(number, set())):
            return Survival.SURVIVES
        if number in self._unknown or not told or any(mark.state is State.UNKNOWN for _, mark in told) or self._may_be_back(told):
            return Survival.UNKNOWN
        return Survival.GONE

    def undone(self, number: int) -> int | None:
        """The index of the event that took out the last of what this edit brought; None where something of it lives or is unknown."""
        if self.fate(number) is not Survival.GONE:
            return None
        return max(mark.undone for _, mark in self._own[number])

    def _came_back(self, own: Sequence[tuple[str, Mark]], heavy: set[str]) -> bool:
        """R4: lines that were taken out and stand there again by a later edit, here or in another file, are not gone."""
        came = {(path, mark.line) for path, mark in own if mark.present}
        if not came:
            return any(mark.line in self._went_at_last for _, mark in own)
        if self._standing is None:
            self._standing = {mark.line for mark in self._shelf.all() if mark.present and mark.state is State.ALIVE} | self._came_at_last
        back = [line for path, line in came if line in self._standing or line in self._text(path)]
        return len(back) >= max(1, MOVED_SHARE * len(came)) or any(line in heavy for line in back)

    def _may_be_back(self, own: Sequence[tuple[str, Mark]]) -> bool:
        """Was any of these lines brought by another edit too, of which nobody knows whether it stands."""
        if self._doubtful is None:
            self._doubtful = {mark.line for mark in self._shelf.all() if mark.present and mark.state is State.UNKNOWN}
        return any(mark.present and mark.line in self._doubtful for _, mark in own)

    def _text(self, path: str) -> str:
        """Everything that is known to stand in a file at the end, without white space: a line may stand there as part of another."""
        if path not in self._texts:
            alive = [mark.line for mark in self._shelf.files[path] if mark.present and mark.state is State.ALIVE]
            self._texts[path] = "\n".join([*alive, *self._formed.get(path, ()), *keys(self._known.get(path, "").split("\n"))])
        return self._texts[path]

    def _happen(self, event: Happening) -> None:
        for marks in (group for path in event.paths for group in self._shelf.scope(path)):
            for mark in marks:
                if event.act is Act.COMMIT and mark.state is not State.DEAD:
                    mark.committed = True
                elif event.act is Act.SAVE and mark.state is not State.DEAD:
                    mark.saved = True
                elif mark.state is State.DEAD and (event.act is Act.HAZE or (event.act is Act.RETURN and mark.committed)):
                    mark.state = State.UNKNOWN

    def _haze(self, path: str) -> None:
        """Something unseen wrote here: what was gone may be back, what stands may look otherwise."""
        for marks in self._shelf.scope(path):
            doubt(marks)
            blur(marks)
        for known in [known for known in self._known if path in {EVERYTHING, "."} or known.startswith(path) or path.endswith(known)]:
            del self._known[known]

    def _play(self, number: int, edit: Edit) -> None:
        command = self._commands.get(edit.ref, "")
        if edit.kind is EditKind.RESTORE:
            self._restore(number, edit.path, command)
        elif edit.kind is EditKind.DELETE:
            self._delete(number, edit.path, command)
        elif edit.kind in (EditKind.OPAQUE, EditKind.PATTERN):
            self._unknown.add(number)
            self._unshown(edit, command)
        else:
            path = self._shelf.name(edit.path)
            names = [(path, True), *((kin, False) for kin in self._shelf.kin(path))]
            for hunk in edit.hunks:
                for name, sure in names:
                    self._kill(number, hunk, name, sure=sure, whole=edit.kind is EditKind.WRITE)
                self._bring(number, hunk, path, whole=edit.kind is EditKind.WRITE)

    def _kill(self, number: int, hunk: Hunk, path: str, *, sure: bool, whole: bool) -> None:
        """What this hunk takes out of a file, or puts back into it."""
        if whole:
            self._overwrite(number, hunk, path, sure=sure)
            return
        went = Counter(keys(net(hunk)[0]))
        old, text, inverse = keys(hunk.removed), "".join(keys(hunk.added)), shape(hunk.added, hunk.removed)
        first, last = (old[0], old[-1]) if old else ("", "")
        for mark in reversed(self._shelf.files[path]):
            if not mark.present:
                if mark.state is not State.DEAD and mark.shape == inverse != ("", ""):
                    mark.end(number, sure=sure)
                elif mark.state is State.DEAD and went[mark.line]:
                    mark.state = State.UNKNOWN
            elif mark.state is State.ALIVE and went[mark.line] > 0 and mark.line not in text:
                here = [at for at, line in enumerate(old) if line == mark.line]
                went[mark.line] -= 1
                mark.end(number, sure=sure and any(mark.same_place(old, at) for at in here))
            elif mark.state is State.ALIVE and ((first and first in mark.line) or (last and mark.line.startswith(last))) and mark.line != first:
                self._reform(path, mark.line, old, keys(hunk.added) or [""])

    def _reform(self, path: str, line: str, old: Sequence[str], new: Sequence[str]) -> None:
        """A hunk that begins or ends inside a line changes that line: note how it may stand there now."""
        formed = self._formed.setdefault(path, [])
        if len(old) == 1:
            formed += [line.replace(old[0], "".join(new))] if old[0] else []
        elif len(old[0]) >= LEAST_PART and line.endswith(old[0]):
            formed.append(line.removesuffix(old[0]) + new[0])
        elif len(old[-1]) >= LEAST_PART and line.startswith(old[-1]) and line != old[-1]:
            formed.append(new[-1] + line.removeprefix(old[-1]))

    def _overwrite(self, number: int, hunk: Hunk, path: str, *, sure: bool) -> None:
        before = Counter(keys(self._known[path].split("\n") if path in self._known else hunk.removed))
        after = Counter(keys(hunk.added))
        text = "".join(keys(hunk.added))
        for mark in self._shelf.files[path]:
            if mark.present:
                if mark.state is not State.DEAD and mark.line not in after and mark.line not in text:
                    mark.end(number, sure=sure and not mark.blurred and mark.state is State.ALIVE)
            elif mark.state is State.DEAD:
                mark.state = State.UNKNOWN if after[mark.line] < max(1, before[mark.line]) else mark.state
            elif after[mark.line] > before[mark.line]:
                mark.end(number, sure=sure and bool(before))

    def _bring(self, number: int, hunk: Hunk, path: str, *, whole: bool) -> None:
        """Note what an edit brought; an edit that only takes out is followed by what it took out."""
        if whole and path in self._known and not hunk.removed:
            hunk = Hunk(removed=tuple(self._known[path].split("\n")), added=hunk.added)
        went, came = net(hunk)
        present = any(significant(line) for line in came) or not went
        lines, block = (came, keys(hunk.added)) if present else (went, keys(hunk.removed))
        left = Counter(keys(lines))
        form = ("", "") if whole else shape(hunk.removed, hunk.added)
        for at, line in enumerate(block):
            if line and left[line] > 0:
                left[line] -= 1
                mark = Mark(number, block, at, present=present, shape=form)
                self._own.setdefault(number, []).append((path, mark))
                self._shelf.files[path].append(mark)
        self._weighty.setdefault(number, set()).update(weighty(lines))
        self._follow(path, hunk, whole=whole)

    def _follow(self, path: str, hunk: Hunk, *, whole: bool) -> None:
        """Keep the known content of a file in step; forget it when the hunk does not fit in one place."""
        old, new = "\n".join(hunk.removed), "\n".join(hunk.added)
        if whole:
            self._known[path] = new
        elif path in self._known:
            text = self._known[path]
            if not old:
                self._known[path] = f"{text}\n{new}"
            elif text.count(old) == 1:
                self._known[path] = text.replace(old, new)
            else:
                del self._known[path]

    def _unshown(self, edit: Edit, command: str) -> None:
        """A pattern, script or formatter: nobody saw what it did. A line that holds the pattern may have changed; what was gone may be back."""
        if edit.kind is EditKind.OPAQUE and acts.formats(command):
            for marks in self._shelf.scope(edit.path):
                blur(marks)
            return
        self._haze(edit.path)
        if edit.kind is EditKind.PATTERN:
            patterns = [key(line) for hunk in edit.hunks for line in hunk.removed if line.strip()]
            for mark in (mark for group in self._shelf.scope(edit.path) for mark in group if mark.state is State.ALIVE):
                if not patterns or any(pattern in mark.line for pattern in patterns):
                    mark.state = State.UNKNOWN

    def _delete(self, number: int, path: str, command: str) -> None:
        """A file taken away; under another name, or copied before, what was in it lives on."""
        self._known.pop(path, None)
        if acts.moves(command):
            return
        for known in (self._shelf.name(path), *self._shelf.kin(path)):
            for mark in self._shelf.files.get(known, ()):
                if mark.state is not State.DEAD:
                    mark.end(number, sure=not mark.saved and known not in self._shelf.kin(path))

    def _restore(self, number: int, path: str, command: str) -> None:
        """Back to HEAD, out of a stash, or to a copy whose content nobody saw. What was committed stays, and may come back."""
        stashed, by_git = acts.stashes(command), acts.goes_back_for_sure(command)
        if stashed and self._popped:
            return
        exact = None if path == EVERYTHING else self._shelf.name(path)
        names = list(self._shelf.files) if exact is None else [exact, *self._shelf.kin(path)]
        for known in names:
            sure = by_git and not (stashed and number > self._last) and (known == exact or (exact is None and self._lies_in(known, acts.folder(command))))
            for mark in self._shelf.files[known]:
                if mark.state is State.DEAD:
                    mark.state = State.UNKNOWN if mark.committed or not by_git else mark.state
                elif not (by_git and (mark.committed or acts.commits(command))):
                    mark.end(number, sure=sure and not mark.saved)
            self._known.pop(known, None)

    def _lies_in(self, path: str, folder: str | None) -> bool:
        """Is this file of the repository that a command went to, as far as can be seen."""
        if folder in (None, ".", "$PWD") or path.startswith(f"{folder}/"):
            return True
        return self._root is not None and not path.startswith("/") and (self._root + "/").startswith(f"{folder}/")
