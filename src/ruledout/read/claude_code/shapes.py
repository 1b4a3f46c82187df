"""What a line of Claude Code holds, as far as it is used. Fields of any type: a file may hold anything. What is not named here is skipped undecoded."""

import msgspec
from msgspec import Raw, Struct, field


class Line(Struct):
    """One line. `message`, `data` and `tool_result` are decoded only where the line's type needs them."""

    type: object = None
    subtype: object = None
    uuid: object = None
    parent: object = field(name="parentUuid", default=None)
    logical_parent: object = field(name="logicalParentUuid", default=None)
    sidechain: object = field(name="isSidechain", default=None)
    meta: object = field(name="isMeta", default=None)
    summary: object = field(name="isCompactSummary", default=None)
    api_error: object = field(name="isApiErrorMessage", default=None)
    session: object = field(name="sessionId", default=None)
    stream_session: object = field(name="session_id", default=None)
    agent: object = field(name="agentId", default=None)
    cwd: object = None
    version: object = None
    stream_version: object = field(name="claude_code_version", default=None)
    started_by: object = field(name="parent_tool_use_id", default=None)
    parent_tool: object = field(name="parentToolUseID", default=None)
    message: Raw = Raw(b"")
    data: Raw = Raw(b"")
    attachment: Raw = Raw(b"")
    tool_result: Raw = field(name="toolUseResult", default=Raw(b""))


class Block(Struct):
    """A content block. Images, signatures and thinking are left undecoded."""

    type: object = None
    text: object = None
    id: object = None
    name: object = None
    input: object = None
    tool_use_id: object = None
    content: "str | list[Block | str] | None" = None
    is_error: object = None


class Message(Struct):
    """What was said: text, or blocks."""

    role: object = None
    id: object = None
    model: object = None
    content: str | list[Block | str] | None = None


class ToolResult(Struct):
    """What the harness itself keeps of a result. A failed edit has a string in its place."""

    interrupted: object = None
    meaning: object = field(name="returnCodeInterpretation", default=None)
    task: object = field(name="backgroundTaskId", default=None)
    agent: object = field(name="agentId", default=None)
    original: Raw = field(name="originalFile", default=Raw(b""))


class Progress(Struct):
    """The `data` of a progress line; a sub-agent's message stands in it as a line of its own."""

    type: object = None
    agent: object = field(name="agentId", default=None)
    message: Raw = Raw(b"")


class Attachment(Struct):
    """What hangs on a session: only a prompt that waited in the queue is something said."""

    type: object = None
    prompt: object = None


LINE = msgspec.json.Decoder(Line)
MESSAGE = msgspec.json.Decoder(Message)
TOOL_RESULT = msgspec.json.Decoder(ToolResult)
PROGRESS = msgspec.json.Decoder(Progress)
ATTACHMENT = msgspec.json.Decoder(Attachment)


def text(value: object) -> str | None:
    """The value where it is text with something in it."""
    return value if isinstance(value, str) and value else None


def content_text(content: str | list[Block | str] | None) -> str:
    """A result's content as one text; images as what they are."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [block if isinstance(block, str) else text(block.text) or ("[image]" if block.type == "image" else "") for block in content]
    return "\n".join(part for part in parts if part)
