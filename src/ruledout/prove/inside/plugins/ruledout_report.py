"""A pytest plug-in that writes every result to a file outside the tree as it comes. Old Pythons and old pytests load it too, so it is written plainly."""

import json
import os
import sys
from typing import Any, Dict, Iterator, Tuple  # noqa: UP035  # Python 3.6 loads this file

import pytest

_PATH = os.environ.pop("RULEDOUT_REPORT", "")
_ROOT = os.environ.pop("RULEDOUT_ROOT", "")
for _name in ("PYTEST_ADDOPTS", "PYTHONPATH"):
    os.environ.pop(_name, None)
_PATHS = os.environ.pop("RULEDOUT_PATHS", "")
if _PATHS:
    os.environ["PYTHONPATH"] = _PATHS
_RETRIES = ("rerunfailures", "pytest_rerunfailures", "flaky", "flaky.flaky_pytest_plugin", "retry", "pytest_retry", "pytest-retry")
_RAISED: Dict[Tuple[str, str], str] = {}  # noqa: UP006  # Python 3.6 loads this file
_SETTLED = frozenset(("Skipped", "XFailed", "_XFailed", "Exit"))
_NAMES = {"passed": "passed", "failed": "failed", "skipped": "skipped"}


class _Report:
    """The file, opened before anything of the repository is loaded; -1 where there is none."""

    handle = os.open(_PATH, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if _PATH else -1


def _write(*row: str) -> None:
    if _Report.handle >= 0:
        os.write(_Report.handle, (json.dumps(row) + "\n").encode("utf-8", "replace"))


def pytest_addoption(parser: Any) -> None:  # noqa: ANN401  # the classes' names differ between versions of pytest
    """Every run is given a cache folder of its own; where the cache is off nobody knows that name, and a strict configuration would refuse it."""
    if "cache_dir" not in getattr(parser, "_inidict", ("cache_dir",)):
        parser.addini("cache_dir", "not used: the cache is off")


def pytest_configure(config: Any) -> None:  # noqa: ANN401  # the classes' names differ between versions of pytest
    """Take out what runs a failed test again until it passes; in workers, stay silent."""
    if hasattr(config, "workerinput"):
        _Report.handle = -1
    manager = config.pluginmanager
    for name in _RETRIES:
        plugin = manager.get_plugin(name)
        if plugin is not None:
            manager.unregister(plugin)
    for name in ("reruns", "force_flaky"):
        if getattr(config.option, name, None):
            setattr(config.option, name, 0)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[None]:  # noqa: ANN401  # the same
    """Remember what was really raised, before anyone can call it something else."""
    if call.excinfo is not None and call.excinfo.typename not in _SETTLED:
        _RAISED[(item.nodeid, call.when)] = call.excinfo.typename
    yield


def pytest_collection_finish(session: Any) -> None:  # noqa: ANN401  # the same
    """What of the tree is a plug-in of the run itself: it can change what the tests see."""
    top = os.path.join(os.path.abspath(os.curdir), "")  # noqa: PTH100, PTH118  # Python 3.6 loads this file
    for plugin in session.config.pluginmanager.get_plugins():
        path = getattr(plugin, "__file__", None)
        if isinstance(path, str) and path.startswith(top) and "site-packages" not in path and not path.endswith("conftest.py"):
            _write("plugin", path[len(top) :])


def pytest_runtest_logreport(report: Any) -> None:  # noqa: ANN401  # the same
    """One line for what decides a test: its call, or a set-up or tear-down that did not pass."""
    outcome, expected = report.outcome, hasattr(report, "wasxfail")
    if outcome == "rerun":
        _write("retried", report.nodeid)
        return
    if report.when == "call":
        status = _NAMES.get(outcome, "failed")
        if expected:
            status = "xfailed" if outcome == "skipped" else "xpassed"
        elif status == "passed" and _RAISED.get((report.nodeid, "call")):
            _write("rewritten", report.nodeid)
            status = "failed"
        _write("test", report.nodeid, status)
    elif outcome == "failed":
        _write("test", report.nodeid, "error")
    elif outcome == "skipped":
        _write("test", report.nodeid, "xfailed" if expected else "skipped")


def pytest_collectreport(report: Any) -> None:  # noqa: ANN401  # the same
    """A file that cannot be loaded has tests that nobody has counted."""
    if report.outcome == "failed":
        _write("unbuilt", report.nodeid)


def pytest_unconfigure() -> None:
    """The mark that pytest came to its end, and what was loaded from a tree that is not the one under test."""
    if _ROOT and _Report.handle >= 0:
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None)
            if isinstance(path, str) and path.startswith(_ROOT + os.sep) and "site-packages" not in path:
                _write("imports_original_tree", path)
                break
    _write("end", "")
