"""Does what is kept still add up: rows in, findings out. Reads no file and mends nothing.

Codes: `digest_mismatch` (body), `unreadable` (row or file), `missing_row` (a gap, rows cut off at the end, a body gone without being forgotten), `chain_broken`
(a row changed, inserted, moved or doubled), `head_mismatch`, `head_missing`, `search_stale` (the search tables say other things than the records).
"""

from collections.abc import Iterable, Iterator

from ruledout import digest as digests
from ruledout.errors import RuledoutError
from ruledout.model import wire
from ruledout.ports import AuditFinding, Indexed
from ruledout.store import chain, naming


def findings(rows: Iterable[tuple[chain.Row, Indexed | None]], head: bytes | None) -> Iterator[AuditFinding]:
    """Walk all rows in the order of their numbers, each with what the search tables hold for it. `head` are the bytes of the file beside, or None."""
    expected = chain.from_bytes(head) if head is not None else None
    last = chain.Head(0, chain.START)
    at_head: str | None = chain.START if expected and expected.seq == 0 else None
    bare: dict[int, str] = {}
    seen: dict[str, int] = {}
    forgotten: set[str] = set()
    for row, held in rows:
        yield from _of_order(row, last, seen)
        yield from _of_row(row, held, last.chain)
        if row.kind == "forget":
            forgotten.add(row.digest)
        elif row.body is None:
            bare[row.seq] = row.digest
        last = chain.Head(row.seq, row.chain)
        at_head = row.chain if expected and row.seq == expected.seq else at_head
    yield from (
        _finding(seq, "missing_row", f"the body of {digest} is gone, and nothing says that it was forgotten")
        for seq, digest in bare.items()
        if digest not in forgotten
    )
    yield from _of_head(head, expected, at_head, last)


def _of_order(row: chain.Row, last: chain.Head, seen: dict[str, int]) -> Iterator[AuditFinding]:
    if row.seq > last.seq + 1:
        gap = str(last.seq + 1) if row.seq == last.seq + 2 else f"{last.seq + 1}..{row.seq - 1}"
        yield AuditFinding(row=gap, code="missing_row", message=f"no row between {last.seq} and {row.seq}")
    elif row.seq < 1:
        yield _finding(row.seq, "chain_broken", "rows count from 1")
    name = f"{row.kind} {row.digest}"
    if name in seen:
        yield _finding(row.seq, "chain_broken", f"the same as row {seen[name]}: {name}")
    seen[name] = row.seq


def _of_row(row: chain.Row, held: Indexed | None, before: str) -> Iterator[AuditFinding]:
    if row.chain != chain.link(before, row.seq, row.kind, row.digest, row.leaf):
        yield _finding(row.seq, "chain_broken", "it does not follow from the row before it")
    if (row.salt is None) != (row.at is None) or (row.salt is None and (row.kind == "forget" or row.body is not None)):
        yield _finding(row.seq, "chain_broken", "its time or salt is gone")
    elif row.salt is not None and row.leaf != chain.leaf(row.at, row.branch, row.salt):
        yield _finding(row.seq, "chain_broken", "its time or branch is not the one it was kept with")
    if row.body is None:
        if held is not None:
            yield _finding(row.seq, "search_stale", "the search tables hold words of a row that has no body")
        return
    if digests.of_bytes("record", row.body) != row.digest:
        yield _finding(row.seq, "digest_mismatch", f"its bytes are not those of {row.digest}")
        return
    try:
        wanted = naming.indexed(wire.kept(row.digest, row.body))
    except RuledoutError as error:
        yield _finding(row.seq, "unreadable", error.message)
        return
    if held != wanted:
        yield _finding(row.seq, "search_stale", "the search tables say other things than the record; rebuild them")


def _of_head(data: bytes | None, expected: chain.Head | None, at_head: str | None, last: chain.Head) -> Iterator[AuditFinding]:
    if data is None:
        if last.seq:
            yield AuditFinding(row="head", code="head_missing", message="the file beside the database that names its last row is gone")
    elif expected is None:
        yield AuditFinding(row="head", code="head_mismatch", message="the file beside the database is not a head")
    elif expected.seq > last.seq:
        gap = str(expected.seq) if expected.seq == last.seq + 1 else f"{last.seq + 1}..{expected.seq}"
        yield AuditFinding(row=gap, code="missing_row", message=f"the head says row {expected.seq} was written; the last one here is {last.seq}")
    elif at_head != expected.chain:
        yield _finding(expected.seq, "head_mismatch", "it is not the row that the head names")


def _finding(seq: int, code: str, message: str) -> AuditFinding:
    return AuditFinding(row=str(seq), code=code, message=message)
