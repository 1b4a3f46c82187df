"""Tries the installed command: in a little repository of its own, with a state folder of its own, so that nothing of it is remembered anywhere."""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from ruledout import fingerprint, hot
from ruledout.agents.settings.canned import canned
from ruledout.plainjson import dumps
from ruledout.writes import Replayed

Start = Callable[[Sequence[str], str, Mapping[str, str], bytes], tuple[bytes, float]]
"""argv, folder, environment and standard input to output and seconds; an empty output for what could not be started"""
SAID = "ruledout doctor: this edit is known here"
_TIMES = 3


class Replayer:
    """`state` is the user's own folder, whose front the command may look for; `start` starts a process; `env` is the caller's environment."""

    def __init__(self, state: Path, start: Start, env: Mapping[str, str]) -> None:
        """Start nothing yet."""
        self._state, self._start, self._env = state, start, env

    def __call__(self, agent: str, command: str) -> Replayed:
        """The command, asked of a known edit and of one that is not known, three times each, beside the bare interpreter."""
        with TemporaryDirectory(prefix="ruledout-doctor-") as name:
            folder = Path(name).resolve()
            env = self._ground(folder)
            shop = str(folder / "shop")
            known: list[tuple[str, float]] = []
            other: list[tuple[str, float]] = []
            bare: list[float] = []
            for turn in range(_TIMES):
                known.append(self._ask(command, shop, env, canned(agent, shop, f"known{turn}", "known.py", "value = 2")))
                other.append(self._ask(command, shop, env, canned(agent, shop, f"other{turn}", "other.py", "value = 2")))
                bare.append(self._start([sys.executable, "-I", "-S", "-c", "pass"], shop, env, b"")[1])
        base = max(median(bare), 1e-6)
        return Replayed(
            spoke=all(SAID in said for said, _ in known),
            silent=not any(said.strip() for said, _ in other),
            ratio=round(median(seconds for _, seconds in known) / base, 1),
            silent_ratio=round(median(seconds for _, seconds in other) / base, 1),
        )

    def _ask(self, command: str, folder: str, env: Mapping[str, str], events: Sequence[dict[str, object]]) -> tuple[str, float]:
        """What is said in all, and how long the slowest event took."""
        told = [self._start(["/bin/sh", "-c", command], folder, env, json.dumps(event).encode()) for event in events]
        return "".join(output.decode("utf-8", "replace") for output, _ in told), max(seconds for _, seconds in told)

    def _ground(self, folder: Path) -> dict[str, str]:
        """A work tree with one known edit, and a home in which the front is found where the real one is."""
        git = folder / "shop" / ".git"
        (git / "ruledout").mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        for name in ("known.py", "other.py"):
            (folder / "shop" / name).write_text("value = 1\n", encoding="utf-8")
        (git / "ruledout" / "hot.idx").write_bytes(hot.written(_rows(), 1))
        (git / "ruledout" / "hot.words").write_bytes(b"known.py\n")
        for state in (folder / "state", folder / "Library" / "Application Support"):
            (state / "ruledout").mkdir(parents=True)
            (state / "ruledout" / "bin").symlink_to(self._state / "bin")
        return {"PATH": self._env.get("PATH", os.defpath), "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "LC_ALL": "C.UTF-8"}


def _rows() -> list[str]:
    key, name = fingerprint.edit("known.py", ["value = 1"], ["value = 2"]), "r1:sha256:0/b1"
    item = {"id": name, "record": name[:-3], "branch": "b1", "grade": "witnessed", "prints": [key], "files": ["known.py"], "said": SAID, "moved": SAID}
    return [f"i\t{name}\t{dumps(item)}", f"k\t{key}\t{name}", f'f\t"known.py"\t{name}']
