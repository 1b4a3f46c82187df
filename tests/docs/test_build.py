"""The builder of the docs, run on small trees of its own: it sees a rule without a test, a page that is not current, an odd slug."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = range(1, 16)
TESTS = "".join(f"def test_R{number}_holds(): ...\n" for number in NUMBERS)
SOURCE = '''"""Enforces R1-R12, R13 and R15."""
from ruledout.errors import BadInput
MEND = "give another"
def f(path):
    """R14: counted."""
    raise BadInput("no-such-thing", f"{path.name}: seen", MEND)
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with one module, one test file, and pages that are built once."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "src/ruledout").mkdir(parents=True)
    (tmp_path / "src/ruledout/room.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_room.py").write_text(TESTS, encoding="utf-8")
    assert run(tree=tmp_path) == (0, "")
    return tmp_path


def run(*options: str, tree: Path) -> tuple[int, str]:
    """Exit code and complaints of the builder; the parts that need the program are left out."""
    without = [word for part in ("demo", "questions", "verbs", "helps") for word in ("--without", part)]
    done = subprocess.run([sys.executable, str(tree / "docs/build.py"), *without, *options], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_a_tree_that_was_just_built_is_current(tree: Path) -> None:
    assert run("--check", tree=tree) == (0, "")


def test_a_rule_is_listed_with_the_module_that_enforces_it_and_the_test_that_bears_its_number(tree: Path) -> None:
    assert "| R4 | What falsifies | `room` | `test_room.py::test_R4_holds` |" in (tree / "docs/rules.md").read_text(encoding="utf-8")


def test_an_error_is_listed_with_its_gaps_and_with_the_constants_that_it_names(tree: Path) -> None:
    row = "| `no-such-thing` | 2 | {name}: seen | give another | `room` |"
    assert row in (tree / "docs/errors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "old", "new", "complaint"),
    [
        pytest.param("tests/test_room.py", "test_R4_holds", "test_holds", "R4 is enforced in room and no test bears its number", id="enforced, no test"),
        pytest.param("src/ruledout/room.py", "R13", "that", "R13 is enforced nowhere", id="a rule that nothing enforces"),
        pytest.param("tests/test_room.py", "test_R4_holds", "test_R4_R99_holds", "R99: tests bear this number, and there is no such rule", id="no such rule"),
        pytest.param("src/ruledout/room.py", "no-such-thing", "No_Such", "'No_Such' is not in kebab case", id="a slug in another case"),
        pytest.param("src/ruledout/room.py", "give another", "give one", "| give one |", id="a mend that the page does not have yet"),
        pytest.param("docs/rules.md", "**R7 Honest grade.**", "**Honest grade.**", "R7 has no statement", id="a rule without a statement"),
        pytest.param("docs/errors.md", "built: errors", "built: nothing", "no one makes the part 'nothing'", id="a part that no one makes"),
    ],
)
def test_the_check_names_what_is_wrong(tree: Path, path: str, old: str, new: str, complaint: str) -> None:
    text = (tree / path).read_text(encoding="utf-8")
    assert old in text
    (tree / path).write_text(text.replace(old, new), encoding="utf-8")
    code, said = run("--check", tree=tree)
    assert code == 1
    assert complaint in said


def test_the_check_writes_nothing(tree: Path) -> None:
    page = tree / "docs/rules.md"
    page.write_text(page.read_text(encoding="utf-8").replace("| `room` |", "| `attic` |"), encoding="utf-8")
    before = page.read_bytes()
    assert run("--check", tree=tree)[0] == 1
    assert page.read_bytes() == before
