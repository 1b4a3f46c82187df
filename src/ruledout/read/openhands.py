"""OpenHands' events: V0 (`action`/`observation` with `cause`) and V1 (`kind`), as a list, under `history` or `trajectory`, or one a line.

A ref is the tool call's id, else `step:N`, the index into the list, or `line:N` where each event is a line. A folder of events comes joined by file name, which
sorts 10 before 2: V0's own numbers set the order. The whole model response inside V0's events is never decoded.
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

NAME = "openhands"

_LISTS = ("history", "trajectory", "events")
_WAITING = re.compile(r"\[The command has no new output after")
_TIMED_OUT = re.compile(r"\[The command timed out after|timed out", re.IGNORECASE)
_KEYS = frozenset(("C-c", "C-d", "C-z"))
_REJECTED = re.compile(
    r"\A(?:ERROR:|Cannot execute multiple commands|No replacement was performed|Invalid `|The path |Parameter `|File already exists|Ran into \[Errno"
    r"|No edit was (?:made|performed))"
)
_TOOLS = {"run": "execute_bash", "read": "read", "write": "write", "edit": "str_replace_editor"}
"""V0's actions, as the tools that they stand for."""
_QUIET = frozenset(("change_agent_state", "agent_state_changed", "null", "recall", "pause", "resume", "start_server", "loop_recovery", "", "server_ready"))
"""Events that keep the books and say nothing of the work."""


class _Metadata(Struct):
    exit_code: Any = None
    working_dir: Any = None
    suffix: Any = None


class _Extras(Struct):
    metadata: _Metadata | None = None
    exit_code: Any = None
    old_content: Any = None


class _ToolCall(Struct):
    tool_call_id: Any = None
    function_name: Any = None


class _Seen(Struct):
    """V1's observation."""

    content: Any = None
    is_error: Any = None
    exit_code: Any = None
    timeout: Any = None
    metadata: _Metadata | None = None
    old_content: Any = None


class _Said(Struct):
    content: Any = None


class _Event(Struct):
    """An event of V0, or the parts that V1 has in common with it; `observation` is a name in V0 and an object in V1."""

    id: Any = None
    kind: Any = None
    source: Any = None
    action: Any = None
    observation: Any = None
    args: Any = None
    content: Any = None
    message: Any = None
    cause: Any = None
    extras: _Extras | None = None
    tool_call_metadata: _ToolCall | None = None
    system_prompt: Any = None
    llm_message: _Said | None = None
    thought: Any = None
    tool_name: Any = None
    tool_call_id: Any = None
    error: Any = None
    rejection_reason: Any = None
    summary: Any = None


def claims(head: bytes) -> bool:
    """Events with a `source`, of V1's kinds or V0's actions and observations, at one of the known places."""
    ways = loose.outline(head)
    if "schema_version" in ways or "payload" in ways:
        return False
    places = ("", "[].", *(f"{name}[]." for name in _LISTS), *(f"{name}[][]." for name in _LISTS))
    return any(_shaped(ways, place) for place in places)


def _shaped(ways: frozenset[str], place: str) -> bool:
    """Do the objects at this place look like events."""
    keys = {way.removeprefix(place) for way in ways if way.startswith(place)}
    told = {"kind", "timestamp"} <= keys or (bool({"action", "observation"} & keys) and bool({"args", "extras", "cause"} & keys))
    return "source" in keys and told


def read(raw: bytes) -> Transcript:
    """Read events. Raises BadInput when none can be read."""
    out = Assembler(NAME)
    events, row = _open(raw, out)
    walk = _Walk(out)
    known = [(ref, event) for ref, part in events if (event := _decoded(out, ref, part))]
    if all(isinstance(event.id, int) for _, event in known):
        known.sort(key=lambda pair: pair[1].id)
    for ref, event in known:
        walk.take(ref, event)
    if not known and not len(out):
        raise BadInput("broken-session", "no event of the openhands session can be read", "give the events as a list or one a line")
    if row.torn is not None:
        out.skip("torn document", f"byte:{row.torn}")
    patch = loose.text(loose.mapping(loose.value(row.members.get("test_result", b""))).get("git_patch")) or row.text("git_patch")
    return out.finish(
        agent=NAME,
        session=row.text("instance_id") or None,
        cwd=walk.cwd,
        final_patch=patch if "diff --git " in patch else None,
    )


def _decoded(out: Assembler, ref: str, part: loose.Piece) -> _Event | None:
    event = loose.decode(part, _Event)
    if event is None:
        out.skip("not an event", ref)
    return event


def _open(raw: bytes, out: Assembler) -> tuple[list[tuple[str, loose.Piece]], loose.Document]:
    """The events with their refs, and the object around them."""
    first = loose.lined(raw)
    if first is not None:
        if not set(_LISTS) & set(first):
            return [(f"line:{line}", part) for line, (_, part) in objects(raw, loose.record, out.skip)], loose.Document()
        for line, _ in list(objects(raw, loose.record, out.skip))[1:]:
            out.skip("further session in the file", f"line:{line}")
        row = loose.Document(members=first)
    else:
        row = loose.document(raw, NAME)
    listed = row.elements or next((tuple(items) for name in _LISTS if (items := row.items(name))), ())
    if not listed and {"source", "kind"} & set(row.members):
        return [("line:0", raw)], row
    return [(f"step:{index}", event) for index, part in enumerate(listed) for event in (loose.array(part) or [part])], row


class _Walk:
    """Goes through the events in their order."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.cwd: str | None = None
        self.calls: dict[object, str] = {}
        """the call's ref by the event's id"""
        self.last: str | None = None
        """the newest call, which an observation without a cause answers (pairs of the first versions)"""
        self.waiting: str | None = None
        """the command that has not ended: the shell is still in it"""
        self.follows: dict[str, tuple[str, bool]] = {}
        """calls that look after a waiting command: that command, and whether they break it off"""

    def take(self, ref: str, event: _Event) -> None:
        """The next event."""
        if isinstance(event.kind, str):
            self._v1(ref, event)
        elif isinstance(event.action, str):
            self._action(ref, event, event.action)
        elif isinstance(event.observation, str):
            self._observation(ref, event, event.observation)
        else:
            self.out.skip("event of an unknown shape", ref)

    # V0

    def _action(self, ref: str, event: _Event, action: str) -> None:
        arguments = loose.mapping(event.args)
        thought = loose.text(arguments.get("thought")) or loose.text(arguments.get("final_thought"))
        if action in _QUIET:
            return
        if action in ("message", "system", "condensation"):
            said = loose.text(arguments.get("content")) or loose.text(arguments.get("summary")) or loose.text(event.message)
            speaker = Role.SYSTEM if action == "system" else Role.NOTE if action == "condensation" else Role.USER if event.source == "user" else Role.ASSISTANT
            if said.strip():
                self.out.say(speaker, said, ref)
            return
        if thought.strip():
            self.out.say(Role.ASSISTANT, thought, ref)
        metadata = event.tool_call_metadata or _ToolCall()
        call = loose.text(metadata.tool_call_id) or ref
        self.last = call
        if isinstance(event.id, int | str):
            self.calls[event.id] = call
        name = _TOOLS.get(action) or loose.text(arguments.get("name")) or action
        self.out.call(call, self._named(call, name, arguments), _given(arguments), cwd=loose.text(arguments.get("cwd")) or None)

    def _observation(self, ref: str, event: _Event, observation: str) -> None:
        if observation in _QUIET:
            return
        call = self.calls.get(event.cause) if isinstance(event.cause, int | str) else None
        if event.cause is None and self.last and self.out.ended(self.last) is None:
            call = self.last
        said, extras = loose.text(event.content), event.extras or _Extras()
        if call is None:
            self.out.say(Role.NOTE, said or loose.text(event.message), ref)
        elif observation == "user_rejected":
            self.out.result(call, said, ending=Ending.REFUSED)
        elif observation == "error" or _REJECTED.match(said):
            self.out.result(call, said, ending=Ending.MALFORMED)
        elif observation == "run":
            metadata = extras.metadata or _Metadata()
            exit_code = loose.integer(metadata.exit_code if extras.metadata else extras.exit_code)
            self._run(call, said, exit_code, metadata, timed_out=False)
        else:
            self.out.result(call, said, original=loose.text(extras.old_content) or None)

    def _run(self, call: str, said: str, exit_code: int | None, metadata: _Metadata, *, timed_out: bool) -> None:
        """Close a command. -1 stands for one that had not ended."""
        self.cwd = self.cwd or loose.text(metadata.working_dir) or None
        ended = exit_code is not None and exit_code != -1
        told = loose.text(metadata.suffix) or said[-600:]
        waiting, breaks = self.follows.get(call, ("", False))
        if ended and waiting:
            self.out.result(waiting, said, exit=None if breaks else exit_code, ending=Ending.INTERRUPTED if breaks else Ending.DONE, result_ref=call)
        if not ended and _WAITING.search(told):
            self.waiting = waiting or call
            self.out.result(call, said, ending=Ending.RUNNING)
        elif not ended and (timed_out or _TIMED_OUT.search(told)):
            self.out.result(call, said, ending=Ending.TIMED_OUT)
        else:
            self.out.result(call, said, exit=exit_code if ended else None)

    def _named(self, call: str, name: str, arguments: dict[str, Any]) -> str:
        """The tool's name. A call that only waits for the command before it, or breaks it off, is no command of its own; any other starts anew."""
        command = arguments.get("command", "")
        if not tools.is_run(name) or not isinstance(command, str):
            return name
        if self.waiting and (not command.strip() or command.strip() in _KEYS or str(arguments.get("is_input")).lower() == "true"):
            self.follows[call] = (self.waiting, command.strip() in _KEYS)
            return "terminal_input"
        self.waiting = None
        return name

    # V1

    def _v1(self, ref: str, event: _Event) -> None:
        kind = loose.text(event.kind)
        call = loose.text(event.tool_call_id) or ref
        if event.system_prompt is not None:
            self.out.say(Role.SYSTEM, loose.text(event.system_prompt), ref)
        elif kind == "MessageEvent":
            said = loose.text(event.llm_message.content) if event.llm_message else ""
            self.out.say(Role.USER if event.source == "user" else Role.ASSISTANT if event.source == "agent" else Role.NOTE, said, ref)
        elif kind == "ActionEvent":
            if (thought := loose.text(event.thought)).strip():
                self.out.say(Role.ASSISTANT, thought, ref)
            arguments = {name: value for name, value in loose.mapping(event.action).items() if name != "kind" and value is not None}
            self.out.call(call, self._named(call, loose.text(event.tool_name), arguments), arguments)
        elif kind == "ObservationEvent":
            self._seen(call, event.observation)
        elif kind == "AgentErrorEvent":
            self.out.result(call, loose.text(event.error), ending=Ending.MALFORMED)
        elif kind == "UserRejectObservation":
            self.out.result(call, loose.text(event.rejection_reason), ending=Ending.REFUSED)
        elif kind in ("Condensation", "CondensationSummaryEvent", "ConversationErrorEvent"):
            self.out.say(Role.NOTE, loose.text(event.summary) or loose.text(event.error), ref)
        elif kind not in ("ConversationStateUpdateEvent", "PauseEvent", "CondensationRequest", "TokenEvent", "LLMCompletionLogEvent", "InterruptEvent"):
            self.out.skip("event of an unknown kind", ref)

    def _seen(self, call: str, observation: object) -> None:
        try:
            seen = msgspec.convert(observation, _Seen)
        except msgspec.ValidationError:
            self.out.skip("observation of an unknown shape", call)
            return
        said, metadata = loose.text(seen.content), seen.metadata or _Metadata()
        exit_code = loose.integer(seen.exit_code) if seen.exit_code is not None else loose.integer(metadata.exit_code)
        if seen.is_error is True and (exit_code is None or exit_code == -1) and seen.timeout is not True:
            self.out.result(call, said, ending=Ending.MALFORMED)
        elif exit_code is None and seen.timeout is not True:
            self.out.result(call, said, original=loose.text(seen.old_content) or None)
        else:
            self._run(call, said, exit_code, metadata, timed_out=seen.timeout is True)


def _given(arguments: dict[str, Any]) -> object:
    """The arguments of a V0 action without those that were not given. An edit that a model merges into the file holds a part of it only, never the whole."""
    if "name" in arguments and "arguments" in arguments:
        return arguments["arguments"]
    given = {key: value for key, value in arguments.items() if key != "thought" and value not in (None, "")}
    if given.get("impl_source") == "llm_based_edit" and "content" in given:
        given["new_str"] = given.pop("content")
    return given
