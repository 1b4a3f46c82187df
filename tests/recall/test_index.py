"""What a record is found under comes from the record alone, and a winning change is never a key of a dead end."""

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout import fingerprint
from ruledout.model import wire
from ruledout.ports import Indexed, Key
from ruledout.recall.index import indexed
from ruledout.testing import samples

EDIT = "e1:" + "1" * 32
WINNER = "e1:" + "f" * 32


def of(outcome: object) -> Indexed:
    return indexed(wire.record(outcome))  # type: ignore[arg-type]  # either outcome


def test_a_residual_is_found_by_its_dead_ends_failures_tests_and_files() -> None:
    symptom, dead = samples.signature(), samples.signature("AssertionError")
    gate = fingerprint.command("pytest -q tests/test_cart.py")
    assert of(samples.residual()).keys == tuple(
        sorted(
            {
                (Key("edit", EDIT), "b1"),
                (Key("normalised", symptom.normalised), None),
                (Key("coarse", symptom.coarse), None),
                (Key("normalised", dead.normalised), "b1"),
                (Key("coarse", dead.coarse), "b1"),
                (Key("test", "tests/test_cart.py::test_total"), None),
                (Key("test", "tests/test_cart.py::test_total"), "b1"),
                (Key("file", "src/cart.py"), None),
                (Key("file", "src/cart.py"), "b1"),
                (Key("file", "tests/test_cart.py"), None),
                (Key("survived", WINNER), None),
                (Key("survived", gate), None),
            },
            key=lambda keyed: (keyed[0], keyed[1] or ""),
        )
    )


def test_a_handoff_is_found_by_what_stands_open_and_by_what_it_ruled_out() -> None:
    outcome = samples.handoff(ruled_out=[samples.branch("b7", fingerprints=["c1:" + "3" * 32])])
    found = of(outcome)
    assert (found.status, found.title, found.evidence) == ("UNRESOLVED_HANDOFF", "KeyError: 'rate'", "observed")
    assert (Key("command", "c1:" + "3" * 32), "b7") in found.keys
    assert (Key("test", "tests/test_rates.py::test_rate"), None) in found.keys
    assert (Key("survived", fingerprint.command("python -m cart --check")), None) in found.keys


def test_R4_a_fingerprint_that_survived_is_no_key_of_a_dead_end() -> None:
    outcome = samples.residual(branches=[samples.branch(fingerprints=[EDIT, WINNER])])
    kinds = {(key.kind, key.value) for key, _ in of(outcome).keys}
    assert ("edit", EDIT) in kinds
    assert ("edit", WINNER) not in kinds


def test_R4_the_gates_own_command_is_no_key_of_a_dead_end() -> None:
    command = fingerprint.command(shlex.join(samples.residual().regression_gate_signature.argv))
    found = of(samples.residual(branches=[samples.branch(fingerprints=[command])]))
    assert [key.kind for key, _ in found.keys if key.value == command] == ["survived"]


def test_words_hold_causes_hypotheses_and_code() -> None:
    found = of(samples.residual()).words.split()
    for word in ("invoic", "discount", "src/cart.py", "cart", "valueerror", "tests/test_cart.py::test_total"):
        assert word in found, word


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_any_text_in_a_record_can_be_indexed_and_the_title_is_one_clean_line(text: str) -> None:
    found = of(samples.residual(text, branches=[samples.branch(hypothesis=text, files=[text])]))
    assert len(found.title) <= 300
    assert not any(char in found.title for char in "\n\r\x1b\0")
    assert not any("\0" in key.value for key, _ in found.keys)
