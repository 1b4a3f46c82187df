"""`prove` by the real program: exit codes, JSON, and the number of runs that a proof needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ruledout.demo import lay_out

GATE = ("python", "-m", "unittest", "-v", "tests.test_shares")


@pytest.fixture
def fixed(tmp_path: Path) -> Path:
    """The demo's repository: the bug committed, the fix in the work tree."""
    import os

    return lay_out(tmp_path / "shares", dict(os.environ)).root


def prove(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "ruledout", "prove", *words], cwd=root, capture_output=True, text=True, check=False)


def test_R1_a_fix_is_proved_by_red_green_and_red_on_revert(fixed: Path) -> None:
    done = prove(fixed, "--json", "--", *GATE)
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["verdict"], shown["grade"], shown["reasons"]) == (0, "proved", "witnessed", [])
    assert [len(shown[name]) for name in ("red", "green", "red_on_revert")] == [3, 3, 3]
    assert shown["patch"] == {"product": ["shares/__init__.py"], "tests": ["tests/test_shares.py"]}
    assert shown["digest"].startswith("r1:sha256:")


def test_R9_one_run_of_each_tree_proves_nothing(fixed: Path) -> None:
    done = prove(fixed, "--runs", "1", "--json", "--", *GATE)
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["verdict"]) == (3, "inconclusive")
    assert [reason["code"] for reason in shown["reasons"]] == ["too_few_runs"]


def test_R1_a_gate_that_cannot_fail_is_refused_with_its_mend(fixed: Path) -> None:
    done = prove(fixed, "--", "true")
    assert done.returncode == 1
    assert "refused" in done.stdout
    assert "mend:" in done.stdout


def test_outside_a_repository_it_could_not_run(tmp_path: Path) -> None:
    done = prove(tmp_path, "--", "true")
    assert done.returncode == 3
    assert "no git repository" in done.stderr
