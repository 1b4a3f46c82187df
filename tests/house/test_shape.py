"""What the import contracts cannot see: sizes, docstrings, reasons, and which door an outside thing comes in by. Read from the syntax trees alone."""

import ast
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ruledout"
LONG_ROOMS = ("read/*", "store/sqlite*")
# Outside thing: the modules that are its door. Everyone else has it handed in.
DOORS = {
    "subprocess": ("prove/process.py",),
    "sqlite3": ("store/sqlite*",),
    "socket": (),
    "urllib.request": (),
    "http.client": (),
    "requests": (),
    "logging": (),
    "threading": ("prove/*", "store/*"),
    "asyncio": (),
}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its path; the small repository that the demo unpacks is data, and no part of the house."""
    paths = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items() if not name.startswith("demo/")}


def source(name: str) -> str:
    return (SOURCE / name).read_text(encoding="utf-8")


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def imported(tree: ast.Module) -> set[str]:
    """Every module that is imported, at the top or inside a function."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return names


def found(look: Callable[[str, ast.Module], list[str]]) -> list[str]:
    """What `look` finds in every module, as `module: finding`."""
    return [f"{name}: {finding}" for name, tree in modules().items() for finding in look(name, tree)]


def test_no_function_is_longer_than_fifty_lines() -> None:
    assert found(lambda _, tree: [f"{f.name} has {length}" for f in functions(tree) if (length := (f.end_lineno or 0) - f.lineno + 1) > 50]) == []


def test_no_module_is_longer_than_its_room_allows() -> None:
    def look(name: str, _: ast.Module) -> list[str]:
        limit = 350 if any(fnmatch(name, room) for room in LONG_ROOMS) else 250
        lines = len(source(name).splitlines())
        return [f"{lines} lines, at most {limit}"] if lines > limit else []

    assert found(look) == []


def test_every_module_says_what_it_is_for() -> None:
    assert found(lambda _, tree: [] if ast.get_docstring(tree) else ["no docstring"]) == []


def test_no_room_is_a_drawer_for_everything() -> None:
    assert [name for name in modules() if re.search(r"(^|/)(utils?|helpers?|misc|common|base)\.py$", name)] == []


def test_no_value_of_the_model_has_a_flag() -> None:
    def look(name: str, tree: ast.Module) -> list[str]:
        fields = (node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name))
        return [ast.unparse(field) for field in fields if name.startswith("model/") and "bool" in ast.unparse(field.annotation).split("|")[0]]

    assert found(look) == []


def test_R2_nothing_anywhere_is_called_verified_but_a_receipt() -> None:
    def look(_: str, tree: ast.Module) -> list[str]:
        fields = (node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name))
        return [ast.unparse(field) for field in fields if "verified" in ast.unparse(field.target) and "Receipt" not in ast.unparse(field.annotation)]

    assert found(look) == []


@pytest.mark.parametrize("thing", DOORS)
def test_an_outside_thing_comes_in_by_its_own_door(thing: str) -> None:
    def look(name: str, tree: ast.Module) -> list[str]:
        allowed = any(fnmatch(name, door) for door in DOORS[thing])
        return [] if allowed or thing not in imported(tree) else [f"imports {thing}"]

    assert found(look) == []


def test_a_value_has_no_verb_that_needs_a_higher_floor() -> None:
    verbs = {"save", "load", "verify", "render", "send", "run", "print", "store"}
    assert found(lambda name, tree: [f.name for f in functions(tree) if name.startswith("model/") and f.name in verbs]) == []


def test_every_silenced_lint_carries_its_reason() -> None:
    bare = re.compile(r"#\s*(?:noqa(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[^\]]*\])?)\s*$")
    assert found(lambda name, _: [line.strip()[-60:] for line in source(name).splitlines() if bare.search(line)]) == []


def test_the_core_neither_prints_nor_exits() -> None:
    def look(name: str, tree: ast.Module) -> list[str]:
        if name.startswith(("doors/", "__main__", "prove/inside/")):
            return []
        calls = (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))
        return sorted({call for call in calls if call in {"print", "exit", "sys.exit", "os._exit", "input"}})

    assert found(look) == []
