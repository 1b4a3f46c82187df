"""An agent's settings as text: our entries in, and out again, with everything else as it stands. Pure: text in, text out; no file is touched.

One module a syntax (`json_`, `jsonc`, `toml_`, `whole`), each with the names of `Syntax`; `entries` says which agent wants what where. No text is ever written
anew: entries are put in at the right place, so order, indentation, comments and unknown keys cannot change.
"""

from typing import Protocol

from msgspec import Struct


class Want(Struct, frozen=True, kw_only=True):
    """An entry that should be there. With a `command`, `value` is one more item of the list at `pointer`; without, the key at `pointer` has that value."""

    pointer: tuple[str, ...]
    value: object
    command: str = ""


class Added(Struct, frozen=True, kw_only=True):
    """A text with entries put in: `spans` are the pieces (start, length in letters), in the order in which they came. Taken out in reverse, nothing is left."""

    text: str
    spans: tuple[tuple[int, int], ...] = ()
    made: tuple[str, ...] = ()
    """pointers (`/hooks/Stop`) of what was not there before and had to be made for an entry"""


SYNTAXES = {"json": "json_", "jsonc": "jsonc", "toml": "toml_", "whole": "whole"}


class Syntax(Protocol):
    """One syntax: a module with these names. Every one raises `BadInput` (`bad-agent-settings`) for a text that it cannot read, with the line."""

    def add(self, text: str, wants: tuple[Want, ...]) -> Added:
        """Put in what is missing; a text that has all of it comes back as it was."""
        ...

    def missing(self, text: str, wants: tuple[Want, ...]) -> tuple[Want, ...]:
        """The wants that are not there."""
        ...

    def remove(self, text: str, commands: frozenset[str], made: tuple[str, ...] | None) -> str:
        """Take out exactly the handlers with these commands, and what was made for them and is empty now (`made` None: whatever they leave empty)."""
        ...


def syntax_of(name: str) -> Syntax:
    """The module of a syntax."""
    from importlib import import_module

    found: Syntax = import_module(f"ruledout.agents.settings.{SYNTAXES[name]}")
    return found


def undone(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """The text before these pieces came."""
    for start, length in reversed(spans):
        text = text[:start] + text[start + length :]
    return text


def commands(value: object) -> tuple[str, ...]:
    """The commands of a handler, or of a group of handlers under a matcher."""
    if not isinstance(value, dict):
        return ()
    inside = value.get("hooks")
    if isinstance(inside, list):
        return tuple(one for handler in inside for one in commands(handler))
    told = value.get("command", value.get("bash"))
    return (told,) if isinstance(told, str) else ("",)


def ours(value: object, wanted: frozenset[str]) -> bool:
    """Is this handler, or every handler of this group, one of these commands."""
    told = commands(value)
    return bool(told) and all(one in wanted for one in told)


def unreadable(text: str, at: int, why: str, mend: str = "mend the file, or move it away, and run this again; nothing was changed") -> Exception:
    """The refusal of a text, with the line and column of the fault."""
    from ruledout.errors import BadInput

    before = text[:at].removeprefix("\ufeff")
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return BadInput("bad-agent-settings", f"line {line}, column {column}: {why}", mend)
