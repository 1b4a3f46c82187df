"""The import contracts hold, and each of them can fail: a copy of the tree with one forbidden import is refused by the contract that forbids it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINTER = Path(sys.executable).with_name("lint-imports")
CONTRACTS = [contract["name"] for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]]
# Case: the start of the contract's name, and the modules to plant with what they import.
PLANTS = {
    "a room uses what is above it": ("The floors", {"text.py": "from ruledout import ports"}),
    "a room uses what is beside it": ("The floors", {"recall/planted.py": "from ruledout.distill import segment"}),
    "a room uses what is above it, inside a function": ("The floors", {"model/action.py": "def f():\n    from ruledout import ports"}),
    "a new room has no floor": ("The floors", {"attic.py": ""}),
    "two neighbours use each other": ("No circles", {"read/a.py": "from ruledout.read import b", "read/b.py": "from ruledout.read import a"}),
    "an early value knows a later one": ("Inside model", {"model/turn.py": "from ruledout.model import record"}),
    "a new value has no place": ("Inside model", {"model/planted.py": ""}),
    "a step of distil uses a later one": ("Inside distill", {"distill/replay.py": "from ruledout.distill import segment"}),
    "a new step of distil has no place": ("Inside distill", {"distill/planted.py": ""}),
    "a reader opens files": ("The pure floors", {"read/planted.py": "import os"}),
    "the model looks at the clock, inside a function": ("The pure floors", {"model/gate.py": "def f():\n    import time"}),
    "a door starts a process": ("Only prove.process", {"doors/planted.py": "import subprocess"}),
    "the hook reaches the model by a detour": ("The hook before", {"act/place.py": "def f():\n    from ruledout import ports"}),
    "the hook after a run reaches a store": ("The hook after", {"doors/hook_reading.py": "def f():\n    from ruledout import wiring"}),
    "a flow names an adapter": ("Only wiring", {"flows/planted.py": "from ruledout import store"}),
}


def lint(tree: Path) -> tuple[int, dict[str, str], str]:
    """Exit code, what became of each contract, and the whole report."""
    env = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "300", "NO_COLOR": "1"}
    done = subprocess.run([LINTER, "--no-cache"], cwd=tree, env=env, capture_output=True, text=True, check=False)
    return done.returncode, dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE)), done.stdout + done.stderr


def copy(tree: Path) -> Path:
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def test_every_import_keeps_the_contracts() -> None:
    code, states, report = lint(ROOT)
    assert (code, states) == (0, dict.fromkeys(CONTRACTS, "KEPT")), report


def test_every_contract_is_seen_to_fail() -> None:
    assert [name for name in CONTRACTS if not any(name.startswith(start) for start, _ in PLANTS.values())] == []


@pytest.mark.parametrize(("start", "planted"), PLANTS.values(), ids=PLANTS)
def test_a_forbidden_import_breaks_the_contract_that_forbids_it(tmp_path: Path, start: str, planted: dict[str, str]) -> None:
    tree = copy(tmp_path)
    for name, source in planted.items():
        with (tree / "src/ruledout" / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{source}\n")
    code, states, report = lint(tree)
    assert code == 1, report
    assert "BROKEN" in [state for name, state in states.items() if name.startswith(start)], report
