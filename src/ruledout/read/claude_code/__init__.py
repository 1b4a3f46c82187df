"""Claude Code: session files (`~/.claude/projects/*/*.jsonl`), sub-agents' files, and `claude -p --output-format stream-json`, also wrapped once more.

`shapes` says what a line holds, `wording` what its texts mean, `background` follows commands that outlive their call, `tree` finds the branch that
lived, `session` puts them together. Reads what docs/formats.md describes; other agents' files with a like envelope are not claimed.
"""

import re

from ruledout.model.transcript import Transcript
from ruledout.read.claude_code.session import read_session

NAME = "claude-code"

_SIGNS = re.compile(
    rb'"parentUuid"\s*:.{0,20000}?"(?:isSidechain|sessionId)"\s*:|"isSidechain"\s*:\s*(?:true|false)|"type"\s*:\s*"file-history-snapshot"|"leafUuid"\s*:'
    rb'|"claude_code_version"\s*:|"parent_tool_use_id"\s*:|"type"\s*:\s*"(?:user|assistant)"\s*,\s*"sessionId"\s*:|^\{\s*"loglines"\s*:',
    re.DOTALL,
)
_OTHERS = re.compile(rb'"schema_version"\s*:|"parts"\s*:\s*\[|"type"\s*:\s*"tool_call"|"trajectory_format"\s*:')


def claims(head: bytes) -> bool:
    """Does this head hold keys that only Claude Code writes. Keys inside texts do not count: their quotes are escaped there."""
    return head.startswith(b"{") and bool(_SIGNS.search(head)) and not _OTHERS.search(head)


def read(raw: bytes) -> Transcript:
    """Read a whole file. Lines that are no record are counted; nothing raises."""
    return read_session(raw, NAME)
