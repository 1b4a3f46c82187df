"""What a line of Codex holds, as far as it is used. Fields of any type; what is not named here (encrypted reasoning, token counts) is skipped undecoded."""

import msgspec
from msgspec import Raw, Struct, field

from ruledout.read.arguments import mapping


class Line(Struct):
    """One line: an envelope with `payload`, a terminal recording's with `kind`, an `exec --json` event with `item`, or a bare item."""

    type: object = None
    payload: Raw = Raw(b"")
    item: Raw = Raw(b"")
    kind: object = None
    cwd: object = None
    id: object = None
    record_type: object = None


class Item(Struct):
    """A response item, an event, the session's facts or an `exec --json` item: whatever stands in a payload."""

    type: object = None
    role: object = None
    content: object = None
    name: object = None
    arguments: object = None
    input: object = None
    action: object = None
    call_id: object = None
    id: object = None
    output: object = None
    message: object = None
    text: object = None
    delta: object = None
    command: object = None
    cwd: object = None
    working_directory: object = None
    exit_code: object = None
    aggregated_output: object = None
    stdout: object = None
    stderr: object = None
    success: object = None
    status: object = None
    changes: object = None
    cli_version: object = None
    msg: Raw = Raw(b"")
    items: object = None


class Headed(Struct):
    """A JSON object as the output of a command (old `shell`, `apply_patch`)."""

    output: object = None
    metadata: object = field(default=None)


LINE = msgspec.json.Decoder(Line)
ITEM = msgspec.json.Decoder(Item)
HEADED = msgspec.json.Decoder(Headed)


def text(value: object) -> str | None:
    """The value where it is text with something in it."""
    return value if isinstance(value, str) and value else None


def parts(content: object) -> list[str]:
    """The texts of a message's content."""
    if isinstance(content, str):
        return [content]
    rows = content if isinstance(content, list) else []
    return [said for row in rows if isinstance(row, dict) and (said := text(row.get("text")))]


def output_text(output: object) -> str:
    """A call's output: text, content items, or an object that holds either."""
    if isinstance(output, str):
        return output
    if isinstance(output, dict):
        return output_text(output.get("content") if "content" in output else output.get("output"))
    return "\n".join(parts(output))


def folder(arguments: object) -> str | None:
    """The folder that a call asks to run in."""
    given = mapping(arguments)
    action = given.get("action")
    return text(given.get("workdir")) or text(given.get("working_directory")) or (text(action.get("working_directory")) if isinstance(action, dict) else None)
