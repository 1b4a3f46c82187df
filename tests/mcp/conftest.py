"""Repositories for the server to stand in."""

import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

DEMO = Path(str(files("ruledout") / "demo"))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty repository."""
    folder = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    return folder


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """The demo's session without its last run: nothing in it proves the fix."""
    path = tmp_path / "cut.jsonl"
    path.write_text("".join((DEMO / "session.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:-3]), encoding="utf-8")
    return path
