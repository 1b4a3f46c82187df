"""Does the patch judge itself: which of the named tests it wrote, and whether one of them came green by a change of the test on the product side.

A file on the test side is in every tree. A test in a file on the product side is not: its red comes from its old text, its green from its new one, and proves
nothing unless that text is the same in both.
"""

import ast
import re
from collections.abc import Sequence

from ruledout.model.gate import Reason
from ruledout.prove import canary, mutants
from ruledout.prove.assertions import locate
from ruledout.prove.lab import Lab
from ruledout.prove.reading import Seen, State
from ruledout.prove.refusals import reason

_ASKED = 500
_RUNS_A_FILE = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".bats", ".pl", ".rb", ".t")


def sift(lab: Lab, named: Sequence[str]) -> tuple[tuple[Reason, ...], tuple[str, ...], tuple[str, ...]]:
    """The named tests without those that the product side itself turned; reasons where none is left; facts for the receipt."""
    changed = {change.path for change in lab.patch.changes}
    where = {test: file(lab, test) for test in named}
    turned = [test for test in named if where[test] in lab.patch.product and _turned(lab, test, where[test])]
    kept = tuple(test for test in named if test not in turned)
    if not kept:
        path = where[turned[0]]
        mend = f"name {path} as the test side: --test-paths {path!r}; the fix itself is a change of what it tests"
        return (reason("not_fail_to_pass", f"{turned[0]} is red and green because {path}, which holds it, was changed itself", mend),), (), ()
    own = sum(where[test] in changed for test in kept)
    facts = [f"tests_changed={own} of {len(kept)}"] if own else []
    return (), kept, (*facts, *_scripts(lab))


def misplaced(lab: Lab, green: Sequence[Seen]) -> tuple[str, ...]:
    """Files of the product side that do nothing but test, in a place that no name tells of: found by the tests that ran in them. Never all of that side."""
    if lab.request.test_paths or not green or green[0].state is not State.GREEN:
        return ()
    held = {file(lab, test) for test in sorted(green[0].tests)[:_ASKED]} & set(lab.patch.product)
    found = tuple(sorted(path for path in held if path not in lab.patch.mixed and _only_tests(path, _text(lab, path, after=True))))
    return found if set(lab.patch.product) - set(found) else ()


def _only_tests(path: str, source: str) -> bool:
    """Does every function and class of a file belong to tests."""
    if not path.endswith(".py"):
        return path.endswith((".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")) and not re.search(
            r"^export |\bmodule\.exports\b|import\.meta\.vitest", source, re.MULTILINE
        )
    try:
        made = [node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    except (SyntaxError, ValueError, RecursionError):
        return False
    return all("test" in node.name.lower() or any("fixture" in ast.unparse(one) for one in node.decorator_list) for node in made)


def file(lab: Lab, test: str) -> str:
    """The file that holds a test; empty where it is not known."""
    files = sorted(lab.patch.files)
    found = locate(test, files, lab.request.cwd)
    if found is not None:
        return found[0]
    for path in [path for path in canary.candidates(test, files) if path in lab.patch.product]:
        if canary.others(test, path, _text(lab, path, after=True)):
            return path
    return ""


def _turned(lab: Lab, test: str, path: str) -> bool:
    """Was the test's own text changed, or a value beside it that it reads. Rust's tests are taken apart from their product before the runs."""
    if path in lab.patch.mixed or path.endswith(".rs"):
        return False
    old, new = _text(lab, path, after=False), _text(lab, path, after=True)
    if not path.endswith(".py"):
        return old != new and "import.meta.vitest" not in new
    found = locate(test, sorted(lab.patch.files), lab.request.cwd)
    qualified = found[1] if found is not None else ""
    if not re.match(r"test", qualified.rpartition(".")[2]) and "test" not in qualified.lower():
        return False  # a doctest: its file is the product
    return _judging(old, qualified) != _judging(new, qualified)


def _judging(source: str, qualified: str) -> list[str]:
    """The test function, and what the module's plain assignments give to names that it reads."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    function = mutants.function(module, qualified.split("."))
    if function is None:
        return []
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    given = [node for node in module.body if isinstance(node, (ast.Assign, ast.AnnAssign))]
    return [ast.dump(function), *(ast.dump(node) for node in given if read & {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)})]


def _scripts(lab: Lab) -> list[str]:
    """Scripts of the product side that the gate itself runs: what they print is what they say of themselves."""
    return [f"weak=gate_changed:{path}" for path in lab.patch.product if path.endswith(_RUNS_A_FILE) and path in lab.named and not path.endswith(".rs")]


def _text(lab: Lab, path: str, *, after: bool) -> str:
    change = next((change for change in lab.patch.changes if change.path == path), None)
    entry = lab.patch.files.get(path) if change is None or after else change.before
    return lab.repository.blobs((entry.oid,))[entry.oid].decode("utf-8", "replace") if entry is not None else ""
