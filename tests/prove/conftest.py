"""The corpus is imported as `tests.prove.corpus`, wherever pytest is started."""

import sys
from pathlib import Path

import pytest

_ROOT = str(Path(__file__).parents[2])
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

from tests.prove.corpus.repo import Repo  # noqa: E402  # after the path


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository."""
    return Repo(tmp_path / "repo")
