"""Stack frames made comparable: a function's name without what compilers and run times add, whose frame it is, where its file lies.

In-app is what is neither vendored nor installed, nor a run time's, nor a test harness's. It refuses lines: they move with every edit.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from ruledout.model.outcome import Frame
from ruledout.observe.late import Late
from ruledout.observe.places import packaged, place

DEPTH = 5
"""frames of an identity"""

_FOREIGN_PATH = Late(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|bower_components|\.cargo/registry|\.cargo/git|rustlib|pkg/mod|vendor|third_party|\.venv"
    r"|venv|\.tox|\.nox)/"
    r"|^/rustc/|^(?:/.*)?/lib(?:64)?/python\d|^/usr/(?:lib|include|share|local/go|local/lib)|^<frozen |^node:|^internal/|/go/src/(?:runtime|net"
    r"|testing|os|io|reflect|sync)/"
    r"|(?:^|/)(?:\.\./)*(?:sysdeps|libio|csu|stdlib|nptl|compiler-rt|libsanitizer)/|^library/(?:std|core|alloc|test)/|\bllvm(?:-project)?/|/glibc-"
    r"|libFuzzer|lib/[Ff]uzzer/"
    r"|^(?:native|\[native code\]|Native Method|Unknown Source|unknown)$|^java\.base/|\.so(?:\.\d+)*$"
)
_HARNESS = Late(
    r"^(?:_pytest|pluggy|unittest|nose|jest-circus|jest-runner|jest-jasmine2|jasmine|mocha|vitest|@vitest|chai|expect|junit|org\.junit|org\.testng"
    r"|testing|rspec|minitest|phpunit)\b"
    r"|/(?:_pytest|pluggy|unittest|jest-circus|jest-runner|mocha|vitest|rspec-core|phpunit)/"
)
_HARNESS_FUNCTION = Late(
    r"^(?:LLVMFuzzerTestOneInput|TestOneInput|fuzzerTestOneInput|rust_fuzzer_test_input|fuzzer::.*|__libc_start\w*|_start|start_thread"
    r"|__interceptor_\w+|__asan_\w+|__msan_\w+|__tsan_\w+|__ubsan_\w+|__sanitizer\w*"
    r"|__rust_begin_short_backtrace|__rust_try|rust_begin_unwind|core::.*|std::.*|alloc::.*|test::.*|<?(?:core|std|alloc)::.*|runtime\..*"
    r"|testing\..*|panic|java\.(?:lang|base|util)\..*|jdk\..*|sun\..*|javax\..*"
    r"|org\.junit\..*|_PyEval\w*|PyObject_\w+|raise|abort|gsignal|__GI_\w+|__assert_fail\w*|__cxa_\w+|operator (?:new|delete).*|malloc|free|calloc"
    r"|realloc|memcpy|memmove|memset|str\w?cpy|__memcpy\w*|\?\?|0x[0-9a-f]+)$"
)
_FOREIGN = (
    *(
        "-packages",
        "_modules",
        "bower_",
        ".cargo/",
        "rustlib",
        "pkg/mod",
        "vendor",
        "third_party",
        "venv",
        ".tox",
        ".nox",
        "/rustc/",
        "/lib",
        "/usr/",
        "<frozen ",
    ),
    *(
        "node:",
        "internal/",
        "/go/src/",
        "sysdeps",
        "libio",
        "csu/",
        "stdlib",
        "nptl",
        "compiler-rt",
        "libsanitizer",
        "library/",
        "llvm",
        "/glibc-",
        "libFuzzer",
    ),
    *("uzzer/", "native", "Native", "nknown", "java.base/", ".so"),
)
_HARNESSES = (
    *("pytest", "pluggy", "unittest", "nose", "jest", "jasmine", "mocha", "vitest", "chai", "expect", "junit", "testng", "testing", "rspec", "minitest"),
    "phpunit",
)
_HARNESS_STARTS = (
    *("LLVM", "TestOneInput", "fuzzer", "rust_", "__", "_start", "start_thread", "core::", "std::", "alloc::", "test::", "<", "runtime.", "testing.", "panic"),
    *("java.", "jdk.", "sun.", "javax.", "org.junit.", "_PyEval", "PyObject_", "raise", "abort", "gsignal", "operator ", "malloc", "free", "calloc", "realloc"),
    *("mem", "str", "??", "0x"),
)
"""one of these stands in (or begins) whatever `_FOREIGN_PATH`, `_HARNESS`, `_HARNESS_FUNCTION` find"""
_RUST_HASH = Late(r"::h[0-9a-f]{16}$")
_SUFFIX = Late(
    r"(?:@{1,2}[A-Z]+_[\d.]+|\[clone [^\]]*\]|\.(?:cold|constprop|isra|part|llvm|lto_priv)(?:\.\d+)*|\$(?:mono_|dispatch)\w*"
    r"| ?\+ ?0x[0-9a-f]+(?:/0x[0-9a-f]+)?)+$"
)
_GENERATED = (
    (Late(r"Generated(Method|Constructor)Accessor\d+"), r"Generated\1Accessor"),
    (Late(r"\$\$(?:EnhancerBy|FastClassBy)\w+\$\$[0-9a-f]+"), r"$$Enhanced"),
    (Late(r"\$\$Lambda(?:\$\d+)?(?:/0x[0-9a-f]+|/\d+)?(?:\.\w+)?"), r"$$Lambda"),
    (Late(r"lambda\$(\w+?)\$\d+"), r"lambda$\1"),
    (Late(r"(?<=[\w$])\$\d+(?=[.$]|$)"), ""),
    (Late(r"(?<=fn)__\d+|(?<=eval)__\d+|(?<=__)\d+_\d+$"), ""),
    (Late(r"\{\{?closure\}?\}(?:#\d+)?|\{lambda\([^}]*\)(?:#\d+)?\}|\$_\d+|'lambda\d*'"), "{closure}"),
    (Late(r"\.func\d+(?:\.\d+)*(?:\.gowrap\d+)?"), ".func"),
    (Late(r"^(?:block|rescue|ensure)(?: \(\d+ levels\))? in "), ""),
    (Late(r"^(?:async |new )(?=\S)"), ""),
    (Late(r"class@anonymous\S*"), "class@anonymous"),
)


@lru_cache(maxsize=4096)
def name(function: str) -> str:
    """A function's name without arguments, template arguments, hashes, counters and clone marks. The empty string for none."""
    if function.isidentifier() and "__" not in function and "Accessor" not in function:
        return function  # nothing of a compiler's in it
    bare = _SUFFIX.sub("", _RUST_HASH.sub("", function.strip()))
    bare = bare.removesuffix(" const")
    if bare.endswith(")"):
        bare = _without(bare, "(", ")")
    if "<" in bare and not bare.startswith("<") and "operator<" not in bare:
        bare = _without(bare, "<", ">")
    for pattern, instead in _GENERATED:
        bare = pattern.sub(instead, bare)
    return bare.strip()


def _without(text: str, left: str, right: str) -> str:
    """The text without bracketed parts that stand behind a name; `<lambda>`, `(*T)`, `(anonymous namespace)` stay."""
    out: list[str] = []
    depth = 0
    for at, char in enumerate(text):
        opens = char == left and (depth or (at and text[at - 1] not in " .:("))
        depth += bool(opens)
        if not depth:
            out.append(char)
        depth -= bool(depth and char == right)
    return "".join(out) if not depth else text


def is_in_app(frame: Frame) -> bool:
    """Is this the user's own code, as far as its path and name tell."""
    path = frame.path.replace("\\", "/")
    return not ((any(word in path for word in _FOREIGN) and _FOREIGN_PATH.search(path)) or is_harness(frame))


def is_harness(frame: Frame) -> bool:
    """Does a test or fuzz harness, or a language's run time, own this frame."""
    function = name(frame.function)
    named = any(word in text and _HARNESS.search(text) for text in (frame.path.replace("\\", "/"), function) for word in _HARNESSES)
    return named or (function.startswith(_HARNESS_STARTS) and _HARNESS_FUNCTION.match(function) is not None)


def where(path: str) -> str:
    """A frame's path as it is the same everywhere: relative to its package, as printed when relative, else its base name."""
    plain = path.replace("\\", "/").strip()
    while plain.startswith(("./", "../")):
        plain = plain.split("/", 1)[1]
    inside = packaged(plain)
    if inside is not None:
        return inside
    if re.match(r"[A-Za-z]:/|/|~|\w+://", plain):
        return place(plain, lambda _kind, _value: "").rsplit("/", 1)[-1]
    return plain


def own(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames of an identity: in-app ones, or the libraries' where there are none; innermost first, no lines, recursion collapsed, at most `DEPTH`."""
    chosen = [frame for frame in frames if is_in_app(frame)] or [frame for frame in frames if not is_harness(frame)]
    plain = [Frame(name(frame.function), where(frame.path)) for frame in chosen[:400]]
    return tuple(_collapsed([frame for frame in plain if frame.function or frame.path])[:DEPTH])


def _collapsed(frames: list[Frame]) -> list[Frame]:
    """Without repeats of a run or a cycle of up to four frames."""
    out: list[Frame] = []
    for frame in frames:
        out.append(frame)
        for size in range(1, 5):
            if len(out) >= 2 * size and out[-size:] == out[-2 * size : -size]:
                del out[-size:]
                break
    return out
