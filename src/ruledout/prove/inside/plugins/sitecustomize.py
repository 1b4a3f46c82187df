"""Loaded at the start of every Python of a gate: makes `unittest` write each result, whoever runs it (`manage.py test`, a script, a Makefile).

Afterwards it loads the environment's own `sitecustomize`, if there is one. Written plainly: old Pythons load it too.
"""

import importlib.machinery
import importlib.util
import json
import os
import sys
from typing import Any, Callable  # noqa: UP035  # Python 3.6 loads this file

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # `pathlib` would slow down every start
_STATUS = {
    "addSuccess": "passed",
    "addFailure": "failed",
    "addError": "error",
    "addSkip": "skipped",
    "addExpectedFailure": "xfailed",
    "addUnexpectedSuccess": "xpassed",
}


def _patch(result: Any, handle: int) -> None:  # noqa: ANN401  # the class `unittest.TestResult`
    def write(*row: str) -> None:
        os.write(handle, (json.dumps(row) + "\n").encode("utf-8", "replace"))

    def told(name: str, status: str) -> Callable[..., Any]:
        original = getattr(result, name)

        def method(self: Any, test: Any, *rest: Any) -> Any:  # noqa: ANN401  # as the method that it stands for
            write("test", test.id(), status)
            return original(self, test, *rest)

        return method

    def part(self: Any, test: Any, subtest: Any, err: Any) -> Any:  # noqa: ANN401  # the same
        if err is not None:
            write("test", test.id(), "failed")
        return whole(self, test, subtest, err)

    def marked(name: str, mark: str) -> Callable[..., Any]:
        original = getattr(result, name)

        def method(self: Any) -> Any:  # noqa: ANN401  # the same
            write(mark, "", "")
            return original(self)

        return method

    whole = result.addSubTest
    for name, status in _STATUS.items():
        setattr(result, name, told(name, status))
    result.addSubTest = part
    result.startTestRun = marked("startTestRun", "start")
    result.stopTestRun = marked("stopTestRun", "end")


class _Hook:
    """Waits for `unittest.result`, then lets it be loaded as ever and wraps what it defines."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:  # noqa: ANN401, ARG002  # as the import system calls it
        if name != "unittest.result":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        where = os.environ.pop("RULEDOUT_UNITTEST", "")
        if spec is None or spec.loader is None or not where:
            return spec
        handle = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        original = spec.loader.exec_module

        def exec_module(module: Any) -> None:  # noqa: ANN401  # as the loader's own
            original(module)
            _patch(module.TestResult, handle)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]  # for this one module
        return spec


if os.environ.get("RULEDOUT_UNITTEST"):
    sys.meta_path.insert(0, _Hook())

_NEXT = importlib.machinery.PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if os.path.abspath(entry or ".") != _HERE])  # noqa: PTH100  # the same
if _NEXT is not None and _NEXT.loader is not None:
    _MODULE = importlib.util.module_from_spec(_NEXT)
    _NEXT.loader.exec_module(_MODULE)
