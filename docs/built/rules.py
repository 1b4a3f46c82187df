"""Which rule is enforced where, and which test bears its number. Reads the source alone: comments, docstrings, and the codes that refusals carry.

A rule counts as enforced by a module when the module names it outside the shared values (`model`, `errors`, `ports` tell of rules and enforce none).
"""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

from built.cli import cell

RULES = tuple(f"R{number}" for number in range(1, 16))
NAMED = re.compile(r"\bR(\d{1,2})(?:-R?(\d{1,2}))?\b")
TEST = re.compile(r"^test_((?:R\d{1,2}_)+)")
STATEMENT = re.compile(r"^\*\*(R\d{1,2}) (.+?)\*\*", re.MULTILINE)
TELL_ONLY = ("model", "errors", "ports")


def numbers(text: str) -> set[str]:
    """The rules that a text names; `R1-R9` names nine."""
    found: set[str] = set()
    for first, last in NAMED.findall(text):
        found.update(f"R{number}" for number in range(int(first), int(last or first) + 1))
    return found & set(RULES)


def prose(source: str) -> str:
    """The comments, docstrings and bare rule numbers (`Reason("R9", ...)`) of a module."""
    comments = [token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == tokenize.COMMENT]
    nodes = list(ast.walk(ast.parse(source)))
    docs = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    codes = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMED.fullmatch(node.value)]
    return "\n".join([*comments, *docs, *codes])


def sources(root: Path) -> list[Path]:
    """The modules of the program; not the small repository that the demo unpacks, which is data."""
    top = root / "src" / "ruledout"
    return [path for path in sorted(top.rglob("*.py")) if path.relative_to(top).parts[0] != "demo"]


def module(root: Path, path: Path) -> str:
    """`distill.policy` for src/ruledout/distill/policy.py; a package by its own name."""
    parts = path.relative_to(root / "src" / "ruledout").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "ruledout"


@cache
def enforced(root: Path) -> dict[str, list[str]]:
    """For each rule the modules that name it."""
    places: dict[str, list[str]] = {rule: [] for rule in RULES}
    for path in sources(root):
        name = module(root, path)
        if name.split(".")[0] in TELL_ONLY:
            continue
        for rule in numbers(prose(path.read_text(encoding="utf-8"))):
            places[rule].append(name)
    return places


@cache
def tested(root: Path) -> dict[str, list[str]]:
    """For each rule the tests that bear its number: `test_R4_...`, or `test_R4_R7_...` for two, as `room/test_file.py::test`."""
    tests: dict[str, list[str]] = {rule: [] for rule in RULES}
    for path in sorted((root / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (found := TEST.match(node.name)):
                for rule in found[1].strip("_").split("_"):
                    tests.setdefault(rule, []).append(f"{path.relative_to(root / 'tests').as_posix()}::{node.name}")
    return tests


def statements(root: Path) -> dict[str, str]:
    """The short name of each rule as docs/rules.md states it."""
    return dict(STATEMENT.findall((root / "docs" / "rules.md").read_text(encoding="utf-8")))


def shown(tests: list[str]) -> str:
    """At most three tests by name, and how many more there are."""
    more = f", and {len(tests) - 3} more" if len(tests) > 3 else ""
    return ", ".join(f"`{test}`" for test in tests[:3]) + more


def row(root: Path, rule: str) -> str:
    """One rule: name, modules, tests."""
    places, tests = enforced(root)[rule], tested(root)[rule]
    where = ", ".join(f"`{place}`" for place in places)
    return f"| {rule} | {cell(statements(root).get(rule, '').rstrip('.'))} | {where or 'nowhere yet'} | {cell(shown(tests)) or 'none'} |"


def table(root: Path) -> str:
    """The table of docs/rules.md."""
    head = ["| rule | in short | enforced in | tests that bear its number |", "|---|---|---|---|"]
    return "\n".join([*head, *(row(root, rule) for rule in RULES), ""])


def broken(root: Path) -> list[str]:
    """Rules without a statement, enforced without a test, or enforced nowhere."""
    findings = [f"docs/rules.md: {rule} has no statement" for rule in RULES if rule not in statements(root)]
    for rule in RULES:
        places, tests = enforced(root)[rule], tested(root)[rule]
        if not places:
            findings.append(f"{rule} is enforced nowhere: name it in a comment where it is")
        elif not tests:
            findings.append(f"{rule} is enforced in {', '.join(places)} and no test bears its number: test_{rule}_...")
    strangers = sorted(set(tested(root)) - set(RULES))
    return findings + [f"{rule}: tests bear this number, and there is no such rule" for rule in strangers]
