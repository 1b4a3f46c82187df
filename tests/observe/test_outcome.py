"""The verdict table: what the exit status, its hiding, the text and the kind of command come to together."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.model.action import Ending
from ruledout.model.outcome import Kind, Result, Sight, Signal
from ruledout.observe.outcome import observe

OUTPUTS = Path(__file__).parent / "outputs"
GREEN = (OUTPUTS / "pytest-passes.txt").read_text("utf-8")
RED = (OUTPUTS / "pytest-fails.txt").read_text("utf-8")
TRACEBACK = (OUTPUTS / "python-chain.txt").read_text("utf-8")

TABLE: dict[str, tuple[str, str, int | None, str]] = {
    "a green run": ("pytest", GREEN, 0, "pass"),
    "a red run": ("pytest", RED, 1, "fail"),
    "zero and failing tests: the text wins": ("pytest", RED, 0, "fail"),
    "a hidden exit and failing tests": ("pytest | tail -40", RED, 0, "fail"),
    "a hidden exit and a green summary": ("pytest | tail -3", GREEN, 0, "pass"),
    "a hidden exit and no text": ("pytest | grep FAILED", "", 0, "unknown"),
    "a test run without any evidence": ("pytest", "", 0, "unknown"),
    "one and a green summary: a contradiction": ("pytest", GREEN, 1, "unknown"),
    "one, green tests, and a later check": ("pytest && ./check.sh", GREEN, 1, "fail"),
    "a silent build": ("tsc --noEmit", "", 0, "pass"),
    "a silent build behind a pipe": ("tsc --noEmit | head", "", 0, "unknown"),
    "a silent failing build": ("tsc --noEmit", "", 2, "fail"),
    "a build with the exit echoed": ("go build ./... ; echo $?", "0\n", 0, "pass"),
    "a build with a bad exit echoed": ("go build ./... ; echo exit=$?", "exit=1\n", 0, "fail"),
    "a pipe's status echoed": ("go build ./... | tail; echo ${PIPESTATUS[0]}", "1\n", 0, "fail"),
    "a missing binary": ("pytest -q", "bash: line 1: pytest: command not found", 127, "noise"),
    "a missing binary behind a pipe": ("pytest -q | tail", "bash: line 1: pytest: command not found", 0, "noise"),
    "no such script": ("npm run lint", 'npm error Missing script: "lint"', 1, "noise"),
    "a wrong folder": ("cd nowhere && pytest", "bash: line 1: cd: nowhere: No such file or directory", 1, "noise"),
    "no such test": ("pytest a.py::test_x", (OUTPUTS / "pytest-not-found.txt").read_text("utf-8"), 4, "noise"),
    "the network": ("cargo build", "error: failed to get `serde`\ncurl failed: Could not resolve host: index.crates.io", 101, "infra"),
    "a package that is not installed": (
        "python reproduce.py",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import numpy\nModuleNotFoundError: No module named 'numpy'\n",
        1,
        "infra",
    ),
    "the user's refusal": ("npm test", "The user doesn't want to proceed with this tool use.", None, "infra"),
    "a traceback": ("python reproduce.py", TRACEBACK, 1, "fail"),
    "a traceback that was caught": ("python reproduce.py", TRACEBACK, 0, "fail"),
    "a script that says it worked": ("python reproduce.py", "Success: 3 items", 0, "pass"),
    "a script that says it failed": ("python reproduce.py", "FAIL: expected 3, got 4", 0, "fail"),
    "a script that only prints": ("python probe.py", "tree: [1, 2]", 0, "unknown"),
    "a script with both": ("python reproduce.py", "Test 1 passed\nFAILURE: test 2", 0, "fail"),
    "an error that was expected": ("python reproduce.py", "Error (as expected): TypeError: no\nok", 0, "pass"),
    "a quiet script of assertions": ("python - <<'E'\nimport shop\nassert shop.ok\nE", "", 0, "pass"),
    "a shell script that ended well": ("./verify.sh", "==> checking\nbranch exists", 0, "pass"),
    "a shell script that found nothing": ("./verify.sh", "==> listing\n[]", 0, "unknown"),
    "a fallback that was printed": ('python -c "import x; assert x" 2>/dev/null || echo "x not available"', "x not available", 0, "infra"),
    "a passing test that prints a traceback": ("pytest", TRACEBACK + GREEN, 0, "pass"),
    "lint and tests behind one pipe": ("mise run lint && mise run test | tail", "2 issues:\n* govet: 2\nok  \texample.org/shop\t0.1s", 0, "fail"),
    "a runner's task names in front": ("mise run lint", "[lint:go] price.go:12:2: bad (govet)\n[lint:go] 1 issues:\n[lint] ERROR task failed", 1, "fail"),
    "coverage below the threshold": (
        "npx jest --coverage",
        'Tests:       3 passed, 3 total\nJest: "global" coverage threshold for lines (90%) not met: 80%',
        1,
        "fail",
    ),
    "zero tests in a browser": ("npx karma start", "Chrome 120: Executed 0 of 0 DISCONNECTED", 0, "unknown"),
    "tests that passed on a second try": (
        "gotestsum --rerun-fails",
        "FAIL a.TestX\nDONE 1 tests, 1 failure\nPASS a.TestX (re-run 1)\nDONE 2 runs, 2 tests, 1 failure",
        0,
        "flaky",
    ),
    "a push that the hook refused": (
        "git push",
        "Running cargo build\nwarning: unused import: `x`\nerror: failed to push some refs to 'github.com:a/b.git'",
        1,
        "fail",
    ),
    "white space in a diff": ("git diff --check", "a.py:3: trailing whitespace.\n+x ", 2, "fail"),
    "nothing known at all": ("", "hello", None, "unknown"),
    "nothing at all": ("", "", None, "unknown"),
}


@pytest.mark.parametrize(("command", "output", "exit_", "result"), TABLE.values(), ids=TABLE)
def test_the_verdict_table(command: str, output: str, exit_: int | None, result: str) -> None:
    assert observe(command, output, exit_).result.value == result


MORE_TOOLS: tuple[tuple[str, str, int | None, str], ...] = (
    (
        "dotnet test",
        "  Failed Shop.Tests.Price [12 ms]\n  Error Message:\n   Assert.Equal() Failure\nFailed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4, Duration: 12 ms - Shop.dll (net8.0)",
        1,
        "fail",
    ),
    ("dotnet test", "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 12 ms - Shop.dll (net8.0)", 0, "pass"),
    ("ctest | tail", "67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - price (Failed)\nErrors while running CTest", 0, "fail"),
    ("mix test", "  1) test price of tea (ShopTest)\n     test/shop_test.exs:5\n     Assertion with == failed\n\n2 tests, 1 failure\n", 2, "fail"),
    ("deno test", "price ... FAILED (5ms)\nok | 0 passed | 0 failed\nFAILED | 1 passed | 1 failed (20ms)\n\nerror: Test failed", 1, "fail"),
    ("flutter test", "00:02 +5: All tests passed!", 0, "pass"),
    ("npm run build 2>&1 | tail -20", "Failed to compile.\n\n./src/a.tsx:3:5\nType error: Property 'x' does not exist on type 'Y'.", 0, "fail"),
    ("npm run build 2>&1 | tail -5", "dist/index.js  12 kB\n✓ built in 1.20s", 0, "pass"),
    ("npx prettier --check . | tail", "[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.", 0, "fail"),
    ("npx prettier --check . | tail", "Checking formatting...\nAll matched files use Prettier code style!", 0, "pass"),
    ("xcodebuild test | tail", "** TEST FAILED **", 0, "fail"),
    ("swift build", "Build complete! (1.2s)", 0, "pass"),
    ("bats t.bats", "1..2\nok 1 adds\nnot ok 2 subtracts\n# (in test file t.bats, line 3)", 1, "fail"),
    ("npm test", "> Error: no test specified\n", 1, "noise"),
    ("pytest", "Command timed out after 2m 0.0s\ncollected 3 items", None, "infra"),
    ("cargo fmt --check", "Diff in /src/a.rs:12:\n-x\n+y\n", 1, "fail"),
    (
        "cargo test 2>&1 | grep 'test result'",
        "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
        0,
        "fail",
    ),
    ("pytest -q 2>&1 | tail -1", "3 passed in 0.12s", 0, "pass"),
    ("pytest -q 2>&1 | tail -1", "1 failed, 3 passed in 0.12s", 0, "fail"),
    ("./manage.py test shop", "Found 2 test(s).\nRan 2 tests in 0.1s\n\nOK\n", 0, "pass"),
    ("go vet ./...", "", 0, "pass"),
    ("go test ./... 2>&1 | grep -v '^ok'", "", 0, "unknown"),
    ("yarn build", "yarn run v1.22\n$ tsc\nDone in 2.1s.", 0, "pass"),
    ("terraform validate", "Success! The configuration is valid.", 0, "pass"),
    ("make", "gcc -o a a.c\n", 0, "pass"),
    ("make test", "gcc -o a a.c\n", 0, "unknown"),
    ("docker build .", '#5 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\nERROR: failed to solve: x', 1, "fail"),
    (
        "node server.js",
        "Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle [as _listen2] (node:net:1463:16)\n",
        1,
        "infra",
    ),
    ("python app.py", "sqlite3.OperationalError: no such table: users", 1, "fail"),
    ("bash run.sh", "Segmentation fault (core dumped)", 139, "fail"),
    ("python big.py", "Killed", 137, "infra"),
    (
        "npx playwright test",
        "Running 2 tests using 1 worker\n\n  1) [chromium] › a.spec.ts:3:1 › logs in ──────\n\n    Error: Timed out\n\n  1 failed\n    [chromium] › a.spec.ts:3:1 › logs in\n  1 passed (3.1s)",
        1,
        "fail",
    ),
    ("ruby -c a.rb", "Syntax OK", 0, "pass"),
    (
        "gradle test",
        "> Task :test\n\nShopTest > tea() FAILED\n    org.opentest4j.AssertionFailedError at ShopTest.java:9\n\n2 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\n\nBUILD FAILED in 3s",
        1,
        "fail",
    ),
    ("pnpm lint", "\n> a@1 lint /a\n> eslint .\n\n", 0, "pass"),
    ("npm test -- --watchAll=false", "No tests found, exiting with code 1\nRun with `--passWithNoTests`", 1, "noise"),
    ("curl localhost:3000", "<html>", 0, "unknown"),
    ("tsc --noEmit && echo OK", "OK", 0, "pass"),
    ("tsc --noEmit 2>&1 | head -20; echo done", "done", 0, "unknown"),
)


@pytest.mark.parametrize(("command", "output", "exit_", "result"), MORE_TOOLS)
def test_other_tools_and_common_ways_to_call_them(command: str, output: str, exit_: int | None, result: str) -> None:
    assert observe(command, output, exit_).result.value == result


ENDINGS = {
    Ending.REFUSED: Result.INFRA,
    Ending.INTERRUPTED: Result.INFRA,
    Ending.MALFORMED: Result.NOISE,
    Ending.MISSING: Result.UNKNOWN,
    Ending.TIMED_OUT: Result.INFRA,
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_call_that_did_not_end_says_nothing_about_the_code(ending: Ending) -> None:
    assert observe("pytest", "", None, ending).result is ENDINGS[ending]


def test_a_time_out_fails_only_where_failing_tests_were_printed() -> None:
    assert observe("pytest", RED, 124, Ending.TIMED_OUT).result is Result.FAIL
    assert observe("pytest", "collecting ...", 124).kind is Kind.TIMEOUT


@pytest.mark.parametrize("command", ["pytest | tail", "pytest || true", "pytest; ls", "pytest &"])
def test_a_masked_exit_without_text_is_never_a_pass(command: str) -> None:
    outcome = observe(command, "", 0)
    assert (outcome.result, outcome.sight) == (Result.UNKNOWN, Sight.MASKED)


def test_a_program_that_fails_with_exit_zero_is_masked() -> None:
    assert observe("python a.py", "FAIL: no", 0).sight is Sight.MASKED
    assert observe("python a.py", "Success", 0).sight is Sight.TOLD
    assert observe("python a.py", "Success").sight is Sight.UNTOLD


@pytest.mark.parametrize("name", ["pytest-all-deselected", "cargo-test-none", "go-test-none", "unittest-none-ran", "pytest-collect-only"])
@pytest.mark.parametrize("exit_", [0, None])
def test_R1_zero_tests_are_no_pass(name: str, exit_: int | None) -> None:
    assert observe("", (OUTPUTS / f"{name}.txt").read_text("utf-8"), exit_).result is not Result.PASS


def test_R14_what_cannot_be_told_is_unknown_and_neither_red_nor_green() -> None:
    assert observe("cargo test | grep -A3 Session", "", 0).result is Result.UNKNOWN
    assert observe("npm test", "some log line", 0).result is Result.UNKNOWN


def test_a_failure_carries_its_tier() -> None:
    assert observe("pytest", RED, 1).signal is Signal.YES
    assert observe("pytest", "bash: pytest: command not found", 127).signal is Signal.NO


def test_secrets_do_not_reach_the_message() -> None:
    outcome = observe(
        "python a.py",
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: token ghp_0123456789abcdefghijABCDEFGHIJ012345 rejected\n',
        1,
    )
    assert "ghp_0123456789" not in (outcome.message or "")


def test_a_long_output_is_read_at_both_ends() -> None:
    middle = "noise line\n" * 50_000
    assert observe("pytest", f"{middle}{RED}", 1).failing == observe("pytest", RED, 1).failing
    assert observe("cargo build", (OUTPUTS / "cargo-build-fails.txt").read_text("utf-8") + middle, 101).error_class == "E0308"


PIECES = [
    "\nFAILED ",
    "test_a.py::t[",
    "] - ",
    "=== FAILURES ===\n",
    "__ a __\n",
    "E   x",
    "--- FAIL: ",
    "\tpkg",
    "error[E1]: ",
    "\n --> a.rs:1:2",
    "● ",
    "✓ ",
    "a.c:1: error: ",
    "\n",
    " ",
    "9",
    "Ran 1 test in 0s\n",
    "Traceback (most recent call last):\n",
    '  File "a", line 1, in f\n',
    "ValueError: x\n",
    "{",
    '"Action":"run"',
    "\x1b[31m",
    "\r",
    "  1) x\n",
    "TAP version 13\nnot ok 1 - a\n",
    " at f (a.js:1:2)\n",
]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=25).map("".join),
    st.sampled_from(["", "pytest | tail", "npm test", "python a.py"]),
    st.sampled_from([None, 0, 1, 124, 139, -9]),
)
def test_no_text_crashes_it(output: str, command: str, exit_: int | None) -> None:
    assert isinstance(observe(command, output, exit_).result, Result)


@pytest.mark.parametrize("line", ["a" * 60_000, "::" * 30_000, "_ " * 30_000, "1 a, " * 12_000, "(" * 60_000, "✓ " * 20_000, "a.b:" * 15_000, " at " * 15_000])
def test_one_endless_line_is_no_trap(line: str) -> None:
    assert observe("", line, 1).result in set(Result)
