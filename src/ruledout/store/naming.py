"""Between the rows of a store and the values of the program: digests as people shorten them, records as they are believed, errors as they are told.

Knows no driver: what it needs of SQLite is an error code and a text.
"""

import re
from collections.abc import Callable, Sequence

from ruledout import digest as digests
from ruledout.errors import BadInput, CannotRun
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.ports import Indexed, Key
from ruledout.store.chain import Row

_TAG = "r1:sha256:"
_HEX = re.compile(r"[0-9a-f]{6,64}")
_MOST_WORDS = 64
COMMON = 1000
"""A word that more records hold is common; its records are counted no further."""
MOST_RANKED = 4000
"""How many records one search ranks at most, the newest of those that match."""

_ERROR = 1


def _locked(path: str, message: str) -> CannotRun:
    return CannotRun("locked-store", f"{path}: {message}", "another process is writing: try again when it has finished; nothing was changed")


def _full(path: str, message: str) -> CannotRun:
    return CannotRun("disk-full", f"{path}: {message}", "free some space and try again; what was kept before is untouched")


def _damaged(path: str, message: str) -> CannotRun:
    return CannotRun("damaged-store", f"{path}: {message}", f"restore it from a copy, or move it and {path}.head away to start anew; nothing was changed")


def _not_writable(path: str, message: str) -> CannotRun:
    return CannotRun("not-writable", f"{path}: {message}", "make the file and its folder writable for this user")


def _disk(path: str, message: str) -> CannotRun:
    return CannotRun("disk-error", f"{path}: {message}", "see to the disk, then try again; what was kept before is untouched")


_REFUSALS: dict[int, Callable[[str, str], CannotRun]] = {
    3: _not_writable,  # SQLITE_PERM
    5: _locked,  # SQLITE_BUSY
    6: _locked,  # SQLITE_LOCKED
    8: _not_writable,  # SQLITE_READONLY
    10: _disk,  # SQLITE_IOERR
    11: _damaged,  # SQLITE_CORRUPT
    13: _full,  # SQLITE_FULL
    14: _not_writable,  # SQLITE_CANTOPEN
    26: _damaged,  # SQLITE_NOTADB
}


def keepable(record: Record, branch: str | None) -> None:
    """Raise `BadInput` for a record whose digest is not that of its bytes (R11), and for a branch name that not every store could hold."""
    if digests.of_bytes("record", record.body) != record.digest:
        raise BadInput("digest-mismatch", f"{record.digest} is not the digest of the record's bytes", "keep the record as `model.wire` made it")
    if branch is not None and ("\0" in branch or bindable(branch) != branch):
        raise BadInput("bad-branch", f"the branch name {branch!a} holds a NUL or a lone surrogate", "give the branch's name as git tells it")


def indexed(record: Record) -> Indexed:
    """What `recall` wants the record found under."""
    from ruledout.recall import index  # only writers pay for it

    return index.indexed(record)


def bounds(digest: str) -> tuple[str, str]:
    """The least digest that starts so, and one that is greater than all of them. Raises `BadInput` for what is no digest."""
    given = digest.strip().lower().removeprefix(_TAG)
    if not _HEX.fullmatch(given):
        raise BadInput("bad-digest", f"{digest[:80]!a} is no record's digest", "give at least six hex digits of it, as `ruledout list` shows them")
    return f"{_TAG}{given}", f"{_TAG}{given}g"


def sound(path: str, seq: int, digest: str, body: bytes) -> Record:
    """The record, once its digest is derived again: damaged bytes are never served. Raises `CannotRun`."""
    if digests.of_bytes("record", body) != digest:
        raise CannotRun("damaged-record", f"{path}: row {seq} does not hold what {digest} names", "see `ruledout audit`, and restore the file from a copy")
    try:
        return wire.kept(digest, body)
    except BadInput as error:
        raise CannotRun("unreadable-record", f"{path}: row {seq}: {error.message}", error.mend) from None


def row(values: Sequence[object]) -> Row:
    """A row of `records`, in the order of its columns."""
    names = ("seq", "kind", "digest", "body", "at", "branch", "salt", "leaf", "chain")
    return Row(**dict(zip(names, values, strict=True)))  # type: ignore[arg-type]  # the columns are STRICT


def held(titles: Sequence[str] | None, words: str | None, keys: Sequence[tuple[str, str, str]]) -> Indexed | None:
    """What the search tables hold for one row, in the shape that `recall` makes; None when it is nothing."""
    if titles is None and words is None and not keys:
        return None
    status, title, evidence = titles or ("", "", "")
    return Indexed(
        status=status, title=title, evidence=evidence, words=words or "", keys=tuple((Key(kind, value), branch or None) for kind, value, branch in keys)
    )


def text(data: bytes) -> str:
    """A text column, whatever its bytes have become."""
    return data.decode("utf-8", "replace")


def bindable(value: str) -> str:
    """The value with lone surrogates replaced: no store holds one, so none is found by one."""
    return value.encode("utf-8", "replace").decode()


def quoted(words: Sequence[str]) -> list[str]:
    """At most 64 distinct words as full-text phrases, so that none can be an operator."""
    plain = (bindable(word).replace("\0", "") for word in dict.fromkeys(words))
    return ['"' + word.replace('"', '""') + '"' for word in [word for word in plain if word.strip()][:_MOST_WORDS]]


def telling(counts: Sequence[tuple[int, str]]) -> str:
    """A full-text query for any of the rare phrases, rarest first while they come to few records, or for all when none is rare; empty when no record holds any.

    Given is how many records hold each. What most of them hold says nothing, and to rank them all by it is what would make a search slow.
    """
    held = sorted((count, phrase) for count, phrase in counts if count)
    taken: list[str] = []
    total = 0
    for count, phrase in held:
        if count > COMMON or total + count > MOST_RANKED:
            break
        taken.append(phrase)
        total += count
    return " OR ".join(taken or [phrase for _, phrase in held])


def unknown(digest: str, path: str) -> BadInput:
    """No record has this digest, or it was forgotten."""
    return BadInput("unknown-record", f"{path} holds no record {digest[:80]}", "see `ruledout list` for those it holds")


def ambiguous(digest: str) -> BadInput:
    """More than one record starts so."""
    return BadInput("ambiguous-record", f"more than one record starts with {digest[:80]}", "give more of its digits")


def half_forgotten(path: str, error: CannotRun) -> CannotRun:
    """The record is out of the tables, but the file could not be written anew."""
    return CannotRun(
        "half-forgotten", f"the record is gone from {path}, but copies of its words may be left in it: {error.message}", "run `ruledout forget` again"
    )


def refusal(path: str, message: str, code: int) -> CannotRun | None:
    """What an error of SQLite means to the user, or None for one that is a fault of this program."""
    told = _REFUSALS.get(code & 0xFF)
    if told:
        return told(path, message)
    if code & 0xFF == _ERROR and "no such table" in message:
        return _damaged(path, message)
    if code & 0xFF == _ERROR and "fts5" in message:
        return CannotRun("no-fts5", f"{path}: {message}", "use a Python whose SQLite has FTS5")
    return None
