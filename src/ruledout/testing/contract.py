"""What every store owes, as a table of checks: each takes a maker of empty stores and raises `AssertionError` where a promise is broken.

An adapter's tests run `for name, check in CHECKS.items(): check(make)`. `make` gives a new, empty store each time. Durability, locks and damage are each
adapter's own to test: no contract can reach them.
"""

from collections.abc import Iterator

import msgspec

from ruledout.errors import BadInput, CannotRun, Refused
from ruledout.ports import Key, KeyHit
from ruledout.testing import contract_standings, samples
from ruledout.testing.promises import Check, Make, one, other, raises, same, third


def what_was_kept_is_given_back_byte_for_byte(make: Make) -> None:
    """`get` by the whole digest, with and without its tag, and by a unique start of it."""
    store = make()
    record = one()
    kept, new = store.keep(record, "main")
    same(
        (kept.seq, kept.digest, kept.branch, kept.status, kept.title, new),
        (1, record.digest, "main", "RESOLVED", samples.residual().root_cause_invariant, True),
    )
    bare = record.digest.removeprefix("r1:sha256:")
    for spelling in (record.digest, bare, bare[:6], f"r1:sha256:{bare[:12]}", f" {bare.upper()} "):
        same(store.get(spelling), record)


def the_same_record_twice_is_one_record(make: Make) -> None:
    """The second keeping gives the first one's place, its branch too."""
    store = make()
    first, _ = store.keep(one(), "main")
    same(store.keep(one(), "topic"), (first, False))
    same([kept.digest for kept in store.listed()], [one().digest])
    same(len(list(store.records())), 1)


def listed_is_newest_first_and_records_oldest_first(make: Make) -> None:
    """Order is that of keeping, not of digests or times."""
    store = make()
    for record in (one(), other(), third()):
        store.keep(record, None)
    same([kept.digest for kept in store.listed()], [third().digest, other().digest, one().digest])
    same([kept.seq for kept in store.listed()], [3, 2, 1])
    same(list(store.records()), [one(), other(), third()])


def keys_are_found_exactly_in_the_order_asked(make: Make) -> None:
    """Newest record first within a key; what is only like a key is not found; asking twice is asking once."""
    store = make()
    for record in (one(), other(), third()):
        store.keep(record, None)
    edit, test = Key("edit", "e1:" + "1" * 32), Key("test", "tests/test_rates.py::test_rate")
    near = (Key("edit", "e1:" + "1" * 31), Key("edit", "E1:" + "1" * 32), Key("edit", "e1:%"), Key("file", "e1:" + "1" * 32), Key("edit", ""))
    same(
        store.find([test, *near, edit, test]),
        (
            KeyHit(key=test, digest=third().digest, branch=None, evidence="observed"),
            KeyHit(key=edit, digest=other().digest, branch="b1", evidence="witnessed"),
            KeyHit(key=edit, digest=one().digest, branch="b1", evidence="witnessed"),
        ),
    )
    same(store.find([]), ())


def a_thousand_keys_are_one_question(make: Make) -> None:
    """No limit of a driver shows."""
    store = make()
    store.keep(one(), None)
    keys = [Key("edit", f"e1:{n:032x}") for n in range(1000)]
    same([hit.digest for hit in store.find([*keys, Key("edit", "e1:" + "1" * 32)])], [one().digest])


def words_find_what_holds_some_of_them(make: Make) -> None:
    """Best first, at most `limit`; words that no record holds find nothing, nor do none."""
    store = make()
    for record in (one(), other(), third()):
        store.keep(record, None)
    same(store.search(["swallow", "timeout"], 5)[0].digest, other().digest)
    same({hit.digest for hit in store.search(["tests/test_rates.py::test_rate", "swallow"], 5)}, {other().digest, third().digest})
    same(len(store.search(["cart"], 1)), 1)
    for nothing in (["zebra"], [], [""], ["\0"]):
        same(store.search(nothing, 5), ())
    same(store.search(["cart"], 0), ())


def no_word_or_key_is_ever_an_operator(make: Make) -> None:
    """Quotes, operators, wildcards, NUL and lone surrogates in a question are only text that is not there."""
    store = make()
    store.keep(one(), None)
    for hostile in ('"', 'a" OR "b', "NEAR(cart total)", "cart*", "words:cart", "^cart", "-cart", "%", "' OR 1=1 --", "\ud800", "cart\0"):
        store.search([hostile, "zebra"], 5)
        same(store.find([Key("file", hostile)]), ())
    same(len(store.search(["cart", '"'], 5)), 1)


def a_forgotten_record_is_gone_and_stays_gone(make: Make) -> None:
    """No look-up knows it, it cannot be kept again, others stay as they were; forgetting again changes nothing."""
    store = make()
    for record in (one(), other()):
        store.keep(record, "main")
    for _ in range(2):
        store.forget(one().digest)
        raises(BadInput, "unknown-record", lambda: store.get(one().digest))
        raises(Refused, "forgotten", lambda: store.keep(one(), "main"))
        same([kept.digest for kept in store.listed()], [other().digest])
        same(list(store.records()), [other()])
        same([hit.digest for hit in store.find([Key("edit", "e1:" + "1" * 32)])], [other().digest])
        same({hit.digest for hit in store.search(["cart", "invoice", "rounded"], 9)} - {other().digest}, set())
        same(store.audit(), ())
    kept, new = store.keep(third(), None)
    same((kept.seq, new), (4, True))


def wrong_digests_are_refused_by_name(make: Make) -> None:
    """Unknown, too short, no hex, ambiguous: each says which."""
    store = make()
    store.keep(one(), None)
    for use in (store.get, store.forget):
        raises(BadInput, "unknown-record", lambda use=use: use("f" * 64))  # type: ignore[misc]  # mypy cannot type a lambda's default
        for wrong in ("", "abc", "r1:sha256:", "zzzzzz", "%" * 8, one().digest + "0", "\ud800" * 6):
            raises(BadInput, "bad-digest", lambda use=use, wrong=wrong: use(wrong))  # type: ignore[misc]  # as above
    same(store.get(one().digest), one())


def R11_a_record_that_is_not_its_digest_is_not_kept(make: Make) -> None:
    """Bytes and digest belong together, or nothing is written."""
    store = make()
    raises(BadInput, "digest-mismatch", lambda: store.keep(msgspec.structs.replace(one(), digest=other().digest), None))
    raises(BadInput, "digest-mismatch", lambda: store.keep(msgspec.structs.replace(one(), body=one().body + b" "), None))
    same(store.listed(), ())


def branch_names_are_text_that_every_store_can_hold(make: Make) -> None:
    """Any text goes in and comes out, NUL and lone surrogates apart."""
    store = make()
    for bad in ("a\0b", "\ud800"):
        raises(BadInput, "bad-branch", lambda bad=bad: store.keep(one(), bad))  # type: ignore[misc]  # as above
    kept, _ = store.keep(one(), "feature/ü-'\"; DROP TABLE records; --")
    same(store.listed(), (kept,))


def reading_changes_nothing(make: Make) -> None:
    """Many questions leave every answer as it was."""
    store = make()
    for record in (one(), third()):
        store.keep(record, None)
    before = (store.listed(), store.search(["cart"], 9), list(store.records()))
    for _ in range(20):
        store.find([Key("edit", "e1:" + "1" * 32)])
        store.search(["swallow", "cart"], 3)
        store.get(one().digest)
        store.audit()
    same((store.listed(), store.search(["cart"], 9), list(store.records())), before)


def a_closed_store_answers_nothing(make: Make) -> None:
    """Closing twice is closing once."""
    store = make()
    store.keep(one(), None)
    store.close()
    store.close()
    raises(CannotRun, "store-not-open", lambda: store.get(one().digest))
    raises(CannotRun, "store-not-open", lambda: store.keep(other(), None))


def _checks() -> Iterator[Check]:
    yield what_was_kept_is_given_back_byte_for_byte
    yield the_same_record_twice_is_one_record
    yield listed_is_newest_first_and_records_oldest_first
    yield keys_are_found_exactly_in_the_order_asked
    yield a_thousand_keys_are_one_question
    yield words_find_what_holds_some_of_them
    yield no_word_or_key_is_ever_an_operator
    yield a_forgotten_record_is_gone_and_stays_gone
    yield wrong_digests_are_refused_by_name
    yield R11_a_record_that_is_not_its_digest_is_not_kept
    yield branch_names_are_text_that_every_store_can_hold
    yield from contract_standings.CHECKS
    yield reading_changes_nothing
    yield a_closed_store_answers_nothing


CHECKS: dict[str, Check] = {check.__name__: check for check in _checks()}
