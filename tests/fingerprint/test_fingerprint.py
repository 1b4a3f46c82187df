"""Exact keys: what is the same act, and what is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout import fingerprint

LINE = st.text(alphabet="ab \t:|0;\n\ud800", max_size=5)
LINES = st.lists(LINE, max_size=4)


@pytest.mark.parametrize(
    ("path", "removed", "added"),
    [
        ("./src/a.py", ["x"], ["y"]),
        ("src\\a.py", ["x"], ["y"]),
        ("src//a.py", ["x"], ["y"]),
        ("src/./a.py", ["x"], ["y"]),
        ("src/a.py", ["x  "], ["y\t"]),
        ("src/a.py", ["x\r\n"], ["y\n"]),
        ("src/a.py", ["before", "x", "after"], ["before", "y", "after"]),
    ],
    ids=["dot", "backslash", "two slashes", "dot inside", "blanks at the end", "line ends", "more context"],
)
def test_the_same_edit_in_another_spelling_has_the_same_key(path: str, removed: list[str], added: list[str]) -> None:
    assert fingerprint.edit(path, removed, added) == fingerprint.edit("src/a.py", ["x"], ["y"])


@pytest.mark.parametrize(
    ("path", "removed", "added"),
    [
        ("src/b.py", ["x"], ["y"]),
        ("/src/a.py", ["x"], ["y"]),
        ("../src/a.py", ["x"], ["y"]),
        ("src/a.py", ["y"], ["x"]),
        ("src/a.py", [], ["y"]),
        ("src/a.py", ["x"], []),
        ("src/a.py", ["  x"], ["  y"]),
        ("src/a.py", ["x"], ["  y"]),
        ("src/a.py", ["x"], ["y", "y"]),
        ("src/a.py", ["x"], ["Y"]),
        ("src/a.py", ["x", "k", "x"], ["y", "k", "y"]),
        ("src/a.py", ["x"], ["y", ""]),
    ],
)
def test_R4_another_edit_has_another_key(path: str, removed: list[str], added: list[str]) -> None:
    assert fingerprint.edit(path, removed, added) != fingerprint.edit("src/a.py", ["x"], ["y"])


def test_an_edit_that_is_only_deeper_is_another_edit() -> None:
    """In Python the same line one level further in runs at another time."""
    assert fingerprint.edit("a.py", [], ["    return None"]) != fingerprint.edit("a.py", [], ["        return None"])


def test_an_edit_is_found_again_after_a_rename_by_another_key() -> None:
    here, there = fingerprint.edit_anywhere(["x", "k"], ["y", "k"]), fingerprint.edit_anywhere(["x"], ["y"])
    assert here == there
    assert here.startswith("a1:")
    assert fingerprint.edit_anywhere(["x"], ["z"]) != here


def core(removed: list[str], added: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A slow second opinion: one common line off at a time."""
    old, new = [line.rstrip() for line in removed], [line.rstrip() for line in added]
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return tuple(old), tuple(new)


@given(LINES, LINES, LINES, LINES)
@settings(max_examples=500, deadline=None)
def test_two_edits_share_a_key_only_when_they_are_one_change(removed: list[str], added: list[str], gone: list[str], come: list[str]) -> None:
    same = core(removed, added) == core(gone, come)
    assert (fingerprint.edit("a", removed, added) == fingerprint.edit("a", gone, come)) is same


CONTEXT = st.lists(st.text(alphabet="xyz", min_size=1, max_size=3), max_size=3)


@given(LINES, LINES, CONTEXT, CONTEXT)
@settings(max_examples=300, deadline=None)
def test_context_never_changes_a_key(removed: list[str], added: list[str], before: list[str], after: list[str]) -> None:
    wide = fingerprint.edit("a", [*before, *removed, *after], [*before, *added, *after])
    assert wide == fingerprint.edit("a", removed, added)


@pytest.mark.parametrize(
    "spelling",
    ["cd x  &&  pytest  -q", "  cd x && pytest -q\n", "cd x &&\tpytest -q", "cd x && pytest \\\n -q", "cd x && pytest \\\r\n  -q"],
)
def test_a_command_in_another_layout_has_the_same_key(spelling: str) -> None:
    assert fingerprint.command(spelling) == fingerprint.command("cd x && pytest -q")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cd x && pytest -q", "pytest -q"),
        ("echo 'a  b'", "echo 'a b'"),
        ('echo "a  b"', 'echo "a b"'),
        ("echo a\\  b", "echo a\\ b"),
        ("a\nb", "a b"),
        ("pytest -k A", "pytest -k a"),
        ("python - <<'E'\nif x:\n    y\nE", "python - <<'E'\nif x:\n  y\nE"),
        ("a;b", "a; b"),
    ],
)
def test_another_command_has_another_key(one: str, other: str) -> None:
    assert fingerprint.command(one) != fingerprint.command(other)


@given(st.text(alphabet="a'\"\\ \n<$;\ud800", max_size=30))
@settings(max_examples=500, deadline=None)
def test_every_command_has_one_key_and_folding_twice_is_folding_once(command: str) -> None:
    key = fingerprint.command(command)
    assert len(key) == len("c1:") + 32
    assert fingerprint.command(f"  {command}") == key


@given(st.text(alphabet="ab'\"\\ ", max_size=12), st.text(alphabet="ab'\"\\ ", max_size=12))
@settings(max_examples=500, deadline=None)
def test_two_commands_with_one_key_differ_only_in_blanks(one: str, other: str) -> None:
    if fingerprint.command(one) == fingerprint.command(other):
        assert one.split() == other.split()


def test_the_keys_are_as_they_always_were() -> None:
    """Stored records hold them: a change here is a new version, `e2:` and `c2:`."""
    assert fingerprint.edit("src/a.py", ["x = 1"], ["x = 2", "y = 3"]) == "e1:4b012ebaf960814e4953587670775376"
    assert fingerprint.command("python -m pytest -q tests/test_a.py") == "c1:b155c238890acba1113086813338b78f"
