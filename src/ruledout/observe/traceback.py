"""Python tracebacks in a text: chains, groups, syntax errors without a traceback. Python's own printing, whoever shows it."""

from msgspec import Struct

from ruledout.model.outcome import Frame
from ruledout.observe.scan import rx

_HEAD = "Traceback (most recent call last):"
_FRAME = r'File "([^"\n]*)", line (\d+)(?:, in (.+))?'
_ERROR = r"^([A-Za-z_][\w.]*(?:\.<locals>\.\w+)?)(?:: ?(.*))?$"
_GROUP_BAR = r"^ *(?:[|+] |\+-+\+?-*(?: \d+ -+)?|\|$)"
_PARENT = "During handling of the above exception"
_MOST_LINES = 60
"""lines of a message beyond these are not looked at"""


class Raised(Struct, frozen=True, kw_only=True):
    """One exception: its class as printed, the line that names it, its frames innermost first, where it starts and ends in the text."""

    name: str
    line: str
    frames: tuple[Frame, ...]
    start: int
    end: int


def raised(text: str) -> tuple[Raised, ...]:
    """All exceptions with a traceback, in the order printed: of a chain the cause first, the one that came out last."""
    found: list[Raised] = []
    at = text.find(_HEAD)
    while at >= 0 and len(found) < 50:
        block = _block(text, at)
        if block is not None:
            found.append(block)
        at = text.find(_HEAD, at + len(_HEAD))
    return tuple(found) or _syntax_errors(text)


def last_chain(found: tuple[Raised, ...], text: str) -> tuple[Raised, ...]:
    """The last exception that came out and what it was raised from, outermost first."""
    chain = [found[-1]]
    for earlier in reversed(found[:-1]):
        between = text[earlier.end : chain[-1].start]
        if "The above exception was the direct cause" not in between and _PARENT not in between:
            break
        chain.append(earlier)
    return tuple(chain)


def _block(text: str, at: int) -> Raised | None:
    start = text.rfind("\n", 0, at) + 1
    margin = text[start:at]
    frames: list[Frame] = []
    place = text.find("\n", at) + 1
    while place:
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[place:end]
        line = line[len(margin) :] if line.startswith(margin) else rx(_GROUP_BAR).sub("", line)
        found = rx(_FRAME).match(line.strip())
        if found:
            frames.append(Frame((found[3] or "<module>").strip(), found[1].replace("\\", "/"), int(found[2])))
        elif line[:1] not in (" ", "\t", "") and (named := rx(_ERROR).match(line.rstrip())):
            return Raised(name=named[1], line=line.strip(), frames=tuple(reversed(frames)), start=start, end=end)
        elif line[:1] not in (" ", "\t", "", "|", "+", "~", "^") and not line.startswith("[Previous"):
            return None
        place = end + 1 if end < len(text) else 0
    return None


def _syntax_errors(text: str) -> tuple[Raised, ...]:
    """`File "x", line 1` without a traceback, as the compiler prints it."""
    found = []
    for error in rx(r"(?m)^((?:Syntax|Indentation|Tab)Error): .*$").finditer(text):
        places = list(rx(r'(?m)^ *File "([^"\n]*)", line (\d+)$').finditer(text, max(0, error.start() - 2000), error.start()))
        frames = tuple(Frame("<module>", place[1].replace("\\", "/"), int(place[2])) for place in places[-1:])
        start = places[-1].start() if places else error.start()
        found.append(Raised(name=error[1], line=error[0], frames=frames, start=start, end=error.end()))
    return tuple(found[:50])


def message(text: str, one: Raised) -> str:
    """The line that names the exception; where that line says nothing more, the first line of the message below it."""
    if one.line.rstrip(":") != one.name:
        return one.line
    below = text[one.end : one.end + 2000].lstrip("\n").split("\n", 1)[0].strip()
    return f"{one.name}: {below}" if one.line.endswith(":") and below else one.name
