"""The demo's ground: a small real git repository with a real bug, fixed in its work tree, and the session that was recorded on it.

The data beside this module: `base/` and `fixed/` (files end in `.txt` so that they are nobody's modules), `session.jsonl` (written by
`docs/record_demo.py` by doing every step) and `proposal.json`.
"""

import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ruledout.errors import BadInput, CannotRun
from ruledout.prove.process import Command, Ended, find, run

HERE = Path(__file__).parent
LAST_RUN_LINES = 3
"""the last run's call, its result and what was said about it: without them the session is broken off"""
GIVEN = ("session.jsonl", "proposal.json", "dead_end.diff", "no_refunds.diff")
DEADLINE_S = 120.0


class Ground(Struct, frozen=True, kw_only=True):
    """Where the demo plays: the repository's folder and the environment of every command."""

    root: Path
    env: Mapping[str, str]

    def ruledout(self, line: str) -> tuple[str, int | None]:
        """Run the real program with this command line; what it printed, and its exit status (None when it was killed)."""
        words = shlex.split(line)
        ended = self._run(sys.executable, "-m", "ruledout", *words[1:])
        return ended.output.decode("utf-8", "replace"), ended.exit

    def git(self, *words: str) -> str:
        """Run git here, and give what it printed; `CannotRun` when it fails."""
        ended = self._run("git", "-c", "user.name=demo", "-c", "user.email=demo@example.invalid", *words)
        if ended.exit != 0:
            raise CannotRun("demo-git", f"git {words[0]}: {ended.output.decode('utf-8', 'replace').strip()[-200:]}", "install git 2.30 or later")
        return ended.output.decode("utf-8", "replace")

    def _run(self, program: str, *words: str) -> Ended:
        return run(Command(argv=(find(program, self.env.get("PATH", "")) or program, *words), cwd=str(self.root), env=self.env, deadline_s=DEADLINE_S))


def lay_out(root: Path, environment: Mapping[str, str]) -> Ground:
    """Make the repository: the base committed, the fix as uncommitted work, the session and the proposal beside it."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        taken = any(root.iterdir())
    except OSError as error:
        raise BadInput("no-new-folder", f"{root} cannot be made: {error.strerror}", "name a new folder where you may write") from error
    if taken:
        raise BadInput("folder-not-empty", f"{root} is not empty", "name a new folder")
    ground = Ground(root=root, env=_clean(environment))
    _copy(HERE / "base", root)
    ground.git("init", "-q", "-b", "main")
    ground.git("add", "-A")
    ground.git("commit", "-q", "-m", "Split a bill into shares")
    _copy(HERE / "fixed", root)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "exclude").write_text("\n".join((*GIVEN, "broken_off.jsonl", "winner.diff")) + "\n", encoding="utf-8")
    for name in GIVEN:
        shutil.copyfile(HERE / name, root / name)
    lines = (HERE / "session.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (root / "broken_off.jsonl").write_text("".join(lines[:-LAST_RUN_LINES]), encoding="utf-8")
    (root / "winner.diff").write_text(ground.git("diff", "--no-ext-diff"), encoding="utf-8")
    return ground


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment without what would lead git elsewhere."""
    return {name: value for name, value in environment.items() if not name.startswith("GIT_")} | {"GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"}


def _copy(source: Path, target: Path) -> None:
    for file in sorted(source.rglob("*.txt")):
        place = target / file.relative_to(source).with_suffix("")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
