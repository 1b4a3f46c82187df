"""GitHub Copilot CLI: camel case, or with capital event names Claude's snake case. Context goes to the top level; the exit code is the output's last words."""

from ruledout.agents import event as ev
from ruledout.plainjson import dumps

NAME = "copilot"
EARLY = True
KINDS = {
    ev.BEFORE: ("preToolUse", "PreToolUse"),
    ev.AFTER: ("postToolUse", "PostToolUse", "postToolUseFailure", "PostToolUseFailure"),
    ev.START: ("sessionStart", "SessionStart"),
    ev.END: ("sessionEnd", "SessionEnd"),
    ev.COMPACT: ("preCompact", "PreCompact"),
    ev.PROMPT: ("userPromptSubmitted", "UserPromptSubmit"),
}


def read(given: "dict[str, object]") -> ev.Event:
    """The event. In camel case it has no name of its own and is told by its keys."""
    name = ev.text(given, "hook_event_name", "hookName") or _named(given)
    event = ev.Event(ev.kind_of(name, KINDS), name, given)
    event.act(ev.text(given, "toolName", "tool_name"), given.get("toolArgs", given.get("tool_input")))
    if event.kind == ev.AFTER:
        result = given.get("toolResult", given.get("tool_result"))
        shown = ev.text(result, "textResultForLlm", "text_result_for_llm")
        if event.command:
            event.exit = ev.number_behind(shown, "completed with exit code ", ">")
            event.failed = bool(event.exit)
        event.output = shown.rpartition("\n<shellId: ")[0] if event.exit is not None else shown
    return event


def _named(given: "dict[str, object]") -> str:
    if "toolResult" in given:
        return "postToolUse"
    if "toolName" in given:
        return "preToolUse"
    if "reason" in given and "stopReason" not in given:
        return "sessionEnd"
    return "sessionStart" if "source" in given else "userPromptSubmitted" if "prompt" in given else ""


def say(event: ev.Event, text: str) -> str:
    """As additional context at the top level."""
    return dumps({"additionalContext": text}) if event.kind in (ev.BEFORE, ev.AFTER, ev.START, ev.PROMPT) else ""


def deny(event: ev.Event, text: str) -> str:
    """Stop a tool before it runs."""
    return dumps({"permissionDecision": "deny", "permissionDecisionReason": text}) if event.kind == ev.BEFORE else ""
