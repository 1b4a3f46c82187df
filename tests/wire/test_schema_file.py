"""The schema in the docs is what the code says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_schema_in_the_docs_is_current() -> None:
    done = subprocess.run([sys.executable, ROOT / "docs" / "build_schema.py", "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
