"""The hook dialects of agents, one module each behind one Protocol: the hook's JSON to an event, and what is said back in the agent's own words.

One dict; adding an agent touches no other file. Knows no record, no store and no model: a hook loads this on its way to one short answer.
"""

import sys

TYPE_CHECKING = False  # the checker takes this name for true; `typing` would take a part of a hook's time
if TYPE_CHECKING:
    from typing import Protocol

    from ruledout.agents.event import Event

    class Agent(Protocol):
        """One agent: a module with these names."""

        NAME: str
        EARLY: bool
        """Can it be advised before the act without denying it. Else what is known is said right after."""

        def read(self, given: "dict[str, object]") -> "Event":
            """What the hook's JSON tells. Never raises: what is missing or of another type is empty."""
            ...

        def say(self, event: "Event", text: str) -> str:
            """One line of JSON that puts this text beside the event; empty where the agent takes none there."""
            ...

        def deny(self, event: "Event", text: str) -> str:
            """One line of JSON that stops the act with this reason; empty where the agent cannot be stopped there."""
            ...


AGENTS = {
    "claude": "ruledout.agents.claude_code",
    "codex": "ruledout.agents.codex",
    "gemini": "ruledout.agents.gemini",
    "copilot": "ruledout.agents.copilot",
    "opencode": "ruledout.agents.opencode",
    "cursor": "ruledout.agents.cursor",
    "openhands": "ruledout.agents.openhands",
}
"""The name on the command line -> its module. Loaded when asked for, not before."""

_ALSO = {"claude-code": "claude", "claude_code": "claude", "codex-cli": "codex", "gemini-cli": "gemini", "copilot-cli": "copilot"}


def agent(name: str) -> "Agent | None":
    """The agent of this name, or None."""
    module = AGENTS.get(_ALSO.get(name, name))
    if module is None:
        return None
    __import__(module)  # `importlib` takes a millisecond to load
    found: Agent = sys.modules[module]
    return found
