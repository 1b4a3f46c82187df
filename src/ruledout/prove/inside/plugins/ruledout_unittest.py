# the names are unittest's
"""`python -m unittest` with every result written to a file outside the tree as it comes."""

import json
import os
import sys
import unittest
from typing import Any

_FILE = os.open(os.environ.pop("RULEDOUT_REPORT"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _write(*row: str) -> None:
    os.write(_FILE, (json.dumps(row) + "\n").encode("utf-8", "replace"))


class Result(unittest.TextTestResult):
    """Writes what the standard result is told."""

    def _tell(self, test: unittest.TestCase, status: str) -> None:
        _write("test", test.id(), status)

    def addSuccess(self, test: unittest.TestCase) -> None:
        """It passed."""
        self._tell(test, "passed")
        super().addSuccess(test)

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: ANN401  # the standard library's triple
        """It raised, or could not be loaded."""
        self._tell(test, "error")
        super().addError(test, err)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: ANN401  # the same
        """An assertion failed."""
        self._tell(test, "failed")
        super().addFailure(test, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        """It was skipped."""
        self._tell(test, "skipped")
        super().addSkip(test, reason)

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: ANN401  # the same
        """It failed as it was marked to."""
        self._tell(test, "xfailed")
        super().addExpectedFailure(test, err)

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        """It passed although it was marked to fail."""
        self._tell(test, "xpassed")
        super().addUnexpectedSuccess(test)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:  # noqa: ANN401  # the same
        """A part of it ended; only a failure decides the whole."""
        if err is not None:
            self._tell(test, "failed")
        super().addSubTest(test, subtest, err)

    def stopTestRun(self) -> None:
        """The mark that unittest came to its end."""
        super().stopTestRun()
        _write("end", "", "")


class Runner(unittest.TextTestRunner):
    """The standard runner with our result."""

    resultclass = Result  # type: ignore[assignment]  # a class is such a callable


sys.path[0] = os.path.abspath(os.curdir)  # noqa: PTH100  # what `-m` puts there
sys.argv[0] = "python -m unittest"
unittest.main(module=None, testRunner=Runner)
