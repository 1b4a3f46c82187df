"""The one door by which other programs' session files are read: regular files only, nothing followed, nothing waited for, never more than whole records.

A live session is read as far as its last whole record; one that is replaced while it is read is read again.
"""

import os
import stat

import msgspec

from ruledout.errors import BadInput
from ruledout.sources.walk import printable

MOST = 512 * 1024 * 1024
"""Bytes beyond which a session is passed over."""
_TRIES = 3
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_MEND = "name another session, or read this one with `ruledout inspect FILE`"


def read(path: str, limit: int | None = None) -> bytes:
    """A session file's bytes up to its last whole record, at most `limit` of them.

    Raises `BadInput`: `not-a-file` for a link, FIFO, socket or device, `unreadable`, `too-big`, `changing` for one that is rewritten again and again.
    """
    for _ in range(_TRIES):
        raw, same = _once(path, limit)
        if same:
            return whole(raw) if path.endswith(".jsonl") else raw
    raise BadInput("changing", f"{printable(path)} is rewritten faster than it can be read", "try again when the session rests")


def folder(path: str, names: tuple[str, ...], limit: int | None = None) -> bytes:
    """The event files of a folder as one event a line, in the order given; one that is torn or gone is left out, as a live session's last may be."""
    parts: list[bytes] = []
    size = 0
    for name in names:
        try:
            part = read(os.path.join(path, name))  # noqa: PTH118  # paths of others may hold bytes that are no text; os keeps them as they are
        except BadInput:
            continue
        parts.append(part.replace(b"\r\n", b" ").replace(b"\n", b" "))
        size += len(part)
        if size >= (limit or MOST):
            break
    return b"\n".join(parts)


def whole(raw: bytes) -> bytes:
    """Lines of records without a last one that is still being written."""
    if raw.endswith(b"\n"):
        return raw
    end = raw.rfind(b"\n") + 1
    try:
        msgspec.json.decode(raw[end:])
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return raw[:end] if end else raw
    return raw


def _once(path: str, limit: int | None) -> tuple[bytes, bool]:
    """The bytes that the file has now, and whether it stayed the same file: grown is the same, shorter or replaced is not."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise BadInput("not-a-file", f"{printable(path)} is no regular file", _MEND)
        if before.st_size > MOST:
            raise BadInput("too-big", f"{printable(path)} has {before.st_size} bytes", f"sessions beyond {MOST} bytes are passed over; {_MEND}")
        raw = _bytes(descriptor, before.st_size if limit is None else min(limit, before.st_size))
        now, there = os.fstat(descriptor), os.stat(path, follow_symlinks=False)  # noqa: PTH116  # the same
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(descriptor)
    return raw, now.st_size >= before.st_size and there.st_ino == now.st_ino  # the device is left out: on Windows the two calls may tell it differently


def _bytes(descriptor: int, size: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read(size)


def _unreadable(path: str, error: OSError) -> BadInput:
    link = getattr(error, "errno", None) in {40, 62}  # ELOOP of Linux and of macOS: a symbolic link where none is followed
    if link:
        return BadInput("not-a-file", f"{printable(path)} is a symbolic link", _MEND)
    return BadInput("unreadable", f"{printable(path)} cannot be read: {error.strerror or error}", "check that it is still there, and its permissions")
