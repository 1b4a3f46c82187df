"""A look at words before a pattern never hides what the pattern would find: each is held against the pattern alone."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.distill import words
from ruledout.model.outcome import Frame
from ruledout.observe import frames, places, span, spans

# The words of the patterns themselves, so that hits are common.
PIECES = (
    *('  File "a.py", line 3', "pip's dependency resolver does not currently take into account", "Process completed with exit code 1", "npm ERR! errno 1"),
    *(
        "Build failed",
        "FAILED",
        "ERRORS:",
        "=====",
        "__ __",
        "exit status: 2",
        "3 errors",
        "0 failure",
        "note: ",
        "hint: ",
        "[warning",
        "Warning",
        "WARN",
        "^^^",
    ),
    *(
        "Node.js v20",
        "  at x:1:2",
        "compilation terminated.",
        "[exit 3]",
        "Command exited with code 9",
        "✖ 2 problems",
        "12 passed",
        "Found 3 errors",
        "Ran 1 test",
    ),
    *("make: *** Error 2", "make[1]: failed", "cargo failed", "ERR_PNPM_X ERR!", "error: could not compile", "[ERROR] Re-run", "ELIFECYCLE", "error: Recipe `"),
    *(
        "the bug is",
        "because",
        "root cause: it was",
        "due to",
        "fails when",
        "never sets",
        "doesn't check",
        "instead of",
        "the fix is",
        "\u017fince cau\u017fe",
        "İssue",
    ),
    *(
        "site-packages/",
        "/usr/lib/python3.11/",
        "vendor/",
        "<frozen x>",
        "node:fs",
        "unknown",
        "libc.so.6",
        "/go/src/runtime/",
        "lib/Fuzzer/",
        "native",
        "_pytest/",
    ),
    *(
        "unittest",
        "@vitest",
        "raise",
        "std::x",
        "__cxa_throw",
        "operator new",
        "memcpy",
        "strncpy",
        "??",
        "0x1f",
        "fuzzer::x",
        "_start",
        "runtime.goexit",
        "test_x",
    ),
    *(
        "block in ",
        "f.func1.2",
        "g$1",
        "fn__12",
        "{{closure}}",
        "h.cold",
        "x@@GLIBC_2.4",
        "y+0x3f",
        "Lambda$1",
        "GeneratedMethodAccessor7",
        "eval__3",
        "a__1_2",
        "thread 'main' panicked at ",
        "E       x",
        "x.c:3: error: ",
        "a(1,2): error ",
        "panic: ",
        "async ",
        "::h0123456789abcdef",
        "a(b)",
        "c<d>",
    ),
    *(
        "\x1b[1m",
        "##[group]x",
        "::error file=a::",
        "2026-11-30T10:00:00Z ",
        "section_end:1:x",
        " 33%|###|",
        "███",
        "[====>     ] 12%",
        "\x07",
        "\n",
        " ",
        ": ",
        "3",
    ),
    *("output truncated", "[... 12 lines omitted]", "<snip>", "…+12 lines", "[truncated]", "1,200 chars elided"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_lines_are_generic_and_wrappers_as_their_patterns_say(line: str) -> None:
    assert span.tells(line) == (not (spans.GENERIC.search(line) or spans.WRAPPER.search(line)))
    assert spans.is_start(line) == bool(spans.STARTS.search(line))
    assert span.truncated(line) == bool(span._CUT.search(line))
    assert words._sounds(line) == bool(words._CAUSE.search(line))
    assert not words._NAMED.search(line) or words._CAUSE.search(line)


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS)
def test_frames_belong_to_whom_their_patterns_say(path: str, function: str) -> None:
    frame, name = Frame(function, path), frames.name(function)
    harness = bool(frames._HARNESS.search(path) or frames._HARNESS.search(name) or frames._HARNESS_FUNCTION.match(name))
    assert frames.is_harness(frame) == harness
    assert frames.is_in_app(frame) == (not (frames._FOREIGN_PATH.search(path) or harness))
    assert (places.packaged(path) is None) == (places._ROOTS.match(path) is None and places._STDLIB.match(path) is None)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_what_a_ci_and_a_bar_add_goes_as_their_patterns_say(text: str) -> None:
    plain = span._CI_MARK.sub(lambda m: f"{m[1] or m[2]}: ", span._CI_GROUP.sub("", span._CI_TIME.sub("", text)))
    assert span._without_ci(text) == plain
    cleaned = span.clean(text)
    assert span._BAR.sub("", cleaned) == cleaned or "\x07" in text or "\x1b" in text or any(mark in text for mark in ("##[", "::", "Z"))


@settings(max_examples=400, deadline=None)
@given(TEXTS | st.from_regex(r"(?:[A-Za-z_]|fn__|eval__|Accessor|__|[0-9]|h[0-9a-f]{16}){0,8}", fullmatch=True))
def test_an_identifier_keeps_its_name_only_where_no_pattern_would_change_it(function: str) -> None:
    plain = frames._SUFFIX.sub("", frames._RUST_HASH.sub("", function.strip())).removesuffix(" const")
    for pattern, instead in frames._GENERATED:
        plain = pattern.sub(instead, plain)
    if function.isidentifier():
        assert frames.name(function) == plain.strip()
