"""What `inspect` loads and compiles for a session of pytest runs. Counted, not timed: most of what the user waits for is one or the other."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SESSION = ROOT / "src" / "ruledout" / "demo" / "session.jsonl"
MOST_MODULES = 135
"""ours; one for each toolchain, each step of distil, one format"""
MOST_PATTERNS = 135
"""a pattern costs a tenth to half a millisecond to compile: look for a word of it first (`Late`, `rx` and a literal)"""
COUNTED = """
import re._compiler, sys
import msgspec  # and what it loads itself, which differs with what else is installed
before, patterns, plain = set(sys.modules), [], re._compiler.compile
def counted(pattern, flags=0):
    patterns.append(pattern)
    return plain(pattern, flags)
re._compiler.compile = counted
from ruledout.doors.cli import run
code = run(["inspect", "--json", sys.argv[1]])
sys.stderr.write(f"{code} {len(patterns)} {' '.join(set(sys.modules) - before)}")
"""


def spent() -> tuple[int, set[str]]:
    """How many patterns were compiled, and which modules were loaded beyond msgspec's."""
    done = subprocess.run([sys.executable, "-I", "-c", COUNTED, SESSION], capture_output=True, text=True, check=True)
    code, patterns, *modules = done.stderr.split()
    assert code == "0"
    return int(patterns), set(modules)


def test_inspect_loads_no_library_that_it_can_do_without() -> None:
    _, modules = spent()
    theirs = {name for name in modules if not name.startswith("ruledout")}
    assert theirs <= {"bisect", "_bisect", "unicodedata", "_sha256", "_sha2", "_typing", "typing"}


def test_inspect_loads_one_format_and_no_other_room() -> None:
    _, modules = spent()
    rooms = {name.split(".")[1] for name in modules if name.startswith("ruledout.")}
    assert rooms & {"prove", "store", "recall", "sources", "testing", "config", "ports"} == set()
    formats = {name for name in modules if name.startswith("ruledout.read.")} & set(_formats())
    assert formats == {"ruledout.read.claude_code"}
    assert not {"ruledout.observe.crashes.kernel", "ruledout.observe.crashes.sanitizer", "ruledout.observe.matchers"} & modules


def _formats() -> list[str]:
    from ruledout.read.detect import READERS

    return list(READERS.values())


def test_inspect_stays_within_its_budget_of_modules_and_patterns() -> None:
    patterns, modules = spent()
    ours = [name for name in modules if name.startswith("ruledout")]
    assert len(ours) <= MOST_MODULES
    assert patterns <= MOST_PATTERNS
