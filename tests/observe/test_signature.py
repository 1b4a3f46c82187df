import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.model.outcome import Diagnostic, ErrorSignature, Frame, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.signature import VERSION, sign


def signed(reading: Reading, exit: int | None = 1, text: str = "") -> ErrorSignature:  # noqa: A002  # as the product names it
    found = sign(reading, exit, text)
    assert found is not None
    return found


def exception(**parts: object) -> Reading:
    base = {"tool": "python", "kind": Kind.EXCEPTION, "classes": ("KeyError",), "message": "KeyError: 'a'", "frames": (Frame("load", "app/m.py", 3),)}
    return Reading(**{**base, **parts})  # type: ignore[arg-type]  # a table of fields


def same(a: ErrorSignature, b: ErrorSignature) -> tuple[bool, bool]:
    return a.normalised == b.normalised, a.coarse == b.coarse


@pytest.mark.parametrize(
    ("case", "exit", "text"),
    [
        ("a failing status without a word", 1, ""),
        ("blank lines only", 1, "\n  \n"),
        ("generic lines only", 1, "Error: Process completed with exit code 1\nFAILED\n"),
        ("nothing known at all", None, ""),
    ],
)
def test_nothing_is_not_signed(case: str, exit: int | None, text: str) -> None:  # noqa: A002  # as the product names it
    assert sign(Reading(tool=""), exit, text) is None, case


@pytest.mark.parametrize(("exit", "shown"), [(139, "signal:SIGSEGV"), (-11, "signal:SIGSEGV"), (137, "signal:SIGKILL"), (124, "timeout")])
def test_a_signal_and_a_time_out_are_signed_by_themselves(exit: int, shown: str) -> None:  # noqa: A002  # as the product names it
    assert signed(Reading(tool=""), exit).exit == shown


@pytest.mark.parametrize(
    ("case", "other", "normalised", "coarse"),
    [
        ("a line moved", {"frames": (Frame("load", "app/m.py", 99),)}, True, True),
        ("another checkout folder", {"frames": (Frame("load", "app/m.py", 3),), "span": "/somewhere/else"}, True, True),
        ("recursion went deeper", {"frames": (Frame("load", "app/m.py", 3), Frame("load", "app/m.py", 3))}, True, True),
        ("another key", {"message": "KeyError: 'b'"}, False, True),
        ("another class", {"classes": ("TypeError",)}, False, False),
        ("another function", {"frames": (Frame("save", "app/m.py", 3),)}, False, False),
        ("another file", {"frames": (Frame("load", "app/n.py", 3),)}, False, True),
        ("another code", {"code": "ENOENT"}, False, False),
        ("another cause behind it", {"classes": ("OSError", "KeyError")}, False, True),
        ("another tool of one family", {"tool": "pytest"}, False, True),
    ],
)
def test_what_tells_two_exceptions_apart(case: str, other: dict[str, object], normalised: bool, coarse: bool) -> None:  # noqa: FBT001  # a table of expectations
    assert same(signed(exception()), signed(exception(**other))) == (normalised, coarse), case


def test_the_status_counts_only_where_the_text_says_nothing_better() -> None:
    assert same(signed(exception(), 1), signed(exception(), None)) == (True, True)
    assert signed(exception(), 1).exact != signed(exception(), None).exact
    assert signed(Reading(tool=""), 1, "it is broken").normalised != signed(Reading(tool=""), 2, "it is broken").normalised
    assert signed(exception(), 1).normalised != signed(exception(), 139).normalised


def test_a_null_address_is_not_a_wild_one_and_wild_ones_are_equal() -> None:
    crash = {"tool": "sanitizer", "kind": Kind.CRASH, "classes": ("SEGV READ",), "frames": (Frame("f", "a.c", 1),), "message": "SEGV"}
    null, wild, other = (signed(exception(**crash, addr=addr)) for addr in ("0x18", "0x74000011", "0x7f0000000018"))
    assert same(null, wild) == (False, False)
    assert same(wild, other) == (True, True)


def test_the_set_of_error_codes_counts_and_warnings_do_not() -> None:
    def errors(*codes: tuple[str, str]) -> ErrorSignature:
        rows = tuple(Diagnostic(file="a.rs", line=at, code=code, severity=severity, message="m") for at, (code, severity) in enumerate(codes, 1))
        return signed(Reading(tool="rustc", kind=Kind.DIAGNOSTIC, message="error: m", diagnostics=rows))

    assert errors(("E1", "error"), ("E2", "error")).normalised == errors(("E1", "error"), ("E1", "error"), ("E2", "error")).normalised
    assert errors(("E1", "error")).normalised != errors(("E1", "error"), ("E2", "error")).normalised
    assert errors(("E1", "error")).normalised == errors(("E1", "error"), ("W1", "warning")).normalised


@pytest.mark.parametrize(
    ("case", "a", "b", "equal"),
    [
        ("the order of tests", ("t.py::x", "t.py::y"), ("t.py::y", "t.py::x"), True),
        ("a worker's name", ("[gw0] t.py::x",), ("[gw1] t.py::x",), True),
        ("an address in a parameter", ("t.py::x[<A at 0x7f0011223344>]",), ("t.py::x[<A at 0x7f9911223355>]",), True),
        ("a number in a parameter", ("t.py::x[100000]",), ("t.py::x[200000]",), False),
        ("one more test", ("t.py::x",), ("t.py::x", "t.py::y"), False),
    ],
)
def test_failing_tests_are_the_identity(case: str, a: tuple[str, ...], b: tuple[str, ...], equal: bool) -> None:  # noqa: FBT001  # a table of expectations
    first, second = (signed(Reading(tool="pytest", kind=Kind.TEST_FAILURE, failing=ids)) for ids in (a, b))
    assert (first.normalised == second.normalised) is equal, case


def test_failing_tests_are_kept_in_order() -> None:
    ids = tuple(f"t.py::x{n}" for n in (9, 3, 7, 1, 8, 2, 6, 4, 5))
    assert signed(Reading(tool="pytest", kind=Kind.TEST_FAILURE, failing=ids)).tests == tuple(sorted(ids))


def test_R13_a_secret_is_in_no_part_of_a_signature() -> None:
    first, second = (signed(Reading(tool=""), 1, f"error: push with token ghp_{letter * 36} was refused") for letter in "aB")
    assert "ghp_" not in first.message
    assert first == second


def test_another_parameter_of_one_test_is_one_family() -> None:
    first, second = (signed(Reading(tool="pytest", kind=Kind.TEST_FAILURE, failing=(f"t.py::x[{n}]",))) for n in (1, 2))
    assert same(first, second) == (False, True)


def test_a_span_that_the_cut_touches_equals_only_the_same_text() -> None:
    text = "Traceback (most recent call last):\n  File 'a.py', line {}, in f\n[... 40 lines truncated ...]\nValueError: x"
    first, second, again = (signed(Reading(tool=""), 1, text.format(line)) for line in (1, 2, 1))
    assert same(first, second) == (False, True)
    assert first == again
    whole = signed(Reading(tool=""), 1, text.format(1).replace("[... 40 lines truncated ...]\n", ""))
    assert same(first, whole) == (False, True)


@pytest.mark.parametrize(
    "message", ["Tests: 5 failed, 473 passed, 478 total", "1 failed, 2 passed in 0.10s", "FAILED (failures=1)", "test result: FAILED. 3 passed; 1 failed"]
)
def test_a_summary_is_no_identity_since_other_failures_may_count_the_same(message: str) -> None:
    assert sign(Reading(tool="jest", kind=Kind.TEST_FAILURE, says="fail", message=message), 1, message) is None
    assert signed(Reading(tool="jest", kind=Kind.TEST_FAILURE, message=message, failing=("a > b",)), 1, message).message == ""


def test_a_wrappers_word_gives_way_to_what_it_wrapped() -> None:
    text = 'src/a.ts:3:1: error: cannot find name x\nerror: script "lint" exited with code 1'
    assert signed(Reading(tool="bun", message='error: script "lint" exited with code 1'), 1, text).message == "src/a.ts: error: cannot find name x"


def test_parts_cannot_flow_into_each_other() -> None:
    first = signed(exception(classes=("A", "BC")))
    second = signed(exception(classes=("AB", "C")))
    assert first.normalised != second.normalised
    assert signed(exception(classes=("A",), message="BC")).normalised != signed(exception(classes=("AB",), message="C")).normalised


def test_the_detail_line_of_a_compiler_is_part_of_the_message() -> None:
    text = "A.java:2: error: cannot find symbol\n void f(){{ {0}(); }}\n           ^\n  symbol:   method {0}()\n1 error"
    first, second = (signed(Reading(tool="javac"), 1, text.format(name)) for name in ("one", "two"))
    assert first.message == "A.java: error: cannot find symbol\nsymbol: method one()"
    assert same(first, second) == (False, True)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.one_of(st.none(), st.integers(-20, 300)))
def test_any_text_is_signed_in_one_form_or_not_at_all(text: str, exit: int | None) -> None:  # noqa: A002  # as the product names it
    found = sign(Reading(tool="x"), exit, text)
    assert found == sign(Reading(tool="x"), exit, text)
    if found is not None:
        assert [one[:7] for one in (found.exact, found.normalised, found.coarse)] == [f"dbs{VERSION}:{level}:" for level in "enc"]
        assert {len(one) for one in (found.exact, found.normalised, found.coarse)} == {39}
        assert len(found.message) <= 200
