"""A private home with every agent's settings folder, and the real program in it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import ruledout

HOMES = {
    "claude": ".claude",
    "codex": ".codex",
    "gemini": ".gemini",
    "copilot": ".copilot",
    "opencode": ".config/opencode",
    "cursor": ".cursor",
    "openhands": ".openhands",
}


class Home(NamedTuple):
    """One user's home folder."""

    path: Path

    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.path),
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(Path(ruledout.__file__).parents[1]),
        }

    def run(self, *argv: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """The real program."""
        return subprocess.run(
            [sys.executable, "-m", "ruledout", *argv], cwd=cwd or self.path, env=self.env(), capture_output=True, text=True, timeout=120, check=False
        )

    def json(self, *argv: str, cwd: Path | None = None) -> Any:  # noqa: ANN401  # whatever the program says
        return json.loads(self.run(*argv, "--json", cwd=cwd).stdout)

    def states(self, *argv: str, cwd: Path | None = None) -> dict[str, str]:
        """What came of each agent."""
        return {step["agent"]: step["state"] for step in self.json(*argv, cwd=cwd)["writes"]}

    def tree(self) -> dict[str, tuple[int, bytes]]:
        """Every file with its mode and bytes, and every folder."""
        found = {}
        for folder, folders, files in os.walk(self.path):
            for name in files:
                path = Path(folder) / name
                found[str(path)] = (path.lstat().st_mode, str(path.readlink()).encode() if path.is_symlink() else path.read_bytes())
            found.update({str(Path(folder) / name): (0, b"") for name in folders})
        return found

    @property
    def shim(self) -> Path:
        return self.path / ".local/state/ruledout/bin/ruledout-hook"


def home(folder: Path, *agents: str) -> Home:
    """A home with the folders of these agents (none named: all)."""
    made = Home(folder / "home")
    for agent in agents or HOMES:
        (made.path / HOMES[agent]).mkdir(parents=True)
    return made
