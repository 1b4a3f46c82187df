"""Exact keys of acts: what an edit or a command is recognised by when it is made again."""

import hashlib
from collections.abc import Sequence


def edit(path: str, removed: Sequence[str], added: Sequence[str]) -> str:
    """`e1:<32 hex>` of one hunk in one file."""
    parts = [path, *removed, "\0", *added]
    return "e1:" + hashlib.sha256("\n".join(f"{len(p)}:{p}" for p in parts).encode("utf-8", "replace")).hexdigest()[:32]


def command(command: str) -> str:
    """`c1:<32 hex>` of a command."""
    return "c1:" + hashlib.sha256(" ".join(command.split()).encode("utf-8", "replace")).hexdigest()[:32]
