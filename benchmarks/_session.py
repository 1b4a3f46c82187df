"""Makes a session file in the shape of Claude Code's, of any size, always the same bytes for the same size. Never holds more than one round.

The mix is close to that of real sessions, where by bytes 60 % are tool results (more than half of it the second copy that the agent keeps beside the message),
9 % thinking, 9 % progress, 11 % tool calls, 5 % text; here 70, 11, 6, 9 and 3. Three commands to one edit and one read; the tests fail until the last rounds.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

CWD = "/home/dev/app"
WORDS = "the parser keeps a window of rows and drops the last one when the header repeats so the count is off by one and cache entries go stale".split()  # noqa: SIM905  # reads better
HEAD = f"{'=' * 29} test session starts {'=' * 30}\nplatform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0\nrootdir: {CWD}\n"
FAILED = """{head}collected 40 items

tests/test_rows.py .......................................F [100%]

=================================== FAILURES ===================================
_______ {name} _______

    def {name}():
{code}
>       assert window.count() == {right}
E       assert {left} == {right}
E        +  where {left} = count()

tests/test_rows.py:{line}: AssertionError
=========================== short test summary info ============================
FAILED tests/test_rows.py::{name} - assert {left} == {right}
========================= 1 failed, 39 passed in 0.74s =========================
"""
SIGNED = "Ee8BCkYICxgCKkB" + "0123456789abcdefABCDEF+/" * 40


class Session:
    """The lines of one session, round by round, chained by their parents."""

    def __init__(self, seed: int = 1) -> None:
        """Start with the same numbers every time."""
        self.chance = random.Random(seed)  # noqa: S311  # a mix, no secret
        self.count = 0
        self.parent: str | None = None

    def line(self, kind: str, **rest: object) -> bytes:
        """One line of the file: the envelope of every entry, and what is its own."""
        self.count += 1
        uuid = f"{self.count:08x}-0000-4000-8000-000000000000"
        stamp = f"2026-11-30T{self.count // 3600 % 24:02}:{self.count // 60 % 60:02}:{self.count % 60:02}.000Z"
        envelope = {"parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": CWD, "sessionId": "5e551011-0000-4000-8000-000000000001"}
        entry = {**envelope, "version": "2.1.0", "gitBranch": "main", "type": kind, "uuid": uuid, "timestamp": stamp, **rest}
        self.parent = uuid
        return json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def prose(self, count: int) -> str:
        """So many words, in an order that differs each time."""
        return " ".join(self.chance.choice(WORDS) for _ in range(count)).capitalize() + "."

    def says(self, block: dict[str, object]) -> bytes:
        """A line of the assistant with one block of content."""
        usage = {"input_tokens": 12, "cache_read_input_tokens": 41000, "output_tokens": 310, "service_tier": "standard"}
        message = {"role": "assistant", "type": "message", "id": f"msg_{self.count:024}", "model": "claude-opus-4-5", "content": [block]}
        return self.line("assistant", requestId=f"req_{self.count:024}", message={**message, "stop_reason": None, "usage": usage})

    def calls(self, name: str, arguments: dict[str, object], output: str, kept: dict[str, object] | str, *, failed: bool = False) -> Iterator[bytes]:
        """A tool call and its result, kept twice as the agent does: in the message, and in its own form beside it."""
        ref = f"toolu_{self.count:024}"
        yield self.says({"type": "tool_use", "id": ref, "name": name, "input": arguments})
        if name == "Bash":
            data = {"type": "bash_progress", "output": output[-400:], "fullOutput": output[-400:], "elapsedTimeSeconds": 3, "totalLines": 40}
            yield self.line("progress", data=data, toolUseID=f"bash-progress-{self.count}", parentToolUseID=ref)
        result = {"tool_use_id": ref, "type": "tool_result", "content": f"Exit code 1\n{output}" if failed else output, "is_error": failed}
        yield self.line("user", message={"role": "user", "content": [result]}, toolUseResult=f"Error: Exit code 1\n{output}" if failed else kept)

    def code(self, lines: int, first: int = 1, *, numbered: bool = True) -> str:
        """Lines of Python, numbered as a reading tool shows them."""
        made = (
            f"    {word}_{self.chance.randrange(99)} = rows[{i}].get({word!r}, None)  # {self.prose(4)}"
            for i in range(lines)
            for word in [self.chance.choice(WORDS)]
        )
        return "\n".join(f"{first + i:6}→{text}" if numbered else text for i, text in enumerate(made))

    def tests(self, *, red: bool) -> str:
        """What pytest prints."""
        if not red:
            return f"{HEAD}collected 40 items\n\ntests/test_rows.py {'.' * 40} [100%]\n\n{'=' * 30} 40 passed in 0.61s {'=' * 30}\n"
        left = self.chance.randrange(900)
        name = f"test_{self.chance.choice(WORDS)}_{self.chance.randrange(40)}"
        return FAILED.format(head=HEAD, name=name, code=self.code(24, numbered=False), line=self.chance.randrange(10, 400), left=left, right=left + 1)

    def edit(self) -> Iterator[bytes]:
        """An edit, with the whole file kept beside it."""
        old, new = self.code(6, numbered=False), self.code(8, numbered=False)
        path = f"{CWD}/app/{self.chance.choice(WORDS)}.py"
        patch = [
            {"oldStart": 10, "oldLines": 6, "newStart": 10, "newLines": 8, "lines": [f"-{x}" for x in old.split("\n")] + [f"+{x}" for x in new.split("\n")]}
        ]
        kept: dict[str, object] = {"filePath": path, "oldString": old, "newString": new, "originalFile": f"{old}\n{self.code(60, numbered=False)}\n"}
        yield from self.calls(
            "Edit",
            {"file_path": path, "old_string": old, "new_string": new, "replace_all": False},
            f"The file {path} has been updated. Here is a part of it:\n{self.code(12)}",
            {**kept, "structuredPatch": patch, "userModified": False, "replaceAll": False},
        )

    def read(self) -> Iterator[bytes]:
        """A file read."""
        path, text = f"{CWD}/app/{self.chance.choice(WORDS)}.py", self.code(110)
        kept: dict[str, object] = {"type": "text", "file": {"filePath": path, "content": text, "numLines": 110, "startLine": 1, "totalLines": 110}}
        yield from self.calls("Read", {"file_path": path}, text, kept)

    def run(self, command: str, output: str, *, failed: bool = False) -> Iterator[bytes]:
        """A command."""
        kept: dict[str, object] = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        yield from self.calls("Bash", {"command": command, "description": self.prose(6)}, output, kept, failed=failed)

    def round(self, *, red: bool = True) -> Iterator[bytes]:
        """Thought, word, reading, edit, and the tests: about 50 KB."""
        yield self.says({"type": "thinking", "thinking": self.prose(260), "signature": SIGNED})
        yield self.says({"type": "text", "text": f"I think {self.prose(40)}"})
        yield from self.read()
        yield from self.run(f"grep -rn {self.chance.choice(WORDS)} app | head -40", self.code(40))
        yield self.says({"type": "thinking", "thinking": self.prose(200), "signature": SIGNED})
        yield from self.edit()
        yield self.says({"type": "text", "text": self.prose(60)})
        yield from self.run("python -m pytest tests/test_rows.py", self.tests(red=red), failed=red)
        yield from self.run("git diff --stat", f" app/{self.chance.choice(WORDS)}.py | 14 ++++++++------\n 1 file changed, 8 insertions(+), 6 deletions(-)\n")
        yield self.line(
            "file-history-snapshot", messageId=self.parent, snapshot={"trackedFileBackups": {"app/rows.py": {"version": self.count}}}, isSnapshotUpdate=True
        )


def write(path: Path, size: int) -> int:
    """Write a session of about `size` bytes (never less), and say how many it has."""
    session, written = Session(), 0
    with path.open("wb") as file:
        written += file.write(session.line("user", message={"role": "user", "content": "tests/test_rows.py fails, the count is off by one. Please fix it."}))
        while written < size:
            for line in session.round(red=written < size * 0.9):
                written += file.write(line)
    return written
