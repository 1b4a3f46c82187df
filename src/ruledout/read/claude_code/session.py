"""A session's lines put together: the main chain, the side chains beside it, the track of each turn."""

import contextlib

import msgspec
from msgspec import Raw

from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.observe.late import Late
from ruledout.read import lines
from ruledout.read.arguments import first, mapping
from ruledout.read.assemble import Assembler
from ruledout.read.claude_code import shapes, wording
from ruledout.read.claude_code.background import Background
from ruledout.read.claude_code.shapes import Block, Line, Message, ToolResult
from ruledout.read.claude_code.tree import Tree

_BROKEN = (msgspec.MsgspecError, RecursionError, UnicodeError)
_TURNS = ("user", "assistant")
_GAP = Late(r"[\s,]*")
_SILENT = ("thinking", "redacted_thinking", "image", "document")
_STARTERS = ("Task", "Agent")


class _Chain:
    """One chain of turns: the main one, or a sub-agent's."""

    def __init__(self, format: str) -> None:  # noqa: A002 - it is the transcript's field
        self.assembler = Assembler(format)
        self.background = Background(self.assembler)
        self.calls: dict[str, str] = {}
        self.typed: str | None = None
        self.parent_ref: str | None = None
        self.cwd: str | None = None
        self.prompt: str | None = None


class _Session:
    """Takes line after line; everything that outlives one stands here."""

    def __init__(self, format: str) -> None:  # noqa: A002 - it is the transcript's field
        self.format = format
        self.main = _Chain(format)
        self.sides: dict[str, _Chain] = {}
        self.side_of: dict[str, str] = {}
        self.starters: dict[str, str] = {}
        self.prompts: dict[str, str] = {}
        self.tree = Tree()
        self.spans: list[tuple[str, int, int]] = []
        self.homes: dict[str, str] = {}
        self.joined: list[tuple[str, str]] = []
        self.version: str | None = None
        self.session: str | None = None

    def take(self, line: Line, place: str) -> None:
        """Take one line."""
        self._facts(line)
        if not isinstance(line.uuid, str):
            self._by_type(line, place, self._chain(line, None))
            return
        if line.uuid in self.tree or line.uuid in self.side_of:
            self.main.assembler.skip("copy of an earlier line", place)
            return
        side = self._side(line, line.uuid)
        if side is None:
            parent = shapes.text(line.parent) or shapes.text(line.logical_parent)
            self.tree.add(line.uuid, parent, turn=line.type in _TURNS)
        chain = self._chain(line, side)
        start = len(chain.assembler)
        self._by_type(line, place, chain)
        if side is None and len(chain.assembler) > start:
            self.spans.append((line.uuid, start, len(chain.assembler)))

    def _facts(self, line: Line) -> None:
        self.session = self.session or shapes.text(line.session) or shapes.text(line.stream_session)
        self.version = self.version or shapes.text(line.version) or shapes.text(line.stream_version)
        self.main.cwd = self.main.cwd or shapes.text(line.cwd)

    def _side(self, line: Line, uuid: str) -> str | None:
        """The name of the side chain on which a line stands: its agent, else the first line of the chain."""
        if line.sidechain is not True:
            return None
        parent = line.parent if isinstance(line.parent, str) else None
        name = shapes.text(line.agent) or (self.side_of.get(parent) if parent else None) or uuid
        self.side_of[uuid] = name
        return name

    def _chain(self, line: Line, side: str | None) -> _Chain:
        if side is None and isinstance(line.started_by, str) and line.started_by:
            side = line.started_by
            self.starters.setdefault(side, side)
        return self.main if side is None else self.side(side, line.cwd)

    def side(self, name: str, cwd: object) -> _Chain:
        """The side chain of this name, new or known."""
        if name not in self.sides:
            self.sides[name] = _Chain(self.format)
        self.sides[name].cwd = self.sides[name].cwd or shapes.text(cwd)
        return self.sides[name]

    def _by_type(self, line: Line, place: str, chain: _Chain) -> None:
        kind = line.type
        if kind in _TURNS:
            self._turn(line, place, chain)
        elif kind == "progress":
            self._progress(line, place)
        elif kind == "attachment":
            self._attachment(line, place, chain)
        elif kind == "system" and line.subtype is None and line.message:
            self._wrapped(line, place)
        elif isinstance(kind, str) and kind:
            chain.assembler.skip(f"not a turn: {kind[:40]}" if kind.replace("-", "").replace("_", "").isalnum() else "not a turn", place)
        else:
            chain.assembler.skip("not a record", place)

    def _wrapped(self, line: Line, place: str) -> None:
        """A stream's `system` message wrapped once more: the facts of the session stand in it."""
        with contextlib.suppress(*_BROKEN):
            self._facts(shapes.LINE.decode(line.message))
        self.main.assembler.skip("not a turn: system", place)

    def _progress(self, line: Line, place: str) -> None:
        """A sub-agent's message that its parent's file carries; any other progress says nothing."""
        try:
            data = shapes.PROGRESS.decode(line.data)
            inner = shapes.LINE.decode(data.message) if data.type == "agent_progress" else Line()
        except _BROKEN:
            data, inner = shapes.Progress(), Line()
        known = isinstance(inner.uuid, str) and inner.uuid in self.side_of
        if inner.type not in _TURNS or known:
            self.main.assembler.skip("not a turn: progress", place)
            return
        name = shapes.text(data.agent) or shapes.text(line.parent_tool) or "progress"
        if isinstance(line.parent_tool, str):
            self.starters.setdefault(name, line.parent_tool)
        if isinstance(inner.uuid, str):
            self.side_of[inner.uuid] = name
        inner.cwd = line.cwd
        self._turn(inner, place, self.side(name, line.cwd))

    def _attachment(self, line: Line, place: str, chain: _Chain) -> None:
        """Only a prompt that waited in the queue is something said."""
        try:
            found = shapes.ATTACHMENT.decode(line.attachment)
        except _BROKEN:
            found = shapes.Attachment()
        if found.type == "queued_command" and isinstance(found.prompt, str):
            self._said(found.prompt, line, place, chain)
        else:
            chain.assembler.skip("not a turn: attachment", place)

    def _turn(self, line: Line, place: str, chain: _Chain) -> None:
        """A `user` or `assistant` line, block by block."""
        message = _message(line.message)
        if message is None:
            chain.assembler.skip("message of an unknown shape", place)
            return
        if isinstance(message.id, str) and isinstance(line.uuid, str):
            self._join(f"message {message.id}", line.uuid)
        blocks = [message.content] if isinstance(message.content, str) else message.content or []
        for block in blocks:
            if isinstance(block, str) or block.type == "text":
                said = block if isinstance(block, str) else shapes.text(block.text)
                self._text(said or "", message, line, place, chain)
            elif block.type == "tool_use":
                self._call(block, line, place, chain)
            elif block.type == "tool_result":
                self._result(block, line, place, chain)
            else:
                chain.assembler.skip(f"not a turn: {block.type}" if block.type in _SILENT else "block of an unknown type", place)

    def _text(self, said: str, message: Message, line: Line, place: str, chain: _Chain) -> None:
        """A text block: the assistant's, the harness's in its place, or one in the user's place."""
        if said and line.type == "assistant":
            note = line.api_error is True or message.model == "<synthetic>"
            chain.assembler.say(Role.NOTE if note else Role.ASSISTANT, said, place)
        elif said:
            self._said(said, line, place, chain)

    def _join(self, name: str, uuid: str) -> None:
        """Lines of one name belong together: see `Tree.live`."""
        self.joined.append((self.homes.setdefault(name, uuid), uuid))

    def _said(self, said: str, line: Line, place: str, chain: _Chain) -> None:
        """A text in the user's place."""
        if (command := wording.typed(said)) is not None:
            chain.assembler.call(place, "bash", {"command": command}, cwd=shapes.text(line.cwd))
            chain.typed = place
            return
        if chain.typed and (output := wording.typed_output(said)) is not None:
            chain.assembler.result(chain.typed, output)
            chain.typed = None
            return
        if said.lstrip().startswith("<task-notification>"):
            chain.background.notice(wording.poll(said), place)
        note = line.meta is True or line.summary is True or wording.is_note(said)
        chain.prompt = chain.prompt or said
        chain.assembler.say(Role.NOTE if note else Role.USER, said, place)
        if said.startswith(wording.INTERRUPTION):
            for ref in chain.assembler.open_calls():
                chain.assembler.close(ref, Ending.INTERRUPTED)

    def _call(self, block: Block, line: Line, place: str, chain: _Chain) -> None:
        ref, name = shapes.text(block.id) or place, shapes.text(block.name) or "unnamed"
        if ref in chain.calls:
            chain.assembler.skip("copy of an earlier call", ref)
            return
        chain.calls[ref] = name
        if isinstance(line.uuid, str):
            self._join(f"call {ref}", line.uuid)
        if name in _STARTERS and (prompt := first(mapping(block.input), ("prompt",))):
            self.prompts.setdefault(prompt.strip(), ref)
        chain.background.call(ref, name, block.input)
        chain.assembler.call(ref, name, block.input, cwd=shapes.text(line.cwd))

    def _result(self, block: Block, line: Line, place: str, chain: _Chain) -> None:
        ref = shapes.text(block.tool_use_id) or place
        if isinstance(line.uuid, str):
            self._join(f"call {ref}", line.uuid)
        name, said, kept = chain.calls.get(ref, ""), shapes.content_text(block.content), _kept(line.tool_result)
        if isinstance(kept.agent, str):
            self.starters.setdefault(kept.agent, ref)
        if block.is_error is not True and chain.background.is_poll(ref) and chain.background.result(ref, wording.poll(said), more=name == "BashOutput"):
            return
        how = wording.ended(name, said, error=block.is_error is True, kept=kept)
        original = _original(kept) if name == "Write" else None
        chain.assembler.result(ref, how.output, exit=how.exit, ending=how.ending, original=original)
        if how.task:
            chain.background.started(how.task, ref)

    def finish(self) -> Transcript:
        """The transcript. A file of a side chain alone (a sub-agent's own) is read as a session of its own."""
        if not len(self.main.assembler) and len(self.sides) == 1:
            (self.main,) = self.sides.values()
            self.sides = {}
        else:
            self._tracks()
        sides = tuple(self._side_transcript(name, side) for name, side in self.sides.items())
        self.main.background.finish()
        return self.main.assembler.finish(agent="claude-code", version=self.version, session=self.session, cwd=self.main.cwd, subagents=sides)

    def _tracks(self) -> None:
        """Move what stands on a rewound branch to its track."""
        live = self.tree.live(self.joined)
        for uuid, start, end in self.spans:
            if uuid not in live:
                for at in range(start, end):
                    self.main.assembler.mark(at, Track.REWOUND)

    def _side_transcript(self, name: str, side: _Chain) -> Transcript:
        side.background.finish()
        parent = self.starters.get(name) or self.prompts.get((side.prompt or "").strip())
        return side.assembler.finish(agent="claude-code", version=self.version, session=name, cwd=side.cwd or self.main.cwd, parent_ref=parent)


def _message(raw: Raw) -> Message | None:
    """The message of a line; one with blocks of an odd shape keeps the others."""
    try:
        return shapes.MESSAGE.decode(raw)
    except _BROKEN:
        pass
    try:
        loose = msgspec.json.decode(raw)
        content = loose.get("content") if isinstance(loose, dict) else None
        blocks: list[Block | str] | None = [block for item in content if (block := _block(item)) is not None] if isinstance(content, list) else None
        return Message(role=loose.get("role"), id=loose.get("id"), model=loose.get("model"), content=blocks) if blocks else None
    except _BROKEN:
        return None


def _block(item: object) -> Block | None:
    try:
        return msgspec.convert(item, Block)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _kept(raw: Raw) -> ToolResult:
    """What the harness keeps of a result; nothing where that is only a text."""
    try:
        return shapes.TOOL_RESULT.decode(raw) if bytes(memoryview(raw)[:1]) == b"{" else ToolResult()
    except _BROKEN:
        return ToolResult()


def _original(kept: ToolResult) -> str | None:
    """The file before a `Write`."""
    try:
        value = msgspec.json.decode(kept.original) if kept.original else None
    except _BROKEN:
        return None
    return value if isinstance(value, str) else None


def read_session(raw: bytes, format: str) -> Transcript:  # noqa: A002 - it is the transcript's field
    """Read a file of lines, or one document that holds them under `loglines`."""
    session = _Session(format)
    if raw[:200].lstrip().startswith(b"{") and b'"loglines"' in raw[:200]:
        _document(raw, session)
        return session.finish()
    for number, line in lines.objects(raw, shapes.LINE.decode, session.main.assembler.skip):
        session.take(line, f"line:{number}")
    return session.finish()


def _document(raw: bytes, session: _Session) -> None:
    """The entries under `loglines`, each with the physical line on which it starts."""
    import json

    text, decoder = raw.decode("utf-8", "replace"), json.JSONDecoder()
    at = text.find("[", text.find('"loglines"')) + 1
    number, counted = 0, 0
    while at and (gap := _GAP.match(text, at)) and gap.end() < len(text) and text[gap.end()] != "]":
        at = gap.end()
        number, counted = number + text.count("\n", counted, at), at
        try:
            row, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            session.main.assembler.skip("not JSON", f"line:{number}")
            return
        try:
            session.take(shapes.LINE.decode(msgspec.json.encode(row)), f"line:{number}")
        except (*_BROKEN, OverflowError):
            session.main.assembler.skip("not a record", f"line:{number}")
