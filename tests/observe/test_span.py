import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.observe import span


@pytest.mark.parametrize(
    ("case", "output", "cleaned"),
    [
        ("plain text is left alone", "a\n b\n", "a\n b\n"),
        ("windows line ends", "a\r\nb\r\n", "a\nb\n"),
        ("a line written over", "downloading 10%\rdownloading 90%\rdone\nnext", "done\nnext"),
        ("colours", "\x1b[31mred\x1b[0m\x1b[K", "red"),
        ("backspaces", "abc\b\bX", "aX"),
        ("composed letters", "cafe\u0301", "caf\u00e9"),
        ("time prefixes of a CI", "2025-11-02T10:11:12.1234567Z a\n2025-11-02T10:11:13.1234567Z b", "a\nb"),
        ("group lines of a CI", "##[group]Run tests\na\n##[endgroup]\n##[error]b", "a\nerror: b"),
        ("workflow commands", "::group::x\na\n::error file=a.py,line=3::bad", "a\nerror: bad"),
        ("a progress bar", "a\n 45%|####     | 45/100 [00:01<00:02, 30.1it/s]\nb", "a\nb"),
        ("a bar of blocks", "a\n   ━━━━━━━━━━━━━━ 12.3/45.6 MB 3.1 MB/s\nb", "a\nb"),
        ("a test runner's percentage is no bar", "test_a.py ....   [100%]\n", "test_a.py ....   [100%]\n"),
        ("control characters", "a\x00b\x07", "ab"),
    ],
)
def test_cleaning_leaves_what_a_person_would_have_read(case: str, output: str, cleaned: str) -> None:
    assert span.clean(output) == cleaned, case


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_cleaning_twice_is_cleaning_once_for_text_without_terminal_tricks(text: str) -> None:
    once = span.clean(text)
    assert "\r" not in once
    assert "\x1b" not in once
    if not any(char in text for char in "\r\b\x1b"):
        assert span.clean(once) == once


@pytest.mark.parametrize(
    "mark",
    [
        "[... 12000 characters left out ...]",
        "... [3 lines truncated] ...",
        "<response clipped>",
        "Output truncated",
        "[1,204 lines omitted]",
        "30000 characters truncated",
        "… +12 lines",
        "(truncated to 4000 characters)",
    ],
)
def test_a_mark_of_a_cut_is_seen(mark: str) -> None:
    assert span.truncated(f"a\n{mark}\nb")


@pytest.mark.parametrize("text", ["3 lines changed", "the table was truncated by TRUNCATE", "[100%]", "..."])
def test_words_that_only_look_like_a_cut_are_none(text: str) -> None:
    assert not span.truncated(text)


@pytest.mark.parametrize(
    ("case", "text", "cause"),
    [
        (
            "the last of two chained tracebacks",
            (
                'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n'
                'Traceback (most recent call last):\n  File "a.py", line 3, in g\nValueError: 2\n'
            ),
            'Traceback (most recent call last):\n  File "a.py", line 3, in g\nValueError: 2',
        ),
        ("an error before its wrapper", "cc -c a.c\nerror: no input files\nmake: *** [Makefile:3: all] Error 1\n", "error: no input files"),
        ("a wrapper and nothing else", "make: *** [Makefile:3: lint] Error 1\n", "make: *** [Makefile:3: lint] Error 1"),
        ("a warning before the error", "warning: unused\nld: cannot find -lfoo\n", "ld: cannot find -lfoo"),
        ("generic lines are no cause", "Error: Process completed with exit code 1.\nFAILED\nBuild failed\n", ""),
        ("the last words where nothing looks like an error", "step one\nstep two\nbad thing at a.pl line 2.\n", "bad thing at a.pl line 2."),
        ("a line that is an error before one that speaks of errors", "the error handling works\nFAILURE: 3 rows lost\n", "FAILURE: 3 rows lost"),
        ("an error that goes on in the next line", "Error:\n  the port is taken\n", "Error:\nthe port is taken"),
    ],
)
def test_the_cause_is_the_line_that_names_it(case: str, text: str, cause: str) -> None:
    assert span.cause(text) == cause, case


def test_the_decisive_line_of_a_traceback_is_its_end() -> None:
    assert (
        span.decisive('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nshop.errors.CartError: empty') == "shop.errors.CartError: empty"
    )


def test_what_a_program_prints_after_its_traceback_is_not_part_of_it() -> None:
    cause = span.cause('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nKeyError: 1\nDone: 3 rows\nBye\n')
    assert span.decisive(cause) == "KeyError: 1"


def test_a_code_excerpt_is_not_decisive_and_the_symbol_is() -> None:
    text = "A.java:2: error: cannot find symbol\n void f(){ g(); }\n           ^\n  symbol:   method g()"
    assert span.decisive(text) == "A.java:2: error: cannot find symbol\n  symbol:   method g()"
