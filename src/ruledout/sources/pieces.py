"""OpenCode's sessions as versions before 1.2 kept them, in pieces: one file a session, a message, a part; put together in the form of its own export.

`storage/session/PROJECT/SESSION.json`, `storage/message/SESSION/*.json`, `storage/part/MESSAGE/*.json`. Ids grow with time, and so file names set the order. A
piece that is torn or gone is left out, as a live session's last may be.
"""

import os
from collections.abc import Iterator

import msgspec

from ruledout.errors import BadInput
from ruledout.sources import files

# ruff: noqa: PTH114, PTH116, PTH118, PTH119, PTH120  # paths of others may hold bytes that are no text; os keeps them as they are


def read(path: str, limit: int | None = None) -> bytes:
    """The session of this session file as one export document; whole messages up to about `limit` bytes. Raises `BadInput` as `files.read` does."""
    info = files.read(path)
    messages: list[bytes] = []
    left = (files.MOST if limit is None else limit) - len(info)
    for message in _pieces(_folder(path, "message", _stem(path))):
        if left <= 0:
            break
        parts = [part for place in _pieces(_folder(path, "part", _stem(message))) if (part := _whole(place))]
        if said := _whole(message):
            messages.append(b'{"info":' + said + b',"parts":[' + b",".join(parts) + b"]}")
            left -= len(messages[-1])
    return b'{"info":' + info + b',"messages":[' + b",".join(messages) + b"]}"


def facts(path: str) -> tuple[int, float]:
    """Bytes and latest time of change of all files of a session."""
    size, modified = 0, 0.0
    for place in _all(path):
        fact = os.stat(place, follow_symlinks=False)
        size, modified = size + fact.st_size, max(modified, fact.st_mtime)
    return size, modified


def _all(path: str) -> Iterator[str]:
    yield path
    for message in _pieces(_folder(path, "message", _stem(path))):
        yield message
        yield from _pieces(_folder(path, "part", _stem(message)))


def _folder(path: str, kind: str, name: str) -> str:
    """The folder of a session's messages or a message's parts. Names are of files that lie there, so that none leads out of the storage."""
    storage = os.path.dirname(os.path.dirname(os.path.dirname(path)))
    return os.path.join(storage, kind, name)


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".json")


def _pieces(folder: str) -> list[str]:
    """The pieces of a folder by name: regular files; no link is followed, neither of a piece nor of the folder."""
    if os.path.islink(folder):
        return []
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False))
    except OSError:
        return []


def _whole(path: str) -> bytes | None:
    """A piece that is a JSON document, on one line; None for one that is torn, gone or no file."""
    try:
        raw = files.read(path)
        msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (BadInput, msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    return raw.strip()
