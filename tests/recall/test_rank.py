"""The same failure first, then tests and files, then words; and no text can make the reading of a question slow."""

import time

import pytest

from ruledout.ports import Key, KeyHit, WordHit
from ruledout.recall.rank import query, rank

NORMALISED = "dbs1:n:" + "a" * 32


def hit(kind: str, digest: str, branch: str | None = None, evidence: str = "observed", value: str = "x") -> KeyHit:
    return KeyHit(key=Key(kind, value), digest=digest, branch=branch, evidence=evidence)


def test_what_stands_in_the_text_is_read_out_of_it() -> None:
    asked = query(f"{NORMALISED} in tests/a.py::TestB::test_c[1-x] of src/a/b.ts, not 1.5 or e.g. this; C.java", ["dbs1:n:" + "b" * 32])
    assert asked.normalised == ("dbs1:n:" + "b" * 32, NORMALISED)
    assert asked.tests == ("tests/a.py::TestB::test_c[1-x]",)
    assert {"src/a/b.ts", "C.java"} <= set(asked.files)
    assert "1.5" not in asked.files


def test_kinds_weigh_more_than_numbers_and_why_is_said() -> None:
    many = [hit("file", "files", value=f"f{n}") for n in range(9)] + [hit("test", "tests", value=f"t{n}") for n in range(2)]
    ranked = rank([*many, hit("normalised", "same", branch="b1"), hit("coarse", "kind")], [WordHit(digest="words", score=9.0)], 9)
    assert [(one.digest, one.why) for one in ranked] == [
        ("same", "same failure"),
        ("kind", "same kind of failure"),
        ("tests", "test t0"),
        ("files", "file f0"),
        ("words", "words"),
    ]


def test_the_records_own_failure_stands_before_that_of_one_of_its_branches() -> None:
    assert [one.digest for one in rank([hit("normalised", "branch", branch="b1"), hit("normalised", "own")], [], 9)] == ["own", "branch"]


def test_at_equal_standing_witnessed_comes_first_and_words_do_not_turn_it() -> None:
    words = [WordHit(digest="seen", score=9.0), WordHit(digest="proved", score=0.1)]
    assert [one.digest for one in rank([hit("normalised", "seen"), hit("normalised", "proved", evidence="witnessed")], words, 9)] == ["proved", "seen"]


def test_by_words_alone_likeness_counts_more_than_being_proved() -> None:
    words = [WordHit(digest="like", score=9.0), WordHit(digest="proved", score=2.0, evidence="witnessed")]
    assert [one.digest for one in rank([], words, 9)] == ["like", "proved"]


@pytest.mark.parametrize("piece", ["a", "a.", "a/", "a::", ".", "-", "/", "a.b::c", "[", "dbs1:n:", " a.b::c[", "é"])
def test_no_text_makes_the_reading_of_a_question_slow(piece: str) -> None:
    start = time.process_time()
    query(piece * (100_000 // len(piece)))
    assert time.process_time() - start < 10, "a hundredth of this is usual; a pattern that goes back and forth takes minutes"
