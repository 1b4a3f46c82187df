"""What a session is remembered by between its hooks: a small file in the user's state folder, capped, gone after seven days."""

# ruff: noqa: PTH107, PTH110, PTH118, PTH204, PTH208  # pathlib would cost a hook its start-up

import os

from ruledout.act import place
from ruledout.digest import short
from ruledout.errors import BadInput
from ruledout.plainjson import dumps, loads

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST = 64_000
_DAYS = 7 * 86_400
_LISTS = ("said", "seen", "other", "files", "made", "passed", "words")
_TABLES = ("states", "fails", "held", "pending")


class Memory:
    """Lists and tables of a session.

    `said`: items told of; `seen`: hunks made of known dead ends; `other`: files with hunks that are of none; `files`, `made`: what the session edited;
    `states`: states of these files that failed; `fails`: commands that failed; `held`: what is said right after; `passed`: acts stopped once;
    `pending`: what was said last.
    """

    def __init__(self, folder: str, session: str) -> None:
        """Load it; a file that cannot be read is an empty memory."""
        self.folder = os.path.join(folder, "sessions")
        self.path = os.path.join(self.folder, f"{short(session.encode('utf-8', 'replace'))}.json")
        given = _loaded(self.path)
        self.lists = {name: _texts(given.get(name)) for name in _LISTS}
        self.tables = {name: _table(given.get(name)) for name in _TABLES}
        offset = given.get("offset")
        self.offset = offset if isinstance(offset, int) else 0
        self._before = self._text()

    def add(self, name: str, *values: str) -> None:
        """Put values behind a list, once each, the oldest leaving beyond 300."""
        kept = [one for one in self.lists[name] if one not in values]
        self.lists[name] = [*kept, *values][-300:]

    def save(self, now: float) -> None:
        """Keep what changed, and let go of what is older than seven days. Raises `OSError`."""
        text = self._text()
        if text == self._before or len(text) > _MOST:
            return
        fresh = not os.path.exists(self.path)
        place.write(self.path, text.encode("utf-8", "replace"))
        self._listen(self.lists["words"])
        if fresh:
            self._prune(now)

    def _listen(self, words: "Iterable[str]") -> None:
        """Put this session's words where the front looks for them."""
        path = f"{os.path.dirname(self.folder)}/live.words"  # noqa: PTH120  # as above
        held = place.read(path, _MOST) or b""
        new = [word for word in words if f"\n{word}\n".encode("utf-8", "replace") not in b"\n" + held]
        if new:
            place.write(path, held[-_MOST // 2 :].partition(b"\n")[2] * (len(held) > _MOST // 2) + held * (len(held) <= _MOST // 2) + _lines(new))

    def _prune(self, now: float) -> None:
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            if now - os.path.getmtime(path) > _DAYS:
                os.remove(path)

    def _text(self) -> str:
        return dumps({**self.lists, **self.tables, "offset": self.offset})


def _lines(words: "Iterable[str]") -> bytes:
    return "".join(f"{word}\n" for word in words).encode("utf-8", "replace")


def _loaded(path: str) -> "dict[str, object]":
    try:
        value = loads((place.read(path, 4 * _MOST) or b"{}").decode("utf-8", "replace"))
    except BadInput:
        return {}
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> "list[str]":
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _table(value: object) -> "dict[str, str]":
    return {key: one for key, one in value.items() if isinstance(one, str)} if isinstance(value, dict) else {}
