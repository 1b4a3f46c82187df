"""Claude Code: session files (`~/.claude/projects/*/*.jsonl`), sub-agents' files, and `claude -p --output-format stream-json`, also wrapped once more.

`shapes` says what a line holds, `wording` what its texts mean, `background` follows commands that outlive their call, `tree` finds the branch that
lived, `session` puts them together. Reads what docs/formats.md describes; other agents' files with a like envelope are not claimed.
"""

from ruledout.model.transcript import Transcript
from ruledout.read.claude_code.session import read_session
from ruledout.read.signs import shows, starts

NAME = "claude-code"

_SIGNS = (
    (b'"isSidechain"', rb"\s*:\s*(?:true|false)"),
    (b'"leafUuid"', rb"\s*:"),
    (b'"claude_code_version"', rb"\s*:"),
    (b'"parent_tool_use_id"', rb"\s*:"),
    (b'"type"', rb'\s*:\s*"(?:file-history-snapshot"|(?:user|assistant)"\s*,\s*"sessionId"\s*:)'),
)
_OTHERS = (
    (b'"schema_version"', rb"\s*:"),
    (b'"parts"', rb"\s*:\s*\["),
    (b'"trajectory_format"', rb"\s*:"),
    (b'"type"', rb'\s*:\s*"tool_call"'),
)


def claims(head: bytes) -> bool:
    """Does this head hold keys that only Claude Code writes. Keys inside texts do not count: their quotes are escaped there."""
    if not head.startswith(b"{"):
        return False
    known = any(shows(head, *sign) for sign in _SIGNS) or starts(head, rb'\{\s*"loglines"\s*:') or _in_a_tree(head)
    return known and not any(shows(head, *sign) for sign in _OTHERS)


def _in_a_tree(head: bytes) -> bool:
    return shows(head, b'"parentUuid"', rb"\s*:") and (shows(head, b'"isSidechain"', rb"\s*:") or shows(head, b'"sessionId"', rb"\s*:"))


def read(raw: bytes) -> Transcript:
    """Read a whole file. Lines that are no record are counted; nothing raises."""
    return read_session(raw, NAME)
