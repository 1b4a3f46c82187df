"""OpenHands: Claude's event names under `event_type`, context at the top level, no transcript."""

from ruledout.agents import event as ev
from ruledout.plainjson import dumps

NAME = "openhands"
EARLY = True
KINDS = {
    ev.BEFORE: ("PreToolUse",),
    ev.AFTER: ("PostToolUse",),
    ev.START: ("SessionStart",),
    ev.END: ("SessionEnd",),
    ev.PROMPT: ("UserPromptSubmit",),
}


def read(given: "dict[str, object]") -> ev.Event:
    """The event; the exit code is known where the tool gives one."""
    name = ev.text(given, "event_type")
    event = ev.Event(ev.kind_of(name, KINDS), name, given)
    event.act(ev.text(given, "tool_name"), given.get("tool_input"))
    response = given.get("tool_response")
    if event.kind == ev.AFTER:
        event.output = response if isinstance(response, str) else ev.text(response, "output", "stdout", "content", "text")
        code = response.get("exit_code") if isinstance(response, dict) else None
        if event.command and isinstance(code, int):
            event.exit, event.failed = code, code not in (0, -1)
    return event


def say(event: ev.Event, text: str) -> str:
    """As additional context at the top level."""
    return dumps({"additionalContext": text}) if event.kind in (ev.BEFORE, ev.AFTER, ev.START, ev.PROMPT) else ""


def deny(event: ev.Event, text: str) -> str:
    """Stop a tool before it runs."""
    return dumps({"decision": "deny", "reason": text}) if event.kind == ev.BEFORE else ""
