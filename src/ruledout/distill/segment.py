"""Takes a session apart: the runs that say something, the edits in batches, and which runs follow which batch. Decides no verdict."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ruledout.distill.lines import shape as form
from ruledout.distill.seen import Batch, PlacedEdit, SeenRun
from ruledout.model.action import Action, Edit, EditKind, Ending, Read, Run
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Track
from ruledout.observe.command import is_check, shape
from ruledout.observe.late import Late
from ruledout.observe.outcome import observe

_TESTS = re.compile(
    r"(^|/)(tests?|specs?|__tests__|testdata|fixtures|e2e|integration_test)/|(^|/)(test_[^/]*|conftest\.py)$|[._-](test|tests|spec)\.[a-z]+$|_test\.[a-z]+$|Tests?\.(java|kt|cs|swift)$"
)
_SCRATCH = re.compile(
    r"^/tmp/|^/var/tmp/|(^|/)(repro|reproduce|debug|scratch|demo|verify|check|try|tmp|temp|test|final|simple|comprehensive|edge)[^/]*\.(py|js|ts|sh|go|rs|rb|java|c|cpp|sql|txt|log|mjs)$"
)
_STASH = Late(r"\bgit stash(?: push| save| -[a-z]+| --[a-z-]+)*\s*(?:$|[;&|\n\"]|--\s)")
_POP = Late(r"\bgit stash (?:pop|apply)\b")
_PROSE = re.compile(r"\.(md|rst|txt|log)$|(^|/)(CHANGELOG|NOTES|TODO)[^/]*$", re.IGNORECASE)


def live(transcript: Transcript) -> Iterator[tuple[int, Action]]:
    """The actions of the branch that lived, with their places. What was rewound happened, but its edits may have been undone unseen."""
    turns = transcript.turns
    for place, action in enumerate(transcript.actions):
        if action.at >= len(turns) or turns[action.at].track is Track.LIVE:
            yield place, action


def seen_runs(actions: Sequence[tuple[int, Action]]) -> tuple[SeenRun, ...]:
    """The runs whose result says whether something works, read."""
    return tuple(seen for place, action in actions if isinstance(action, Run) and (seen := _seen(place, action)))


def _seen(place: int, run: Run) -> SeenRun | None:
    form = shape(run.command)
    if not is_check(form, run.command, run.output, run.exit):
        return None
    return SeenRun(place=place, run=run, outcome=observe(run.command, run.output, run.exit, run.ending))


def is_test_side(path: str) -> bool:
    """True for a path that checks rather than ships: tests, fixtures, and the scratch scripts that agents write to reproduce."""
    return bool(_TESTS.search(path) or _SCRATCH.search(path))


def is_product(edit: Edit) -> bool:
    """True for an edit that can be part of a fix: of a file that ships, that happened, and that is more than prose."""
    return edit.ending is Ending.DONE and edit.kind is not EditKind.RESTORE and not is_test_side(edit.path) and not _PROSE.search(edit.path)


_DECLARES_TEST = Late(
    r"^\s*(?:#\[(?:\w+::)*test\b|#\[cfg\(test\)\]|(?:async\s+)?def\s+test_|(?:it|test|describe)(?:\.\w+)?\(|@Test\b|func\s+Test[A-Z_]|TEST(?:_F|_P)?\(|\[(?:Fact|Test|Theory)\])"
)


def holds_tests(edit: Edit) -> bool:
    """Does this edit bring tests into a file that ships: a red run after it may be what was wanted."""
    return any(_DECLARES_TEST.search(line) for hunk in edit.hunks for line in hunk.added if line not in hunk.removed)


def scratch(actions: Sequence[tuple[int, Action]]) -> frozenset[str]:
    """Files that the session made for itself: written first, then deleted again or started as a script. They are no part of any fix (R4)."""
    made: set[str] = set()
    touched: set[str] = set()
    own: set[str] = set()
    for _, action in actions:
        if isinstance(action, Edit) and action.ending is Ending.DONE:
            new = action.kind is EditKind.WRITE and action.path not in touched and not any(hunk.removed for hunk in action.hunks)
            made |= {action.path} if new else set()
            own |= {action.path} if action.kind is EditKind.DELETE and action.path in made else set()
        elif isinstance(action, Run):
            own |= {path for path in made if _starts(action.command, path)}
        if isinstance(action, Edit | Read):
            touched.add(action.path)
    return frozenset(own)


_STARTER = (
    r"(?:python[\d.]*|pypy3?|bash|sh|zsh|node|ruby|perl|php|deno|bun|tsx|ts-node|uv|go|rustc|gcc|g\+\+|clang|clang\+\+|javac|java|dotnet|pytest|source|\.)"
)
_NAMED = "\ue000"
"""stands for a file's name, so that one pattern serves all files"""


def _start(name: str, before: str = "") -> str:
    return rf"(?:(?<![\w/.{before}-]){_STARTER}\s+(?:(?:-\S+|run|test|exec|script)\s+)*|\./)(?:\S*/)?{name}(?=\s|$|;|&|\||:)"


_STARTED = Late(_start(_NAMED, _NAMED))
_PLAIN_NAME = Late(r"(?!python)[\w-]+(?:\.[\w-]+)*\.\w+")


def _starts(command: str, path: str) -> bool:
    """Does a command start this file as a program, or compile or collect it by its name."""
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    if stem not in command:
        return False
    if name in command:
        if _PLAIN_NAME.fullmatch(name) and _NAMED not in command:
            started = _STARTED.search(command.replace(name, _NAMED))
        else:
            started = re.search(_start(re.escape(name)), command)
        if started:
            return True
    return "-m" in command and bool(re.search(rf"\bpython[\d.]*\s+(?:-\S+\s+)*-m\s+(?:\w+\.)*{re.escape(stem)}(?![\w.])", command))


def batches(actions: Sequence[tuple[int, Action]], runs: Sequence[SeenRun]) -> tuple[Batch, ...]:
    """Edits made in one go, each batch with the runs between it and the next batch. A batch ends with the first run that says yes or no."""
    baseline = baseline_places(actions)
    by_place = {run.place: run for run in runs if run.place not in baseline}
    done: list[Batch] = []
    edits: list[PlacedEdit] = []
    after: list[SeenRun] = []
    for place, action in actions:
        if isinstance(action, Edit) and _tries(action):
            if any(run.decided for run in after):
                done.append(Batch(edits=tuple(edits), runs=tuple(after)))
                edits, after = [], []
            edits.append(PlacedEdit(place=place, edit=action))
        elif (run := by_place.get(place)) is not None and edits:
            after.append(run)
    if edits:
        done.append(Batch(edits=tuple(edits), runs=tuple(after)))
    return tuple(done)


def baseline_places(actions: Sequence[tuple[int, Action]]) -> frozenset[int]:
    """Runs made while the work was stashed away: they show the base, not the try (R4). A new edit ends that: the work is another now."""
    away, places = False, set()
    for place, action in actions:
        if isinstance(action, Edit) and action.kind is not EditKind.RESTORE:
            away = False
        elif isinstance(action, Run):
            stash = "git stash" in action.command
            stashes, pops = stash and bool(_STASH.search(action.command)), stash and bool(_POP.search(action.command))
            if away or stashes:
                places.add(place)
            away = (away or stashes) and not pops
    return frozenset(places)


def _tries(edit: Edit) -> bool:
    """Going back is no try; neither is a call that never happened."""
    return edit.ending in (Ending.DONE, Ending.TIMED_OUT) and edit.kind is not EditKind.RESTORE


def going_back(edits: Sequence[PlacedEdit]) -> frozenset[int]:
    """Edits that are the exact inverse of one that stood until then, hunk for hunk, by their places."""
    standing: Counter[tuple[str, str]] = Counter()
    back: set[int] = set()
    for edit in edits:
        hunks = [form(hunk.removed, hunk.added) for hunk in edit.edit.hunks]
        if hunks and all(standing[added, removed] > 0 for removed, added in hunks):
            back.add(edit.place)
            standing.subtract((added, removed) for removed, added in hunks)
        else:
            standing.update(hunks)
    return frozenset(back)


def flaky_places(runs: Sequence[SeenRun], edits: Sequence[PlacedEdit], bare: Callable[[str], str]) -> frozenset[int]:
    """Runs whose same command said otherwise with no edit between, by their places: passed and failed, or failed in other tests each time (R4, R9).

    `bare` gives a command without what changes nothing about it.
    """
    places = sorted(edit.place for edit in edits)
    groups: dict[tuple[str, int], list[SeenRun]] = {}
    for run in runs:
        if run.decided:
            groups.setdefault((bare(run.run.command), bisect_left(places, run.place)), []).append(run)
    return frozenset(run.place for group in groups.values() if _differ(group) for run in group)


def _differ(group: Sequence[SeenRun]) -> bool:
    told = [frozenset(run.outcome.failing) for run in group if run.outcome.failing]
    return len({run.failed for run in group}) > 1 or (bool(told) and not frozenset.intersection(*told))
