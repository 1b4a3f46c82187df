"""What the hook says when real sessions are made again, act by act: with the other sessions of the same task kept, and with those of other repositories alone.

Reads the measuring data at ../shared/data; without it there is nothing to measure.
"""

import csv
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from _measure import report, skip
from ruledout import fingerprint, hot
from ruledout.distill.face import DebugSessionDistiller, digest_of_session
from ruledout.distill.judge import judge
from ruledout.doors import hook, hook_reading
from ruledout.errors import RuledoutError
from ruledout.model import wire
from ruledout.model.action import Action, Edit, EditKind, Ending, Run
from ruledout.model.record import Record
from ruledout.model.transcript import Transcript
from ruledout.read.detect import read
from ruledout.recall import heat
from ruledout.recall.index import branches

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "transcripts"
SKIPPED = ("synthetic-fixtures", "otel")
LARGEST = 6_000_000


class Session(NamedTuple):
    """A session as read, its record, and the fingerprints of what lives on in it."""

    name: str
    task: str
    transcript: Transcript
    record: Record
    surviving: frozenset[str]


def sessions() -> Iterator[Session]:
    """Every session that can be read."""
    with (DATA / "MANIFEST.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        path = DATA / row["local_path"]
        if row["local_path"].startswith(SKIPPED) or not path.is_file() or path.stat().st_size > LARGEST:
            continue
        raw = path.read_bytes()
        try:
            transcript = read(raw, row["local_path"])
            record = wire.record(DebugSessionDistiller(transcript, None, None, session_digest=digest_of_session(raw)).distill())
            surviving = judge(transcript).surviving
        except RuledoutError:
            continue
        yield Session(row["local_path"], row["multi_trial_task"] or row["repo"], transcript, record, frozenset(surviving))


def events(action: Action, root: Path) -> Iterator[dict[str, object]]:
    """The hook events of one action, as Claude Code would send them."""
    common: dict[str, object] = {"session_id": "s", "cwd": str(root), "tool_use_id": action.ref, "transcript_path": f"{root}.jsonl"}
    if isinstance(action, Run):
        called = {**common, "tool_name": "Bash", "tool_input": {"command": action.command}}
        yield {**called, "hook_event_name": "PreToolUse"}
        if action.ending is Ending.DONE:
            failed = action.exit not in (0, None)
            result = {"error": f"Exit code {action.exit}\n{action.output}"} if failed else {"tool_response": {"stdout": action.output, "stderr": ""}}
            yield {**called, "hook_event_name": "PostToolUseFailure" if failed else "PostToolUse", **result}
    elif isinstance(action, Edit) and action.kind in (EditKind.REPLACE, EditKind.WRITE):
        path = str(root / action.path.lstrip("/"))
        for hunk in action.hunks:
            old, new = "\n".join(hunk.removed), "\n".join(hunk.added)
            write = action.kind is EditKind.WRITE
            given = {"file_path": path, "content": new} if write else {"file_path": path, "old_string": old, "new_string": new}
            yield {**common, "tool_name": "Write" if write else "Edit", "tool_input": given, "hook_event_name": "PreToolUse"}


class Replay(NamedTuple):
    """What came of one session made again."""

    acts: int
    repeats: int
    fired: Counter[str]
    wrong: list[str]


def apply(action: Action, root: Path) -> None:
    """Write the act into the session's own file, and make an edit in its folder, as far as the session shows the file."""
    given = {"command": action.command} if isinstance(action, Run) else {"file_path": str(root / getattr(action, "path", "").lstrip("/"))}
    name = "Bash" if isinstance(action, Run) else type(action).__name__
    if isinstance(action, Edit) and action.hunks:
        given |= {"old_string": "\n".join(action.hunks[0].removed), "new_string": "\n".join(action.hunks[0].added)}
    with Path(f"{root}.jsonl").open("a", encoding="utf-8", errors="replace") as told:
        told.write(json.dumps({"message": {"content": [{"type": "tool_use", "name": name, "input": given}]}}) + "\n")
    if not isinstance(action, Edit) or action.ending is not Ending.DONE or action.kind not in (EditKind.REPLACE, EditKind.WRITE):
        return
    file = root / action.path.lstrip("/")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text(encoding="utf-8") if file.exists() else None
        for hunk in action.hunks:
            old, new = "\n".join(hunk.removed), "\n".join(hunk.added)
            text = new if action.kind is EditKind.WRITE or text is None else text.replace(old, new, 1)
        file.write_text(text or "", encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return


def replay(session: Session, known: Sequence[Record]) -> Replay:
    """The session made again in an empty folder whose index holds these records."""
    dead = {
        print_
        for record in known
        for branch in branches(record.outcome)
        for print_ in branch.fingerprints
        if len([p for p in branch.fingerprints if p[0] == "e"]) == 1
    }
    acts = repeats = 0
    fired: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "r"
        (root / ".git/ruledout").mkdir(parents=True)
        (root / ".git/ruledout/hot.idx").write_bytes(hot.written([row for record in known for row in heat.lines(record)], len(known)))
        env = {"XDG_STATE_HOME": f"{name}/state", "HOME": name}
        for action in session.transcript.actions:
            if not isinstance(action, Run | Edit):
                apply(action, root)
                continue
            acts += 1
            made = {fingerprint.edit(action.path, hunk.removed, hunk.added) for hunk in action.hunks} if isinstance(action, Edit) else set()
            repeats += bool(made & dead)
            for event in events(action, root):
                line = hook.attended("claude", json.dumps(event).encode(), env, hook_reading.answer)
                if line:
                    rule = ledger(root)
                    fired[rule] += 1
                    if made & session.surviving:
                        wrong.append(f"{session.name} {action.ref} {rule}")
            apply(action, root)
    return Replay(acts, repeats, fired, wrong)


def ledger(root: Path) -> str:
    """The rule by which was spoken last."""
    lines = [json.loads(line) for line in (root / ".git/ruledout/ledger.jsonl").read_text().splitlines()]
    return str([line["rule"] for line in lines if line["what"] == "shown"][-1])


def total(name: str, replays: Sequence[Replay], seconds: float) -> tuple[int, int, list[str]]:
    """Acts, firings, and wrong ones; told on the way."""
    acts, fired = sum(one.acts for one in replays), sum((one.fired for one in replays), Counter())
    wrong = [line for one in replays for line in one.wrong]
    rest = {"sessions": len(replays), "acts": acts, "repeats": sum(one.repeats for one in replays), "fired": dict(fired), "seconds": round(seconds, 1)}
    report(f"act {name}: surviving edits flagged", len(wrong), 0, **rest, wrong=wrong[:20])
    return acts, sum(fired.values()), wrong


def main() -> None:
    """Replay all of them twice."""
    if not DATA.is_dir():
        skip("act", "the measuring data is not here")
        return
    start = time.perf_counter()
    found = list(sessions())
    tasks: dict[str, list[Session]] = defaultdict(list)
    for session in found:
        tasks[session.task].append(session)
    sys.stderr.write(f"{len(found)} sessions of {len(tasks)} tasks in {time.perf_counter() - start:.0f} s\n")
    start = time.perf_counter()
    same = [replay(one, [other.record for other in tasks[one.task] if other is not one]) for one in found]
    total("beside the same task's", same, time.perf_counter() - start)
    start = time.perf_counter()
    again = [replay(one, [one.record]) for one in found]
    total("beside its own", again, time.perf_counter() - start)
    start = time.perf_counter()
    strange = [replay(one, [other.record for other in found if other.task != one.task]) for one in found]
    acts, fired, _ = total("beside other repositories'", strange, time.perf_counter() - start)
    own = sum(one.fired["command"] for one in strange)
    report("act, firings of other repositories' records", (fired - own) / max(acts, 1), 0.005, unit="of all acts", acts=acts, fired=fired - own)


if __name__ == "__main__":
    main()
