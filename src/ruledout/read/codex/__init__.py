"""Codex CLI: rollout files (`~/.codex/sessions/**/rollout-*.jsonl`), recordings of its terminal face, and `codex exec --json`.

Real files seen: rollouts of 0.118 to 0.142, one terminal recording of August 2025. Bare rollouts from before September 2025 and the output of
`codex exec --json` are read as their writers' sources describe them; no real file of either was at hand.
`shapes` says what a line holds, `wording` what outputs say, `session` joins calls, outputs, polls and events by their call id.
"""

from ruledout.model.transcript import Transcript
from ruledout.read.codex.session import read_session
from ruledout.read.signs import shows, starts

NAME = "codex-cli"

_STARTS = (
    rb'\{\s*"type"\s*:\s*"thread\.started"',
    rb'\{\s*"id"\s*:\s*"[^"]{1,80}"\s*,\s*"timestamp"\s*:\s*"[^"]{1,60}"\s*,\s*"(?:instructions|git)"\s*:',
)
_KIND = rb'\s*:\s*"(?:session_meta|response_item|event_msg|turn_context)"'
_RECORDED = rb'\s*:\s*"(?:meta|to_tui|from_tui)"\s*,\s*"kind"\s*:'


def claims(head: bytes) -> bool:
    """Does this head hold the envelope, or the first line, that only Codex writes."""
    if not head.startswith(b"{"):
        return False
    enveloped = shows(head, b'"payload"', rb"\s*:") and shows(head, b'"type"', _KIND)
    return enveloped or any(starts(head, start) for start in _STARTS) or shows(head, b'"dir"', _RECORDED) or shows(head, b'"record_type"', rb'\s*:\s*"state"')


def read(raw: bytes) -> Transcript:
    """Read a whole file. Lines that are no record are counted; nothing raises."""
    return read_session(raw, NAME)
