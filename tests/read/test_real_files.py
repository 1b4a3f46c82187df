"""Other people's sessions, where they lie beside the project: no call of theirs may be lost."""

import re
from pathlib import Path

import pytest

from ruledout.model.transcript import Transcript
from ruledout.read import detect

DATA = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
FILES = sorted(path for folder in ("claude-code", "claude-code-stream", "codex-cli") for path in (DATA / folder).rglob("*.json*")) if DATA.is_dir() else []
CALLS = {
    "claude-code": re.compile(rb'"type"\s*:\s*"tool_use"\s*,\s*"id"\s*:\s*"([^"\\]+)"'),
    "codex-cli": re.compile(rb'"type":"(?:function_call|custom_tool_call|local_shell_call)",[^\n]*?"call_id":"([^"\\]+)"'),
}


@pytest.mark.skipif(not FILES, reason="the measuring data is not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[-40:])
def test_R14_every_call_of_a_real_session_is_in_the_transcript(path: Path) -> None:
    raw = path.read_bytes()
    transcript = detect.read(raw)
    assert transcript.format in CALLS
    found = {ref.decode() for ref in CALLS[transcript.format].findall(raw)}
    lost = found - refs(transcript)
    counted = sum(entry.count for entry in transcript.skipped if entry.reason in {"message of an unknown shape", "not a record", "not JSON"})
    assert len(lost) <= counted, sorted(lost)


@pytest.mark.skipif(not FILES, reason="the measuring data is not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[-40:])
def test_every_place_of_a_real_session_is_in_its_file(path: Path) -> None:
    raw = path.read_bytes()
    for ref in refs(detect.read(raw)):
        line = re.fullmatch(r"line:(\d+)", ref)
        assert int(line[1]) <= raw.count(b"\n") if line else ref.startswith("step:") or ref.encode() in raw


def refs(transcript: Transcript) -> set[str]:
    """All refs of a transcript and its side chains."""
    own = {action.ref for action in transcript.actions} | {turn.ref for turn in transcript.turns}
    return own.union(*(refs(side) for side in transcript.subagents))
