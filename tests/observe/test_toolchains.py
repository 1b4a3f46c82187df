"""Each toolchain on outputs as it prints them: verdict, ids, counts, places, the decisive line."""

from pathlib import Path
from typing import Any

import pytest

from ruledout.model.outcome import Outcome
from ruledout.observe.outcome import observe
from ruledout.observe.toolchains import TOOLCHAINS

OUTPUTS = Path(__file__).parent / "outputs"


def seen(name: str, command: str = "", exit_: int | None = None) -> Outcome:
    return observe(command, (OUTPUTS / f"{name}.txt").read_text("utf-8"), exit_)


def counted(outcome: Outcome) -> dict[str, int]:
    found = outcome.counts
    return {name: value for name in found.__struct_fields__ if (value := getattr(found, name)) is not None} if found else {}


VERDICTS: dict[str, tuple[str, str | None, str | None]] = {
    "bash-not-found": ("noise", None, "missing binary"),
    "bash-wrong-folder": ("noise", None, "wrong cwd"),
    "biome-fails": ("fail", "biome", "lint/style/useConst"),
    "biome-passes": ("pass", "biome", None),
    "bun-test-fails": ("fail", "bun", "FAIL"),
    "cargo-build-fails": ("fail", "cargo", "E0308"),
    "cargo-build-passes": ("pass", "cargo", None),
    "cargo-no-target": ("noise", "cargo", "no such target"),
    "cargo-test-fails": ("fail", "cargo", "panic"),
    "cargo-test-none": ("unknown", "cargo", None),
    "cargo-test-passes": ("pass", "cargo", None),
    "cargo-wrong-cwd": ("noise", "cargo", "no such target"),
    "eslint-fails": ("fail", "eslint", "no-unused-vars"),
    "gcc-error": ("fail", "cc", "compile error"),
    "gcc-linker": ("fail", "cc", "linker_undefined_reference"),
    "go-build-fails": ("fail", "go test", "compile error"),
    "go-panic": ("fail", "go", "panic"),
    "go-test-fails": ("fail", "go test", "FAIL"),
    "go-test-none": ("unknown", "go test", None),
    "go-test-passes": ("pass", "go test", None),
    "golangci-fails": ("fail", "golangci-lint", "ineffassign"),
    "golangci-passes": ("pass", "golangci-lint", None),
    "jest-fails": ("fail", "jest", "AssertionError"),
    "jest-passes": ("pass", "jest", None),
    "make-fails": ("fail", "make", "make"),
    "maven-fails": ("fail", "junit", "org.opentest4j.AssertionFailedError"),
    "mocha-fails": ("fail", "mocha", "AssertionError"),
    "mypy-fails": ("fail", "mypy", "return-value"),
    "node-missing-package": ("infra", "node", "MODULE_NOT_FOUND"),
    "node-test-fails": ("fail", "node:test", "AssertionError"),
    "node-test-spec": ("fail", "node:test", "AssertionError"),
    "node-test-tap": ("fail", "node:test", "AssertionError"),
    "node-throws": ("fail", "node", "TypeError"),
    "phpunit-fails": ("fail", "phpunit", "FAIL"),
    "pytest-all-deselected": ("noise", "pytest", "no tests selected"),
    "pytest-collect-only": ("unknown", None, None),
    "pytest-collection-error": ("infra", "pytest", "ModuleNotFoundError"),
    "pytest-fails": ("fail", "pytest", "KeyError"),
    "pytest-no-summary": ("fail", "pytest", "FAIL"),
    "pytest-not-found": ("noise", "pytest", "not found"),
    "pytest-passes": ("pass", "pytest", None),
    "pytest-quiet-no-traceback": ("fail", "pytest", "KeyError"),
    "pytest-syntax-error": ("fail", "pytest", "SyntaxError"),
    "python-chain": ("fail", "python", "RuntimeError"),
    "python-no-file": ("noise", "python", "FileNotFoundError"),
    "python-no-module": ("infra", "python", "ModuleNotFoundError"),
    "rspec-fails": ("fail", "rspec", "FAIL"),
    "ruff-fails": ("fail", "ruff", "I001"),
    "tsc-fails": ("fail", "tsc", "TS2322"),
    "unittest-fails": ("fail", "unittest", "KeyError"),
    "unittest-missing-module": ("infra", "unittest", "ModuleNotFoundError"),
    "unittest-none-ran": ("unknown", "unittest", None),
    "unittest-passes": ("pass", "unittest", None),
    "vitest-fails": ("fail", "vitest", "AssertionError"),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_text_alone_chooses_tool_verdict_and_class(name: str) -> None:
    outcome = seen(name)
    assert (outcome.result.value, outcome.tool, outcome.error_class) == VERDICTS[name]


def test_every_output_kept_here_is_asked_about() -> None:
    assert {path.stem for path in OUTPUTS.glob("*.txt")} == set(VERDICTS)


FAILING: dict[str, tuple[str, ...]] = {
    "pytest-fails": ("test_shop.py::test_price[odd - name [x]-1]", "test_shop.py::TestCart::test_empty"),
    "pytest-no-summary": ("test_shop.py::test_price[odd - name [x]-1]", "test_shop.py::TestCart::test_empty"),
    "pytest-quiet-no-traceback": ("test_shop.py::test_price[odd - name [x]-1]", "test_shop.py::TestCart::test_empty"),
    "pytest-collection-error": ("test_broken.py",),
    "unittest-fails": ("test_boom (shop_unittest.Shop.test_boom)", "test_sum (shop_unittest.Shop.test_sum)"),
    "go-test-fails": ("TestPrice", "TestPrice/milk_and_sugar"),
    "go-build-fails": ("example.org/shop [build failed]",),
    "cargo-test-fails": ("tests::milk", "tests::sums"),
    "jest-fails": ("price › of tea › is three", "price › throws on milk"),
    "bun-test-fails": ("price > of tea",),
    "vitest-fails": ("src/price.test.ts > price > of tea",),
    "mocha-fails": ("price › of tea",),
    "node-test-tap": ("adds",),
    "node-test-spec": ("adds",),
    "phpunit-fails": ("Shop\\PriceTest::testTea",),
    "rspec-fails": ("Price of tea is three",),
    "maven-fails": ("org.example.PriceTest.tea",),
    "cargo-build-fails": (),
    "pytest-passes": (),
}


@pytest.mark.parametrize("name", FAILING)
def test_failing_ids_are_those_that_were_printed(name: str) -> None:
    assert seen(name).failing == FAILING[name]


COUNTS: dict[str, dict[str, int]] = {
    "pytest-fails": {"passed": 2, "failed": 2, "skipped": 1, "xfailed": 1},
    "pytest-passes": {"passed": 1, "deselected": 5},
    "unittest-fails": {"passed": 1, "failed": 1, "errors": 1, "skipped": 1, "total": 4},
    "cargo-test-fails": {"passed": 1, "failed": 2, "skipped": 1, "deselected": 0},
    "go-test-fails": {"passed": 2, "failed": 2, "skipped": 1},
    "jest-fails": {"passed": 4, "failed": 2, "skipped": 1, "total": 7},
    "vitest-fails": {"passed": 1, "failed": 1},
    "mocha-fails": {"passed": 1, "failed": 1},
    "rspec-fails": {"passed": 1, "failed": 1, "errors": 0, "skipped": 0, "total": 2},
    "maven-fails": {"passed": 1, "failed": 1, "errors": 0, "skipped": 0, "total": 2},
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_have_the_contracts_names(name: str) -> None:
    assert counted(seen(name)) == COUNTS[name]


PLACES: dict[str, list[tuple[Any, ...]]] = {
    "tsc-fails": [("src/price.ts", 4, 10, "TS2322", "error"), ("src/store.ts", 9, 3, "TS2554", "error")],
    "eslint-fails": [
        ("/home/dev/shop/src/price.js", 3, 7, "no-unused-vars", "error"),
        ("/home/dev/shop/src/price.js", 10, 1, "no-console", "warning"),
    ],
    "biome-fails": [("src/price.ts", 4, 7, "lint/style/useConst", "error")],
    "golangci-fails": [("price.go", 12, 2, "ineffassign", "error")],
    "go-build-fails": [("./price.go", 12, 9, None, "error"), ("./price.go", 20, 2, None, "error")],
    "cargo-build-fails": [("src/lib.rs", 8, 21, "E0308", "error")],
    "ruff-fails": [("test_broken.py", 1, 1, "I001", "error"), ("test_broken.py", 1, 8, "F401", "error")],
    "pytest-syntax-error": [("/home/dev/shop/test_syntax.py", 1, None, "SyntaxError", "error")],
}


@pytest.mark.parametrize("name", PLACES)
def test_diagnostics_have_file_line_column_code_and_severity(name: str) -> None:
    assert [(each.file, each.line, each.column, each.code, each.severity) for each in seen(name).diagnostics] == PLACES[name]


INNERMOST: dict[str, tuple[str, str, int]] = {
    "python-chain": ("parse", "/home/dev/shop/raises.py", 5),
    "pytest-fails": ("price", "test_shop.py", 3),
    "unittest-fails": ("test_boom", "/home/dev/shop/shop_unittest.py", 4),
    "node-throws": ("load", "/home/dev/js/throws.js", 1),
    "go-panic": ("main.pick", "/home/dev/shop/main.go", 8),
    "cargo-test-fails": ("shop::price", "./src/lib.rs", 1),
    "jest-fails": ("Object.toBe", "src/price.test.js", 6),
    "vitest-fails": ("<anonymous>", "src/price.test.ts", 6),
}


@pytest.mark.parametrize("name", INNERMOST)
def test_frames_come_innermost_first(name: str) -> None:
    frame = seen(name).frames[0]
    assert (frame.function, frame.path, frame.line) == INNERMOST[name]


MESSAGES = {
    "python-chain": "RuntimeError: bad port: eighty",
    "pytest-fails": "KeyError: 'odd - name [x]'",
    "go-test-fails": 'price_test.go:14: price("milk and sugar") = 0, want 2',
    "cargo-build-fails": "error[E0308]: mismatched types",
    "vitest-fails": "AssertionError: expected 4 to be 3 // Object.is equality",
    "make-fails": "make: *** [Makefile:2: all] Error 1",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_message_is_the_first_decisive_line(name: str) -> None:
    assert seen(name).message == MESSAGES[name]


def test_passing_ids_are_kept_where_they_are_printed() -> None:
    assert seen("cargo-test-fails").passing == ("tests::tea",)
    assert seen("go-test-fails").passing == ("TestPrice/tea", "TestCart")
    assert seen("pytest-passes").passing == ("test_shop.py::test_ok",)


def test_a_failure_is_signed_and_a_pass_is_not() -> None:
    signature = seen("pytest-fails", "pytest", 1).signature
    assert signature is not None
    assert signature.normalised.startswith("dbs1:n:")
    assert seen("pytest-passes", "pytest", 0).signature is None


@pytest.mark.parametrize("name", TOOLCHAINS)
def test_a_toolchain_says_nothing_about_nothing(name: str) -> None:
    assert TOOLCHAINS[name].read("") is None
    assert TOOLCHAINS[name].read("hello\n") is None


def test_a_line_that_a_go_test_only_logged_is_not_its_failure() -> None:
    output = "--- FAIL: TestA (0.00s)\n    a_test.go:277: Initial HEAD: e11f237\n    a_test.go:290: expected 1 got 2\nFAIL\nFAIL\tx 0.1s\n"
    assert observe("go test ./...", output, 1).message == "a_test.go:290: expected 1 got 2"
