"""A real git repository in a folder, and the request that proves its work tree."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruledout.model.gate import Isolation, Proof
from ruledout.ports import ProofRequest
from ruledout.prove.gate import Runner

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}
PYTEST = (sys.executable, "-m", "pytest", "-q")
UNITTEST = (sys.executable, "-S", "-m", "unittest")


class Repo:
    """A repository that a test writes into."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, env={**os.environ, **GIT}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, files: Mapping[str, str | None]) -> None:
        for name, text in files.items():
            path = self.root / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self, files: Mapping[str, str | None], message: str = "base") -> str:
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def prove(self, *argv: str, env: Mapping[str, str] | None = None, level: Isolation | None = None, **options: Any) -> Proof:  # noqa: ANN401  # a request's fields
        options.setdefault("runs", 1)
        options.setdefault("deadline_s", 60.0)
        # the interpreter of these tests, wherever it lies: scripts and Makefiles call it by its path
        return Runner({**os.environ, **(env or {})}, wanted=level, shown=(sys.prefix,)).prove(ProofRequest(root=str(self.root), argv=argv, **options))

    def state(self) -> tuple[str, dict[str, bytes]]:
        """Status, and every byte of the checkout and its git folder."""
        files = {str(path.relative_to(self.root)): path.read_bytes() for path in sorted(self.root.rglob("*")) if path.is_file() and not path.is_symlink()}
        return self.git("status", "--porcelain", "--ignored"), files


def codes(proof: Proof) -> list[str]:
    """The codes of its reasons."""
    return [reason.code for reason in proof.reasons]
