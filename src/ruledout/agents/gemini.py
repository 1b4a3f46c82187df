"""Gemini CLI: cannot be advised before a tool, only after it. Its compaction event fires before every call of the model and so says nothing."""

from ruledout.agents import event as ev
from ruledout.plainjson import dumps

NAME = "gemini"
EARLY = False
KINDS = {
    ev.BEFORE: ("BeforeTool",),
    ev.AFTER: ("AfterTool",),
    ev.START: ("SessionStart",),
    ev.END: ("SessionEnd",),
    ev.PROMPT: ("BeforeAgent",),
}
_TAKES = ("SessionStart", "BeforeAgent", "AfterTool")


def read(given: "dict[str, object]") -> ev.Event:
    """The event. `Exit Code: N` stands in the output only where it is not 0."""
    name = ev.text(given, "hook_event_name")
    event = ev.Event(ev.kind_of(name, KINDS), name, given)
    event.act(ev.text(given, "tool_name"), given.get("tool_input"))
    if event.kind == ev.AFTER:
        content = ev.text(given.get("tool_response"), "llmContent")
        if event.command:
            code = ev.number_behind(content, "\nExit Code: ")
            event.exit = 0 if code is None else code
            event.failed = event.exit != 0
        body = content.removeprefix("<untrusted_context>\n").removeprefix("Output: ")
        event.output = body.partition("\nExit Code: ")[0].partition("\nProcess Group PGID: ")[0].removesuffix("\n</untrusted_context>")
    return event


def say(event: ev.Event, text: str) -> str:
    """As additional context, at the three events that take it."""
    return dumps({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}) if event.name in _TAKES else ""


def deny(event: ev.Event, text: str) -> str:
    """Stop a tool before it runs."""
    return dumps({"decision": "deny", "reason": text}) if event.kind == ev.BEFORE else ""
