"""pytest, by a plug-in of ours that writes each result as it comes, from outside the tree.

It is loaded through `PYTEST_ADDOPTS`, so that it is there behind wrappers, scripts and Makefiles too. The repository's own options stay in force: a test that
they take away has not run, and is no pass.
"""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "pytest"
PLUGIN = "ruledout_report"
INSIDE = Path(__file__).parent.parent / "inside" / "plugins"
_FILE = "pytest.jsonl"


def claims(argv: Sequence[str]) -> bool:
    """`pytest`, `py.test`, `python -m pytest`, behind the usual wrappers."""
    return locate(argv, frozenset(("pytest", "py.test"))) is not None


def variables(out: Path) -> dict[str, str]:
    """What loads the plug-in, and its like for unittest; given to every gate that no other runner claims, since a script or a Makefile may call them."""
    plugins = out / "plugins"
    if not plugins.exists():
        plugins.mkdir()
        for name in (f"{PLUGIN}.py", "sitecustomize.py"):
            (plugins / name).write_bytes((INSIDE / name).read_bytes())
    cache = shlex.quote(f"cache_dir={out}/cache")
    return {
        "PYTEST_ADDOPTS": f"-p {PLUGIN} -o {cache}",
        "PYTHONPATH": str(plugins),
        "RULEDOUT_REPORT": str(out / _FILE),
        "RULEDOUT_UNITTEST": str(out / "unittest.jsonl"),
    }


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """The argv as it is: the plug-in comes by the environment."""
    return Prepared(argv=tuple(argv), env=variables(out))


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """The plug-in's lines; None where it was not loaded or pytest did not start."""
    del output, exit_status
    try:
        lines = (out / _FILE).read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    tests: dict[str, TestStatus] = {}
    complete = False
    unbuilt: list[str] = []
    notes: list[str] = []
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row[0] == "test":
            merge(tests, row[1], TestStatus(row[2]))
        elif row[0] == "end":
            complete = True
        elif row[0] == "unbuilt":
            unbuilt.append(row[1])
        else:
            notes.append(f"{row[0]}={row[1]}")
    return Report(tests=tests, source=ReportSource.REPORT, complete=complete, unbuilt=tuple(unbuilt), notes=tuple(dict.fromkeys(notes)))
