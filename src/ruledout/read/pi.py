"""Sessions of pi and of agents built on it, versions 1 to 3: JSON Lines, a `session` header, then entries that form a tree (1: a line).

The live branch is the last entry and its ancestors; everything else was rewound. A ref is the tool call's id, else `line:N`. The bash tool reports a failure
only, as `Command exited with code N`, so that its success is an exit of 0.
"""

import re
from typing import Any

import msgspec
from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import loose, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "pi"

_EXIT = re.compile(r"Command exited with code (-?\d{1,9})\s*\Z")
_BOOKS = frozenset(("session", "model_change", "thinking_level_change", "label", "session_info", "custom"))
"""Entries that keep the books and say nothing of the work."""


class _Details(Struct):
    exitCode: Any = None  # noqa: N815  # the file's spelling


class _Message(Struct):
    role: Any = None
    content: Any = None
    toolCallId: Any = None  # noqa: N815  # the file's spelling
    isError: Any = None  # noqa: N815  # the file's spelling
    details: _Details | None = None
    command: Any = None
    output: Any = None
    exitCode: Any = None  # noqa: N815  # the file's spelling
    cancelled: Any = None
    summary: Any = None
    errorMessage: Any = None  # noqa: N815  # the file's spelling


class _Entry(Struct):
    type: Any = None
    id: Any = None
    parentId: Any = None  # noqa: N815  # the file's spelling
    version: Any = None
    cwd: Any = None
    message: _Message | None = None
    content: Any = None
    summary: Any = None


def claims(head: bytes) -> bool:
    """JSON Lines whose first record is a `session` with a folder, followed by entries with a `message`."""
    first = loose.decode(head.split(b"\n", 1)[0], _Entry)
    if first is None or first.type != "session" or not isinstance(first.cwd, str):
        return False
    ways = loose.outline(head)
    return "message.role" in ways or not {"seq", "data", "payload"} & ways


def read(raw: bytes) -> Transcript:
    """Read a session. Raises BadInput when no entry can be read."""
    out = Assembler(NAME)
    entries = list(objects(raw, msgspec.json.Decoder(_Entry).decode, out.skip))
    if not entries:
        raise BadInput("broken-session", "no line of the pi session can be read", "give the whole session file")
    live = _live([entry for _, entry in entries])
    walk = _Walk(out)
    header = next((entry for _, entry in entries if entry.type == "session"), _Entry())
    for line, entry in entries:
        name = loose.text(entry.id)
        walk.take(f"line:{line}", entry, Track.LIVE if live is None or not name or name in live else Track.REWOUND)
    version = loose.integer(header.version)
    return out.finish(agent=NAME, version=None if version is None else str(version), session=loose.text(header.id) or None, cwd=loose.text(header.cwd) or None)


def _live(entries: list[_Entry]) -> set[str] | None:
    """The ids on the branch of the last entry; None where the session is no tree."""
    parents = {loose.text(entry.id): loose.text(entry.parentId) for entry in entries if entry.type != "session" and loose.text(entry.id)}
    last = next((loose.text(entry.id) for entry in reversed(entries) if entry.type != "session" and loose.text(entry.id)), "")
    if not last:
        return None
    branch: set[str] = set()
    while last and last not in branch:
        branch.add(last)
        last = parents.get(last, "")
    return branch


class _Walk:
    """Goes through the entries in the file's order."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.names: dict[str, str] = {}

    def take(self, ref: str, entry: _Entry, track: Track) -> None:
        """The next entry."""
        kind = loose.text(entry.type)
        if kind == "message" and entry.message is not None:
            self._message(ref, entry.message, track)
        elif kind in ("compaction", "branch_summary"):
            self.out.say(Role.NOTE, loose.text(entry.summary), ref, track)
        elif kind == "custom_message":
            self.out.say(Role.NOTE, loose.text(entry.content), ref, track)
        elif kind not in _BOOKS:
            self.out.skip("record of an unknown type", ref)

    def _message(self, ref: str, message: _Message, track: Track) -> None:
        if message.role == "assistant":
            self._assistant(ref, message, track)
        elif message.role == "toolResult":
            self._result(ref, message)
        elif message.role == "bashExecution":
            self.out.call(ref, "bash", {"command": loose.text(message.command)}, track=track)
            ending = Ending.INTERRUPTED if message.cancelled is True else Ending.DONE
            self.out.result(ref, loose.text(message.output), exit=loose.integer(message.exitCode), ending=ending)
        elif message.role == "user":
            self.out.say(Role.USER, loose.text(message.content), ref, track)
        else:
            self.out.say(Role.NOTE, loose.text(message.content) or loose.text(message.summary), ref, track)

    def _assistant(self, ref: str, message: _Message, track: Track) -> None:
        blocks = message.content if isinstance(message.content, list) else [{"type": "text", "text": message.content}]
        for block in map(loose.mapping, blocks):
            said = loose.text(block.get("text")) or loose.text(block.get("thinking"))
            if block.get("type") == "toolCall":
                call, name = loose.text(block.get("id")) or ref, loose.text(block.get("name"))
                self.names[call] = name
                self.out.call(call, name, block.get("arguments"), track=track)
            elif said.strip():
                self.out.say(Role.ASSISTANT, said, ref, track)
        if error := loose.text(message.errorMessage):
            self.out.say(Role.NOTE, error, ref, track)

    def _result(self, ref: str, message: _Message) -> None:
        call = loose.text(message.toolCallId) or ref
        said, failed = loose.text(message.content), message.isError is True
        told = loose.integer(message.details.exitCode) if message.details else None
        if not tools.is_run(self.names.get(call, "")):
            self.out.result(call, said, ending=Ending.MALFORMED if failed else Ending.DONE)
        elif found := _EXIT.search(said[-200:]) if failed else None:
            self.out.result(call, said, exit=int(found[1]))
        elif failed and told is None:
            self.out.result(call, said, ending=_broken_off(said))
        else:
            self.out.result(call, said, exit=0 if told is None else told)


def _broken_off(said: str) -> Ending:
    """How a command ended that failed without an exit status."""
    tail = said[-300:].lower()
    if "timed out" in tail:
        return Ending.TIMED_OUT
    return Ending.INTERRUPTED if "aborted" in tail else Ending.REFUSED if "block" in tail or "denied" in tail else Ending.MALFORMED
