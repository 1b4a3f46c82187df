"""The same session in its agent's own form and in a converted one: what the poorer form lacks is unknown there, never something else.

The table below holds every difference that is left, each with its reason; a new one fails the test, and so does one that is gone.
"""

import zlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from ruledout.flows.inspect_session import Inspected, inspect_session
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.read import detect

DATA = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
CLAUDE = "claude-code/PackmindHub__context-evaluator__bun-group-action-summary.jsonl"
MINI = "multi-trial/swebench-lite-dev__mini-swe-agent-deepseek/sqlfluff__sqlfluff-2419/deepseek_lite_dev.traj.json"
TWINS = {
    "atif/derived__claude-code__bun-group-action-summary.trajectory.json": CLAUDE,
    "atif/derived__copilot__check-hook.trajectory.json": "copilot-cli/EntityProcess__agentv__check-hook-recovered.jsonl",
    "atif/derived__mini-swe-agent__sqlfluff-2419.trajectory.json": MINI,
    "atif/derived__pi__android-skills.trajectory.json": "pi/raquezha__pi.dev__android-skills.jsonl",
    "otel/derived__claude-code__bun-group-action-summary.otlp.json": CLAUDE,
    "otel/derived__mini-swe-agent__sqlfluff-2419.otlp.json": MINI,
}
NAMED = "the converter names the session anew"
FOLDER = "the form has no field for the folder, and the converter leaves it out for this agent"
ABSOLUTE = "without the folder, absolute paths stay absolute, and so do the keys made of them"
VERSION = "the converter does not tell the version"
PATCH = "the form has no field for the final patch"
SUBMIT = "handing in is a command like any other to the form; no output came back"
STOPPED = "that a later call stopped a command is not tied to it in the form; neither ending says anything about the code"
EXIT = "spans have no field for an exit status; only what the text tells is left"
OUTPUT = "the exporter lost the outputs, or cut them before their summary, or there is nothing but the exit status that could tell"
CUT_EDIT = "the exporter cut the edit: that the file was written is known, what was written is not"
UNTOLD = "the runs that told these attempts apart are unknown"

Left = dict[str, tuple[str, str, str]]
LEFT: dict[str, Left] = {
    "atif/derived__claude-code__bun-group-action-summary.trajectory.json": {},
    "atif/derived__copilot__check-hook.trajectory.json": {
        "session": ("one", "another", NAMED),
        "version": ("told", "not told", VERSION),
        "folder": ("told", "not told", FOLDER),
        "paths": ("relative", "absolute", ABSOLUTE),
        "not done": (
            "22 interrupted, 28 interrupted, 32 interrupted, 34 malformed, 44 interrupted",
            "22 running, 28 running, 32 running, 34 malformed, 44 running",
            STOPPED,
        ),
    },
    "atif/derived__mini-swe-agent__sqlfluff-2419.trajectory.json": {
        "session": ("one", "another", NAMED),
        "folder": ("told", "not told", FOLDER),
        "final patch": ("told", "not told", PATCH),
        "actions": ("7 Edit, 1 Other, 40 Run", "7 Edit, 41 Run", SUBMIT),
        "not done": ("", "47 missing", SUBMIT),
    },
    "atif/derived__pi__android-skills.trajectory.json": {
        "version": ("told", "not told", VERSION),
        "folder": ("told", "not told", FOLDER),
    },
    "otel/derived__claude-code__bun-group-action-summary.otlp.json": {
        "folder": ("told", "not told", FOLDER),
        "paths": ("relative", "absolute", ABSOLUTE),
        "exits": ("0 told, 3 told, 4 told, 5 told", "0 unknown, 3 unknown, 4 unknown, 5 unknown", EXIT),
        "outcomes": ("0 told, 4 told", "0 unknown, 4 unknown", OUTPUT),
        "errors": ("1 told", "1 unknown", OUTPUT),
        "attempts": ("partial noise noise held", "inconclusive noise noise held", CUT_EDIT),
        "edits": ("replace replace replace replace", "opaque replace replace replace", CUT_EDIT),
    },
    "otel/derived__mini-swe-agent__sqlfluff-2419.otlp.json": {
        "session": ("one", "another", NAMED),
        "folder": ("told", "not told", FOLDER),
        "final patch": ("told", "not told", PATCH),
        "actions": ("7 Edit, 1 Other, 40 Run", "7 Edit, 41 Run", SUBMIT),
        "exits": (
            "0 told, 1 told, 2 told, 3 told, 4 told, 5 told, 6 told, 7 told, 8 told, 9 told",
            "0 unknown, 1 unknown, 2 unknown, 3 unknown, 4 unknown, 5 unknown, 6 unknown, 7 unknown, 8 unknown, 9 unknown",
            EXIT,
        ),
        "outcomes": ("0 told, 5 told, 6 told, 7 told, 8 told", "0 unknown, 5 unknown, 6 unknown, 7 unknown, 8 unknown", OUTPUT),
        "errors": ("0 told, 5 told, 6 told, 7 told", "0 unknown, 5 unknown, 6 unknown, 7 unknown", OUTPUT),
        "attempts": ("partial noise held inconclusive", "inconclusive", UNTOLD),
        "edits": ("write run write write", "write", UNTOLD),
        "ending": ("resolved", "unresolved", UNTOLD),
    },
}


@cache
def read(path: Path) -> tuple[Transcript, Inspected]:
    raw = path.read_bytes()
    return detect.read(raw, path.name), inspect_session(raw, path.name)


def told(value: object) -> str:
    return "told" if value else "not told"


def seen(path: Path) -> dict[str, str]:
    """What a session comes to, fact by fact, and nothing of its words."""
    transcript, answer = read(path)
    kinds = Counter(type(action).__name__ for action in transcript.actions)
    return {
        "agent": str(transcript.agent),
        "session": str(transcript.session),
        "version": told(transcript.version not in (None, "unknown")),
        "folder": told(transcript.cwd),
        "final patch": told(transcript.final_patch),
        "ending": answer.outcome,
        "gate": told(answer.gate),
        "symptom": told(answer.symptom),
        "actions": ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
        "not done": ", ".join(f"{n} {action.ending.value}" for n, action in enumerate(transcript.actions) if action.ending is not Ending.DONE),
        "commands": " ".join(f"{zlib.crc32(run.command.encode()):08x}" for run in answer.runs),
        "masked": " ".join(str(run.masked) for run in answer.runs),
        "paths": "absolute" if any(file.startswith("/") for attempt in answer.attempts for file in attempt.files) else "relative",
        "attempts": " ".join(attempt.verdict for attempt in answer.attempts),
        "edits": " ".join(attempt.strategy.partition(" ")[0] for attempt in answer.attempts),
    }


def by_run(answer: Inspected) -> dict[str, list[object]]:
    """What was found out of each run; None where it is unknown."""
    return {
        "outcomes": [None if run.outcome == "unknown" else run.outcome for run in answer.runs],
        "exits": [run.exit for run in answer.runs],
        "errors": [run.error_class or run.failing or None for run in answer.runs],
    }


def differences(native: Path, derived: Path) -> dict[str, tuple[str, str]]:
    """Every fact that differs, as both have it; of runs, the numbers of those that differ."""
    ours, theirs = seen(native), seen(derived)
    found = {fact: (ours[fact], theirs[fact]) for fact in ours if ours[fact] != theirs[fact]}
    found = {fact: ("one", "another") if fact == "session" else pair for fact, pair in found.items()}
    runs, others = by_run(read(native)[1]), by_run(read(derived)[1])
    for fact, values in runs.items():
        pairs = [(n, a, b) for n, (a, b) in enumerate(zip(values, others[fact], strict=True)) if a != b]
        if pairs:
            found[fact] = (listed((n, a) for n, a, _ in pairs), listed((n, b) for n, _, b in pairs))
    return found


def listed(values: Iterable[tuple[int, object]]) -> str:
    return ", ".join(f"{n} {'unknown' if value is None else 'told'}" for n, value in values)


needs_data = pytest.mark.skipif(not (DATA / "MANIFEST.tsv").exists(), reason="the measuring data is not here")


pairs = pytest.mark.parametrize(("derived", "native"), [pytest.param(DATA / derived, DATA / native, id=derived[:40]) for derived, native in TWINS.items()])


@needs_data
@pairs
def test_every_difference_between_twins_is_known_with_its_reason(derived: Path, native: Path) -> None:
    known = {fact: row[:2] for fact, row in LEFT[derived.relative_to(DATA).as_posix()].items()}
    assert differences(native, derived) == known


@needs_data
@pairs
def test_R14_what_a_poorer_form_lacks_is_unknown_and_never_another_answer(derived: Path, native: Path) -> None:
    ours, theirs = read(native)[1].runs, read(derived)[1].runs
    assert [run.command for run in ours] == [run.command for run in theirs]
    assert [(a.outcome, b.outcome) for a, b in zip(ours, theirs, strict=True) if b.outcome not in (a.outcome, "unknown")] == []
    assert [(a.exit, b.exit) for a, b in zip(ours, theirs, strict=True) if b.exit not in (a.exit, None)] == []


@needs_data
@pairs
def test_R4_a_poorer_form_rules_nothing_out_that_its_twin_does_not(derived: Path, native: Path) -> None:
    ours, theirs = read(native)[1].attempts, read(derived)[1].attempts
    assert {attempt.signature for attempt in theirs if attempt.verdict == "falsified"} <= {
        attempt.signature for attempt in ours if attempt.verdict == "falsified"
    }


def test_every_twin_has_its_table() -> None:
    assert LEFT.keys() == TWINS.keys()
