"""Codex CLI: Claude's shapes, strictly: an output with one unknown key is dropped whole. It tells no exit code and has no event for a failure."""

from ruledout.agents import claude_code
from ruledout.agents import event as ev

NAME = "codex"
EARLY = True


def read(given: "dict[str, object]") -> ev.Event:
    """The event; what a run came to has to be read from its output."""
    event = claude_code.read(given)
    event.exit = None
    return event


say = claude_code.say
deny = claude_code.deny
