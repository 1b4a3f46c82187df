"""The golden signatures. A difference means that identities change: raise `signature.VERSION`, write the file anew with this module as a program, decide why."""

import json
from pathlib import Path

import msgspec
import pytest

from ruledout.model.outcome import Diagnostic, ErrorSignature, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.signature import VERSION, sign

FILE = Path(__file__).with_name("golden_signatures.json")
TRACEBACK = """Traceback (most recent call last):
  File "/home/ada/shop/cart.py", line 41, in <module>
    main()
  File "/home/ada/shop/cart.py", line 12, in total
    return prices[key]
KeyError: 'apple'
"""
CASES: dict[str, tuple[Reading, int | None, str]] = {
    "a traceback that no tool read": (Reading(tool=""), 1, TRACEBACK),
    "an exception with frames": (
        Reading(
            tool="python",
            kind=Kind.EXCEPTION,
            classes=("ValueError", "KeyError"),
            message="KeyError: 'apple'",
            frames=(Frame("total", "/home/ada/shop/cart.py", 12), Frame("run", "/opt/py/lib/python3.12/site-packages/click/core.py", 8)),
            span=TRACEBACK,
        ),
        1,
        TRACEBACK,
    ),
    "failing tests": (
        Reading(
            tool="pytest",
            kind=Kind.TEST_FAILURE,
            classes=("AssertionError",),
            message="assert 2 == 3",
            failing=("tests/test_b.py::test_y[<object object at 0x7f12aabbcc00>]", "tests/test_a.py::test_x[3]"),
        ),
        1,
        "",
    ),
    "compiler errors": (
        Reading(
            tool="rustc",
            kind=Kind.DIAGNOSTIC,
            code="E0308",
            message="error[E0308]: mismatched types",
            diagnostics=(
                Diagnostic(file="src/main.rs", line=3, code="E0308", severity="error", message="mismatched types"),
                Diagnostic(file="src/lib.rs", line=9, code="E0599", severity="error", message="no method"),
                Diagnostic(file="src/lib.rs", line=1, code="unused", severity="warning", message="unused"),
            ),
        ),
        101,
        "",
    ),
    "a crash at a null address": (
        Reading(
            tool="sanitizer",
            kind=Kind.CRASH,
            classes=("Null-dereference READ",),
            message="SEGV on unknown address 0x10",
            addr="0x10",
            frames=(Frame("f<int>(int)", "src/a.c", 3),),
        ),
        134,
        "",
    ),
    "a segmentation fault without a word": (Reading(tool=""), 139, ""),
    "a time-out": (Reading(tool="", kind=Kind.TIMEOUT), None, ""),
    "an error line between noise": (
        Reading(tool=""),
        2,
        "compiling 3 files\nerror: cannot open input file /tmp/tmpab12cd34/x.in after 0.31s\nmake: *** [Makefile:7: all] Error 2\n",
    ),
    "a wrapper's line and nothing else": (Reading(tool="make"), 2, "make: *** [Makefile:3: lint] Error 1\n"),
    "a span that was cut": (
        Reading(tool=""),
        1,
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n[... 300 lines truncated ...]\nValueError: x\n',
    ),
}


def test_a_change_of_any_golden_signature_needs_a_new_version() -> None:
    golden = json.loads(FILE.read_text(encoding="utf-8"))
    assert golden["version"] == VERSION
    assert list(golden["cases"]) == list(CASES)


@pytest.mark.parametrize("name", list(CASES))
def test_the_signature_is_the_golden_one(name: str) -> None:
    golden = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    assert sign(*CASES[name]) == msgspec.convert(golden[name], ErrorSignature)


if __name__ == "__main__":
    signed = {"version": VERSION, "cases": {name: msgspec.to_builtins(sign(*case)) for name, case in CASES.items()}}
    FILE.write_text(json.dumps(signed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
