"""What a start loads, and which names live in few rooms. The first is asked of real interpreters, the second of the syntax trees."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ruledout"
TREES = {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
HOUSE = {name: tree for name, tree in TREES.items() if not name.startswith("demo/")}  # the demo's repository is data
# Name as written: the rooms that may hold it. Everyone else has it handed in.
NAMES = {
    "os.environ": ("fitting.py", "wiring.py", "doors/hook*", "prove/*", "__main__.py"),
    "os.getenv": (),
    "time.time": ("wiring.py", "store/*", "doors/hook*"),
    "datetime.now": ("wiring.py",),
    "datetime.utcnow": (),
    "time.monotonic": ("prove/*", "store/*", "doors/*", "wiring.py"),
    "time.sleep": ("prove/*", "store/*"),
    "random.random": (),
    "uuid.uuid4": (),
    "eval": (),
    "exec": (),
    "breakpoint": (),
}


def named(tree: ast.AST) -> Iterator[str]:
    """Dotted names as written: `os.environ`, `time.time`, `eval`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Name):
            yield node.id


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_reaches_outside_lives_in_few_rooms(name: str) -> None:
    users = {room for room, tree in HOUSE.items() if name in set(named(tree))}
    assert {user for user in users if not any(fnmatch(user, room) for room in NAMES[name])} == set()


def test_nothing_is_left_for_later() -> None:
    raised = {room: [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Raise)] for room, tree in HOUSE.items()}
    assert [room for room, lines in raised.items() if any("NotImplementedError" in line for line in lines)] == []


def test_async_stays_in_the_doors() -> None:
    users = {room for room, tree in HOUSE.items() if any(isinstance(node, ast.AsyncFunctionDef) for node in ast.walk(tree))}
    assert {user for user in users if not user.startswith("doors/")} == set()


def values() -> dict[str, ast.ClassDef]:
    """Every class of the model and the ports that is a struct."""
    rooms = {name: tree for name, tree in HOUSE.items() if name.startswith("model/") or name == "ports.py"}
    classes = {f"{name}:{node.name}": node for name, tree in rooms.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return {name: node for name, node in classes.items() if any(ast.unparse(base).endswith("Struct") for base in node.bases)}


def test_every_value_is_frozen() -> None:
    loose = [name for name, node in values().items() if "frozen=True" not in [ast.unparse(keyword) for keyword in node.keywords]]
    assert (loose, len(values()) > 20) == ([], True)


def test_every_value_that_is_written_refuses_unknown_fields() -> None:
    written = {name: node for name, node in values().items() if not name.startswith("ports.py")}
    assert [name for name, node in written.items() if "forbid_unknown_fields=True" not in [ast.unparse(keyword) for keyword in node.keywords]] == []


def loaded(code: str) -> set[str]:
    """The modules that an interpreter of its own has loaded after this code."""
    asked = f"import sys\n{code}\nsys.stdout.write('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-c", asked], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_the_package_loads_no_other_room() -> None:
    assert {name for name in loaded("import ruledout") if name.startswith("ruledout")} == {"ruledout"}


def test_the_version_is_told_before_anything_is_loaded() -> None:
    fresh = loaded("pass")
    told = loaded("sys.argv = ['ruledout', '--version']\nfrom ruledout.__main__ import main\nmain()")
    assert {"msgspec", "argparse", "re", "json", "dataclasses", "typing", "pathlib", "inspect", "rfc8785"} & (told - fresh) == set()
    assert {name for name in told if name.startswith("ruledout")} == {"ruledout", "ruledout.__main__"}


def test_the_ground_floor_loads_none_of_its_libraries() -> None:
    after = loaded("import ruledout.text, ruledout.redact, ruledout.digest, ruledout.fingerprint")
    assert {"rfc8785", "msgspec", "json", "tomllib", "unicodedata", "dataclasses", "inspect", "pathlib"} & after - loaded("pass") == set()
