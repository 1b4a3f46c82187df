"""Which side of a patch a path is on: the test side is what judges, the product side is what is judged.

Usual names per language; globs of the user replace them altogether. Product taken for a test can only refuse a fix: the test side is in every tree. A test
taken for product could prove one by its own change: `judges` looks for that.
"""

import ast
import fnmatch
import re
from collections.abc import Iterable, Sequence

from ruledout.errors import BadInput

_FOLDERS = re.compile(
    r"(?:^|/)(?:tests|__tests__|__snapshots__|__mocks__|testdata|test-data|test_data|specs?|e2e|integration[-_]tests?|unit[-_]tests?|androidTest)/"
)
_SINGULAR = re.compile(r"(?:^|/)test/")
_FILES = re.compile(
    r"(?:^|/)(?:"
    r"test_[^/]*\.(?:py|rb|c|cc|cpp|sh|bats|pl|t)|[^/]*_tests?\.(?:py|go|rb|c|cc|cpp|cxx|dart|exs?|rs|sh)|conftest\.py|tests?\.py|tests\.rs"
    r"|[^/]*[._-](?:test|tests|spec|cy)\.[cm]?[jt]sx?|[^/]*_spec\.rb|[^/]*\.bats|[^/]*\.snap|[^/]*\.feature"
    r"|(?:[^/]*Tests?|[^/]*IT|[^/]*TestCase|Test[A-Z][^/]*|[^/]*Spec)\.(?:java|kt|kts|scala|groovy|cs|fs|php|swift|m|mm)"
    r"|(?:jest|vitest|karma|playwright|cypress)\.(?:config|setup)\.[^/]*|pytest\.ini|\.coveragerc|tox\.ini|noxfile\.py"
    r")$"
)
_CHECKS = re.compile(r"(?:^|/)(?:scripts?|checks?|tools?|ci|hack|qa|verify|repro)/|(?:^|/)(?:check|verify|smoke|repro|selftest)[^/]*$")

_PARSED = 1 << 21
"""bytes of a file that are still parsed"""


def is_test(path: str, globs: Sequence[str] = (), *, packages: frozenset[str] = frozenset()) -> bool:
    """Is this path on the test side. `packages` are folders that hold an `__init__.py`: `django/test/` is product code, `test/` is not."""
    if globs:
        return any(_matches(path, glob) for glob in globs)
    if _FILES.search(path) or _FOLDERS.search(path):
        return True
    found = _SINGULAR.search(path)
    return found is not None and path[: found.start()] not in packages


def is_check(path: str) -> bool:
    """Does a path that the gate names look like a check (`scripts/check.py`, `verify_units.py`), not like the program itself."""
    return _CHECKS.search(path) is not None


def packages(paths: Iterable[str]) -> frozenset[str]:
    """Folders of these files that are Python packages."""
    return frozenset(path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] == "__init__.py")


def checked_globs(globs: Sequence[str]) -> tuple[str, ...]:
    """The globs, or `BadInput` for one that could be taken for an option or for pathspec magic."""
    for glob in globs:
        if glob.startswith(("-", ":", "/")) or ".." in glob.split("/") or not glob:
            raise BadInput("bad-test-paths", f"{glob!r} is no glob relative to the repository", "give globs such as 'tests/**' or 'checks/*.py'")
    return tuple(globs)


def _matches(path: str, glob: str) -> bool:
    """A pathspec: a folder, a file, or a pattern whose `*` crosses folders."""
    plain = glob.rstrip("/")
    return path == plain or path.startswith(plain + "/") or fnmatch.fnmatchcase(path, glob)


def bare(path: str, data: bytes, *, docstrings: bool = True) -> object:
    """What of a file counts as its content: for Python its syntax, so that comments are none, else its lines without line ends and space at their ends.

    Indentation counts: in some languages it is meaning. `docstrings` false leaves them out too.
    """
    lines = [line.rstrip() for line in data.splitlines() if line.strip()]
    if not path.endswith((".py", ".pyi")) or len(data) > _PARSED:
        return lines
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return lines
    for node in [] if docstrings else list(ast.walk(tree)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def inline_tests(path: str, base: str, new: str) -> str | None:
    """The base's product part with the new test part, for files that hold both (Rust's `#[cfg(test)] mod tests`); None where there is no such part.

    Without it every Rust fix with its test beside it would look as if it had no test side.
    """
    if not path.endswith(".rs"):
        return None
    mark = re.compile(r"(?m)^#\[cfg\(test\)\]\s*\n(?:#\[[^\n]*\]\s*\n)*(?:pub )?mod \w+ \{")
    here, there = mark.search(new), mark.search(base)
    if here is None or not new[here.start() :].rstrip().endswith("}"):
        return None
    product = base[: there.start()] if there is not None else base.rstrip("\n") + "\n\n"
    return product + new[here.start() :]
