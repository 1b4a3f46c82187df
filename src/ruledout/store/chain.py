"""The chain of rows and the head that is kept outside: what makes a changed, missing, added or moved row show.

Every row has a leaf over its fields, salted so that a forgotten branch name cannot be guessed from it, and a chain value over the leaf and the row before.
The head (last row and its chain value) stands in a small file beside the database, so that rows cut off at the end show as well. No secret is involved: whoever
can write both files can forge both. How and why: docs/decisions/0041-chain-and-head.md.
"""

import hashlib
import json

from msgspec import Struct

START = "0" * 64


class Row(Struct, frozen=True, kw_only=True):
    """A row as it stands in `records`. A forgotten one has lost body, time, branch and salt."""

    seq: int
    kind: str
    digest: str
    body: bytes | None
    at: str | None
    branch: str | None
    salt: bytes | None
    leaf: str
    chain: str


class Head(Struct, frozen=True):
    """The last row and its chain value, and the same of the standings, which are a chain of their own."""

    seq: int
    chain: str
    stood: int = 0
    stands: str = START


def leaf(at: str | None, branch: str | None, salt: bytes) -> str:
    """64 hex digits over what is forgotten with a record."""
    return _hash(salt, (at or "").encode(), b"" if branch is None else b"+" + branch.encode())


def link(before: str, seq: int, kind: str, digest: str, leaf: str) -> str:
    """64 hex digits over the row before and what of this row stays for good."""
    return _hash(before.encode(), str(seq).encode(), kind.encode(), digest.encode(), leaf.encode())


def to_bytes(head: Head) -> bytes:
    """One JSON line."""
    return (json.dumps({"seq": head.seq, "chain": head.chain, "stood": head.stood, "stands": head.stands}) + "\n").encode()


def from_bytes(data: bytes) -> Head | None:
    """The head, or None when these bytes are none."""
    try:
        found = json.loads(data)
        seq, chain = found["seq"], found["chain"]
        stood, stands = found.get("stood", 0), found.get("stands", START)  # a file of the first schema has no standings
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return Head(seq, chain, stood, stands) if type(seq) is type(stood) is int and isinstance(chain, str) and isinstance(stands, str) else None


def _hash(*parts: bytes) -> str:
    """SHA-256 over parts, each with its length before it, so that no two rows share an encoding."""
    return hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()
