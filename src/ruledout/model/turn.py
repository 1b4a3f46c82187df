"""What was said: one turn of a session. Knows nothing of tools, runs or verdicts."""

from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """Who speaks. `note` is text that stands in a user's place and is not the user's: reminders, injected files, harness messages."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    CALL = "tool_call"
    OUTPUT = "tool_output"
    NOTE = "note"


class Track(StrEnum):
    """Where in the session's tree a turn stands: on the branch that lived, on one that was rewound, or before a compaction's summary."""

    LIVE = "live"
    REWOUND = "rewound"


class DebugTurn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing said or done.

    `text` is redacted and cleaned (R13) and capped by the reader; a call's text is its input in short, an output's text its head and tail.
    `ref` points into the session file: the tool call's own id, else `step:N`, else `line:N` (0-based).
    """

    role: Role
    text: str
    ref: str
    track: Track = Track.LIVE
