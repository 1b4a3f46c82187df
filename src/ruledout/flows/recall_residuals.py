"""Which residuals bear on a failure, a file or a question. Runs nothing, writes nothing (R12)."""

from msgspec import UNSET, Struct, UnsetType

from ruledout.flows.check_action import read
from ruledout.observe.outcome import observe
from ruledout.ports import Store
from ruledout.recall.brief import BUDGET, brief
from ruledout.recall.rank import Ranked, keys, query, rank
from ruledout.recall.words import words

_ALIKE = "words"
_FLOOR = 0.3
"""of the likest record's score: what is only alike and reaches less is about something else"""
_CANDIDATES = 50
_LONGEST = 100_000
_TAIL = 2_000


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question of a batch."""

    id: str | int | None = None
    query: str


class Hit(Struct, frozen=True, kw_only=True):
    """A record that bears on the question, and why."""

    record: str
    score: float
    why: str


class Recalled(Struct, frozen=True, kw_only=True):
    """The hits, best first, and what an agent is told of them: one quoted block within its budget, or nothing."""

    id: str | int | UnsetType | None = UNSET
    hits: tuple[Hit, ...]
    brief: str


def recall(store: Store, text: str, limit: int = 5, *, id: str | int | UnsetType | None = UNSET, budget: int = BUDGET) -> Recalled:  # noqa: A002  # the contract's word
    """What the store knows about a text: a question, a path, a test id, a signature, or a failing run's output (its last 100,000 characters).

    Output is read as a run's, so that the same failure is found by its signature. Raises what the store raises.
    """
    ranked = bearing(store, text[-_LONGEST:], limit)
    records = read(store, (one.digest for one in ranked))
    hits = tuple(Hit(record=one.digest, score=one.score, why=one.why) for one in ranked if one.digest in records)
    return Recalled(id=id, hits=hits, brief=brief(tuple(records.values()), budget))


def bearing(store: Store, text: str, limit: int) -> tuple[Ranked, ...]:
    """The ranked records, unread. Of a long text, the words are those of its decisive line and its end: a store is asked for few."""
    seen = observe("", text) if "\n" in text or ":" in text else None
    signature = seen.signature if seen else None
    asked = query(text, (signature.normalised,) if signature else (), (signature.coarse,) if signature else ())
    said = text if len(text) <= _TAIL else f"{(seen and seen.message) or ''}\n{text[-_TAIL:]}"
    found = rank(store.find(keys(asked)), store.search(words(said), _CANDIDATES), limit)
    likest = max((one.score for one in found if one.why == _ALIKE), default=0.0)
    return tuple(one for one in found if one.why != _ALIKE or one.score >= _FLOOR * likest)
