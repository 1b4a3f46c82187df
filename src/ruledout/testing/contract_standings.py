"""What every store owes about standings: the part of `contract` that is about how records stand."""

from ruledout.errors import BadInput
from ruledout.ports import NewStanding
from ruledout.testing.promises import Check, Make, one, other, raises, same, third


def standings_are_appended_and_told_newest_first(make: Make) -> None:
    """One row for each finding, by record; nothing replaces an earlier one; what is no finding, or of no record, is refused."""
    store = make()
    for record in (one(), other()):
        store.keep(record, None)
    told = [
        store.stand(NewStanding(digest=one().digest, branch=None, finding="holds", evidence="green 3x", inputs="i1")),
        store.stand(NewStanding(digest=other().digest[:26], branch="b1", finding="passes", evidence="green with the edit")),
        store.stand(NewStanding(digest=one().digest, branch=None, finding="broken", evidence="red 3x", inputs="i2")),
    ]
    same([(stood.seq, stood.digest, stood.finding) for stood in told], [(1, one().digest, "holds"), (2, other().digest, "passes"), (3, one().digest, "broken")])
    same(store.standings(), tuple(reversed(told)))
    same(store.standings([one().digest]), (told[2], told[0]))
    same((store.standings([]), store.standings([third().digest])), ((), ()))
    raises(BadInput, "unknown-record", lambda: store.stand(NewStanding(digest=third().digest, branch=None, finding="holds", evidence="")))
    for finding, evidence in (("verified", ""), ("holds", "a\0b"), ("holds", "\ud800"), ("holds", "x" * 2001)):
        bad = NewStanding(digest=one().digest, branch=None, finding=finding, evidence=evidence)
        raises(BadInput, "bad-standing", lambda bad=bad: store.stand(bad))  # type: ignore[misc]  # mypy cannot type a lambda's default
    same((len(store.standings()), store.audit(), store.get(one().digest)), (3, (), one()))


def standings_are_forgotten_with_their_record(make: Make) -> None:
    """Those of other records stay, and the numbers go on."""
    store = make()
    for record in (one(), other()):
        store.keep(record, None)
    for record in (one(), other()):
        store.stand(NewStanding(digest=record.digest, branch=None, finding="holds", evidence="green"))
    store.forget(one().digest)
    same([stood.digest for stood in store.standings()], [other().digest])
    raises(BadInput, "unknown-record", lambda: store.stand(NewStanding(digest=one().digest, branch=None, finding="holds", evidence="")))
    same(store.stand(NewStanding(digest=other().digest, branch=None, finding="flaky", evidence="")).seq, 3)
    same(store.audit(), ())


CHECKS: tuple[Check, ...] = (standings_are_appended_and_told_newest_first, standings_are_forgotten_with_their_record)
