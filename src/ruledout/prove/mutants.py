"""Does the assertion decide the test? Change what the test expects and run it: a test that stays green has a dead assertion.

Pure: from a Python test's source to the same source with one expectation changed. Only assertions that every run of the test must reach are changed, and
only in a way that an honest assertion cannot survive; a test without one is told of, not refused. Docs: `docs/decisions/0033-dead-assertions.md`.
"""

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ruledout.prove.reached import called, literal, reached

_NEVER = 'type("RuledoutNever", (Exception,), {})'
_OPPOSITE = {
    "assertTrue": "assertFalse",
    "assertFalse": "assertTrue",
    "assertIn": "assertNotIn",
    "assertNotIn": "assertIn",
    "assertIs": "assertIsNot",
    "assertIsNot": "assertIs",
    "assertIsNone": "assertIsNotNone",
    "assertIsNotNone": "assertIsNone",
    "assertIsInstance": "assertNotIsInstance",
    "assertNotIsInstance": "assertIsInstance",
    "assertGreater": "assertLessEqual",
    "assertLessEqual": "assertGreater",
    "assertLess": "assertGreaterEqual",
    "assertGreaterEqual": "assertLess",
    "assertRegex": "assertNotRegex",
    "assertNotRegex": "assertRegex",
    "assertNotEqual": "assertEqual",
}
_EQUAL = frozenset(
    (
        "assertEqual",
        "assertEquals",
        "assertListEqual",
        "assertDictEqual",
        "assertTupleEqual",
        "assertSetEqual",
        "assertSequenceEqual",
        "assertMultiLineEqual",
        "assertCountEqual",
    )
)
_OPERATORS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
}


class Mutation(Struct, frozen=True):
    """One expectation changed: bytes of the source from `start` to `end` become `text`; `line` is where, from 1."""

    start: int
    end: int
    text: str
    line: int


class _Place(Struct):
    """Turns the parser's lines and columns (in bytes of UTF-8) into offsets of the source."""

    data: bytes
    starts: list[int]

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None  # noqa: S101, PT018  # the parser always sets them
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def swap(self, node: ast.expr, text: str) -> Mutation:
        start, end = self.span(node)
        return Mutation(start, end, text, node.lineno)


def mutations(source: str, qualified: str) -> tuple[Mutation, ...]:
    """The expectations of one test function (`test_x`, `Class.test_x`) that can be changed, in the order of the source; empty where there are none."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    found = function(module, qualified.split("."))
    if found is None:
        return ()
    data = source.encode()
    starts, at = [0], 0
    for line in data.splitlines(keepends=True):
        at += len(line)
        starts.append(at)
    place = _Place(data, starts)
    return tuple(one for statement in reached(found.body) for one in _expectations(statement, place))


def apply(source: str, chosen: Sequence[Mutation]) -> str:
    """The source with these changes, which must not overlap."""
    data = source.encode()
    for one in sorted(chosen, key=lambda mutation: -mutation.start):
        data = data[: one.start] + one.text.encode() + data[one.end :]
    return data.decode()


def function(module: ast.Module, names: Sequence[str]) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of this qualified name, the last one where there are several; None where there is none."""
    body: Sequence[ast.stmt] = module.body
    for name in names[:-1]:
        found = [node for node in body if isinstance(node, ast.ClassDef) and node.name == name]
        if not found:
            return None
        body = found[-1].body
    last = [node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == names[-1]]
    return last[-1] if last else None


def _expectations(statement: ast.stmt, place: _Place) -> Iterator[Mutation]:
    if isinstance(statement, ast.Assert) and not literal(statement.test):  # `assert False` behind a call that must raise expects nothing
        yield _asserted(statement.test, place)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from _method(statement.value, place)
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        for item in statement.items:
            call = item.context_expr
            if called(call) in {"raises", "assertRaises"} and isinstance(call, ast.Call) and call.args:
                yield place.swap(call.args[0], _NEVER)


def _asserted(test: ast.expr, place: _Place) -> Mutation:
    """An equality gets another expected value, a comparison its opposite; anything else is turned round."""
    comparison = _comparison(test)
    if comparison is not None:
        left, operator, right = comparison.left, comparison.ops[0], comparison.comparators[0]
        if isinstance(operator, ast.Eq):
            return _changed(right if literal(right) or not literal(left) else left, place)
        if isinstance(operator, ast.In) and isinstance(right, (ast.List, ast.Tuple, ast.Set)):
            return place.swap(right, '("ruledout",)')
        swapped = _swapped(comparison, place)
        if swapped is not None:
            return swapped
    return place.swap(test, f"not ({place.text(test)})")


def _comparison(test: ast.expr) -> ast.Compare | None:
    """The first comparison that must hold for the assertion to hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return next((found for value in test.values if (found := _comparison(value)) is not None), None)
    return test if isinstance(test, ast.Compare) and len(test.ops) == 1 else None


def _swapped(comparison: ast.Compare, place: _Place) -> Mutation | None:
    """`a < b` as `a >= b`: both hold only for what compares as it likes. None where the operator cannot be found for sure."""
    pair = _OPERATORS.get(type(comparison.ops[0]))
    start, end = place.span(comparison.left)[1], place.span(comparison.comparators[0])[0]
    between = place.data[start:end].decode()
    if pair is None or between.count(pair[0]) != 1 or "#" in between:
        return None
    return Mutation(start, end, between.replace(*pair), comparison.lineno)


def _method(call: ast.Call, place: _Place) -> Iterator[Mutation]:
    """`self.assertEqual(a, b)` and its kin."""
    name = called(call)
    if not isinstance(call.func, ast.Attribute) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    if name in _EQUAL and len(call.args) >= 2:
        first, second = call.args[:2]
        chosen = second if literal(second) or not literal(first) else first
        if name in ("assertEqual", "assertEquals") or literal(chosen):
            yield _changed(chosen, place)
    elif name == "assertTrue" and call.args and _comparison(call.args[0]) is not None:
        yield _asserted(call.args[0], place)
    elif name in _OPPOSITE:
        start, end = place.span(call.func)
        yield Mutation(end - len(name), end, _OPPOSITE[name], call.lineno) if end - start > len(name) else place.swap(call.func, _OPPOSITE[name])
    elif name == "assertRaises" and call.args:
        yield place.swap(call.args[0], _NEVER)


def _changed(node: ast.expr, place: _Place) -> Mutation:
    """Another value than expected: a literal's first constant changed, anything else in a tuple that equals nothing it equalled."""
    if literal(node):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant):
                other = _other(inner.value)
                if other is not None:
                    return place.swap(inner, other)
    return place.swap(node, f'({place.text(node)}, "ruledout")')


def _other(value: object) -> str | None:
    """A literal of another value of the same type."""
    if isinstance(value, bool):
        return repr(not value)
    if isinstance(value, int):
        return repr(value + 1)
    if isinstance(value, float):
        return repr(value + 1.0 if abs(value) < 1e9 else value * 2)
    if isinstance(value, str):
        return repr(value + "_ruledout")
    if isinstance(value, bytes):
        return repr(value + b"_ruledout")
    return '"ruledout"' if value is None else None
