"""Claude Code: `hookSpecificOutput` beside any tool event; a failing tool has an event of its own, whose error starts with `Exit code N`."""

from ruledout.agents import event as ev
from ruledout.plainjson import dumps

NAME = "claude"
EARLY = True
KINDS = {
    ev.BEFORE: ("PreToolUse",),
    ev.AFTER: ("PostToolUse", "PostToolUseFailure"),
    ev.START: ("SessionStart",),
    ev.END: ("SessionEnd",),
    ev.COMPACT: ("PreCompact", "PostCompact"),
    ev.PROMPT: ("UserPromptSubmit",),
}


def read(given: "dict[str, object]") -> ev.Event:
    """The event."""
    name = ev.text(given, "hook_event_name")
    event = ev.Event(ev.kind_of(name, KINDS), name, given)
    event.act(ev.text(given, "tool_name"), given.get("tool_input"))
    if event.kind == ev.START and event.source == "compact":
        event.kind = ev.COMPACT
    response = given.get("tool_response")
    event.output = response if isinstance(response, str) else "\n".join(filter(None, (ev.text(response, "stdout"), ev.text(response, "stderr"))))
    if name == "PostToolUseFailure":
        event.failed = given.get("is_interrupt") is not True
        error = ev.text(given, "error")
        head, _, rest = error.partition("\n")
        event.exit = ev.number_behind(head, "Exit code ")
        event.output = rest if event.exit is not None else error
    elif event.kind == ev.AFTER and event.command:
        event.exit = 0
    return event


def say(event: ev.Event, text: str) -> str:
    """Beside the event, as additional context."""
    return dumps({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}})


def deny(event: ev.Event, text: str) -> str:
    """Stop a tool before it runs."""
    if event.kind != ev.BEFORE:
        return ""
    return dumps({"hookSpecificOutput": {"hookEventName": event.name, "permissionDecision": "deny", "permissionDecisionReason": text}})
