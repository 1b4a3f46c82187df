"""opencode: a plug-in of ours asks, `{"ev": "pre", "tool", "session", "call", "args"}`, and takes `{"context"}` or `{"deny"}`. Before a tool it only denies."""

from ruledout.agents import event as ev
from ruledout.plainjson import dumps

NAME = "opencode"
EARLY = False
KINDS = {
    ev.BEFORE: ("pre", "tool.execute.before"),
    ev.AFTER: ("post", "tool.execute.after"),
    ev.START: ("session.created",),
    ev.END: ("session.deleted",),
    ev.COMPACT: ("session.compacted",),
    ev.PROMPT: ("prompt", "chat.message"),
}


def read(given: "dict[str, object]") -> ev.Event:
    """The event, as the plug-in sends it or with opencode's own input and output under `i` and `o`."""
    name = ev.text(given, "ev", "k").removeprefix("event:")
    inside = given.get("v")
    body = inside if isinstance(inside, dict) else given
    asked, made = body.get("i"), body.get("o")
    flat: dict[str, object] = {**body, **(asked if isinstance(asked, dict) else {}), **(made if isinstance(made, dict) else {})}
    event = ev.Event(ev.kind_of(name, KINDS), name, flat)
    event.act(ev.text(flat, "tool"), flat.get("args"))
    event.output = ev.text(flat, "output")
    told = flat.get("metadata")
    code = told.get("exit") if isinstance(told, dict) else flat.get("exit")
    if event.kind == ev.AFTER and event.command and isinstance(code, int):
        event.exit, event.failed = code, code != 0
    return event


def say(event: ev.Event, text: str) -> str:
    """Behind the tool's output."""
    return dumps({"context": text}) if event.kind in (ev.AFTER, ev.START) else ""


def deny(event: ev.Event, text: str) -> str:
    """The plug-in throws it."""
    return dumps({"deny": text}) if event.kind == ev.BEFORE else ""
