"""Tool calls that an agent wrote into its text, because its harness gave it no other way: `<function=NAME><parameter=KEY>VALUE</parameter></function>`.

Several formats carry them. Every search is linear in the text's length: a session may hold a megabyte of unclosed tags.
"""

from msgspec import Struct

_TAGS = 64
"""How many opening tags of one call are looked at: each costs a search through its text."""


class Written(Struct, frozen=True, kw_only=True):
    """One call: the tool's name, its arguments, and where it stands in the text."""

    name: str
    arguments: dict[str, object]
    start: int
    end: int


def functions(said: str) -> list[Written]:
    """The calls of a text in their order. One that is not closed reaches to the end (the stop word that ended it is not written)."""
    calls: list[Written] = []
    at = said.find("<function=")
    while at >= 0:
        name, _, _ = said[at + 10 : at + 100].partition(">")
        close = said.find("</function>", at)
        body = said[at + 11 + len(name) : close if close >= 0 else len(said)]
        end = close + 11 if close >= 0 else len(said)
        if name.replace("_", "").replace("-", "").replace(".", "").isalnum():
            calls.append(Written(name=name, arguments=_parameters(body), start=at, end=end))
        at = said.find("<function=", end)
    return calls


def around(said: str, calls: list[Written]) -> str:
    """The text without its calls."""
    kept, at = [], 0
    for call in calls:
        kept.append(said[at : call.start])
        at = call.end
    return "".join([*kept, said[at:]]).strip()


def _parameters(body: str) -> dict[str, object]:
    """The parameters of a call. The line ends that frame a value are no part of it."""
    parameters: dict[str, object] = {}
    at = body.find("<parameter=")
    while at >= 0:
        name, _, _ = body[at + 11 : at + 100].partition(">")
        end = body.find("</parameter>", at)
        end = len(body) if end < 0 else end
        parameters[name] = body[at + 12 + len(name) : end].removeprefix("\n").removesuffix("\n")
        at = body.find("<parameter=", end)
    return parameters


def tagged(said: str, tools: frozenset[str]) -> list[Written]:
    """The calls of a text that names its tools by tags, `<write_to_file><path>P</path><content>C</content></write_to_file>`, for these tools."""
    calls: list[Written] = []
    at = said.find("<")
    while at >= 0:
        name, closed, _ = said[at + 1 : at + 60].partition(">")
        if not closed or name not in tools:
            at = said.find("<", at + 1)
            continue
        end = said.find(f"</{name}>", at)
        if end < 0:
            return calls
        calls.append(Written(name=name, arguments=_tags(said[at + len(name) + 2 : end]), start=at, end=end + len(name) + 3))
        at = said.find("<", end + len(name) + 3)
    return calls


def _tags(body: str) -> dict[str, object]:
    """The tags of the first level and what they hold; the last closing tag counts, as a file's content may hold tags itself."""
    arguments: dict[str, object] = {}
    at = body.find("<")
    for _ in range(_TAGS):
        if at < 0:
            break
        name, closed, _rest = body[at + 1 : at + 60].partition(">")
        end = body.rfind(f"</{name}>") if closed and name.replace("_", "").isalnum() else -1
        if end < at:
            at = body.find("<", at + 1)
            continue
        arguments[name] = body[at + len(name) + 2 : end].removeprefix("\n").removesuffix("\n")
        at = body.find("<", end + len(name) + 3)
    return arguments
