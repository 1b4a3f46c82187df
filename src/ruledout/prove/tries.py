"""Runs of one gate on many trees that differ little: each tree once, several at a time, within a time budget. It starts runs and judges nothing."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ruledout.model.gate import Isolation
from ruledout.prove import pieces
from ruledout.prove.lab import Lab
from ruledout.prove.pieces import Part, Side
from ruledout.prove.reading import RED, Seen, State

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Spent(Exception):
    """There is no time left for another run."""


class Tries:
    """One gate, many trees. `deadline` is in `time.monotonic` seconds; `files` are the paths of the whole patch's tree.

    What a tree came to is kept: it belongs to that tree and this gate alone.
    """

    def __init__(self, lab: Lab, named: frozenset[str], deadline: float) -> None:
        """Nothing is run yet."""
        self.named = named
        self.files = frozenset(lab.patch.files)
        self.runs = 0
        self._lab = lab
        self._deadline = deadline
        self._known: dict[str, tuple[Seen, ...]] = {}
        self._lock = threading.Lock()

    def tree(self, known: Mapping[str, Side], out: Sequence[Part]) -> str | None:
        """The whole patch's tree without these parts; None where that breaks the syntax."""
        with self._lock:
            return pieces.tree(self._lab.repository, self._lab.patch, known, out)

    def twice(self, tree: str) -> tuple[Seen, ...]:
        """One run; where it is red a second one with another hash seed, so that chance is not taken for need. Raises `Spent`."""
        if tree not in self._known:
            seen = [self._run(tree, 0)]
            if seen[0].state in RED or seen[0].state is State.INFRA:
                seen.append(self._run(tree, 1))
            self._known[tree] = tuple(seen)
        return self._known[tree]

    def once(self, tree: str) -> Seen:
        """One run, or what is known of this tree. Raises `Spent`."""
        if tree not in self._known:
            self._known[tree] = (self._run(tree, 0),)
        return self._known[tree][0]

    def _run(self, tree: str, seed: int) -> Seen:
        if time.monotonic() >= self._deadline:
            raise Spent
        with self._lock:
            self.runs += 1
        return self._lab.run(tree, seed)

    def map(self, ask: Callable[[Asked], Answer], items: Sequence[Asked]) -> list[Answer]:
        """All answers, in order; as many at a time as there are cores. One by one where runs share a `/tmp`."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if self._lab.level.isolation is Isolation.WORK_TREE or cores < 2 or len(items) < 2:
            return [ask(item) for item in items]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(cores) as pool:
            return list(pool.map(ask, items))
