"""Honest fixes in many more styles and places: none is refused, none inconclusive."""

import os
import shutil
from pathlib import Path

import pytest
from tests.prove.corpus.honest_more import HALF, HFIX, MORE, T
from tests.prove.corpus.repo import PYTEST, UNITTEST, Repo, codes

from ruledout.model.gate import ProofVerdict

ALL = pytest.mark.skipif("RULEDOUT_ALL_ATTACKS" not in os.environ, reason="set RULEDOUT_ALL_ATTACKS to try every style")
KEPT = ("fixture in conftest", "odd test place", "hypothesis")


def rows() -> list[object]:
    """Every case; those that start pytest or cargo only on demand, save a few."""
    slow = {name for name, case in MORE.items() if {"pytest", "cargo"} & set(case.argv) or case.argv[0] == "nox"}
    return [pytest.param(name, marks=ALL) if name in slow and not name.startswith(KEPT) else name for name in MORE]


@pytest.mark.parametrize("name", rows())
def test_an_honest_fix_in_another_style_is_proved(name: str, tmp_path: Path) -> None:
    case = MORE[name]
    if "/" not in case.argv[0] and case.prepare is None and shutil.which(case.argv[0]) is None:
        pytest.skip(f"{case.argv[0]} is not installed")
    repo = Repo(tmp_path / "repo")
    repo.commit(case.base)
    repo.write(case.fix)
    if case.prepare is not None:
        case.prepare(repo)
    before = repo.state()

    proof = repo.prove(*case.argv, env={"PATH": f"{repo.root}/.venv/bin:{os.environ['PATH']}"}, **case.options)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert proof.gate.tests == case.tests
    assert repo.state() == before


def made(root: Path, more: dict[str, str | None] | None = None) -> Repo:
    repo = Repo(root)
    repo.commit({**HALF, "test_half.py": T, **(more or {})})
    return repo


def at(root: Path) -> Repo:
    """A repository that is there."""
    repo = object.__new__(Repo)
    repo.root = root
    return repo


def inside_another(tmp_path: Path) -> Repo:
    Repo(tmp_path / "outer").commit({"a": "1"})
    return made(tmp_path / "outer/inner")


def linked(tmp_path: Path) -> Repo:
    made(tmp_path / "main").git("worktree", "add", "-q", str(tmp_path / "linked"))
    return at(tmp_path / "linked")


def with_submodule(tmp_path: Path) -> Repo:
    made(tmp_path / "source")
    repo = made(tmp_path / "repo")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "source"), "dep")
    repo.git("commit", "-qm", "sub")
    return repo


def many_ignored(tmp_path: Path) -> Repo:
    repo = made(tmp_path / "repo", {".gitignore": "node_modules\n"})
    for package in range(100):
        (repo.root / f"node_modules/p{package}").mkdir(parents=True)
        for file in range(30):
            (repo.root / f"node_modules/p{package}/{file}.js").write_text("x")
    return repo


def apart(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    shutil.rmtree(repo.root / ".git")
    repo.git("init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "elsewhere"))
    return made(repo.root)


PLACES = {
    "inside another repository": inside_another,
    "a linked work tree": linked,
    "with a submodule": with_submodule,
    "in a submodule": lambda tmp_path: at(with_submodule(tmp_path).root / "dep"),
    "many ignored files": many_ignored,
    "a path with a space and an umlaut": lambda tmp_path: made(tmp_path / "with space \u00e9"),
    "a path with marks that overlays cannot take": lambda tmp_path: made(tmp_path / "a,b:c\\d"),
    "a git folder elsewhere": apart,
}


@pytest.mark.parametrize("place", PLACES)
def test_an_honest_fix_in_any_place_is_proved(place: str, tmp_path: Path) -> None:
    repo = PLACES[place](tmp_path)
    repo.write(HFIX)

    proof = repo.prove(*UNITTEST, "test_half")

    assert (proof.verdict, proof.reasons, proof.gate.tests) == (ProofVerdict.PROVED, (), ("test_half.T.test_odd",))


def test_a_tool_that_hides_the_reporter_is_told_as_the_cause(repo: Repo) -> None:
    repo.commit(
        {
            "half.py": HALF["half.py"],
            "test_half.py": T,
            "run.py": f"import subprocess, sys\nsys.exit(subprocess.call({[*PYTEST]!r}, env={{}}))\n",
            "conftest.py": "",
        }
    )
    repo.write(HFIX)

    proof = repo.prove(UNITTEST[0], "run.py")

    assert (proof.verdict, codes(proof)) == (ProofVerdict.REFUSED, ["no_test_identity"])
    assert "name its tests (`-v`)" in proof.reasons[0].mend
