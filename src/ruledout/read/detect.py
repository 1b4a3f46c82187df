"""Which reader a session file is for: asked by its bytes, never by its name alone. The one list of formats; adding one touches only this dict."""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from ruledout.errors import BadInput
from ruledout.model.transcript import Transcript

HEAD = 64 * 1024
"""How many bytes a reader sees to claim a file."""

READERS = {
    "claude-code": "ruledout.read.claude_code",
    "codex-cli": "ruledout.read.codex",
    "mini-swe-agent": "ruledout.read.mini_swe_agent",
    "openhands": "ruledout.read.openhands",
    "swe-agent": "ruledout.read.swe_agent",
    "opencode": "ruledout.read.opencode",
    "pi": "ruledout.read.pi",
    "gemini-cli": "ruledout.read.gemini",
    "copilot-cli": "ruledout.read.copilot",
    "atif": "ruledout.read.atif",
    "otel": "ruledout.read.otel",
    "inspect": "ruledout.read.inspect_log",
    "aider": "ruledout.read.aider",
    "specstory": "ruledout.read.specstory",
    "console": "ruledout.read.console",
    "goose": "ruledout.read.goose",
    "qwen-code": "ruledout.read.qwen",
    "cursor": "ruledout.read.cursor",
    "cline": "ruledout.read.cline",
    "messages": "ruledout.read.messages",
}
"""Format name -> module, in the order in which they are asked: the surest signs first. Modules are imported when asked, not before."""


class Reader(Protocol):
    """One format: a module with these names."""

    NAME: str
    claims: Callable[[bytes], bool]
    """Does a file that starts with these bytes (at most 64 KiB) look like this format. Cheap, and false in doubt."""
    read: Callable[[bytes], Transcript]
    """Read the whole file. Raises `BadInput` only where nothing can be made of it."""


def read(raw: bytes, name: str = "") -> Transcript:
    """The transcript of a session file; `name` is its file name, for messages only. Raises `BadInput` (`unknown-format`) where no reader claims it."""
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    return reader(raw, name).read(raw)


def reader(raw: bytes, name: str = "") -> Reader:
    """The first reader that claims these bytes."""
    head = raw[:HEAD].lstrip(b"\0 \t\r\n")
    for module in READERS.values() if head else ():
        found = cast("Reader", import_module(module))
        if found.claims(head):
            return found
    label = f"{name}: " if name else ""
    raise BadInput("unknown-format", f"{label}{_seen(head)}", f"give a session file of one of these formats: {', '.join(READERS)}")


def _seen(head: bytes) -> str:
    """What an unknown file looks like, in words that are safe to print."""
    if not head:
        return "the file is empty"
    kind = "JSON" if head[:1] in b"{[" else "a zip archive" if head.startswith(b"PK\3\4") else "text" if b"\0" not in head else "binary data"
    start = "".join(letter if letter.isprintable() else "." for letter in head[:60].decode("utf-8", "replace"))
    return f"the file holds {kind} of no known session format, starting {start!r}"
