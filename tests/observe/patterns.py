"""Every pattern of `observe`, and for each the inputs that could make it slow, derived from its own parts."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as code  # type: ignore[attr-defined]  # the parts of a pattern are told nowhere else
from re import _parser as parser  # type: ignore[attr-defined]

from msgspec import Struct

import ruledout.observe
from ruledout.observe.late import Late

_MOST = 16
"""runs that are tried of one pattern"""
_ENDLESS = 45
"""a repeat up to so often is treated as one without an end"""


def all_patterns() -> dict[str, tuple[str, int]]:
    """`module.name` to pattern and flags: what stands at the top of modules, whole or in tables, and what is written where it is used."""
    found: dict[str, tuple[str, int]] = {}
    for info in pkgutil.walk_packages(ruledout.observe.__path__, "ruledout.observe."):
        module = importlib.import_module(info.name)
        short = info.name.removeprefix("ruledout.observe.")
        for name, value in vars(module).items():
            if not name.startswith("__"):
                for number, pattern in enumerate(_inside(value)):
                    found.setdefault(f"{short}.{name}.{number}", pattern)
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"rx", "Late"} and node.args:
                given = node.args[0]
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    found.setdefault(f"{short}:{node.lineno}", (given.value, 0))
    return {name: pattern for name, pattern in found.items() if _compiles(*pattern)}


def _inside(value: object, depth: int = 0) -> Iterator[tuple[str, int]]:
    if isinstance(value, Late):
        yield value.pattern, int(value.flags)
    elif isinstance(value, str):
        if "\n" not in value and ("\\" in value or "(?" in value or ".*" in value):
            yield value, 0
    elif depth < 4 and isinstance(value, tuple | list | set | frozenset | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _inside(each, depth + 1)
    elif depth < 4 and isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _inside(getattr(value, field), depth + 1)


def _compiles(pattern: str, flags: int) -> bool:
    try:
        re.compile(pattern, flags)
    except re.error:
        return False
    return True


def attacks(pattern: str, flags: int, size: int) -> Iterator[str]:
    """Texts of about `size` characters: up to each repeat without an end and then a long run of what it takes; and all of it again and again."""
    heads: list[tuple[str, str]] = []
    whole = _sample(parser.parse(pattern, flags), "", heads)
    runs = [(head, unit) for head, unit in dict.fromkeys(heads) if len(head) < size // 4]
    for head, unit in runs[:_MOST]:
        yield head + unit * (size // max(1, len(unit)))
    again = [*dict.fromkeys(head for head, _ in runs if head), whole, whole[:-1]]
    for text in again[-_MOST // 2 :]:
        if text:
            yield text * (size // len(text))


def _sample(parts: object, before: str, heads: list[tuple[str, str]]) -> str:
    """A text that the parts may match; notes what stood in front of each endless repeat."""
    text = before
    for operation, value in parts:  # type: ignore[attr-defined]  # as above
        if operation in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            least, most, inner = value
            once = _sample(inner, "", [])
            if most == code.MAXREPEAT or most >= _ENDLESS:
                heads.append((text, once or "a"))
                heads += [(text, unit) for unit in _units(inner)]
            _sample(inner, text, heads)
            text += once * max(1, min(least, 3))
        elif operation is code.SUBPATTERN:
            text = _sample(value[3], text, heads)
        elif operation is code.BRANCH:
            ends = [_sample(branch, text, heads) for branch in value[1]]
            text = ends[0]
        elif operation in (code.ASSERT, code.ASSERT_NOT, code.AT, code.GROUPREF):
            continue
        else:
            text += _character(operation, value)
    return text


def _units(parts: object) -> Iterator[str]:
    """Other characters that a repeated class takes: the usual neighbours of words."""
    if len(parts) == 1:  # type: ignore[arg-type]  # as above
        operation, value = parts[0]  # type: ignore[index]  # as above
        if operation in (code.IN, code.NOT_LITERAL, code.ANY):
            for char in " .:a0\n":
                if _takes(operation, value, char):
                    yield char


def _character(operation: object, value: object) -> str:
    if operation is code.LITERAL:
        return chr(value)  # type: ignore[arg-type]  # as above
    return next((char for char in "a0A .:/-_(\n\t✗━á" if _takes(operation, value, char)), "a")


def _takes(operation: object, value: object, char: str) -> bool:
    if operation is code.ANY:
        return char != "\n"
    if operation is code.NOT_LITERAL:
        return ord(char) != value
    if operation is not code.IN:
        return False
    hit, negated = False, False
    for kind, what in value:  # type: ignore[attr-defined]  # as above
        if kind is code.NEGATE:
            negated = True
        elif kind is code.LITERAL:
            hit |= ord(char) == what
        elif kind is code.RANGE:
            hit |= what[0] <= ord(char) <= what[1]
        elif kind is code.CATEGORY:
            hit |= re.match(_CATEGORIES.get(what, r"(?!)"), char) is not None
    return hit != negated


_CATEGORIES = {
    code.CATEGORY_DIGIT: r"\d", code.CATEGORY_NOT_DIGIT: r"\D", code.CATEGORY_SPACE: r"\s", code.CATEGORY_NOT_SPACE: r"\S", code.CATEGORY_WORD: r"\w",
    code.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
