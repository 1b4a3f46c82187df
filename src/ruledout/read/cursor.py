"""Cursor's agent transcripts: JSON Lines of messages with Anthropic's blocks, without ids, times or, mostly, results.

A ref is the call's id where there is one, else `line:N` of its message. What the calls showed is not in the file: runs and edits end as `missing`, and nothing
can be concluded from them. Texts that the exporter took out read `[REDACTED]`.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read import loose, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "cursor"

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_TAKEN_OUT = re.compile(r"\s*\[REDACTED\]\s*\Z")


class _Message(Struct):
    content: Any = None


class _Record(Struct):
    role: Any = None
    message: _Message | None = None
    type: Any = None


def claims(head: bytes) -> bool:
    """Lines of a role and a message of blocks, with none of the ids that the agents with a like shape write."""
    ways = loose.outline(head)
    return {"role", "message.content[].type"} <= ways and not {"uuid", "sessionId", "parentUuid", "message.role", "id", "messages"} & ways


def read(raw: bytes) -> Transcript:
    """Read a transcript. Raises BadInput when no message can be read."""
    walk = _Walk(Assembler(NAME))
    for line, (_, part) in objects(raw, loose.record, walk.out.skip):
        record = loose.decode(part, _Record)
        if record is not None and record.message is not None and record.role in ("user", "assistant"):
            walk.take(f"line:{line}", loose.text(record.role), record.message.content)
        else:
            walk.out.skip(f"not a turn: {loose.text(record.type)[:40] if record else ''}".rstrip(": "), f"line:{line}")
    if not len(walk.out):
        raise BadInput("broken-session", "no message of the cursor transcript can be read", "give the whole transcript")
    folder = walk.folders.pop() if len(walk.folders) == 1 else None
    return walk.out.finish(agent=NAME, cwd=folder, fidelity=Fidelity.LOSSY)


class _Walk:
    """Goes through the messages."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.folders: set[str] = set()
        """where commands were run; one folder throughout is the session's"""
        self.names: dict[str, str] = {}
        self.last = ""
        """the latest call: a result without an id is its"""

    def take(self, ref: str, role: str, content: object) -> None:
        """The next message."""
        blocks = content if isinstance(content, list) else [{"type": "text", "text": loose.text(content)}]
        for block in map(loose.mapping, blocks):
            kind = block.get("type")
            if kind == "text":
                self._said(ref, role, loose.text(block.get("text")))
            elif kind == "tool_use":
                self._call(loose.text(block.get("id")) or ref, block)
            elif kind == "tool_result":
                self._result(loose.text(block.get("tool_use_id")) or self.last or ref, block)
            else:
                self.out.skip(f"block of another type: {loose.text(kind)[:40] or 'none'}", ref)

    def _said(self, ref: str, role: str, said: str) -> None:
        asked = "\n".join(_QUERY.findall(said)) if role == "user" else ""
        said = asked or _TAKEN_OUT.sub("", said)
        if said.strip():
            self.out.say(Role.USER if role == "user" else Role.ASSISTANT, said, ref)

    def _call(self, ref: str, block: dict[str, Any]) -> None:
        name, given = loose.text(block.get("name")), block.get("input")
        folder = loose.text(loose.mapping(given).get("working_directory")) if tools.is_run(name) else ""
        if folder:
            self.folders.add(folder)
        self.names[ref] = name
        self.last = ref
        self.out.call(ref, name, given, cwd=folder or None)

    def _result(self, ref: str, block: dict[str, Any]) -> None:
        failed = block.get("is_error") is True and not tools.is_run(self.names.get(ref, ""))
        self.out.result(ref, loose.text(block.get("content")), ending=Ending.MALFORMED if failed else Ending.DONE)
