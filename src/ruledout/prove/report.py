# ruff: noqa: PTH119  # paths of another root are text here: `pathlib` would resolve them against ours
"""What a test runner told of one run, in one shape for all runners, and the Protocol that a runner's module fits."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ruledout import text
from ruledout.model.gate import ReportSource, TestStatus

_WRAPPERS = frozenset(
    [
        "env",
        "nice",
        "ionice",
        "stdbuf",
        "timeout",
        "uv",
        "poetry",
        "pdm",
        "hatch",
        "pipenv",
        "rye",
        "run",
        "npx",
        "pnpx",
        "bunx",
        "pnpm",
        "yarn",
        "npm",
        "exec",
        "bundle",
        "coverage",
        "xvfb-run",
        "catchsegv",
        "python",
        "python2",
        "python3",
        "pypy3",
        "py",
    ]
)
_WORST = (TestStatus.PASSED, TestStatus.XFAILED, TestStatus.SKIPPED, TestStatus.XPASSED, TestStatus.FAILED, TestStatus.ERROR)


class Report(Struct, frozen=True, kw_only=True):
    """Tests by id. `complete`: the runner said that it came to its end. `unbuilt`: starts of the ids whose tests could not be loaded or compiled, `""` for all.

    `notes` are facts as `name=value`: `retried=ID`, `rewritten=ID`, `imports_original_tree=PATH`.
    """

    tests: Mapping[str, TestStatus]
    source: ReportSource
    complete: bool = True
    unbuilt: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Prepared(Struct, frozen=True, kw_only=True):
    """A gate ready to run: its argv with a reporter asked for, and variables for the reporter."""

    argv: tuple[str, ...]
    env: Mapping[str, str]


class Runner(Protocol):
    """One test runner: a module with these names, listed in `runners.RUNNERS`. It knows no other runner and judges nothing."""

    NAME: str

    def claims(self, argv: Sequence[str]) -> bool:
        """Is this argv a call of this runner."""
        ...

    def prepare(self, argv: Sequence[str], out: Path) -> Prepared:
        """Ask for a machine-readable report in the folder `out`, which lies outside the tree."""
        ...

    def read(self, out: Path, output: str, exit_status: int | None) -> Report | None:
        """Read the report, else the text; None where neither tells of tests."""
        ...


def locate(argv: Sequence[str], names: frozenset[str]) -> int | None:
    """The index of the word that names one of these programs, behind wrappers, options, assignments and `python -m`; None where another program is run."""
    before = ""
    for index, word in enumerate(argv):
        name = os.path.basename(word).removesuffix(".exe").removesuffix(".cmd")
        if name in names:
            return index
        plain = name.rstrip("0123456789.")
        skipped = name in _WRAPPERS or plain in _WRAPPERS or word.startswith("-") or "=" in word or word.replace(".", "").rstrip("smh").isdigit()
        if not skipped and (not before.startswith("-") or before == "-m"):
            return None
        before = word
    return None


def merge(tests: dict[str, TestStatus], test_id: str, status: TestStatus) -> None:
    """Put a status in, under an id that can be kept (no control characters, no bytes that are no UTF-8); of two for one id the worse stays."""
    test_id = text.clean(test_id.encode("utf-8", "backslashreplace").decode())
    old = tests.get(test_id)
    tests[test_id] = status if old is None or _WORST.index(status) > _WORST.index(old) else old
