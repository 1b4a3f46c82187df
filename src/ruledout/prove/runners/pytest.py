"""pytest, by a plug-in of ours that writes each result as it comes, from outside the tree.

It is loaded through `PYTEST_ADDOPTS`, so that it is there behind wrappers, scripts and Makefiles too. The repository's own options stay in force: a test that
they take away has not run, and is no pass.
"""

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "pytest"
PLUGIN = "ruledout_report"
INSIDE = Path(__file__).parent.parent / "inside" / "plugins"
_FILE = "pytest.jsonl"
_JUNIT = "junit.xml"


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
    return {
        "PYTEST_ADDOPTS": f"-p {PLUGIN} -o {shlex.quote(f'cache_dir={out}/cache')}",
        "PYTHONPATH": str(plugins),
        "RULEDOUT_REPORT": str(out / _FILE),
        "RULEDOUT_UNITTEST": str(out / "unittest.jsonl"),
    }


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """The plug-in comes by the environment; where the argv itself sets these variables (`env PYTHONPATH=src pytest`), ours are added behind."""
    env = variables(out)
    words = list(argv)
    if words and words[0].rpartition("/")[2] == "env":
        for index, word in enumerate(words):
            name, equals, value = word.partition("=")
            if equals and name in ("PYTHONPATH", "PYTEST_ADDOPTS"):
                words[index] = f"{name}={value}{os.pathsep if name == 'PYTHONPATH' else ' '}{env[name]}"
    return Prepared(argv=tuple(words), env=env)


def without_plugin(prepared: Prepared, out: Path) -> Prepared:
    """The same for a pytest that cannot load the plug-in (`python -I`, a script that sets `PYTHONPATH`): its own JUnit report, written at the end."""
    asked = f"-o junit_family=xunit1 --junitxml={shlex.quote(str(out / _JUNIT))} -o {shlex.quote(f'cache_dir={out}/cache')}"
    return Prepared(argv=prepared.argv, env={**{name: value for name, value in prepared.env.items() if name != "PYTHONPATH"}, "PYTEST_ADDOPTS": asked})


def cannot_load(output: str) -> bool:
    """Does pytest say that the plug-in is not to be found."""
    return f'Error importing plugin "{PLUGIN}"' in output or f"No module named '{PLUGIN}'" in output


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """The plug-in's lines; None where it was not loaded or pytest did not start."""
    del output, exit_status
    try:
        lines = (out / _FILE).read_text("utf-8", "replace").splitlines()
    except OSError:
        return _junit(out / _JUNIT)
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


def _junit(path: Path) -> Report | None:
    """Pytest's own JUnit report; ids are put together again from file, class and name."""
    from xml.etree import ElementTree as ET  # written by the pytest that we started, and small

    try:
        cases = list(ET.parse(path).iter("testcase"))  # noqa: S314  # the same
    except (OSError, ET.ParseError):
        return None
    tests: dict[str, TestStatus] = {}
    unbuilt = []
    for case in cases:
        parts = {child.tag: child for child in case}
        file, name = case.get("file") or "", case.get("name") or ""
        module = file.removesuffix(".py").replace("/", ".")
        inner = (case.get("classname") or "").removeprefix(module).strip(".")
        if "error" in parts and parts["error"].get("message") == "collection failure":
            unbuilt.append(file or name.replace(".", "/") + ".py")
            continue
        status = TestStatus.ERROR if "error" in parts else TestStatus.FAILED if "failure" in parts else TestStatus.PASSED
        if "skipped" in parts:
            status = TestStatus.XFAILED if parts["skipped"].get("type") == "pytest.xfail" else TestStatus.SKIPPED
        merge(tests, "::".join((file, *inner.split("."), name) if inner else (file, name)), status)
    return Report(tests=tests, source=ReportSource.REPORT, unbuilt=tuple(unbuilt))
