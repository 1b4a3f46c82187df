"""Goose's session files: a header line, then a message a line, whose content blocks are text, tool requests and tool responses.

A ref is the request's id, else `line:N`. A response stands in a user's message. An exit status is told by `structuredContent` in later versions, else by the
output's last line, else not at all. Later versions keep sessions in a database, which is not read.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import loose, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "goose"

_EXIT = re.compile(r"(?:exited with (?:code|status):?|[Ee]xit (?:code|status):) (-?\d{1,9})\b")
_HEADER = ("working_dir", "message_count")
_DECLINED = "The user has declined to run this tool"


class _Message(Struct):
    role: Any = None
    content: Any = None


def claims(head: bytes) -> bool:
    """A header with its folder and count of messages, or messages whose blocks are Goose's."""
    ways = loose.outline(head)
    if set(_HEADER) <= ways:
        return True
    return {"role", "created", "content"} <= ways and bool({"content[].toolCall", "content[].toolResult"} & ways)


def read(raw: bytes) -> Transcript:
    """Read a session file. Raises BadInput when no message can be read."""
    out = Assembler(NAME)
    head: dict[str, loose.Piece] = {}
    walk = _Walk(out)
    for line, (record, part) in objects(raw, loose.record, out.skip):
        message = loose.decode(part, _Message) if "role" in record else None
        if message is not None:
            walk.take(f"line:{line}", message)
        elif "working_dir" in record:
            head = head or record
        else:
            out.skip("record of an unknown type", f"line:{line}")
    if not len(out):
        raise BadInput("broken-session", "no message of the goose session can be read", "give the whole session file")
    told = {name: loose.text(loose.value(head.get(name, b""))) or None for name in ("id", "working_dir")}
    return out.finish(agent=NAME, session=told["id"], cwd=told["working_dir"])


class _Walk:
    """Goes through the messages, block by block: a user's message may hold nothing but a tool's answer."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.names: dict[str, str] = {}

    def take(self, ref: str, message: _Message) -> None:
        """The next message."""
        role = Role.USER if loose.text(message.role).lower() == "user" else Role.ASSISTANT
        blocks = message.content if isinstance(message.content, list) else [{"type": "text", "text": loose.text(message.content)}]
        for block in map(loose.mapping, blocks):
            kind = block.get("type")
            if kind in ("text", "thinking", "reasoning"):
                said = loose.text(block.get("text")) or loose.text(block.get("thinking"))
                if said.strip():
                    self.out.say(role, said, ref)
            elif kind == "toolRequest":
                self._call(loose.text(block.get("id")) or ref, block)
            elif kind == "toolResponse":
                self._result(loose.text(block.get("id")) or ref, loose.mapping(block.get("toolResult") or block.get("tool_result")))
            else:
                self.out.skip(f"block of another type: {loose.text(kind)[:40] or 'none'}", ref)

    def _call(self, ref: str, block: dict[str, Any]) -> None:
        call = loose.mapping(block.get("toolCall"))
        made = loose.mapping(call.get("value") or call.get("Ok")) or block
        name = loose.text(made.get("name"))
        self.names[ref] = name
        self.out.call(ref, name, made.get("arguments"))
        if call.get("status") == "error":
            self.out.result(ref, loose.text(call.get("error")), ending=Ending.MALFORMED)

    def _result(self, ref: str, result: dict[str, Any]) -> None:
        value = result.get("value", result.get("Ok"))
        answer = loose.mapping(value)
        failed = result.get("status") == "error" or "Err" in result or answer.get("isError") is True
        said = _shown(answer.get("content") if answer else value) or loose.text(result.get("error")) or loose.text(result.get("Err"))
        if said.startswith(_DECLINED):
            self.out.result(ref, said, ending=Ending.REFUSED)
        elif tools.is_run(self.names.get(ref, "")):
            exit_code = loose.integer(loose.mapping(answer.get("structuredContent")).get("exit_code"))
            found = _EXIT.search(said[-200:]) if exit_code is None else None
            self.out.result(ref, said, exit=int(found[1]) if found else exit_code)
        else:
            self.out.result(ref, said, ending=Ending.MALFORMED if failed else Ending.DONE)


def _shown(blocks: object) -> str:
    """What the agent was shown: of blocks that are marked for an audience, those for the assistant; the same text for people is a second copy."""
    kept = [block for block in map(loose.mapping, blocks if isinstance(blocks, list) else ()) if _for_agent(block)]
    return "\n".join(text for block in kept if (text := loose.text(block)))


def _for_agent(block: dict[str, Any]) -> bool:
    audience = loose.mapping(block.get("annotations")).get("audience")
    return not isinstance(audience, list) or not audience or "assistant" in audience
