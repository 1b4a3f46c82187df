"""A test that must go red: its body made to fail, in languages and in tests whose expectations cannot be changed. Pure.

A report that still calls it passed was not made by running it. Python's body fails after it has ended, Go's and Rust's too; JavaScript's before it begins, and
its last plain expectation is changed besides.
"""

import ast
import re
from collections.abc import Iterable

from ruledout.prove.mutants import Mutation, function

_NEVER = '@(lambda f, w=__import__("functools").wraps: w(f)(lambda *a, **k: [f(*a, **k), exec("raise AssertionError(\'ruledout\')")]))\n'
_RUST = ' struct RuledoutNever; impl Drop for RuledoutNever { fn drop(&mut self) { panic!("ruledout") } } let _ruledout = RuledoutNever;'
_SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
_EQUAL = re.compile(
    r"(?:\bassert\.(?:strictEqual|deepStrictEqual|equal|deepEqual)\((?P<first>[^;\n]*),|\bexpect\([^;\n]*\)\.(?:toBe|toEqual|toStrictEqual)\()"
    r"\s*(?P<value>-?\d+(?:\.\d+)?|true|false|null|'[^'\\\n]*'|\"[^\"\\\n]*\")\s*\)\s*(?:;|$)",
    re.MULTILINE,
)
_LEAVES = re.compile(r"\b(?:return|skip|throw|break|continue|todo)\b|\?\?|&&|\|\|")


def python(source: str, qualified: str) -> tuple[Mutation, ...]:
    """The test function wrapped in one that calls it and then fails; empty where it is not there."""
    try:
        found = function(ast.parse(source), qualified.split("."))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    if found is None:
        return ()
    lines = source.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: found.lineno - 1]))
    margin = lines[found.lineno - 1][: found.col_offset].decode()
    return (Mutation(start, start, margin + _NEVER, found.lineno),) if not margin.strip() else ()


def candidates(test: str, files: Iterable[str]) -> list[str]:
    """Files in which a test of another language may stand, by its id; all scripts for `node --test`, which names no file."""
    known = list(files)
    if re.search(r"\.rs::", test):
        return [path for path in known if path.endswith(".rs")]
    if re.fullmatch(r"[\w./@~-]+\.Test\w*(?:/.*)?", test):
        return [path for path in known if path.endswith("_test.go")]
    scripts = [path for path in known if path.endswith(_SCRIPTS)]
    head = test.partition(" > ")[0]
    return [path for path in scripts if path == head or head.endswith("/" + path)] or ([] if head.endswith(_SCRIPTS) else scripts)


def others(test: str, path: str, source: str) -> tuple[Mutation, ...]:
    """What makes the test of this id fail in this file; empty where it does not stand there in a form that is known."""
    if path.endswith(".rs"):
        return _after(source, _rust(test.rpartition("::")[2]), _RUST)
    if path.endswith(".go"):
        name = re.escape(test.rpartition(".Test")[2].partition("/")[0])
        return _after(source, re.compile(rf"^func Test{name}\((?P<t>[a-z]\w*) \*testing\.T\) \{{", re.MULTILINE), ' defer {t}.Error("ruledout");')
    return _script(test.rpartition(" > ")[2] or test, source)


def _rust(name: str) -> re.Pattern[str]:
    return re.compile(rf"#\[(?:\w+::)?test(?:\([^\n]*\))?\]\s*(?:#\[(?!should_panic)[^\n]*\]\s*)*(?:pub )?(?:async )?fn {re.escape(name)}\(\)[^{{;]*\{{")


def _after(source: str, head: re.Pattern[str], text: str) -> tuple[Mutation, ...]:
    found = head.search(source)
    return (_put(source, found.end(), found.end(), text.format(**found.groupdict()) if found.groupdict() else text),) if found is not None else ()


def _put(source: str, start: int, end: int, text: str) -> Mutation:
    """A change in characters as one in bytes."""
    return Mutation(len(source[:start].encode()), len(source[:end].encode()), text, source.count("\n", 0, start) + 1)


def _script(title: str, source: str) -> tuple[Mutation, ...]:
    head = re.search(
        rf"\b(?:test|it)(?:\.only)?\(\s*(?P<q>['\"`]){re.escape(title)}(?P=q)\s*,\s*(?:async\s+)?(?:\([^()]*\)\s*=>|\w+\s*=>|function\s*\w*\s*\([^()]*\))\s*\{{",
        source,
    )
    if head is None:
        return ()
    thrown = _put(source, head.end(), head.end(), ' throw new Error("ruledout");')
    found = _plain(source, head.end())
    return (thrown, found) if found is not None else (thrown,)


def _plain(source: str, start: int) -> Mutation | None:
    """The last equality with a written-out value that stands in the body itself, where nothing before it may leave the test."""
    depth, last, at = 1, None, start
    while at < len(source) and depth:
        found = _EQUAL.match(source, at) if depth == 1 and not source[at - 1 : at].isalnum() else None
        if found is not None and "," not in _outer(found["first"] or "") and not _LEAVES.search(source[start : found.start()]):
            last = _put(source, found.start("value"), found.end("value"), _other(found["value"]))
            at = found.end()
            continue
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        at += 1
    return last


def _other(value: str) -> str:
    """Another value of the same type."""
    if value[0] in "'\"":
        return f"{value[:-1]}_ruledout{value[-1]}"
    return {"true": "false", "false": "true", "null": "'ruledout'"}.get(value, f"({value} + 1)")


def _outer(words: str) -> str:
    """An argument list without what stands in brackets."""
    while True:
        less = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|'[^']*'|\"[^\"]*\"", "", words)
        if less == words:
            return less
        words = less
