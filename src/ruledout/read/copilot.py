"""GitHub Copilot CLI's `events.jsonl`: one event a line, `type` and `data`.

A ref is the `toolCallId`, else `line:N`. `success` says that the tool ran; the exit status stands at the end of the output's text. A command that outlives its
call is read on by `read_bash`, which names the shell, and its end may be announced by a notification.
"""

import re
from typing import Any

import msgspec
from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import loose, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "copilot-cli"

_EXIT = re.compile(r"\n?<(?:exited with exit code|shellId: [^\s<>]{1,40} completed with exit code) (-?\d{1,9})>\s*\Z")
_RUNNING = re.compile(r"shellId: ([^\s<>]{1,40}) (?:is still running|is waiting)|started in (?:detached )?background with shellId: ([^\s<>]{1,40})>")
_STOPPED = re.compile(r"<command with id: [^\s<>]{1,40} stopped>")
_REFUSED = frozenset(("denied", "rejected", "permission_denied"))
_BOOKS = (
    *("hook.", "permission.", "skill.", "subagent.", "elicitation.", "user_input.", "external_tool.", "command.", "exit_plan_mode."),
    *("assistant.", "session.", "tool.", "pending_messages."),
)
"""How the types of events begin that keep the books and say nothing of the work."""


class _Context(Struct):
    cwd: Any = None


class _Error(Struct):
    message: Any = None
    code: Any = None


class _Result(Struct):
    content: Any = None


class _Data(Struct):
    sessionId: Any = None  # noqa: N815  # the file's spelling
    copilotVersion: Any = None  # noqa: N815  # the file's spelling
    context: _Context | None = None
    content: Any = None
    source: Any = None
    reasoningText: Any = None  # noqa: N815  # the file's spelling
    toolCallId: Any = None  # noqa: N815  # the file's spelling
    toolName: Any = None  # noqa: N815  # the file's spelling
    arguments: Any = None
    success: Any = None
    result: _Result | None = None
    error: _Error | None = None
    message: Any = None
    summaryContent: Any = None  # noqa: N815  # the file's spelling


class _Event(Struct):
    type: Any = None
    data: _Data | None = None


def claims(head: bytes) -> bool:
    """JSON Lines of `type` and `data`, which Copilot's own session start or tool events show to be its."""
    if not {"type", "data"} <= loose.outline(head):
        return False
    return any(sign in head for sign in (b'"copilotVersion"', b'"tool.execution_start"', b'"copilot-agent"'))


def read(raw: bytes) -> Transcript:
    """Read a session. Raises BadInput when no event can be read."""
    walk = _Walk(Assembler(NAME))
    count = 0
    for line, event in objects(raw, _event, walk.out.skip):
        count += 1
        walk.take(f"line:{line}", event)
    if not count:
        raise BadInput("broken-session", "no line of the copilot-cli session can be read", "give the whole events.jsonl")
    return walk.out.finish(agent=NAME, version=walk.version, session=walk.session, cwd=walk.cwd)


def _event(line: bytes) -> _Event:
    """One event. Hooks, which are many and long, are not decoded."""
    if line.startswith(b'{"type":"hook.'):
        return _HOOK
    return _EVENTS.decode(line)


_HOOK = _Event(type="hook.")
_EVENTS = msgspec.json.Decoder(_Event)


class _Walk:
    """Goes through the events in the file's order."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.version: str | None = None
        self.session: str | None = None
        self.cwd: str | None = None
        self.names: dict[str, str] = {}
        self.given: dict[str, dict[str, Any]] = {}
        """arguments of calls that look after a shell, by call id"""
        self.shells: dict[str, str] = {}
        """the call that started a shell, by shell id"""

    def take(self, ref: str, event: _Event) -> None:
        """The next event."""
        kind, data = loose.text(event.type), event.data or _Data()
        if kind == "session.start":
            self.version, self.session = loose.text(data.copilotVersion) or None, loose.text(data.sessionId) or None
            self.cwd = (loose.text(data.context.cwd) or None) if data.context else None
        elif kind == "user.message":
            self.out.say(Role.NOTE if loose.text(data.source) else Role.USER, loose.text(data.content), ref)
        elif kind == "assistant.message":
            for said in (loose.text(data.reasoningText), loose.text(data.content)):
                if said.strip():
                    self.out.say(Role.ASSISTANT, said, ref)
        elif kind == "tool.execution_start":
            self._call(ref, data)
        elif kind == "tool.execution_complete":
            self._complete(ref, data)
        else:
            self._other(ref, kind, data)

    def _other(self, ref: str, kind: str, data: _Data) -> None:
        if kind == "system.message":
            self.out.say(Role.SYSTEM, loose.text(data.content), ref)
        elif kind in ("system.notification", "session.info", "session.error", "session.warning", "abort") or kind.startswith("session.compaction_"):
            if said := loose.text(data.content) or loose.text(data.message) or loose.text(data.summaryContent):
                self.out.say(Role.NOTE, said, ref)
        elif not kind.startswith(_BOOKS):
            self.out.skip("event of an unknown type", ref)

    def _call(self, ref: str, data: _Data) -> None:
        call, name = loose.text(data.toolCallId) or ref, loose.text(data.toolName)
        self.names[call] = name
        arguments = loose.mapping(data.arguments)
        if name in ("read_bash", "stop_bash", "write_bash", "read_powershell", "stop_powershell", "write_powershell"):
            self.given[call] = arguments
        self.out.call(call, name, arguments or data.arguments, cwd=None)

    def _complete(self, ref: str, data: _Data) -> None:
        call = loose.text(data.toolCallId) or ref
        said = loose.text(data.result.content) if data.result else ""
        if data.success is False:
            error = data.error or _Error()
            refused = loose.text(error.code) in _REFUSED
            ending = Ending.REFUSED if refused else Ending.DONE if tools.is_run(self.names.get(call, "")) else Ending.MALFORMED
            self.out.result(call, loose.text(error.message) or said, ending=ending)
            return
        exit_code, output = _told(said)
        running = _RUNNING.search(said[-400:])
        if tools.is_run(self.names.get(call, "")) and running and exit_code is None:
            self.shells[running[1] or running[2]] = call
            self.out.result(call, output, ending=Ending.RUNNING)
        else:
            self.out.result(call, output, exit=exit_code if call not in self.given else None)
        if call in self.given:
            self._later(call, said)

    def _later(self, call: str, said: str) -> None:
        """What a call that looks after a shell tells of the command in it."""
        shell = loose.text(self.given[call].get("shellId"))
        started = self.shells.get(shell)
        exit_code, output = _told(said)
        if started and exit_code is not None:
            self.out.result(started, output, exit=exit_code, result_ref=call)
        elif started and _STOPPED.search(said[:200]):
            self.out.result(started, output, ending=Ending.INTERRUPTED, result_ref=call)


def _told(said: str) -> tuple[int | None, str]:
    """The exit status at the end of an output, and the output without it."""
    found = _EXIT.search(said, max(0, len(said) - 200))
    return (int(found[1]), said[: found.start()]) if found else (None, said)
