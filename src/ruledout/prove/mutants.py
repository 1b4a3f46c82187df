"""Does the assertion decide the test? Change what the test expects and run it: a test that stays green has a dead assertion.

Pure: from a Python test's source to the same source with one expectation changed. Only assertions that every run of the test must reach are changed, and
only in a way that an honest assertion cannot survive; a test without one is told of, not refused. Docs: `docs/decisions/0033-dead-assertions.md`.
"""

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

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
_CATCHES = frozenset(("AssertionError", "Exception", "BaseException"))


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
    function = _function(module, qualified.split("."))
    if function is None:
        return ()
    data = source.encode()
    starts, at = [0], 0
    for line in data.splitlines(keepends=True):
        at += len(line)
        starts.append(at)
    place = _Place(data, starts)
    return tuple(found for statement in _reached(function.body) for found in _expectations(statement, place))


def apply(source: str, chosen: Sequence[Mutation]) -> str:
    """The source with these changes, which must not overlap."""
    data = source.encode()
    for one in sorted(chosen, key=lambda mutation: -mutation.start):
        data = data[: one.start] + one.text.encode() + data[one.end :]
    return data.decode()


def _function(module: ast.Module, names: Sequence[str]) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    body: Sequence[ast.stmt] = module.body
    for name in names[:-1]:
        found = [node for node in body if isinstance(node, ast.ClassDef) and node.name == name]
        if not found:
            return None
        body = found[-1].body
    last = [node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == names[-1]]
    return last[-1] if last else None


def _reached(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that every run of the test reaches as long as nothing is raised: no branches, no loops, and nothing behind a branch that may return.

    A `try` that could swallow the assertion is entered: that is what makes an assertion dead. So is what stands behind a plain `return`.
    """
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            if not _expects_raise(statement):
                yield from _reached(statement.body)
        elif isinstance(statement, ast.Try):
            if not any(_leaves(inner) for inner in statement.body) and all(_swallows(handler) for handler in statement.handlers):
                yield from _reached(statement.body)
            yield from _reached(statement.finalbody)
        if isinstance(statement, (ast.If, ast.For, ast.While, ast.Match, ast.AsyncFor, ast.Try)) and _leaves(statement):
            return


def _leaves(statement: ast.stmt) -> bool:
    """May a compound statement leave the test early: by return, or by a skip."""
    if isinstance(statement, ast.Return):
        return False
    for node in ast.walk(statement):
        if isinstance(node, (ast.Return, ast.Raise)):
            return True
        if isinstance(node, ast.Call) and "skip" in ast.unparse(node.func).lower():
            return True
    return False


def _swallows(handler: ast.ExceptHandler) -> bool:
    """Does a handler catch what a failed assertion raises, whatever the honest reason to catch."""
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _CATCHES for node in ast.walk(handler.type))


def _expects_raise(statement: ast.With | ast.AsyncWith) -> bool:
    """`with pytest.raises(...)`, `self.assertRaises(...)`, `suppress(...)`: what stands behind the raising call is never reached."""
    return any(_called(item.context_expr) in {"raises", "assertRaises", "assertRaisesRegex", "suppress", "warns", "assertWarns"} for item in statement.items)


def _called(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""


def _expectations(statement: ast.stmt, place: _Place) -> Iterator[Mutation]:
    if isinstance(statement, ast.Assert):
        yield _asserted(statement.test, place)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from _method(statement.value, place)
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        for item in statement.items:
            call = item.context_expr
            if _called(call) in {"raises", "assertRaises"} and isinstance(call, ast.Call) and call.args:
                yield place.swap(call.args[0], _NEVER)


def _asserted(test: ast.expr, place: _Place) -> Mutation:
    """An equality gets another expected value; anything else is turned round."""
    equality = _equality(test)
    if equality is not None:
        left, right = equality.left, equality.comparators[0]
        return _changed(right if _literal(right) or not _literal(left) else left, place)
    return place.swap(test, f"not ({place.text(test)})")


def _equality(test: ast.expr) -> ast.Compare | None:
    """The first equality that must hold for the assertion to hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return next((found for value in test.values if (found := _equality(value)) is not None), None)
    return test if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq) else None


def _method(call: ast.Call, place: _Place) -> Iterator[Mutation]:
    """`self.assertEqual(a, b)` and its kin."""
    name = _called(call)
    if not isinstance(call.func, ast.Attribute) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    if name in _EQUAL and len(call.args) >= 2:
        first, second = call.args[:2]
        chosen = second if _literal(second) or not _literal(first) else first
        if name in ("assertEqual", "assertEquals") or _literal(chosen):
            yield _changed(chosen, place)
    elif name in _OPPOSITE:
        start, end = place.span(call.func)
        yield Mutation(end - len(name), end, _OPPOSITE[name], call.lineno) if end - start > len(name) else place.swap(call.func, _OPPOSITE[name])
    elif name == "assertRaises" and call.args:
        yield place.swap(call.args[0], _NEVER)


def _literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _changed(node: ast.expr, place: _Place) -> Mutation:
    """Another value than expected: a literal's first constant changed, anything else in a tuple that equals nothing it equalled."""
    if _literal(node):
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
