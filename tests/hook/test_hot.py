"""The hot index gives the verdicts of the store's own look-up, whatever is kept and asked; what stands in it is small, quoted and exact."""

from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hook import ground

from ruledout import fingerprint, hot
from ruledout.flows.check_action import check
from ruledout.model import wire
from ruledout.model.attempt import Conditions
from ruledout.model.record import Record
from ruledout.model.residual import EvidenceGrade
from ruledout.ports import NewStanding, Stood
from ruledout.recall import heat
from ruledout.recall.index import branches
from ruledout.recall.question import AskedEdit, Question
from ruledout.store.hot_store import HotStore
from ruledout.testing import samples
from ruledout.testing.clock import StillClock
from ruledout.testing.memory import MemoryStore

HUNKS = [("a.py", "x = 1", "x = 2"), ("a.py", "y = 1", "y = 2"), ("b/c.py", "if q:", "if not q:")]
PRINTS = [fingerprint.edit(path, [old], [new]) for path, old, new in HUNKS]
COMMANDS = ["pytest -q", "make test", "python x.py"]
FAILURES = [samples.signature("KeyError"), samples.signature("OSError")]

prints = st.lists(st.sampled_from([*PRINTS, *map(fingerprint.command, COMMANDS)]), min_size=1, max_size=3, unique=True)
dead_ends = st.builds(
    lambda made, failure, gate, commit: samples.branch(fingerprints=made, failure=failure, conditions=Conditions(gate=gate, commit=commit)),
    prints,
    st.sampled_from(FAILURES),
    st.sampled_from([None, *COMMANDS]),
    st.sampled_from([None, "a" * 40]),
)
residuals = st.builds(
    lambda branches, survived, symptom, evidence: samples.residual(
        branches=[msgspec.structs.replace(one, rejected_hypothesis_id=f"b{n}") for n, one in enumerate(branches)],
        survived=survived,
        symptom=symptom,
        evidence=evidence,
    ),
    st.lists(dead_ends, max_size=3),
    st.lists(st.sampled_from(PRINTS), max_size=1),
    st.sampled_from(FAILURES),
    st.sampled_from([EvidenceGrade.WITNESSED, EvidenceGrade.OBSERVED]),
)
handoffs = st.builds(
    lambda branches, working: samples.handoff(
        ruled_out=[msgspec.structs.replace(one, rejected_hypothesis_id=f"b{n}") for n, one in enumerate(branches)], working=working
    ),
    st.lists(dead_ends, max_size=2),
    st.lists(st.sampled_from(COMMANDS), max_size=1),
)
nows = st.sampled_from([None, Conditions(commit="a" * 40), Conditions(commit="b" * 40)])
questions = st.one_of(
    st.builds(lambda hunk, now: Question(edit=AskedEdit(path=hunk[0], removed=(hunk[1],), added=(hunk[2],)), now=now), st.sampled_from(HUNKS), nows),
    st.builds(lambda command, now: Question(command=command, now=now), st.sampled_from(COMMANDS), nows),
    st.builds(
        lambda failure, command, now: Question(signature=failure.normalised, command=command, now=now),
        st.sampled_from(FAILURES),
        st.sampled_from([None, *COMMANDS]),
        nows,
    ),
)


def index(*records: Record, stood: tuple[Stood, ...] = ()) -> hot.Hot:
    rows = [row for record in records for row in heat.lines(record, [one for one in stood if one.digest == record.digest])]
    return hot.Hot(hot.written(rows, len(records)))


def told(built: hot.Hot, question: Question) -> set[tuple[str, str, str]]:
    now = (question.now.commit if question.now else None) or ""
    hits: list[hot.Hit] = []
    if question.edit:
        hits += hot.edits(built, [frozenset({fingerprint.edit(question.edit.path, question.edit.removed, question.edit.added)})], now)
    if question.command:
        hits += hot.command(built, fingerprint.command(question.command), now)
    if question.signature:
        hits += hot.failure(built, question.signature, fingerprint.command(question.command) if question.command else "", now)
    best: dict[tuple[str, str], str] = {}
    order = (hot.RULED_OUT, hot.REOPENED, hot.NEAR)
    for hit in hits:
        key = (hit.item.record, hit.item.branch)
        best[key] = min((hit.verdict, best.get(key, hot.NEAR)), key=order.index)
    return {(*key, verdict) for key, verdict in best.items()}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(residuals, handoffs), min_size=1, max_size=4),
    questions,
    st.lists(st.sampled_from([None, "passes", "still_fails_so", "flaky"]), max_size=2),
)
def test_R15_the_index_gives_the_verdicts_of_the_store(outcomes: list[object], question: Question, findings: list[str | None]) -> None:
    records = list({record.digest: record for record in (wire.record(outcome) for outcome in outcomes)}.values())  # type: ignore[arg-type]  # either outcome
    store = MemoryStore(StillClock())
    for record in records:
        store.keep(record, None)
        for finding in filter(None, findings if branches(record.outcome) else ()):
            store.stand(NewStanding(digest=record.digest, branch="b0", finding=finding, evidence=""))
    answer = check(store, question)
    found = told(index(*records, stood=store.standings()), question)
    shown = {(match.record, match.branch) for match in answer.matches}
    assert ({verdict for _, _, verdict in found} or {"clear"}) >= {answer.verdict.value}
    assert answer.more or {(record, branch) for record, branch, _ in found} == shown


def test_R4_what_proved_right_in_one_record_acquits_it_in_every_other() -> None:
    dead, right = (
        wire.record(samples.residual(branches=[samples.branch(fingerprints=PRINTS[:1])])),
        wire.record(samples.residual(cause="Another.", branches=[], survived=PRINTS[:1])),
    )
    assert [len(hot.edits(index(*kept), [frozenset(PRINTS[:1])])) for kept in ((dead,), (dead, right))] == [1, 0]


def test_R15_what_is_said_has_six_hundred_bytes_at_most_and_is_quoted() -> None:
    long = samples.branch(fingerprints=PRINTS[:1], files=[f"ordner/ü{'x' * 200}/{n}.py" for n in range(9)])
    record = wire.record(samples.residual(cause="C" * 299 + ".", branches=[long]))
    item = index(record).items(PRINTS[0])[0]
    assert [len(said.encode()) <= 600 and said.startswith("<quoted-") and "more: ruledout show" in said for said in (item.said, item.moved)] == [True, True]


def test_R13_of_an_observed_record_no_free_text_is_said_and_nothing_is_forbidden() -> None:
    kept = [
        wire.record(samples.residual(cause="WORDS of a model.", evidence=grade, branches=[samples.branch(fingerprints=PRINTS[:1])])) for grade in EvidenceGrade
    ]
    said = {record.outcome.provenance.evidence.value: index(record).items(PRINTS[0])[0].said for record in kept}
    assert [("WORDS" in text, "assert 1190" in text, "ruled out" in text, "seen to fail" in text) for text in (said["witnessed"], said["observed"])] == [
        (True, True, True, False),
        (False, False, False, True),
    ]


def test_R10_a_replay_that_passed_reopens_a_dead_end() -> None:
    record = wire.record(samples.residual(branches=[samples.branch(fingerprints=PRINTS[:1])]))
    stood = Stood(seq=1, digest=record.digest, branch="b1", finding="passes", at="2026-01-02T03:04:05Z", evidence="")
    hits = hot.edits(hot.Hot(hot.written(heat.lines(record, [stood]), 1)), [frozenset(PRINTS[:1])])
    assert [(hit.verdict, "reopened: ruled out, but a replay passed" in hit.item.said) for hit in hits] == [("reopened", True)]


def test_bytes_of_another_version_or_none_hold_nothing() -> None:
    data = hot.written(heat.lines(wire.record(samples.residual(branches=[samples.branch(fingerprints=PRINTS[:1])]))), 1)
    spoilt = (b"", b"\x00\xff", data.replace(b"hot 1", b"hot 9"), data.replace(b'{"id"', b'{"id'))
    assert [len(hot.Hot(one).items(PRINTS[0])) for one in (data, *spoilt)] == [1, 0, 0, 0, 0]


def test_the_index_follows_what_is_kept_forgotten_and_found(tmp_path: Path) -> None:
    session = ground.repository(tmp_path)
    record = ground.keep(session, ground.cart())
    folder = session.root / ".git/ruledout"
    key = fingerprint.edit("src/cart.py", [ground.OLD], [ground.BAD])
    held = [(folder / "hot.words").read_text().split("\n").count("cart.py"), len(hot.Hot((folder / "hot.idx").read_bytes()).items(key))]
    store = HotStore(str(folder / "ruledout.db"), StillClock())
    store.stand(NewStanding(digest=record.digest, branch="b1", finding="passes", evidence="1 passed"))
    store.close()
    reopened = hot.Hot((folder / "hot.idx").read_bytes()).items(key)[0].standing
    store = HotStore(str(folder / "ruledout.db"), StillClock())
    store.forget(record.digest)
    store.close()
    left = ((folder / "hot.idx").read_text(), (folder / "hot.words").read_text())
    assert (held, reopened, left) == ([1, 1], "a replay passed", ("ruledout-hot 1\t0\n\n", ""))
