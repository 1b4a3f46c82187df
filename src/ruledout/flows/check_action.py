"""Has this been ruled out: one indexed look-up, one decision. Runs nothing, writes nothing (R12)."""

from collections.abc import Iterable, Sequence

import msgspec

from ruledout.errors import BadInput
from ruledout.model.record import Record
from ruledout.ports import KeyHit, Store
from ruledout.recall.hunks import is_diff
from ruledout.recall.match import Answer, decide
from ruledout.recall.question import Question, keys
from ruledout.recall.stands import overturned
from ruledout.recall.words import concepts, words

_MOST_RECORDS = 20
_MOST_LIKE = 12


def check(store: Store, question: Question) -> Answer:
    """The answer to one question, the evidence with it. `""` is a question, and clear.

    Raises `BadInput`: `empty-question` when none of its forms is given, `no-diff` for a diff that is none (R14: it cannot be clear); and what the store raises.
    """
    if all(form is None for form in (question.idea, question.command, question.diff, question.edit, question.signature)):
        raise BadInput("empty-question", "the question names no idea, command, diff, edit or signature", "give at least one of them")
    if question.diff is not None and not is_diff(question.diff):
        raise BadInput("no-diff", "the diff is no unified diff", "give a unified diff, as `git diff` prints it, or an edit of one file")
    hits = store.find(keys(question))
    named = _best_first(hits)
    likely = [hit.digest for hit in store.search(words(question.idea), _MOST_LIKE)] if question.idea and len(concepts(question.idea)) > 1 else []
    records = read(store, (*named[:_MOST_RECORDS], *likely))
    # R10: an overturned branch is reopened; its standing is asked only where there is a dead end to reopen
    answer = decide(question, hits, records, overturned=overturned(store.standings(named[:_MOST_RECORDS])) if named else {})
    unread = len(named) - _MOST_RECORDS
    return msgspec.structs.replace(answer, more=answer.more + unread) if unread > 0 else answer


def read(store: Store, digests: Iterable[str]) -> dict[str, Record]:
    """These records, without those that were forgotten since they were found."""
    found: dict[str, Record] = {}
    for digest in dict.fromkeys(digests):
        try:
            found[digest] = store.get(digest)
        except BadInput:
            continue
    return found


def _best_first(hits: Sequence[KeyHit]) -> list[str]:
    """Records of dead ends, the witnessed first, so that many unproved ones cannot push a proved one out; else as the store gave them."""
    dead = [hit for hit in hits if hit.branch is not None]
    return list(dict.fromkeys(hit.digest for hit in sorted(dead, key=lambda hit: hit.evidence != "witnessed")))
