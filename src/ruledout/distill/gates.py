"""The session's own gate, symptom and ending: which command failed before and passed after, which failure came first, how it all stood at the end."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ruledout.distill.seen import GateSeen, PlacedEdit, SeenRun
from ruledout.distill.segment import is_product
from ruledout.model.outcome import Result, Signal
from ruledout.model.residual import Symptom

_PLUMBING = re.compile(
    r"^\s*cd\s+\S+\s*(?:&&|;)|\s*\|\s*(?:tail|head)\b(?:\s+[-+]?\w+(?![\w>]))*|\s*2>&1|[;&|]+\s*$|^\s*timeout\s+\S+\s+|;\s*echo\s+\S*\$\?\S*\s*$"
)


@lru_cache(maxsize=512)  # asked again and again about the same few
def bare(command: str) -> str:
    """A command without what changes nothing about it as a gate: `cd x &&` in front, `2>&1`, `| tail`, `timeout 60`, runs of white space."""
    before = ""
    while command != before:
        before, command = command, _PLUMBING.sub("", command)
    return " ".join(command.split())


def symptom(runs: Sequence[SeenRun], edits: Sequence[PlacedEdit]) -> Symptom | None:
    """The first failure with something to say about the code, if it came before any change of the product: what the session set out to cure."""
    first = next((edit.place for edit in edits if is_product(edit.edit)), None)
    for run in runs:
        if first is not None and run.place > first:
            return None
        if run.failed and run.outcome.signal is not Signal.NO:
            return Symptom(ref=run.run.ref, command=run.run.command, signature=run.outcome.signature)
    return None


_TESTS = re.compile(r"test|spec|check\b|nose|jest|mocha", re.IGNORECASE)


def is_test(run: SeenRun) -> bool:
    """Did this run test something, rather than build, lint or type-check it."""
    return bool(run.outcome.counts or run.outcome.failing or _TESTS.search(bare(run.run.command)))


def gate_seen(runs: Sequence[SeenRun], edits: Sequence[PlacedEdit]) -> GateSeen | None:
    """The command that the session shows red, then, after an edit, green.

    Of several: one that was red before any change of the product, else one that tests rather than builds or lints, else one that was run twice as
    often, else the earliest.
    """
    groups: dict[str, list[SeenRun]] = {}
    for run in runs:
        groups.setdefault(bare(run.run.command), []).append(run)
    found = [(len(group).bit_length(), pair) for group in groups.values() if (pair := _turned(group, edits)) is not None]
    first = next((edit.place for edit in edits if is_product(edit.edit)), -1)
    best = min(found, key=lambda item: (item[1].red.place > first, not is_test(item[1].red), -item[0], item[1].red.place), default=None)
    return best[1] if best else None


def _turned(group: Sequence[SeenRun], edits: Sequence[PlacedEdit]) -> GateSeen | None:
    """The first red and the last green of one command, if an edit lies between and nothing red came after."""
    decided = [run for run in group if run.decided]
    red = next((run for run in decided if run.failed), None)
    if red is None or not decided or decided[-1].failed:
        return None
    green = next(run for run in decided if run.place > red.place and not any(other.failed for other in decided if other.place >= run.place))
    if not any(red.place <= edit.place <= green.place for edit in edits):
        return None
    return GateSeen(command=red.run.command, red=red, green=green)


def ending(runs: Sequence[SeenRun], gate: GateSeen | None) -> str:
    """`resolved` when the last run that decided passed: an observed, external pass, not anybody's word."""
    decided = [run for run in runs if run.outcome.result in (Result.PASS, Result.FAIL)]
    if not decided:
        return "unresolved"
    if not decided[-1].failed:
        return "resolved"
    if gate is not None and bare(decided[-1].run.command) != bare(gate.command) and gate.green.place > decided[-1].place:
        return "resolved"
    return "unresolved"
