"""Records the demo's session by doing it: every step is made on a real repository, every output is what the command printed.

`python docs/record_demo.py` writes `src/ruledout/demo/session.jsonl` and `src/ruledout/demo/fixed/`. The tries are scripted, their results are not.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DEMO = Path(__file__).resolve().parents[1] / "src" / "ruledout" / "demo"
HOME = "/home/dev/shares"
GATE = "python -m unittest -v tests.test_shares"

TESTS = """
    def test_the_shares_add_up_to_the_bill(self):
        self.assertEqual(sum(split(Decimal("100.00"), [1, 1, 1])), Decimal("100.00"))

    def test_a_refund_adds_up_too(self):
        self.assertEqual(sum(split(Decimal("-100.00"), [1, 1, 1])), Decimal("-100.00"))
"""
OLD_RETURN = "    return [(total * weight / whole).quantize(CENT) for weight in weights]\n"
HALF_UP = "    return [(total * weight / whole).quantize(CENT, ROUND_HALF_UP) for weight in weights]\n"
ROUND_UP = "    return [(total * weight / whole).quantize(CENT, ROUND_UP) for weight in weights]\n"
LEFT_OVER = """    shares = [(total * weight / whole).quantize(CENT, ROUND_DOWN) for weight in weights]
    left_over = int((total - sum(shares)) / CENT)
    return [share + CENT if place < left_over else share for place, share in enumerate(shares)]
"""
WHOLE = "    whole = sum(weights)\n"
GUARD = "    if total < 0:\n        return [-share for share in split(-total, weights)]\n    whole = sum(weights)\n"
LAST_TEST = '        self.assertEqual(split(Decimal("90.00"), [1, 2]), [Decimal("30.00"), Decimal("60.00")])\n'


class Recorder:
    """Does the steps and writes them down in the shape of a Claude Code session."""

    def __init__(self, root: Path) -> None:
        """Start in a repository at `root`; the session calls it by another name."""
        self.root, self.count = root, 0
        self.lines: list[dict[str, object]] = []
        self.parent: str | None = None

    def _line(self, kind: str, message: dict[str, object], **more: object) -> None:
        uuid = f"00000000-0000-4000-8000-{len(self.lines):012d}"
        base = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": HOME,
            "sessionId": "5eed0000-0000-4000-8000-000000000001",
            "version": "2.1.300",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": uuid,
            "timestamp": f"2026-11-02T10:{len(self.lines):02d}:00.000Z",
        }
        self.lines.append({**base, **more})
        self.parent = uuid

    def user(self, text: str) -> None:
        """The user speaks."""
        self._line("user", {"role": "user", "content": text})

    def says(self, text: str) -> None:
        """The assistant speaks."""
        self._assistant({"type": "text", "text": text})

    def _assistant(self, block: dict[str, object]) -> None:
        self._line("assistant", {"id": f"msg_{len(self.lines):04d}", "type": "message", "role": "assistant", "model": "recorded-by-hand", "content": [block]})

    def _tool(self, name: str, given: dict[str, str], content: str, result: object, *, error: bool = False) -> None:
        self.count += 1
        call = f"toolu_demo{self.count:04d}"
        self._assistant({"type": "tool_use", "id": call, "name": name, "input": given})
        block = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": error}
        self._line("user", {"role": "user", "content": [block]}, toolUseResult=result)

    def runs(self, command: str) -> None:
        """Run a command for real; what it prints is what is written down, but for the path of this machine."""
        argv = [sys.executable if word == "python" else word for word in command.split()]
        done = subprocess.run(argv, cwd=self.root, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"})
        printed = self._as_told(done.stdout + done.stderr).strip()
        failed = done.returncode != 0
        content = f"Exit code {done.returncode}\n{printed}" if failed else printed
        result = f"Error: {content}" if failed else {"stdout": printed, "stderr": "", "interrupted": False, "isImage": False}
        self._tool("Bash", {"command": command, "description": "Run the tests"}, content, result, error=failed)

    def _as_told(self, text: str) -> str:
        text = text.replace(str(self.root), HOME).replace(sys.base_prefix, "/usr").replace(sys.prefix, "/usr")
        return re.sub(r"in \d\.\d+s", "in 0.001s", text)

    def edits(self, path: str, old: str, new: str) -> None:
        """Replace text in a file for real."""
        file = self.root / path
        before = file.read_text()
        assert before.count(old) == 1, (path, old)
        file.write_text(before.replace(old, new))
        given = {"file_path": f"{HOME}/{path}", "old_string": old, "new_string": new}
        result = {"filePath": f"{HOME}/{path}", "oldString": old, "newString": new, "originalFile": before, "userModified": False, "replaceAll": False}
        self._tool("Edit", given, f"The file {HOME}/{path} has been updated.", result)

    def reads(self, path: str) -> None:
        """Read a file for real."""
        text = (self.root / path).read_text()
        numbered = "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(text.split("\n"), 1))
        self._tool("Read", {"file_path": f"{HOME}/{path}"}, numbered, {"type": "text", "file": {"filePath": f"{HOME}/{path}", "content": text}})


def play(recorder: Recorder) -> None:
    """The session: a symptom, two dead ends, a step that was needed but not enough, the guard that finished it."""
    do = recorder
    do.user("100.00 split three ways comes out as 99.99, and the refund of it as -99.99. Somebody has to pay that cent. Please fix it, with tests.")
    do.reads("shares/__init__.py")
    do.says("I'll write the tests first, so that the missing cent is seen.")
    do.edits("tests/test_shares.py", LAST_TEST, LAST_TEST + TESTS)
    do.runs(GATE)
    do.says("The shares lose a cent because quantize rounds half to even; rounding half up keeps it.")
    do.edits("shares/__init__.py", "from decimal import Decimal\n", "from decimal import ROUND_HALF_UP, Decimal\n")
    do.edits("shares/__init__.py", OLD_RETURN, HALF_UP)
    do.runs(GATE)
    do.says("33.333 is no half, so the mode never mattered. Rounding every share up cannot lose a cent.")
    do.edits("shares/__init__.py", "from decimal import ROUND_HALF_UP, Decimal\n", "from decimal import ROUND_UP, Decimal\n")
    do.edits("shares/__init__.py", HALF_UP, ROUND_UP)
    do.runs(GATE)
    do.says("Now it is 100.02. No rounding of single shares keeps the sum; the cents left over must be handed out one by one after rounding down.")
    do.edits("shares/__init__.py", "from decimal import ROUND_UP, Decimal\n", "from decimal import ROUND_DOWN, Decimal\n")
    do.edits("shares/__init__.py", ROUND_UP, LEFT_OVER)
    do.runs(GATE)
    do.says("Only the refund is left: rounding down a negative bill leaves a negative remainder, which hands out nothing.")
    do.edits("shares/__init__.py", WHOLE, GUARD)
    do.runs(GATE)
    do.says(
        "All three pass. Root cause: `split` rounds every share on its own, so the rounding errors add up and the shares differ from the bill by whole cents."
    )


def lay(source: Path, target: Path) -> None:
    """Lay the files of the demo out; they end in `.txt` so that they are nobody's modules."""
    for file in source.rglob("*.txt"):
        place = target / file.relative_to(source).with_suffix("")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.read_text())


def main() -> int:
    """Record, and write what came out."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "shares"
        lay(DEMO / "base", root)
        recorder = Recorder(root)
        play(recorder)
        for path in ("shares/__init__.py", "tests/test_shares.py", "tests/__init__.py"):
            (DEMO / "fixed" / f"{path}.txt").write_text((root / path).read_text())
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in recorder.lines)
        (DEMO / "session.jsonl").write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
