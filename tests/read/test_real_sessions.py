"""Against real sessions of other people, where they are at hand: no call is lost without being counted, and every ref points into its file."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruledout.model.transcript import Transcript
from ruledout.read import detect

DATA = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
MINE = {
    "mini-swe-agent": "mini-swe-agent", "swe-agent-v0": "swe-agent", "swe-agent-v1": "swe-agent", "openai-messages": "messages", "nebius-swe-agent": "messages", "opencode": "opencode",
    "pi": "pi", "gemini-cli": "gemini-cli", "copilot-cli": "copilot-cli", "atif": "atif", "atif-jsonl": "atif", "openhands-v1": "openhands", "aider": "aider",
    "otel-openinference": "otel", "cursor-specstory": "specstory", "inspect": "inspect", "claude-code-console-md": "console",
}  # fmt: skip
IDS = re.compile(
    rb'"(?:tool_call_id|toolCallId|callID|toolcall_id)"\s*:\s*"([^"\\]{4,200})"|"type"\s*:\s*"(?:function|toolCall)"[^{}]{0,80}"id"\s*:\s*"([^"\\]{4,200})"'
)


def sessions() -> Iterator[tuple[str, Path]]:
    if not (DATA / "MANIFEST.tsv").exists():
        return
    seen = set()
    with (DATA / "MANIFEST.tsv").open(encoding="utf-8", newline="") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t"):
            path = DATA / row["local_path"]
            path = path.parent if path.name.startswith("event-0") else path
            if row["format"] in MINE and path.exists() and path not in seen:
                seen.add(path)
                yield MINE[row["format"]], path


def content(path: Path) -> bytes:
    return b"\n".join(file.read_bytes().replace(b"\n", b" ") for file in sorted(path.iterdir())) if path.is_dir() else path.read_bytes()


REAL = [pytest.param(name, path, id=f"{name}-{path.parent.name}-{path.name}"[-90:]) for name, path in sessions()]


def refs(transcript: Transcript) -> set[str]:
    return {turn.ref for turn in transcript.turns} | {action.ref for action in transcript.actions}


@pytest.mark.skipif(not REAL, reason="no real sessions at hand")
@pytest.mark.parametrize(("name", "path"), REAL)
def test_a_real_session_is_read_whole(name: str, path: Path) -> None:
    raw = content(path)
    transcript = detect.read(raw)
    assert transcript.format == name
    assert transcript.turns
    asked = {(found[1] or found[2]).decode() for found in IDS.finditer(raw)} if name not in ("otel", "inspect") else set()
    lost = asked - refs(transcript)
    assert len(lost) <= sum(skipped.count for skipped in transcript.skipped)
    if not raw.startswith(b"PK"):
        assert not [ref for ref in refs(transcript) if not _points(ref, raw)]


def _points(ref: str, raw: bytes) -> bool:
    """Is there such a place: a line, a step at most as far as the file has braces, or these very letters."""
    if found := re.fullmatch(r"(line|step):(\d+)", ref):
        return int(found[2]) <= raw.count(b"\n" if found[1] == "line" else b"{")
    return json.dumps(ref)[1:-1].encode() in raw or ref.encode() in raw


@pytest.mark.skipif(not REAL, reason="no real sessions at hand")
def test_real_sessions_keep_their_exit_statuses() -> None:
    told: dict[str, list[bool]] = {}
    for parameters in REAL:
        name, path = parameters.values
        assert isinstance(path, Path)
        runs = [action for action in detect.read(content(path)).actions if hasattr(action, "exit")]
        told.setdefault(str(name), []).extend(action.exit is not None for action in runs)
    for name in ("mini-swe-agent", "opencode", "pi", "gemini-cli", "copilot-cli"):
        assert sum(told[name]) / len(told[name]) > 0.95
    for name in ("swe-agent", "aider", "specstory", "console"):
        assert not any(told[name])
