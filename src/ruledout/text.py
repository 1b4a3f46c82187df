"""Text from a session made safe to keep and to show (R13): no escapes, no invisible characters, capped."""

import re

_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """The text without escape sequences and control characters; tabs and line ends stay."""
    return _ESCAPE.sub("", text)


def cap(text: str, limit: int) -> str:
    """At most `limit` characters; a cut shows as an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def head_tail(text: str, limit: int) -> str:
    """At most about `limit` characters of the head and the tail, with a line between that counts what was left out."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def one_sentence(text: str, limit: int) -> str:
    """The first sentence, at most `limit` characters."""
    return cap(re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0], limit)
