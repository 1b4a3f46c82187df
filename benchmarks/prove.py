"""What a proof costs: `prove` on a small repository whose gate takes about a second, to one bare run of the same gate.

A proof with one run a tree runs the gate three times (red, green, red on revert), and may run it once more to see that it can fail. Half a second is taken off
for everything that is done once: starting, making the trees, isolation. So the figure is (prove - 0.5 s) / (bare * runs a tree), and 3.0 would be three runs
one after the other; runs side by side make it less.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from _measure import best, can, options, report, skip

BROKEN = "def last(rows):\n    return rows[len(rows)]\n"
FIXED = "def last(rows):\n    return rows[len(rows) - 1]\n"
TEST = "import time\n\nfrom rows import last\n\n\ndef test_last():\n    time.sleep(0.7)\n    assert last([1, 2]) == 2\n"
ONCE = 0.5


def repository(root: Path) -> None:
    """A commit with the bug; the fix and its test lie in the work tree."""
    author = [word for setting in ("user.name=Bench", "user.email=bench@example.invalid", "init.defaultBranch=main") for word in ("-c", setting)]
    (root / "rows.py").write_text(BROKEN, encoding="utf-8")
    for argv in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Add rows"]):
        subprocess.run(["git", *author, *argv], cwd=root, check=True)
    (root / "rows.py").write_text(FIXED, encoding="utf-8")
    (root / "test_rows.py").write_text(TEST, encoding="utf-8")


def verdict(argv: list[str], root: Path, runs: int) -> str | None:
    """The verdict of a proof in which every tree was run as often as asked; None if not, since its time would mean nothing."""
    said = json.loads(subprocess.run(argv, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout or b"{}")
    complete = all(len(said.get(tree, ())) == runs for tree in ("red", "green", "red_on_revert"))
    return str(said.get("verdict")) if complete else None


def measure() -> None:
    """Prove with one run a tree, else with three, and compare."""
    asked = options(__doc__ or "", best_of=3)
    if not can(asked.program, "prove"):
        return skip("prove", "the program has no verb prove")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        repository(root)
        gate = [asked.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_rows.py"]
        for runs in (1, 3):
            argv = [*asked.program, "prove", "--json", "--runs", str(runs), "--", *gate]
            if (said := verdict(argv, root, runs)) == "proved":
                prove, bare = best(asked.best_of, argv, gate, cwd=root)
                figure = (prove - ONCE) / (bare * runs)
                return report("prove", figure, 3.3, unit="x a bare run", runs_a_tree=runs, prove_s=round(prove, 2), bare_s=round(bare, 2))
    return skip("prove", f"the fix was not proved: {said}")


if __name__ == "__main__":
    measure()
