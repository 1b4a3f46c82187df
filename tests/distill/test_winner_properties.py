"""R4 as properties: of random sessions that are really played on a text, and of every real session at hand."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.distill.story import Story

from ruledout import DebugSessionDistiller, fingerprint
from ruledout.distill.judge import judge
from ruledout.distill.session import fingerprints
from ruledout.errors import BadInput
from ruledout.flows.check_action import check
from ruledout.model import wire
from ruledout.model.action import Edit, EditKind, Ending
from ruledout.model.attempt import Verdict
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Track
from ruledout.read.detect import read
from ruledout.recall.match import Verdict as Answered
from ruledout.recall.question import AskedEdit, Question
from ruledout.testing.clock import StillClock
from ruledout.testing.memory import MemoryStore

BASE = ["def f(total, tax):", "    rate = load(tax)", "    rows = []", "    rows = []", "    return total"]
NEW = ["    rate = load(tax, 2)", "    rows = fetch(total)", "    return net(total)", "    log(total)", "    rate = 1", "    rows = []"]
ERRORS = ["AssertionError: assert 3 == 5", "TypeError: no stream", "KeyError: 'tax'"]


class Desk:
    """A file that a session really edits, and the session that is told about it."""

    def __init__(self) -> None:
        self.story, self.lines, self.head, self.copy = Story(), list(BASE), list(BASE), list(BASE)
        self.stash: list[list[str]] = []
        self.done: list[tuple[list[str], list[str]]] = []
        self.brought: dict[str, list[str]] = {}

    def _replace(self, removed: list[str], added: list[str]) -> None:
        """An edit tool's call: the lines to go must stand there once, as the tools demand."""
        text, old, new = "\n".join(self.lines), "\n".join(removed), "\n".join(added)
        if old == new or text.count(old) != 1:
            return
        self.lines = text.replace(old, new).split("\n")
        self.done.append((removed, added))
        self.brought[fingerprint.edit("src/a.py", removed, added)] = [line for line in added if line not in removed]
        self.story.edit(old, new)

    def act(self, kind: str, place: int, line: str) -> None:
        at = place % len(self.lines)
        near = [*self.lines[max(0, at - 1) : at]]
        if kind == "replace":
            self._replace([*near, self.lines[at]], [*near, line])
        elif kind == "insert":
            self._replace([*near, self.lines[at]], [*near, line, self.lines[at]])
        elif kind == "remove" and len(self.lines) > 2:
            self._replace([*self.lines[at - 1 : at], self.lines[at], *self.lines[at + 1 : at + 2]], [*self.lines[at - 1 : at], *self.lines[at + 1 : at + 2]])
        elif kind == "part":
            word = self.lines[at].split("(")[-1] if "(" in self.lines[at] else self.lines[at].strip()
            self._replace([word], [line.strip()])
        elif kind == "undo" and self.done:
            removed, added = self.done[place % len(self.done)]
            self._replace(added, removed)
        elif kind == "redo" and self.done:
            self._replace(*self.done[place % len(self.done)])
        else:
            self._other(kind, at, line)

    def _other(self, kind: str, at: int, line: str) -> None:
        run = self.story.log.ran
        if kind == "write":
            new = [*self.lines[:at], line, *self.lines[at + 1 :]]
            self.brought[fingerprint.edit("src/a.py", (), new)] = [row for row in new if row not in self.lines]
            self.lines = new
            self.story.log.wrote("src/a.py", "\n".join(new) + "\n")
        elif kind == "commit":
            self.head = list(self.lines)
            run("git commit -qam wip", "", 0)
        elif kind == "checkout":
            self.lines = list(self.head)
            run("git checkout -- src/a.py", "", 0)
        elif kind == "stash" and self.lines != self.head:
            self.stash.append(self.lines)
            self.lines = list(self.head)
            run("git stash", "Saved working directory and index state", 0)
        elif kind == "pop" and self.stash and self.lines == self.head:
            self.lines = self.stash.pop()
            run("git stash pop", "Dropped refs/stash@{0}", 0)
        else:
            self._unseen(kind, at)

    def _unseen(self, kind: str, at: int) -> None:
        """Acts whose effect on the text no call shows, and runs."""
        run = self.story.log.ran
        if kind == "keep":
            self.copy = list(self.lines)
            run("cp src/a.py src/a.py.bak", "", 0)
        elif kind == "bring":
            self.lines = list(self.copy)
            run("cp src/a.py.bak src/a.py", "", 0)
        elif kind == "sed" and "rows" in "".join(self.lines):
            self.lines = [row.replace("rows", "lines") for row in self.lines]
            run("sed -i 's/rows/lines/' src/a.py", "", 0)
        elif kind == "red":
            self.story.fails(ERRORS[at % len(ERRORS)])
        elif kind == "green":
            self.story.passes()


KINDS = ["replace", "insert", "remove", "part", "undo", "undo", "redo", "redo", "write", "commit", "checkout", "stash", "pop", "keep", "bring", "sed"]
STEPS = st.tuples(st.sampled_from(["red"] * 12 + ["green"] * 2 + KINDS + ["replace", "insert", "remove", "part"]), st.integers(0, 9), st.sampled_from(NEW))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=16, max_size=32))
def test_R4_an_attempt_whose_line_stands_in_the_final_text_is_never_falsified(steps: list[tuple[str, int, str]]) -> None:
    desk = Desk()
    for step in steps:
        desk.act(*step)
    old, final = {line.strip() for line in BASE}, {line.strip() for line in desk.lines}
    for attempt in judge(desk.story.log.transcript()).attempts:
        if attempt.verdict is Verdict.FALSIFIED:
            brought = {line.strip() for print_ in attempt.fingerprints for line in desk.brought.get(print_, ())}
            assert (brought & final) - old - {""} == set(), (attempt.strategy, desk.lines)


TRANSCRIPTS = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
BUDGET_S = 55.0


def _sessions() -> Iterator[Transcript]:
    """Real sessions, those of many trials of one task first, as many as the time allows."""
    end = time.monotonic() + BUDGET_S
    files = [path for path in TRANSCRIPTS.rglob("*") if path.is_file() and path.suffix in {".jsonl", ".json", ".traj", ".md"}]
    for path in sorted(files, key=lambda path: ("multi-trial" not in path.parts, path.stat().st_size)):
        if time.monotonic() > end:
            return
        try:
            yield read(path.read_bytes(), path.name)
        except BadInput:
            continue


def _standing(transcript: Transcript) -> list[Edit]:
    """Edits that surely live on, by a replay that knows nothing but text: their new lines stand together in what the file holds at the end.

    Only files whose whole text the session shows once, and every later change of which fits it, are counted; others are left out.
    """
    texts: dict[str, str | None] = {}
    made = []
    for action in transcript.actions:
        if not isinstance(action, Edit) or transcript.turns[action.at].track is not Track.LIVE or action.ending not in (Ending.DONE, Ending.TIMED_OUT):
            continue
        if action.path == "*":
            texts = dict.fromkeys(texts)
        elif action.kind is EditKind.WRITE:
            texts[action.path] = "\n".join(line for hunk in action.hunks for line in hunk.added)
        else:
            texts[action.path] = _changed(texts.get(action.path), action)
        made.append(action)
    return [edit for edit in made if (text := texts.get(edit.path)) is not None and any(_stands(hunk.added, text) for hunk in edit.hunks)]


def _stands(added: tuple[str, ...], text: str) -> bool:
    block = "\n".join(added)
    return len(block.strip()) > 8 and block in text


def _changed(text: str | None, edit: Edit) -> str | None:
    if edit.kind is EditKind.APPEND and text is not None:
        return "\n".join([text, *(line for hunk in edit.hunks for line in hunk.added)])
    if edit.kind is not EditKind.REPLACE:
        return None
    for hunk in edit.hunks:
        old, new = "\n".join(hunk.removed), "\n".join(hunk.added)
        text = text.replace(old, new) if text is not None and old and text.count(old) == 1 else None
    return text


@pytest.mark.skipif(not TRANSCRIPTS.is_dir(), reason="no measuring data at hand")
def test_R4_no_surviving_edit_of_a_real_session_is_ruled_out_by_any() -> None:
    store = MemoryStore(StillClock())
    asked: list[Edit] = []
    for transcript in _sessions():
        distiller = DebugSessionDistiller(transcript)
        keys = {key for branch in distiller.ledger.branches for key in branch.fingerprints}
        standing = _standing(transcript)
        alive = {fingerprint.edit(edit.path, hunk.removed, hunk.added) for edit in standing for hunk in edit.hunks}
        assert keys & {*alive, *distiller.judged.surviving} == set(), transcript.session
        store.keep(wire.record(distiller.distill()), None)
        live = [action for action in transcript.actions if isinstance(action, Edit) and transcript.turns[action.at].track is Track.LIVE]
        asked += standing + [edit for edit in live if any(key in distiller.judged.surviving for key in fingerprints(edit))]
    wrong = [edit.path for edit in asked for hunk in edit.hunks if _ruled_out(store, edit.path, hunk.removed, hunk.added)]
    assert wrong == []
    assert asked


def _ruled_out(store: MemoryStore, path: str, removed: tuple[str, ...], added: tuple[str, ...]) -> bool:
    return check(store, Question(edit=AskedEdit(path=path, removed=removed, added=added))).verdict is Answered.RULED_OUT
