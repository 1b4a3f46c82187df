"""The tree of a session's lines, and which branch of it lived. Knows ids and parents; no texts."""

from collections.abc import Iterable


class Tree:
    """Lines by uuid. `add` in file order; a line whose parent is not in the file hangs on the line before it."""

    def __init__(self) -> None:
        """Start empty."""
        self._parent: dict[str, str | None] = {}
        self._last: str | None = None
        self._leaf: str | None = None
        self._follows: dict[str, str] = {}

    def __contains__(self, uuid: str) -> bool:
        """Has this line been read."""
        return uuid in self._parent

    def add(self, uuid: str, parent: str | None, *, turn: bool) -> None:
        """Put a line in. Only turns can be the leaf at which the living branch ends."""
        self._parent[uuid] = parent
        if self._last is not None:
            self._follows[uuid] = self._last
        self._last = uuid
        if turn:
            self._leaf = uuid

    def parent(self, uuid: str) -> str | None:
        """The line on which this one hangs. A first line, or one whose parent was cut off, hangs on the one before it in the file."""
        parent = self._parent.get(uuid)
        return parent if parent is not None and parent in self._parent else self._follows.get(uuid)

    def path(self) -> set[str]:
        """The ancestors of the last turn, and itself."""
        path: set[str] = set()
        at = self._leaf
        while at is not None and at not in path:
            path.add(at)
            at = self.parent(at)
        return path

    def live(self, joined: Iterable[tuple[str, str]]) -> set[str]:
        """The lines of the branch that lived.

        `joined` pairs lines that belong together wherever they hang: a result with its call, the blocks of one message. Parallel calls stand as
        siblings, so that only one of them is an ancestor of what follows; each lives when one of its like does.
        """
        live = self.path()
        beside: dict[str, list[str]] = {}
        for one, other in joined:
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
        waiting = list(live)
        while waiting:
            for near in beside.get(waiting.pop(), ()):
                if near not in live:
                    live.add(near)
                    waiting.append(near)
        return live
