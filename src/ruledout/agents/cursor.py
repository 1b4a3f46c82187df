"""Cursor: a word before an act comes only with a permission, which is not ours to give, so it is told after it. Its `user_email` is not looked at."""

from ruledout.agents import event as ev
from ruledout.plainjson import dumps

NAME = "cursor"
EARLY = False
KINDS = {
    ev.BEFORE: ("preToolUse", "beforeShellExecution"),
    ev.AFTER: ("postToolUse", "postToolUseFailure", "afterShellExecution", "afterFileEdit"),
    ev.START: ("sessionStart",),
    ev.END: ("sessionEnd",),
    ev.COMPACT: ("preCompact",),
    ev.PROMPT: ("beforeSubmitPrompt",),
}
_TAKES = ("sessionStart", "postToolUse")


def read(given: "dict[str, object]") -> ev.Event:
    """The event, from the general tool events or those of shell and file edits."""
    name = ev.text(given, "hook_event_name")
    event = ev.Event(ev.kind_of(name, KINDS), name, given)
    folders = given.get("workspace_roots")
    event.cwd = event.cwd or next((one for one in folders if isinstance(one, str)), "") if isinstance(folders, list) else event.cwd
    tool = ev.text(given, "tool_name")
    if tool:
        event.act(tool, given.get("tool_input"))
    elif "Shell" in name:
        event.act("shell", given)
    elif name == "afterFileEdit":
        event.act("edit", given)
    event.output = ev.text(given, "output", "tool_output", "error_message")
    event.failed = name == "postToolUseFailure"
    return event


def say(event: ev.Event, text: str) -> str:
    """As additional context, at the events that take it."""
    return dumps({"additional_context": text}) if event.name in _TAKES else ""


def deny(event: ev.Event, text: str) -> str:
    """Stop a tool before it runs."""
    return dumps({"permission": "deny", "agent_message": text, "user_message": text}) if event.kind == ev.BEFORE else ""
