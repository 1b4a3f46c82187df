"""Which records bear on a failure, a file or a question: the same failure first, then tests and files, then words.

At equal standing a proved record stands before an observed one, and that before a handoff, so that many unproved ones cannot push it out. Pure arithmetic over
what the store found; reads no record.
"""

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from ruledout.ports import Key, KeyHit, WordHit

_WEIGHT = {"normalised": 300.0, "coarse": 120.0, "test": 25.0, "file": 8.0}
"""So that each kind outweighs all lesser ones together, at their most."""
_MOST = {"normalised": 1, "coarse": 1, "test": 3, "file": 3}
_GRADE = {"witnessed": 8.0, "observed": 3.0}
_WORDS = 4.0
_LONGEST_NAME = 500
_WHY = {"normalised": "same failure", "coarse": "same kind of failure", "test": "test", "file": "file"}


class Query(Struct, frozen=True, kw_only=True):
    """A question as text, with what could be read out of it."""

    text: str
    normalised: tuple[str, ...] = ()
    coarse: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Ranked(Struct, frozen=True, kw_only=True):
    """A record and why it bears on the question; `score` is comparable only within one answer."""

    digest: str
    score: float
    why: str


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        "normalised": re.compile(r"\bdbs\d+:n:[0-9a-f]{32}\b"),
        "coarse": re.compile(r"\bdbs\d+:c:[0-9a-f]{32}\b"),
        "tests": re.compile(r"(?<![\w./-])[\w./-]{1,300}\.\w{1,20}(?:::[\w.-]{1,200}){1,9}(?:\[[^\]\s]{0,200}\])?"),
        "files": re.compile(r"(?<![\w/.-])(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,9}(?![\w/])"),
    }


def query(text: str, normalised: Sequence[str] = (), coarse: Sequence[str] = ()) -> Query:
    """A query from text alone: signature ids, test ids (`path::name`) and paths that stand in it, at most 50 of each, and signatures that the caller has."""
    plain = " ".join(chunk for chunk in text.split() if len(chunk) <= _LONGEST_NAME)  # no name is longer, and no pattern is asked to look at what is
    found = {name: tuple(dict.fromkeys(pattern.findall(plain)))[:50] for name, pattern in _patterns().items()}
    return Query(
        text=text,
        normalised=tuple(dict.fromkeys((*normalised, *found["normalised"]))),
        coarse=tuple(dict.fromkeys((*coarse, *found["coarse"]))),
        tests=found["tests"],
        files=found["files"],
    )


def keys(asked: Query) -> tuple[Key, ...]:
    """The exact keys to look up."""
    kinds = (("normalised", asked.normalised), ("coarse", asked.coarse), ("test", asked.tests), ("file", asked.files))
    return tuple(Key(kind, value) for kind, values in kinds for value in values)


def rank(hits: Sequence[KeyHit], word_hits: Sequence[WordHit], limit: int) -> tuple[Ranked, ...]:
    """The best `limit` records. At equal score the store's own order stands: newest first, then best by words."""
    matched: dict[str, dict[str, dict[str, None]]] = {}
    bonus: dict[str, float] = {}
    for hit in hits:
        if hit.key.kind in _WEIGHT:
            matched.setdefault(hit.digest, {}).setdefault(hit.key.kind, {})[hit.key.value] = None
            own = 5.0 if hit.branch is None and hit.key.kind == "normalised" else 0.0  # the record's own failure, not one of its branches'
            bonus[hit.digest] = max(bonus.get(hit.digest, 0.0), own + _GRADE.get(hit.evidence, 0.0))
    best = max((hit.score for hit in word_hits), default=0.0)
    likeness = {hit.digest: hit for hit in word_hits}
    ranked = [_ranked(digest, matched.get(digest, {}), bonus.get(digest), likeness.get(digest), best) for digest in dict.fromkeys((*matched, *likeness))]
    return tuple(sorted(ranked, key=lambda one: -one.score)[:limit])


def _ranked(digest: str, matched: dict[str, dict[str, None]], bonus: float | None, words: WordHit | None, best: float) -> Ranked:
    score = sum(_WEIGHT[kind] * min(len(values), _MOST[kind]) for kind, values in matched.items())
    likeness = _WORDS * words.score / best if words and best > 0 else 0.0
    if bonus is not None:
        score += bonus + likeness
    elif words:  # by words alone, being proved helps, but does not make up for being about something else
        score += likeness * (1 + _GRADE.get(words.evidence, 0.0) / 32)
    why = [_WHY[kind] if kind in ("normalised", "coarse") else f"{_WHY[kind]} {next(iter(values))}" for kind, values in matched.items()]
    return Ranked(digest=digest, score=round(score, 3), why="; ".join((*why, "words") if words else why))
