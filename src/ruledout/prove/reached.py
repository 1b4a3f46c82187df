"""Which statements of a test every run of it reaches, as far as the source tells. Pure."""

import ast
from collections.abc import Iterator, Sequence

_CATCHES = frozenset(("AssertionError", "Exception", "BaseException"))


def reached(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that every run of the test reaches as long as nothing is raised: no branches, no loops, and nothing behind a branch that may return.

    A `try` that could swallow the assertion is entered: that is what makes an assertion dead. So is what stands behind a plain `return`.
    """
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            if not _expects_raise(statement):
                yield from reached(statement.body)
        elif isinstance(statement, ast.Try):
            if not any(_leaves(inner) for inner in statement.body) and all(_swallows(handler.type) and not _judges(handler) for handler in statement.handlers):
                yield from reached(statement.body)
            yield from reached(statement.finalbody)
        elif (isinstance(statement, ast.For) and _not_empty(statement.iter)) or (
            isinstance(statement, ast.If) and literal(statement.test) and _true(statement.test)
        ):
            yield from reached(statement.body)
        if isinstance(statement, (ast.If, ast.For, ast.While, ast.Match, ast.AsyncFor, ast.Try)) and _leaves(statement):
            return


def _leaves(statement: ast.stmt) -> bool:
    """May a compound statement leave the test, or the loop that it stands in, early: by return, break, or a skip."""
    if isinstance(statement, ast.Return):
        return False
    for node in ast.walk(statement):
        if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return True
        if isinstance(node, ast.Call) and "skip" in ast.unparse(node.func).lower():
            return True
    return False


def _swallows(caught: ast.expr | None) -> bool:
    """Does a handler catch what a failed assertion raises, whatever the honest reason to catch."""
    return caught is None or any(isinstance(node, ast.Name) and node.id in _CATCHES for node in ast.walk(caught))


def _judges(handler: ast.ExceptHandler) -> bool:
    """Does a handler assert, fail or raise itself: then what was caught is looked at, not swallowed."""
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Assert) and not literal(node.test)):
            return True
        if isinstance(node, ast.Call) and called(node).startswith(("assert", "fail")):
            return True
    return False


def _not_empty(items: ast.expr) -> bool:
    """Is a loop surely entered: over a written-out list that is not empty, or `range` of a positive number."""
    if isinstance(items, (ast.List, ast.Tuple, ast.Set)):
        return any(not isinstance(item, ast.Starred) for item in items.elts)
    return called(items) == "range" and isinstance(items, ast.Call) and len(items.args) == 1 and literal(items.args[0]) and _true(items.args[0])


def _true(node: ast.expr) -> bool:
    return bool(ast.literal_eval(node))


def _expects_raise(statement: ast.With | ast.AsyncWith) -> bool:
    """`with pytest.raises(...)`, `self.assertRaises(...)`, `suppress(OSError)`: what stands behind the raising call is never reached.

    `suppress(AssertionError)` expects nothing: it swallows, and is entered.
    """
    for item in statement.items:
        call = item.context_expr
        if called(call) in {"raises", "assertRaises", "assertRaisesRegex", "warns", "assertWarns"}:
            return True
        if called(call) == "suppress" and isinstance(call, ast.Call) and not any(_swallows(argument) for argument in call.args):
            return True
    return False


def called(node: ast.expr) -> str:
    """The last name of what is called; empty for what is no call."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""


def literal(node: ast.expr) -> bool:
    """Is it a value written out: constants, and lists, tuples, sets and dicts of them."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
