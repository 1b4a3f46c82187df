"""Claude Code: session files (`~/.claude/projects/*/*.jsonl`), sub-agents' files, and `claude -p --output-format stream-json`, also wrapped once more.

`shapes` says what a line holds, `wording` what its texts mean, `background` follows commands that outlive their call, `tree` finds the branch that
lived, `session` puts them together. Reads what docs/formats.md describes; other agents' files with a like envelope are not claimed.
"""

import re

from ruledout.model.transcript import Transcript
from ruledout.read.claude_code.session import read_session

NAME = "claude-code"

_TREE = re.compile(rb'"parentUuid"\s*:')
_SESSION = re.compile(rb'"(?:isSidechain|sessionId)"\s*:')
_SIGNS = re.compile(
    rb'"isSidechain"\s*:\s*(?:true|false)|"type"\s*:\s*"file-history-snapshot"|"leafUuid"\s*:|"claude_code_version"\s*:|"parent_tool_use_id"\s*:'
    rb'|"type"\s*:\s*"(?:user|assistant)"\s*,\s*"sessionId"\s*:|^\{\s*"loglines"\s*:'
)
_OTHERS = re.compile(rb'"schema_version"\s*:|"parts"\s*:\s*\[|"type"\s*:\s*"tool_call"|"trajectory_format"\s*:')


def claims(head: bytes) -> bool:
    """Does this head hold keys that only Claude Code writes. Keys inside texts do not count: their quotes are escaped there."""
    known = _SIGNS.search(head) or (_TREE.search(head) and _SESSION.search(head))
    return head.startswith(b"{") and bool(known) and not _OTHERS.search(head)


def read(raw: bytes) -> Transcript:
    """Read a whole file. Lines that are no record are counted; nothing raises."""
    return read_session(raw, NAME)
