"""Writing to standard output: text lines, or JSON as the contract has it."""

import sys

import msgspec


def as_line(value: object) -> str:
    """One JSON object on one line."""
    return msgspec.json.encode(value).decode("utf-8", "replace") + "\n"


def as_json(value: object) -> str:
    """One JSON object, indented for reading."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8", "replace") + "\n"


def out(text: str) -> None:
    """Write text to standard output, with a line end."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
