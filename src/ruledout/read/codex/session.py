"""A Codex session's lines put together: items and events of one call are one call, a poll's output belongs to the command it polls."""

import msgspec
from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import lines, shell
from ruledout.read.arguments import mapping
from ruledout.read.assemble import Assembler
from ruledout.read.codex import shapes, wording
from ruledout.read.codex.shapes import Item, Line
from ruledout.read.codex.wording import Ended

_BROKEN = (msgspec.MsgspecError, RecursionError, UnicodeError)
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "developer": Role.SYSTEM, "system": Role.SYSTEM}
_LIMIT = 1024 * 1024


class _Session(Struct):
    """A command that runs on: the call that started it, and what it has printed so far."""

    ref: str
    output: str


class Reader:
    """Takes line after line. `spoken` says that the file holds messages as items, so that the events that repeat them are passed over."""

    def __init__(self, format: str, *, spoken: bool) -> None:  # noqa: A002 - it is the transcript's field
        """Start an empty session."""
        self.assembler = Assembler(format)
        self.spoken = spoken
        self.names: dict[str, str] = {}
        self.running: dict[str, _Session] = {}
        self.polls: dict[str, str] = {}
        self.events: dict[str, Ended] = {}
        self.facts: dict[str, str | None] = {"session": None, "version": None, "cwd": None}
        self.cwd: str | None = None
        self.pieces: list[str] = []

    def take(self, line: Line, place: str) -> None:
        """Take one line of any of the shapes."""
        kind = shapes.text(line.type)
        if kind == "response_item":
            self._item(line.payload, place)
        elif kind == "event_msg":
            self._event(line.payload, place)
        elif kind in {"session_meta", "turn_context", "compacted"}:
            self._context(str(kind), line.payload, place)
        elif line.kind == "codex_event":
            self._recorded(line.payload, place)
        elif line.kind is not None:
            self._terminal(line, place)
        elif isinstance(kind, str):
            self._exec(kind, line, place)

    def bare(self, raw: bytes, place: str) -> None:
        """A line without an envelope: an item, the first line's facts, or the state that older rollouts hold."""
        try:
            item = shapes.ITEM.decode(raw)
        except _BROKEN:
            self.assembler.skip("not a record", place)
            return
        if item.type is None:
            self.facts["session"] = self.facts["session"] or shapes.text(item.id)
            self.assembler.skip("not a turn: facts or state", place)
        else:
            self._response(item, place)

    def _decoded(self, raw: bytes, place: str) -> Item | None:
        try:
            return shapes.ITEM.decode(raw)
        except _BROKEN:
            self.assembler.skip("payload of an unknown shape", place)
            return None

    def _context(self, kind: str, raw: bytes, place: str) -> None:
        """The session's facts and each turn's folder. Of several `session_meta` (forks copy them) the first counts."""
        if (item := self._decoded(raw, place)) is None:
            return
        if kind == "compacted" and (said := shapes.text(item.message)):
            self.assembler.say(Role.NOTE, said, place)
            return
        self.cwd = shapes.text(item.cwd) or self.cwd
        self.facts["cwd"] = self.facts["cwd"] or self.cwd
        if kind == "session_meta":
            self.facts["session"] = self.facts["session"] or shapes.text(item.id)
            self.facts["version"] = self.facts["version"] or shapes.text(item.cli_version)
        self.assembler.skip(f"not a turn: {kind}", place)

    def _item(self, raw: bytes, place: str) -> None:
        if (item := self._decoded(raw, place)) is not None:
            self._response(item, place)

    def _response(self, item: Item, place: str) -> None:
        """A response item: something said, a call, or an output."""
        kind = shapes.text(item.type)
        if kind == "message" or (kind is None and str(item.role) in _ROLES):
            for said in shapes.parts(item.content):
                role = _ROLES.get(str(item.role), Role.NOTE)
                self.assembler.say(Role.NOTE if role is Role.USER and wording.is_note(said) else role, said, place)
        elif kind in {"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"}:
            arguments = item.arguments if item.arguments is not None else item.input if item.input is not None else {"action": item.action}
            self._call(_ref(item, place), shapes.text(item.name) or str(kind), arguments)
        elif kind in {"function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output"}:
            self._output(_ref(item, place), shapes.output_text(item.output))
        elif kind == "web_search_call":
            ref = _ref(item, place)
            self._call(ref, "web_search", item.action or {})
            self.assembler.close(ref, Ending.DONE)
        else:
            self.assembler.skip(f"not a turn: {kind}" if kind in {"reasoning", "ghost_snapshot", "compaction"} else "item of an unknown type", place)

    def _call(self, ref: str, name: str, arguments: object, cwd: str | None = None) -> None:
        if ref in self.names:
            self.assembler.skip("copy of an earlier call", ref)
            return
        self.names[ref] = name
        if name == "write_stdin":
            session = mapping(arguments).get("session_id")
            self.polls[ref] = str(session)
        self.assembler.call(ref, name, arguments, cwd=cwd or shapes.folder(arguments) or self.cwd)

    def _output(self, ref: str, said: str) -> None:
        """A call's output. That of a poll goes to the command it polls."""
        name = self.names.get(ref, "")
        how = wording.ended(said, name)
        if (told := self.events.pop(ref, None)) and how.ending is Ending.RUNNING and told.exit is not None:
            how = told
        elif told and how.exit is None:
            how.exit = told.exit
            how.ending = told.ending if how.ending is Ending.DONE else how.ending
        session = self.running.get(self.polls.get(ref, ""))
        if session is not None and how.ending in {Ending.DONE, Ending.RUNNING, Ending.TIMED_OUT}:
            session.output = f"{session.output}{how.output}"[-_LIMIT:]
            self.assembler.result(session.ref, session.output, exit=how.exit, ending=how.ending, result_ref=ref)
            self.assembler.close(ref, Ending.DONE)
            return
        if how.running:
            self.running[how.running] = _Session(ref, how.output)
        self.assembler.result(ref, how.output, exit=how.exit, ending=how.ending)

    def _event(self, raw: bytes, place: str) -> None:
        if (item := self._decoded(raw, place)) is not None:
            self._told(item, place)

    def _recorded(self, raw: bytes, place: str) -> None:
        """An event of a terminal recording: the message stands one deeper."""
        if (outer := self._decoded(raw, place)) is not None and (item := self._decoded(outer.msg, place)) is not None:
            self._told(item, place)

    def _terminal(self, line: Line, place: str) -> None:
        """Other lines of a terminal recording: the folder, and what the user typed."""
        self.facts["cwd"] = self.facts["cwd"] or shapes.text(line.cwd)
        self.cwd = self.cwd or shapes.text(line.cwd)
        if line.kind == "op" and (item := self._decoded(line.payload, place)) is not None and item.type == "user_input":
            for said in shapes.parts(item.items):
                self.assembler.say(Role.USER, said, place)
        else:
            self.assembler.skip("not a turn: terminal", place)

    def _told(self, item: Item, place: str) -> None:
        """An event. Most repeat an item; what an item does not tell (an exit, an abort) is taken from here."""
        kind, ref = shapes.text(item.type), shapes.text(item.call_id)
        if kind in {"exec_command_begin", "exec_command_end"} and ref:
            self._executed(ref, item)
        elif kind in {"patch_apply_begin", "patch_apply_end"} and ref:
            self._patched(ref, item)
        elif kind == "turn_aborted":
            for open_ref in self.assembler.open_calls():
                self.assembler.close(open_ref, Ending.INTERRUPTED)
            self.assembler.say(Role.NOTE, "turn aborted", place)
        elif kind in {"agent_message", "user_message", "agent_message_delta", "task_complete"} and not self.spoken:
            self._voiced(str(kind), item, place)
        elif kind == "error" and (said := shapes.text(item.message)):
            self.assembler.say(Role.NOTE, said, place)
        elif kind == "session_configured":
            self.assembler.skip("not a turn: session_configured", place)
        else:
            named = isinstance(kind, str) and kind.replace("_", "").isalnum() and len(kind) < 40
            self.assembler.skip(f"not a turn: {kind}" if named else "not a turn: event", place)

    def _voiced(self, kind: str, item: Item, place: str) -> None:
        """Something said in a file that holds no items: a whole message, or its pieces, where they are all there is."""
        if kind == "agent_message_delta":
            self.pieces.append(shapes.text(item.delta) or "")
            return
        said = shapes.text(item.message) or ("" if kind == "user_message" else "".join(self.pieces))
        if kind != "user_message":
            self.pieces = []
        if said:
            self.assembler.say(Role.ASSISTANT if kind != "user_message" else Role.NOTE if wording.is_note(said) else Role.USER, said, place)

    def _executed(self, ref: str, item: Item) -> None:
        """A command that began or ended. One that no item tells of is a call of its own (a user's `!` command, a recording)."""
        if ref not in self.names and isinstance(item.command, list):
            self._call(ref, "shell", {"command": item.command}, shapes.text(item.cwd))
        if item.type == "exec_command_end":
            shown = shapes.text(item.aggregated_output) or "\n".join(part for part in (shapes.text(item.stdout), shapes.text(item.stderr)) if part)
            code = item.exit_code if isinstance(item.exit_code, int) else None
            self.events[ref] = Ended(shown, exit=code, ending=Ending.REFUSED if item.status == "declined" else Ending.DONE)

    def _patched(self, ref: str, item: Item) -> None:
        """A patch that began or ended. One that no item tells of is a call of its own."""
        if ref not in self.names and isinstance(item.changes, dict):
            self._call(ref, "apply_patch", {"patch": _patch(item.changes)})
        if item.type == "patch_apply_end" and isinstance(item.success, bool):
            said = "\n".join(part for part in (shapes.text(item.stdout), shapes.text(item.stderr)) if part)
            self.events[ref] = Ended(said, ending=Ending.DONE if item.success else Ending.REFUSED if item.status == "declined" else Ending.MALFORMED)

    def _exec(self, kind: str, line: Line, place: str) -> None:
        """A line of `codex exec --json`."""
        if not kind.startswith("item.") or not line.item:
            self.assembler.skip("not a turn: exec event", place)
            return
        if (item := self._decoded(line.item, place)) is None:
            return
        ref = shapes.text(item.id) or place
        if item.type == "agent_message" and kind == "item.completed":
            self.assembler.say(Role.ASSISTANT, shapes.text(item.text) or "", place)
        elif item.type in ("command_execution", "file_change", "mcp_tool_call"):
            if ref not in self.names:
                given: object = {"command": shell.inner(shapes.text(item.command) or "")} if item.type == "command_execution" else {"changes": item.changes}
                self._call(ref, "shell" if item.type == "command_execution" else str(item.type), given)
            if kind == "item.completed":
                code = item.exit_code if isinstance(item.exit_code, int) else None
                failed = item.status == "failed" and item.type == "file_change"
                ending = Ending.REFUSED if item.status == "declined" else Ending.MALFORMED if failed else Ending.DONE
                self.assembler.result(ref, shapes.text(item.aggregated_output) or "", exit=code, ending=ending)
        else:
            self.assembler.skip("not a turn: exec item", place)

    def finish(self) -> Transcript:
        """The transcript. Events of calls whose output never came close them."""
        for ref, told in self.events.items():
            if ref in self.names:
                self.assembler.result(ref, told.output, exit=told.exit, ending=told.ending)
        return self.assembler.finish(agent="codex", version=self.facts["version"], session=self.facts["session"], cwd=self.facts["cwd"])


def _ref(item: Item, place: str) -> str:
    return shapes.text(item.call_id) or shapes.text(item.id) or place


def _patch(changes: dict[object, object]) -> str:
    """The changes of a patch event, by path, as one unified diff."""
    rows: list[str] = []
    for path, change in changes.items():
        given = change if isinstance(change, dict) else {}
        kind = shapes.text(given.get("type")) or next(iter(given), "")
        inner = given.get(kind) if isinstance(given.get(kind), dict) else given
        body = inner if isinstance(inner, dict) else {}
        content, diff = body.get("content"), body.get("unified_diff")
        if kind == "add" and isinstance(content, str):
            rows += [f"diff --git a/{path} b/{path}", "--- /dev/null", f"+++ b/{path}", "@@", *(f"+{row}" for row in content.removesuffix("\n").split("\n"))]
        elif kind == "delete":
            rows += [f"diff --git a/{path} b/{path}", "deleted file mode 100644"]
        elif isinstance(diff, str):
            rows += [f"diff --git a/{path} b/{path}", f"--- a/{path}", f"+++ b/{path}", *diff.removesuffix("\n").split("\n")]
    return "\n".join(rows)


_ENVELOPES = frozenset({"response_item", "event_msg", "session_meta", "turn_context", "compacted"})


class _Both(Struct):
    """A line with its own bytes, for those that are bare items."""

    line: Line
    raw: bytes


def _decode(raw: bytes) -> _Both:
    line = shapes.LINE.decode(raw)
    kind = line.type
    bare = line.kind is None and not (isinstance(kind, str) and (kind in _ENVELOPES or "." in kind or kind == "error"))
    return _Both(line, raw if bare else b"")


def read_session(raw: bytes, format: str) -> Transcript:  # noqa: A002 - it is the transcript's field
    """Read a file of lines."""
    spoken = b'"response_item"' in raw or b'"type":"message"' in raw or b'"type": "message"' in raw
    reader = Reader(format, spoken=spoken)
    for number, both in lines.objects(raw, _decode, reader.assembler.skip):
        if both.raw:
            reader.bare(both.raw, f"line:{number}")
        else:
            reader.take(both.line, f"line:{number}")
    return reader.finish()
