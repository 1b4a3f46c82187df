"""The handoff that stands open, as a brief for the next agent: quoted, capped, no instruction of ours in it (R13)."""

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.record import Record
from ruledout.model.residual import UnresolvedHandoff
from ruledout.ports import Store
from ruledout.recall.handoff import handoff_brief

LEAST_TOKENS = 100


class HandedOff(Struct, frozen=True, kw_only=True):
    """A handoff's record, and its brief."""

    record: Record
    brief: str


def hand_off(store: Store, digest: str | None, branch: str | None, tokens: int) -> HandedOff | None:
    """The handoff with this digest, else the newest of this branch, else the newest at all; None where nothing stands open.

    A handoff that a later residual of the same session resolved does not stand open. Raises `BadInput` for a record that is no handoff, and for fewer
    tokens than hold anything worth reading.
    """
    if tokens < LEAST_TOKENS:
        raise BadInput("too-few-tokens", f"{tokens} tokens hold no handoff", f"give at least {LEAST_TOKENS} with --tokens")
    record = store.get(digest) if digest else _standing(store, branch)
    if record is None:
        return None
    if not isinstance(record.outcome, UnresolvedHandoff):
        raise BadInput("no-handoff", f"{record.digest} is resolved, no handoff", "show it with `ruledout show`")
    return HandedOff(record=record, brief=handoff_brief(record.outcome, tokens))


def _standing(store: Store, branch: str | None) -> Record | None:
    """The newest open handoff; one of this branch goes before any other."""
    resolved: set[str] = set()
    first: Record | None = None
    for kept in store.listed():
        record = store.get(kept.digest)
        session = record.outcome.provenance.session or record.outcome.provenance.session_digest
        if not isinstance(record.outcome, UnresolvedHandoff):
            resolved.add(session)
        elif session not in resolved:
            if branch is None or kept.branch == branch:
                return record
            first = first or record
    return first
