"""The dead-assertion check: which expectations are changed, and into what."""

import ast
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.prove.mutants import apply, mutations


def changed(body: str) -> list[str]:
    """The mutated lines of `def test_x`, one mutant each."""
    source = "def test_x():\n" + "\n".join("    " + line for line in dedent(body).strip().splitlines()) + "\n"
    found = []
    for one in mutations(source, "test_x"):
        mutant = apply(source, [one])
        ast.parse(mutant)
        before, after = source.splitlines(), mutant.splitlines()
        found += [new.strip() for old, new in zip(before, after, strict=True) if old != new]
    return found


@pytest.mark.parametrize(
    ("body", "mutants"),
    [
        ("assert f() == 5", ["assert f() == 6"]),
        ("assert 5 == f()", ["assert 6 == f()"]),
        ("assert f() == -5", ["assert f() == -6"]),
        ("assert f() == 'é'  # ü", ["assert f() == 'é_ruledout'  # ü"]),
        ("assert f() == b'x'", ["assert f() == b'x_ruledout'"]),
        ("assert f() == 0.5", ["assert f() == 1.5"]),
        ("assert f() == True", ["assert f() == False"]),
        ("assert f() == None", ['assert f() == "ruledout"']),
        ("assert f() == [1, 2]", ["assert f() == [2, 2]"]),
        ("assert f() == []", ['assert f() == ([], "ruledout")']),
        ("assert f() == expected", ['assert f() == (expected, "ruledout")']),
        ("assert f() == approx(0.5)", ['assert f() == (approx(0.5), "ruledout")']),
        ("assert f()", ["assert not (f())"]),
        ("assert f() is None, 'why'", ["assert not (f() is None), 'why'"]),
        ("assert f() > 3", ["assert f() <= 3"]),
        ("assert f() != 3", ["assert f() == 3"]),
        ("assert 1 < f() < 3", ["assert not (1 < f() < 3)"]),
        ("assert f() in (1, 2)", ['assert f() in ("ruledout",)']),
        ("assert 'x' in f()", ["assert not ('x' in f())"]),
        ("assert a and f() == 5", ["assert a and f() == 6"]),
        ("self.assertEqual(f(), 5)", ["self.assertEqual(f(), 6)"]),
        ("self.assertEqual(5, f())", ["self.assertEqual(6, f())"]),
        ("self.assertEqual(f(), g())", ['self.assertEqual(f(), (g(), "ruledout"))']),
        ("self.assertTrue(f())", ["self.assertFalse(f())"]),
        ("self.assertTrue(f() == 5)", ["self.assertTrue(f() == 6)"]),
        ("self.assertIn(1, f())", ["self.assertNotIn(1, f())"]),
        ("self.assertAlmostEqual(f(), 5)", []),
        ("with pytest.raises(ValueError):\n    f()\n    assert g()", ['with pytest.raises(type("RuledoutNever", (Exception,), {})):']),
        ("with self.subTest(a=1):\n    assert f() == 5", ["assert f() == 6"]),
        ("with suppress(OSError):\n    assert f() == 5", []),
        ("with suppress(AssertionError):\n    assert f() == 5", ["assert f() == 6"]),
        ("try:\n    assert f() == 5\nexcept AssertionError:\n    pass", ["assert f() == 6"]),
        ("try:\n    assert f() == 5\nexcept OSError:\n    pass", []),
        ("try:\n    f()\n    assert False\nexcept Exception as e:\n    assert 'x' in str(e)", []),
        ("try:\n    assert f() == 5\nexcept Exception as e:\n    assert 'x' in str(e)", []),
        ("try:\n    assert f() == 5\nexcept Exception as e:\n    assert True", ["assert f() == 6"]),
        ("try:\n    assert f() == 5\nexcept AssertionError:\n    raise", []),
        ("assert True", []),
        ("for a in [1, 2]:\n    if a > 1:\n        break\n    assert a == 5", []),
        ("for a in items:\n    assert a == 5", []),
        ("for a in [1]:\n    assert a == 5", ["assert a == 6"]),
        ("for a in []:\n    assert a == 5", []),
        ("for a in range(3):\n    assert a == 5", ["assert a == 6"]),
        ("if windows:\n    assert f() == 5", []),
        ("if windows:\n    return\nassert f() == 5", []),
        ("if windows:\n    pytest.skip('no')\nassert f() == 5", []),
        ("return\nassert f() == 5", ["assert f() == 6"]),
        ("def inner():\n    assert f() == 5\ninner()", []),
        ("f()", []),
    ],
)
def test_an_expectation_is_changed_into_what_no_honest_assertion_survives(body: str, mutants: list[str]) -> None:
    assert changed(body) == mutants


def test_a_method_is_found_in_its_class_and_the_last_definition_counts() -> None:
    source = "class A:\n    def test_x(self):\n        assert 1 == 1\n\n\nclass B:\n    async def test_x(self):\n        assert 2 == 2\n\n\ndef test_y():\n    assert 3 == 3\n\n\ndef test_y():\n    assert 4 == 4\n"

    assert [mutation.text for mutation in mutations(source, "A.test_x")] == ["2"]
    assert [mutation.text for mutation in mutations(source, "B.test_x")] == ["3"]
    assert [mutation.text for mutation in mutations(source, "test_y")] == ["5"]
    assert mutations(source, "C.test_x") == ()
    assert mutations("def test_x(:", "test_x") == ()


LITERALS = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.text(max_size=8), st.binary(max_size=4), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(LITERALS)
def test_an_equality_that_holds_never_holds_once_it_is_changed(value: object) -> None:
    source = f"def test_x():\n    assert value == {value!r}\n"
    (one,) = mutations(source, "test_x")
    scope: dict[str, object] = {"value": value}
    exec(compile(apply(source, [one]), "test", "exec"), scope)  # noqa: S102  # the mutant is run

    with pytest.raises(AssertionError):
        scope["test_x"]()  # type: ignore[operator]  # the function just defined


@settings(max_examples=150, deadline=None)
@given(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "is", "in"]))
def test_whatever_holds_does_not_hold_once_it_is_changed(left: int, right: int, operator: str) -> None:
    shown = f"[{right}]" if operator == "in" else str(right)
    source = f"def test_x(a):\n    assert a {operator} {shown}\n"
    scope: dict[str, object] = {}
    (one,) = mutations(source, "test_x")
    for text in (source, apply(source, [one])):
        exec(compile(text.replace("is ", "== "), "test", "exec"), scope)  # noqa: S102  # the mutant is run
        scope[str(text == source)] = scope["test_x"]
    try:
        scope["True"](left)  # type: ignore[operator]  # the function just defined
    except AssertionError:
        return

    with pytest.raises(AssertionError):
        scope["False"](left)  # type: ignore[operator]  # the same
