"""The hot index: a flat file of exact keys and what is said of each, so that a hook needs no database (R15). This room reads its text; `recall.heat` makes it.

The same verdicts as `recall.match`, for edits, commands and failures; what proved right somewhere is never held against anyone (R4). Lines, sorted, fields
parted by tabs: `k` key and item, `s` a key that proved right, `i` item and its JSON, `f` file and item, `g` file and a guard, `h` branch and a handoff.
Touches no file; a line that cannot be read is passed over.
"""

from ruledout.errors import BadInput
from ruledout.plainjson import dumps, loads

TYPE_CHECKING = False  # the checker takes this name for true; `typing` and `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

VERSION = "ruledout-hot 1"
MOST_OF_FILE = 200
RULED_OUT, REOPENED, NEAR = "ruled_out", "reopened", "near"
EDIT, COMMAND, SIGNATURE, PART = "edit", "command", "signature", "part"


class Item:
    """A dead end, or with `branch` empty a record's own failure. `said` and `moved` are ready blocks: as it was, and since the commit is another."""

    __slots__ = ("branch", "commit", "edits", "files", "grade", "id", "judged", "moved", "own", "prints", "record", "said", "standing")

    def __init__(self, given: "dict[str, object]") -> None:
        """Take what `recall.heat` wrote; anything that is missing or of another type is empty."""
        self.id = _text(given, "id")
        self.record = _text(given, "record")
        self.branch = _text(given, "branch")
        self.grade = _text(given, "grade")
        self.commit = _text(given, "commit")
        self.standing = _text(given, "standing")
        self.said = _text(given, "said")
        self.moved = _text(given, "moved")
        self.prints = frozenset(_texts(given, "prints"))
        self.judged = frozenset(_texts(given, "judged"))
        self.own = frozenset(_texts(given, "own"))
        self.files = _texts(given, "files")
        self.edits = given.get("edits")

    @property
    def made(self) -> "frozenset[str]":
        """The fingerprints of its edits."""
        return frozenset(one for one in self.prints if not one.startswith("c"))


class Guarded:
    """Lines that were proved, or are claimed, to be needed, and what is said when they go."""

    __slots__ = ("id", "lines", "path", "said")

    def __init__(self, given: "dict[str, object]") -> None:
        """Take what `recall.heat` wrote."""
        self.id = _text(given, "id")
        self.path = _text(given, "path")
        self.said = _text(given, "said")
        self.lines = _texts(given, "lines")


class Hit:
    """An item that bears on the act: how strongly, and by what."""

    __slots__ = ("item", "level", "verdict")

    def __init__(self, verdict: str, level: str, item: Item) -> None:
        """Put the three together."""
        self.verdict, self.level, self.item = verdict, level, item


class Hot:
    """An index as read. Bytes that are none, or of another version, hold nothing."""

    def __init__(self, data: bytes) -> None:
        """Keep the bytes; they are searched, never taken apart whole."""
        self._data = data if data.startswith(VERSION.encode()) else b""
        self._body = self._data.find(b"\n") + 1

    def items(self, key: str) -> "list[Item]":
        """The items with this exact key."""
        return [item for name in self._under("k", key) if (item := self._item(name))]

    def of_file(self, path: str) -> "list[Item]":
        """The items that changed this file."""
        return [item for name in self._few("f", path) if (item := self._item(name))]

    def proved(self, key: str) -> bool:
        """Did this edit or command prove right somewhere (R4)."""
        return next(self._under("s", key), None) is not None

    def guards(self, path: str) -> "list[Guarded]":
        """What guards lines of this file."""
        return [Guarded(given) for row in self._few("g", path) if isinstance(given := _json(row), dict)]

    def handoff(self, branch: str) -> str:
        """What is said at a session's start on this branch; empty when nothing stands open."""
        given = next((_json(row) for row in self._under("h", dumps(branch))), None)
        return _text(given, "said") if isinstance(given, dict) else ""

    def _item(self, name: str) -> "Item | None":
        given = next((_json(row) for row in self._under("i", name)), None)
        return Item(given) if isinstance(given, dict) else None

    def _few(self, kind: str, path: str) -> "list[str]":
        """The rows of a file, of which one may have very many: as many as can be read in a few milliseconds."""
        return [row for row, _ in zip(self._under(kind, dumps(path)), range(MOST_OF_FILE), strict=False)]

    def _under(self, kind: str, value: str) -> "Iterator[str]":
        start = f"{kind}\t{value}\t".encode("utf-8", "surrogatepass")
        at = self._place(start)
        while self._data.startswith(start, at):
            end = self._data.find(b"\n", at)
            end = end if end >= 0 else len(self._data)
            yield self._data[at + len(start) : end].decode("utf-8", "replace")
            at = end + 1

    def _place(self, start: bytes) -> int:
        """Where the first line stands that is not before `start`: the lines are sorted."""
        low, high = self._body, len(self._data)
        while low < high:
            middle = (low + high) // 2
            line = max(low, self._data.rfind(b"\n", low, middle) + 1)
            if self._data[line : line + len(start)] < start:
                end = self._data.find(b"\n", middle)
                low = end + 1 if end >= 0 else high
            else:
                high = line
        return low


def edits(hot: Hot, pieces: "Sequence[frozenset[str]]", now: str = "") -> "list[Hit]":
    """What bears on an edit: each piece holds the fingerprints that it may be known by. `now` is the commit that is checked out.

    Ruled out only when the pieces are the dead end, no hunk more and none less; else a part of it.
    """
    made = frozenset().union(*pieces)
    found: dict[str, Hit] = {}
    for key in made:
        for item in () if hot.proved(key) else hot.items(key):
            same = item.made <= made and all(piece & item.made for piece in pieces)
            _better(found, Hit(RULED_OUT, EDIT, item) if same else Hit(NEAR, PART, item), now)
    return list(found.values())


def command(hot: Hot, key: str, now: str = "") -> "list[Hit]":
    """What bears on a command by its fingerprint: dead ends that were a command and no edit."""
    found: dict[str, Hit] = {}
    for item in () if hot.proved(key) else hot.items(key):
        if not item.made:
            _better(found, Hit(RULED_OUT, COMMAND, item), now)
    return list(found.values())


def failure(hot: Hot, signature: str, key: str = "", now: str = "") -> "list[Hit]":
    """What bears on a failure by its signature, after the command with this fingerprint. Items without a branch are not asked here."""
    found: dict[str, Hit] = {}
    for item in hot.items(signature):
        if item.branch:
            same = bool(key) and signature not in item.own and (key in item.prints or key in item.judged)
            _better(found, Hit(RULED_OUT if same else NEAR, SIGNATURE, item), now)
    return list(found.values())


def differs(commit: str, now: str) -> bool:
    """Are these two commits, whole or cut short, known and not the same (R10)."""
    return bool(commit and now) and not (commit.startswith(now) or now.startswith(commit))


def _better(found: "dict[str, Hit]", hit: Hit, now: str) -> None:
    if hit.verdict == RULED_OUT and (differs(hit.item.commit, now) or hit.item.standing):
        hit.verdict = REOPENED
    order = (RULED_OUT, REOPENED, NEAR)
    if hit.item.id not in found or order.index(hit.verdict) < order.index(found[hit.item.id].verdict):
        found[hit.item.id] = hit


def written(rows: "Iterable[str]", records: int) -> bytes:
    """The bytes of an index of these lines, from this many records."""
    body = b"\n".join(sorted({row.encode("utf-8", "surrogatepass") for row in rows}))
    return f"{VERSION}\t{records}\n".encode() + body + b"\n"


def counted(data: bytes) -> int:
    """How many records an index was made from; -1 for what is none."""
    head = data[:100].partition(b"\n")[0].decode("utf-8", "replace").split("\t")
    return int(head[1]) if len(head) == 2 and head[0] == VERSION and head[1].isdigit() else -1


def _json(row: str) -> object:
    try:
        return loads(row)
    except BadInput:
        return None


def _text(given: "dict[str, object]", key: str) -> str:
    value = given.get(key)
    return value if isinstance(value, str) else ""


def _texts(given: "dict[str, object]", key: str) -> "tuple[str, ...]":
    value = given.get(key)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
