"""The test runners whose own reports are read. Adding one is a module and a line here."""

from collections.abc import Sequence

from ruledout.prove.report import Runner
from ruledout.prove.runners import cargo, golang, jest, node, pytest, text, unittest

RUNNERS: dict[str, Runner] = {module.NAME: module for module in (pytest, unittest, golang, cargo, jest, node)}


def pick(argv: Sequence[str]) -> Runner:
    """The runner that this argv calls; text is read where none claims it."""
    return next((runner for runner in RUNNERS.values() if runner.claims(argv)), text)
