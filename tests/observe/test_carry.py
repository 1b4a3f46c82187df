"""Signatures across versions: version 2 is played by raising the number and giving a step."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from ruledout.model.outcome import ErrorSignature, Frame, Kind
from ruledout.observe import carry, signature
from ruledout.observe.carry import Same
from ruledout.observe.outcome import observe
from ruledout.observe.reading import Reading

OUTPUTS = sorted((Path(__file__).parent / "outputs").glob("*.txt"))
TEXT = "Traceback (most recent call last):\n  File \"cart.py\", line 3, in total\n    x\nKeyError: 'user_id'\n"


def signed(text: str = TEXT, exit_status: int = 1) -> ErrorSignature:
    found = observe("python cart.py", text, exit_status).signature
    assert found is not None
    return found


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that is signed from here on is signed by version 2."""
    monkeypatch.setattr(signature, "VERSION", 2)


def loud(kept: ErrorSignature) -> ErrorSignature:
    """A step of a version whose tools are written in capitals."""
    return replace(kept, tool=kept.tool.upper())


def needs_the_text(_kept: ErrorSignature) -> None:
    """A step of a version that keeps what version 1 masked away."""
    return


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: path.stem)
def test_the_kept_parts_give_the_ids_again(path: Path) -> None:
    found = observe("", path.read_text(encoding="utf-8"), 1).signature
    if found is not None:
        assert signature.again(found) == (found.normalised, found.coarse)


@pytest.mark.parametrize("exit_status", [1, 124, 137, 139, -6])
def test_how_it_ended_is_kept_too(exit_status: int) -> None:
    found = signature.sign(Reading(tool="sh"), exit_status, "boom: it broke")
    assert found is not None
    assert signature.again(found) == (found.normalised, found.coarse)


def test_within_one_version_ids_are_compared_as_they_stand() -> None:
    assert carry.same(signed(), signed()) is Same.YES
    assert carry.same(signed(), signed(TEXT.replace("user_id", "cart_id"))) is Same.NO
    assert carry.carried(signed()) == signed()


def test_R14_across_versions_without_a_step_the_answer_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    old = signed()
    monkeypatch.setattr(signature, "VERSION", 2)
    new = signed()
    assert old.normalised[5:] == new.normalised[5:]  # equal digests, and still
    assert carry.same(old, new) is Same.UNKNOWN
    assert carry.carried(old) is None


def test_a_step_carries_an_old_signature_over(monkeypatch: pytest.MonkeyPatch) -> None:
    old, other = signed(), signed(TEXT.replace("user_id", "cart_id"))
    monkeypatch.setattr(signature, "VERSION", 2)
    new = loud(signed())
    normalised, coarse = signature.again(new)
    new = replace(new, normalised=normalised, coarse=coarse)
    moved = carry.carried(old, {1: loud})
    assert moved is not None
    assert (moved.normalised, moved.coarse, moved.exact) == (new.normalised, new.coarse, old.exact)
    assert carry.same(old, new, {1: loud}) is Same.YES
    assert carry.same(other, new, {1: loud}) is Same.NO


def test_a_step_that_needs_the_text_leaves_it_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    old = signed()
    monkeypatch.setattr(signature, "VERSION", 2)
    assert carry.same(old, signed(), {1: needs_the_text}) is Same.UNKNOWN


def test_every_version_in_between_needs_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    old = signed()
    monkeypatch.setattr(signature, "VERSION", 3)
    assert carry.carried(old, {1: loud}) is None
    assert carry.carried(old, {1: loud, 2: loud}) is not None


def test_a_cut_span_is_not_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    old = signed("boom: it broke at [... 300 lines truncated ...]\nTraceback (most recent call last):\n  [... 12 lines truncated ...]\nKeyError: 'x'\n")
    assert not carry.is_whole(old)
    monkeypatch.setattr(signature, "VERSION", 2)
    assert carry.carried(old, {1: loud}) is None


def test_a_record_that_somebody_changed_is_not_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    old = replace(signed(), message="KeyError: 'other'")
    monkeypatch.setattr(signature, "VERSION", 2)
    assert carry.carried(old, {1: loud}) is None


def test_an_older_way_of_hashing_is_asked_for_its_own_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(kept: ErrorSignature) -> tuple[str, str]:
        return f"dbs1:n:{len(kept.message):032x}", f"dbs1:c:{0:032x}"

    old = replace(signed(), normalised=first(signed())[0])
    monkeypatch.setattr(signature, "VERSION", 2)
    assert carry.carried(old, {1: loud}) is None
    assert carry.carried(old, {1: loud}, {1: first}) is not None


@pytest.mark.usefixtures("second")
def test_a_signature_of_a_later_version_is_unknown_here() -> None:
    later = replace(signed(), normalised="dbs7:n:" + "0" * 32)
    assert carry.carried(later, {1: loud}) is None
    assert carry.same(later, signed(), {1: loud}) is Same.UNKNOWN


@pytest.mark.parametrize("identity", ["", "dbs1:n:", "dbs1:n:xyz", "r1:sha256:" + "0" * 64, "dbs1:q:" + "0" * 32, "dbs1:n:" + "0" * 31])
def test_what_is_no_id_has_no_version(identity: str) -> None:
    made_up = ErrorSignature(exact=identity, normalised=identity, coarse=identity, kind=Kind.NONE, tool="sh", frames=(Frame("f", "a"),))
    assert carry.version(identity) is None
    assert carry.same(made_up, made_up) is Same.UNKNOWN
