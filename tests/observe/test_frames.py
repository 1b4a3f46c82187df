import pytest

from ruledout.model.outcome import Frame
from ruledout.observe import frames


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("ns::Type<int, A<b>>::f(int, char const*) const", "ns::Type::f"),
        ("core::ops::function::FnOnce::call_once::h57dd03312252cd3c", "core::ops::function::FnOnce::call_once"),
        ("<T as shop::Trait>::f", "<T as shop::Trait>::f"),
        ("shop::run::{{closure}}", "shop::run::{closure}"),
        ("shop.A.lambda$run$12", "shop.A.lambda$run"),
        ("shop.A$$EnhancerBySpringCGLIB$$1a2b3c.run", "shop.A$$Enhanced.run"),
        ("sun.reflect.GeneratedMethodAccessor72.invoke", "sun.reflect.GeneratedMethodAccessor.invoke"),
        ("main.(*Server).serve.func1", "main.(*Server).serve.func"),
        ("block (2 levels) in run", "run"),
        ("async load", "load"),
        ("<lambda>", "<lambda>"),
        ("<module>", "<module>"),
        ("f.cold.3", "f"),
        ("memcpy@@GLIBC_2.14", "memcpy"),
        ("operator<(A, B)", "operator<"),
        ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
    ],
)
def test_a_function_has_the_name_that_its_author_gave_it(printed: str, name: str) -> None:
    assert frames.name(printed) == name


@pytest.mark.parametrize(
    ("path", "function", "in_app"),
    [
        ("/home/ada/shop/cart.py", "total", True),
        ("src/cart.rs", "shop::total", True),
        ("", "total", True),
        ("/v/lib/python3.12/site-packages/click/core.py", "invoke", False),
        ("/usr/lib/python3.12/json/decoder.py", "decode", False),
        ("/home/ada/shop/node_modules/x/i.js", "f", False),
        ("node:internal/modules/cjs/loader", "load", False),
        ("/home/ada/.cargo/registry/src/index-1/serde-1.0/src/a.rs", "serde::f", False),
        ("/root/go/pkg/mod/github.com/x/y@v1.2.3/a.go", "y.F", False),
        ("/repo/vendor/x/a.go", "x.F", False),
        ("<frozen importlib._bootstrap>", "_load", False),
        ("/repo/tests/_pytest/python.py", "runtest", False),
        ("src/f.cc", "LLVMFuzzerTestOneInput", False),
        ("a.rs", "core::panicking::panic", False),
        ("A.java", "org.junit.Assert.fail", False),
    ],
)
def test_whose_frame_it_is(path: str, function: str, in_app: bool) -> None:  # noqa: FBT001  # a table of expectations
    assert frames.is_in_app(Frame(function, path, 1)) is in_app


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/home/ada/shop/cart.py", "cart.py"),
        ("./src/cart.py", "src/cart.py"),
        ("../shop/cart.py", "shop/cart.py"),
        (r"C:\shop\cart.cs", "cart.cs"),
        ("/v/lib/python3.12/site-packages/click/core.py", "click/core.py"),
        ("/root/go/pkg/mod/github.com/x/y@v1.2.3/a.go", "github.com/x/y/a.go"),
    ],
)
def test_where_a_frame_lies_is_the_same_on_every_machine(path: str, where: str) -> None:
    assert frames.where(path) == where


def test_own_frames_come_without_lines_libraries_and_repeats() -> None:
    stack = [Frame("f", "/v/lib/python3.12/site-packages/x/a.py", 1), *[Frame("a", "m.py", 2), Frame("b", "m.py", 3)] * 40, Frame("main", "m.py", 9)]
    assert frames.own(stack) == (Frame("a", "m.py"), Frame("b", "m.py"), Frame("main", "m.py"))


def test_a_stack_of_libraries_alone_is_signed_by_them_but_never_by_the_harness() -> None:
    stack = [Frame("load", "/v/lib/python3.12/site-packages/yaml/a.py", 1), Frame("TestOneInput", "/f/fuzz.py", 2)]
    assert frames.own(stack) == (Frame("load", "yaml/a.py"),)
