"""What of a patch's own text makes a proof weaker: facts for the receipt, from the text alone. It refuses nothing.

A product that knows that it is under test can pass without being right, and no run tells the two apart. Each of these has honest uses too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from ruledout.prove import sides
from ruledout.prove.git import Repository
from ruledout.prove.patch import Change, Patch

_CODE = re.compile(
    r"\.(?:py|pyi|pyx|[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|scala|groovy|c|cc|cpp|cxx|hh?|hpp|cs|fs|vb|rb|php|swift|mm?|sh|bash|zsh|ps1|pl|pm|lua|exs?|erl|hrl|hs|mls?|clj[sc]?"
    r"|dart|jl|r|sql|nim|zig|awk|css|scss|html?|tf|proto)$",
    re.IGNORECASE,
)
_PRODUCT_KNOWS = re.compile(
    r"\b_?pytest\b|PYTEST_\w+|\bunittest\b|_getframe|currentframe|inspect\.(?:stack|getsource)|sys\.argv|sys\.modules|/proc/self|RULEDOUT\w*|os\._exit|\batexit\b"
    r"|JEST_WORKER_ID|\bVITEST\b|NODE_ENV|process\.exit|process\.argv|testing\.Testing\(|cfg!\(test\)|std::process::exit|os\.Exit|gc\.get_referrers|settrace"
)
_SOURCE = re.compile(r"getsource|read_text|read_bytes|readFileSync|\bopen\(|include_str!|os\.ReadFile|getsize|st_mtime|st_size")
_VALUE = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])|'[^'\n]{2,}'|\"[^\"\n]{2,}\"")
_COMMON = frozenset(("0", "1", "-1", "0.0", "1.0"))
_COMPARED = re.compile(r"(?:={2,3}|\bin\b|\bcase\b|\bwhen\b|\{)(.*)")
_RETURNED = re.compile(r"(?:\breturn\b|=>|:\s)(.*)")
_SHOWN = 5


def facts(repository: Repository, patch: Patch, judges: Sequence[str] = ()) -> tuple[str, ...]:
    """`weak=...` facts: no code on the product side, docstrings alone, words that name the runner or the tests, tests that read the product's text.

    `judges` are the files of the named tests. `weak=special_case`: the product compares with values that a test gives, and returns one that it expects.
    """
    changes = {change.path: change for change in patch.changes}
    product = [changes[path] for path in patch.product if path in changes]
    blobs = repository.blobs({entry.oid for change in patch.changes for entry in (change.before, change.after) if entry is not None and entry.mode[:2] == "10"})
    tests = [changes[path] for path in patch.tests if path in changes]
    held = repository.blobs(patch.files[path].oid for path in judges if path in patch.files)
    names = {path.rpartition("/")[2].partition(".")[0] for path in (*judges, *patch.tests)} - {"", "__init__", "conftest", "test", "tests"}
    names -= {change.path.rpartition("/")[2].partition(".")[0] for change in product}
    return tuple(dict.fromkeys((*_facts(product, tests, blobs, names), *_special(product, blobs, b"\n".join(held.values())))))


def _facts(product: list[Change], tests: list[Change], blobs: Mapping[str, bytes], judges: set[str]) -> Iterator[str]:
    if product and not any(_CODE.search(change.path) or "/" + change.path.rpartition("/")[2] == "/Makefile" for change in product):
        yield "weak=no_code"
    elif product and all(_docstrings_only(change, blobs) for change in product):
        yield "weak=docstrings_only"
    told = sorted({word for change in product for line in _added(change, blobs) for word in _words(line, judges)})
    yield from (f"weak=product_names:{word}" for word in told[:_SHOWN])
    names = {change.path.rpartition("/")[2] for change in product}
    for change in tests:
        text = "\n".join(_added(change, blobs))
        if _SOURCE.search(text) and (any(name in text for name in names if _CODE.search(name)) or "getsource" in text):
            yield f"weak=reads_source:{change.path}"


def _words(line: str, judges: set[str]) -> Iterator[str]:
    yield from (found[0] for found in _PRODUCT_KNOWS.finditer(line))
    yield from (name for name in judges if re.search(rf"\b{re.escape(name)}\b", line))
    if re.search(r"\b(?:from|import|require\(['\"][./]*)\s*tests?\b", line):
        yield "tests"


def _special(product: list[Change], blobs: Mapping[str, bytes], tests: bytes) -> Iterator[str]:
    given = set(_VALUE.findall(tests.decode("utf-8", "replace"))) - _COMMON
    for change in product:
        lines = _added(change, blobs) if _CODE.search(change.path) else []
        asked = {value for line in lines for told in _COMPARED.findall(line) for value in _VALUE.findall(told)} & given
        told = {value for line in lines for told in _RETURNED.findall(line) for value in _VALUE.findall(told)} & given
        if asked and told - asked:
            yield f"weak=special_case:{change.path}"


def _docstrings_only(change: Change, blobs: Mapping[str, bytes]) -> bool:
    if change.before is None or change.after is None or not change.path.endswith(".py"):
        return False
    old, new = (blobs.get(entry.oid, b"") for entry in (change.before, change.after))
    return sides.bare(change.path, old, docstrings=False) == sides.bare(change.path, new, docstrings=False)


def _added(change: Change, blobs: Mapping[str, bytes]) -> list[str]:
    """Lines that were not there before."""
    if change.after is None:
        return []
    old = set(blobs.get(change.before.oid, b"").splitlines()) if change.before is not None else set()
    return [line.decode("utf-8", "replace") for line in blobs.get(change.after.oid, b"").splitlines() if line not in old]
