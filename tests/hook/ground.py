"""A small repository with a record of one dead end and a fix, and a session in it that asks the hook."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from ruledout import fingerprint
from ruledout.doors import hook, hook_reading
from ruledout.model import wire
from ruledout.model.attempt import BranchEdit, Conditions, FalsifiedBranch
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual, EvidenceGrade, UnresolvedHandoff
from ruledout.store.hot_store import HotStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

SOURCE = "def total(items):\n    return sum(items) - tax\n\n\ndef rest(items):\n    if not items:\n        raise ValueError(items)\n    return items[1:]\n"
OLD, BAD = "    return sum(items) - tax", "    return sum(items) * tax"
GOOD = "    return sum(items) + tax"


class Session(NamedTuple):
    """One agent's session in one repository."""

    root: Path
    env: dict[str, str]
    agent: str = "claude"
    name: str = "s-1"

    def ask(self, given: Mapping[str, object]) -> dict[str, object]:
        """What the hook answers, as JSON; empty for silence."""
        line = hook.attended(self.agent, json.dumps(given).encode(), self.env, hook_reading.answer)
        return json.loads(line) if line else {}

    def edit(self, old: str, new: str, path: str = "src/cart.py", **more: object) -> str:
        """What is said before an edit."""
        return self.before("Edit", {"file_path": str(self.root / path), "old_string": old, "new_string": new, **more})

    def make(self, old: str, new: str, path: str = "src/cart.py") -> str:
        """Ask, then make the edit."""
        said = self.edit(old, new, path)
        file = self.root / path
        file.write_text(file.read_text().replace(old, new, 1))
        return said

    def run(self, command: str) -> str:
        """What is said before a command."""
        return self.before("Bash", {"command": command})

    def failed(self, command: str, output: str, code: int = 1) -> str:
        """What is said after a run that failed."""
        return self._said(self._event("PostToolUseFailure", "Bash", {"command": command}, error=f"Exit code {code}\n{output}", is_interrupt=False))

    def before(self, tool: str, given: Mapping[str, object]) -> str:
        return self._said(self._event("PreToolUse", tool, given))

    def event(self, name: str, **more: object) -> str:
        return self._said({"session_id": self.name, "cwd": str(self.root), "transcript_path": str(self.transcript), "hook_event_name": name, **more})

    @property
    def transcript(self) -> Path:
        return self.root.parent / f"{self.name}.jsonl"

    def wrote(self, tool: str, given: Mapping[str, object]) -> None:
        """A tool call as the session's own file shows it."""
        line = json.dumps({"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "t", "name": tool, "input": given}]}})
        with self.transcript.open("a") as file:
            file.write(line + "\n")

    def _event(self, name: str, tool: str, given: Mapping[str, object], **more: object) -> dict[str, object]:
        return {
            "session_id": self.name,
            "transcript_path": str(self.transcript),
            "cwd": str(self.root),
            "hook_event_name": name,
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": "t",
            **more,
        }

    def _said(self, given: Mapping[str, object]) -> str:
        out = self.ask(given).get("hookSpecificOutput", {})
        assert isinstance(out, dict)
        return str(out.get("additionalContext", ""))


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def repository(folder: Path) -> Session:
    """A repository with one file and one commit."""
    root = folder / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src/cart.py").write_text(SOURCE)
    (root / "src/tax.py").write_text("RATE = 1\n")
    git(root, "init", "-q", "-b", "main", ".")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "begin")
    return Session(root, {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)})


def dead_end(*hunks: tuple[str, str, str], id: str = "b1", commit: str | None = None) -> FalsifiedBranch:  # noqa: A002  # the record's own word
    """A branch of these hunks: path, line out, line in."""
    made = [fingerprint.edit(path, [old], [new]) for path, old, new in hunks]
    edits = tuple(BranchEdit(path=path, removed=(old,), added=(new,)) for path, old, new in hunks)
    found = samples.branch(id, fingerprints=made, files=sorted({path for path, _, _ in hunks}), conditions=Conditions(commit=commit, gate="pytest -q"))
    return msgspec.structs.replace(found, edits=edits)


def keep(session: Session, outcome: DebugResidual | UnresolvedHandoff, branch: str | None = "main") -> Record:
    """Keep a record as the program does, with the hot index beside it."""
    record = wire.record(outcome)
    store = HotStore(str(session.root / ".git/ruledout/ruledout.db"), StillClock())
    store.keep(record, branch)
    store.close()
    return record


def cart(*branches: FalsifiedBranch, evidence: EvidenceGrade = EvidenceGrade.WITNESSED) -> DebugResidual:
    """A residual whose winning change is the good line."""
    known = branches or (dead_end(("src/cart.py", OLD, BAD)),)
    return samples.residual(branches=known, evidence=evidence, survived=[fingerprint.edit("src/cart.py", [OLD], [GOOD])])
