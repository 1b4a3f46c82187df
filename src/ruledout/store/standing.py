"""A standing as it is kept: what a re-check or a replay found about a record, under a chain of its own. Reads no file.

A row is written once behind the others. Its body (what was found, when, on what evidence) is under a salted leaf, as a record's time and branch are, so that it
can be forgotten with the record and nothing be guessed from what stays. Codes of findings are those of `auditing`.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from ruledout import digest
from ruledout.errors import BadInput, CannotRun
from ruledout.model.record import Replayed, Standing
from ruledout.ports import AuditFinding, NewStanding, Stood
from ruledout.store import chain, naming

MOST_EVIDENCE = 2000
"""characters"""
_FINDINGS = frozenset((*Standing, *Replayed))


class Row(Struct, frozen=True):
    """A row of `standings`, in the order of its columns. A forgotten one has lost body and salt."""

    seq: int
    digest: str
    body: bytes | None
    salt: bytes | None
    leaf: str
    chain: str


class _Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    at: str
    branch: str | None
    finding: str
    evidence: str
    inputs: str


def checked(new: NewStanding) -> NewStanding:
    """The standing, or `BadInput` (`bad-standing`) for one that no store could hold or that says nothing known."""
    if new.finding not in _FINDINGS:
        raise BadInput("bad-standing", f"{new.finding!a} is no finding of a re-check or a replay", f"give one of {', '.join(sorted(_FINDINGS))}")
    for text in (new.branch or "", new.evidence, new.inputs):
        if "\0" in text or naming.bindable(text) != text or len(text) > MOST_EVIDENCE:
            raise BadInput(
                "bad-standing", f"the text {text[:40]!a} is too long, or holds a NUL or a lone surrogate", f"give at most {MOST_EVIDENCE} characters"
            )
    return new


def body(new: NewStanding, at: str) -> bytes:
    """Canonical bytes of what was found."""
    return digest.canonical({"at": at, "branch": new.branch, "finding": new.finding, "evidence": new.evidence, "inputs": new.inputs})


def row(before: chain.Head, new: NewStanding, data: bytes, salt: bytes) -> Row:
    """The next row behind `before.stood`. `new.digest` is whole."""
    leaf = _leaf(data, salt)
    return Row(before.stood + 1, new.digest, data, salt, leaf, chain.link(before.stands, before.stood + 1, "stand", new.digest, leaf))


def stood(path: str, found: Row) -> Stood | None:
    """The standing, its leaf derived again; None for a forgotten one. Raises `CannotRun` for one that was changed."""
    if found.body is None or found.salt is None:
        return None
    if _leaf(found.body, found.salt) != found.leaf:
        raise CannotRun("damaged-record", f"{path}: standing {found.seq} is not as it was kept", "see `ruledout audit`, and restore the file from a copy")
    told = _told(found.body)
    if told is None:
        raise CannotRun("unreadable-record", f"{path}: standing {found.seq} cannot be read", "see `ruledout audit`")
    return Stood(seq=found.seq, digest=found.digest, branch=told.branch, finding=told.finding, at=told.at, evidence=told.evidence, inputs=told.inputs)


def findings(rows: Iterable[Row], forgotten: frozenset[str], head: bytes | None) -> Iterator[AuditFinding]:
    """What does not add up in the standings. `head` are the bytes of the file beside, or None."""
    last = chain.Head(0, chain.START)
    expected = chain.from_bytes(head) if head is not None else None
    at_head = chain.START if expected is None or expected.stood == 0 else None
    for one in rows:
        if one.seq != last.stood + 1:
            yield _finding(last.stood + 1, "missing_row", f"standing {last.stood + 1} is not there")
        if one.chain != chain.link(last.stands, one.seq, "stand", one.digest, one.leaf):
            yield _finding(one.seq, "chain_broken", "it does not follow from the standing before it")
        yield from _of_body(one, forgotten)
        last = chain.Head(0, chain.START, one.seq, one.chain)
        at_head = one.chain if expected and one.seq == expected.stood else at_head
    if expected and expected.stood > last.stood:
        yield _finding(expected.stood, "missing_row", f"the head says standing {expected.stood} was written; the last one here is {last.stood}")
    elif expected and expected.stood and at_head != expected.stands:
        yield _finding(expected.stood, "head_mismatch", "it is not the standing that the head names")


def _of_body(one: Row, forgotten: frozenset[str]) -> Iterator[AuditFinding]:
    if one.body is None or one.salt is None:
        if one.digest not in forgotten or one.body is not None or one.salt is not None:
            yield _finding(one.seq, "missing_row", f"what was found about {one.digest} is gone, and nothing says that it was forgotten")
    elif _leaf(one.body, one.salt) != one.leaf:
        yield _finding(one.seq, "digest_mismatch", "its bytes are not those it was kept with")
    elif _told(one.body) is None:
        yield _finding(one.seq, "unreadable", "it is no standing")


def _told(data: bytes) -> _Body | None:
    try:
        return msgspec.json.decode(data, type=_Body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _leaf(data: bytes, salt: bytes) -> str:
    return chain.leaf(None, data.decode("utf-8", "replace"), salt)


def _finding(seq: int, code: str, message: str) -> AuditFinding:
    return AuditFinding(row=f"standing {seq}", code=code, message=message)
