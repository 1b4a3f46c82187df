"""`cargo test`, by its text: the stable toolchain has no machine format."""

import re
from collections.abc import Sequence
from pathlib import Path

from ruledout.model.gate import ReportSource, TestStatus
from ruledout.prove.report import Prepared, Report, locate, merge

NAME = "cargo"
_LINE = re.compile(r"^test (?P<id>.+?)(?: - should panic)? \.\.\. (?P<status>ok|FAILED|ignored)\b")
_TARGET = re.compile(r"^\s+(?:Running|Doc-tests) (?:unittests )?(?P<name>\S+)")
_STATUS = {"ok": TestStatus.PASSED, "FAILED": TestStatus.FAILED, "ignored": TestStatus.SKIPPED}


def claims(argv: Sequence[str]) -> bool:
    """`cargo test`, also with a toolchain (`cargo +nightly test`)."""
    index = locate(argv, frozenset(("cargo",)))
    return index is not None and "test" in [word for word in argv[index + 1 : index + 3] if not word.startswith(("+", "-"))][:1]


def prepare(argv: Sequence[str], out: Path) -> Prepared:
    """As it is."""
    del out
    return Prepared(argv=tuple(argv), env={})


def read(out: Path, output: str, exit_status: int | None) -> Report | None:
    """Ids are `target::path::to::test`, where the target is the file that cargo names (`src/lib.rs`, `tests/it.rs`)."""
    del out, exit_status
    tests: dict[str, TestStatus] = {}
    target = ""
    for line in output.splitlines():
        head = _TARGET.match(line)
        if head is not None:
            target = head["name"]
            continue
        found = _LINE.match(line)
        if found is not None:
            merge(tests, f"{target}::{found['id']}" if target else found["id"], _STATUS[found["status"]])
    unbuilt = ("",) if "could not compile" in output else ()
    if not tests and not unbuilt and "test result:" not in output:
        return None
    return Report(tests=tests, source=ReportSource.TEXT if tests else ReportSource.NONE, complete="test result:" in output, unbuilt=unbuilt)
