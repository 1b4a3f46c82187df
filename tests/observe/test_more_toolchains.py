"""What each of the smaller toolchains tells, from outputs written as the tools print them: result, tool, class, failing ids, first place."""

import pytest
from msgspec import Struct

from ruledout.model.outcome import Result
from ruledout.observe.outcome import observe


class Case(Struct, frozen=True, kw_only=True):
    """A command with its output, and what must be read of it. `place`: file, line and code of the first diagnostic."""

    command: str
    output: str
    exit: int
    result: Result
    tool: str
    error: str | None = None
    failing: tuple[str, ...] = ()
    place: tuple[str, int | None, str | None] | None = None


GTEST = """[==========] Running 2 tests from 1 test suite.
[ RUN      ] Sum.Adds
[       OK ] Sum.Adds (0 ms)
[ RUN      ] Sum.Carries
/w/sum_test.cc:12: Failure
Expected equality of these values:
  carry(9, 1)
    Which is: 0
  1
[  FAILED  ] Sum.Carries (1 ms)
[==========] 2 tests from 1 test suite ran. (1 ms total)
[  PASSED  ] 1 test.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Sum.Carries

 1 FAILED TEST
"""
CATCH = """-------------------------------------------------------------------------------
sums carry
-------------------------------------------------------------------------------
sum.cpp:7
...............................................................................

sum.cpp:9: FAILED:
  REQUIRE( carry(9, 1) == 1 )
with expansion:
  0 == 1

===============================================================================
test cases: 2 | 1 passed | 1 failed
assertions: 3 | 2 passed | 1 failed
"""
DOCTEST = """[doctest] doctest version is "2.4.11"
===============================================================================
sum.cpp:5:
TEST CASE:  sums carry

sum.cpp:7: ERROR: CHECK( carry(9, 1) == 1 ) is NOT correct!
  values: CHECK( 0 == 1 )

===============================================================================
[doctest] test cases: 2 | 1 passed | 1 failed | 0 skipped
[doctest] assertions: 3 | 2 passed | 1 failed |
[doctest] Status: FAILURE!
"""
BOOST = """Running 2 test cases...
sum.cpp(8): error: in "sums/carry": check carry(9, 1) == 1 has failed [0 != 1]

*** 1 failure is detected in the test module "sums"
"""
VALGRIND = """==4711== Memcheck, a memory error detector
==4711== Invalid read of size 4
==4711==    at 0x109175: last (list.c:21)
==4711==    by 0x1091B3: main (list.c:30)
==4711==  Address 0x4a8b054 is 0 bytes after a block of size 20 alloc'd
==4711==    at 0x483B7F3: malloc (in /usr/lib/valgrind/vgpreload_memcheck.so)
==4711==
==4711== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)
"""
TERRAFORM = """╷
│ Error: Unsupported argument
│
│   on network.tf line 14, in resource "aws_vpc" "main":
│   14:   cidr = "10.0.0.0/16"
│
│ An argument named "cidr" is not expected here.
╵
"""
BUILDKIT = """#9 [4/5] RUN npm run build
#9 1.204 sh: webpack: not found
#9 ERROR: process "/bin/sh -c npm run build" did not complete successfully: exit code: 127
------
Dockerfile:9
--------------------
   8 |     COPY . .
   9 | >>> RUN npm run build
  10 |     CMD ["node", "dist"]
--------------------
ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 127
"""
MSBUILD = """  Determining projects to restore...
/w/App/Cart.cs(14,20): error CS1061: 'Cart' does not contain a definition for 'Totals' [/w/App/App.csproj]

Build FAILED.

/w/App/Cart.cs(14,20): error CS1061: 'Cart' does not contain a definition for 'Totals' [/w/App/App.csproj]
    0 Warning(s)
    1 Error(s)
"""
NUGET = "/w/App/App.csproj : error NU1101: Unable to find package Nope. No packages exist with this id in source(s): local\n\nBuild FAILED.\n"
TOX = """py311: commands[0]> python check.py
py311: exit 1 (0.03 seconds) /w> python check.py pid=99
  py311: FAIL code 1 (0.40=setup[0.37]+cmd[0.03] seconds)
  evaluation failed :( (0.45 seconds)
"""
NOX = "nox > Running session tests-3.12\nnox > python check.py\nnox > Command python check.py failed with exit code 1\nnox > Session tests-3.12 failed.\n"
PNPM = "> cart@1.0.0 check /w\n> node check.js\n\n ELIFECYCLE  Command failed with exit code 3.\n"
BUN = 'error: script "check" exited with code 3\n'
YARN = "yarn run v1.22.22\n$ node check.js\nerror Command failed with exit code 3.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.\n"
TURBO = "web:check: cache miss, executing 1b2c\n\n Tasks:    1 successful, 2 total\nCached:    0 cached, 2 total\nFailed:    web#check\n"
SARIF = """{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Semgrep"}}, "results": [
 {"ruleId": "py.eval", "level": "error", "message": {"text": "eval of a request"},
  "locations": [{"physicalLocation": {"artifactLocation": {"uri": "app/views.py"}, "region": {"startLine": 31, "startColumn": 5}}}]}]}]}
"""
REPORTLOG = """{"pytest_version": "8.3.3", "$report_type": "SessionStart"}
{"nodeid": "t/test_a.py::test_fine", "when": "setup", "outcome": "passed", "longrepr": null, "$report_type": "TestReport"}
{"nodeid": "t/test_a.py::test_fine", "when": "call", "outcome": "passed", "longrepr": null, "$report_type": "TestReport"}
{"nodeid": "t/test_a.py::test_bad", "when": "call", "outcome": "failed", "longrepr": {"reprcrash": {"message": "assert 1 == 2"}}, "$report_type": "TestReport"}
{"nodeid": "t/test_a.py::test_gone", "when": "setup", "outcome": "failed", "longrepr": {"reprcrash": {"message": "OSError: x"}}, "$report_type": "TestReport"}
"""
LIBTEST = """{ "type": "suite", "event": "started", "test_count": 2 }
{ "type": "test", "event": "ok", "name": "tests::fine" }
{ "type": "test", "event": "failed", "name": "tests::bad", "stdout": "assertion failed: carry(9)" }
"""
DART = """{"protocolVersion":"0.1.1","type":"start","time":0}
{"test":{"id":1,"name":"loading a_test.dart"},"type":"testStart","time":1}
{"testID":1,"result":"success","skipped":false,"hidden":true,"type":"testDone","time":2}
{"test":{"id":2,"name":"carries"},"type":"testStart","time":3}
{"testID":2,"error":"Expected: <1>\\n  Actual: <0>","type":"error","time":4}
{"testID":2,"result":"failure","skipped":false,"hidden":false,"type":"testDone","time":5}
"""
MOCHA = '{"stats": {"tests": 1, "failures": 1}, "passes": [], "pending": [], "failures": [{"fullTitle": "cart carries", "err": {"message": "expected 0 to be 1"}}]}\n'
RSPEC = '{"examples": [{"full_description": "Cart carries", "status": "failed", "exception": {"message": "expected: 1"}}], "summary_line": "1 example, 1 failure"}\n'
CTRF = '{"results": {"tool": {"name": "x"}, "summary": {"tests": 1, "failed": 1}, "tests": [{"name": "carries", "status": "failed", "message": "no"}]}}\n'
LINKER = (
    "cart.obj : error LNK2019: unresolved external symbol carry referenced in function main\nLINK : fatal error LNK1181: cannot open input file 'gone.lib'\n"
)
FORTRAN = (
    "/w/sum.f90:7:10:\n\n    7 |   use gone\n      |          1\nFatal Error: Cannot open module file 'gone.mod' for reading at (1)\ncompilation terminated.\n"
)

CASES = {
    "googletest": Case(
        command="./sum_test",
        output=GTEST,
        exit=1,
        result=Result.FAIL,
        tool="googletest",
        error="FAIL",
        failing=("Sum.Carries",),
        place=("/w/sum_test.cc", 12, None),
    ),
    "catch2": Case(
        command="./sums",
        output=CATCH,
        exit=1,
        result=Result.FAIL,
        tool="catch2",
        error="FAIL",
        failing=("sums carry",),
        place=("sum.cpp", 9, None),
    ),
    "catch2 passes": Case(
        command="./sums", output="===\nAll tests passed (3 assertions in 2 test cases)\n", exit=0, result=Result.PASS, tool="catch2"
    ),
    "doctest": Case(
        command="./sums", output=DOCTEST, exit=1, result=Result.FAIL, tool="doctest", error="FAIL", failing=("sums carry",), place=("sum.cpp", 7, None)
    ),
    "boost": Case(
        command="./sums", output=BOOST, exit=201, result=Result.FAIL, tool="boost.test", error="FAIL", failing=("sums/carry",), place=("sum.cpp", 8, None)
    ),
    "valgrind": Case(command="valgrind ./list", output=VALGRIND, exit=1, result=Result.FAIL, tool="valgrind", error="Invalid read"),
    "valgrind is content": Case(
        command="valgrind ./list",
        output="==1== Memcheck, a memory error detector\n==1== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)\n",
        exit=0,
        result=Result.PASS,
        tool="valgrind",
    ),
    "terraform": Case(
        command="terraform validate",
        output=TERRAFORM,
        exit=1,
        result=Result.FAIL,
        tool="terraform",
        error="Unsupported argument",
        place=("network.tf", 14, None),
    ),
    "terraform is content": Case(
        command="terraform validate", output="Success! The configuration is valid.\n", exit=0, result=Result.PASS, tool="terraform"
    ),
    "docker": Case(
        command="docker build .", output=BUILDKIT, exit=1, result=Result.FAIL, tool="docker", error="build step failed", place=("Dockerfile", 9, None)
    ),
    "docker builds": Case(
        command="docker build -t a .", output="Successfully built 1f2e3d4c5b6a\nSuccessfully tagged a:latest\n", exit=0, result=Result.PASS, tool="docker"
    ),
    "msbuild": Case(
        command="dotnet build",
        output=MSBUILD,
        exit=1,
        result=Result.FAIL,
        tool="dotnet",
        error="CS1061",
        place=("/w/App/Cart.cs", 14, "CS1061"),
    ),
    "nuget": Case(
        command="dotnet build", output=NUGET, exit=1, result=Result.FAIL, tool="dotnet", error="NU1101", place=("/w/App/App.csproj", None, "NU1101")
    ),
    "postgresql": Case(
        command="psql -f up.sql",
        output='psql:up.sql:3: ERROR:  syntax error at or near "SELCT"\nLINE 1: SELCT 1;\n        ^\n',
        exit=3,
        result=Result.FAIL,
        tool="postgresql",
        error="sql_syntax",
        place=("up.sql", 3, None),
    ),
    "mysql": Case(
        command="mysql shop < up.sql",
        output="ERROR 1146 (42S02) at line 4: Table 'shop.carts' doesn't exist\n",
        exit=1,
        result=Result.FAIL,
        tool="mysql",
        error="sql_error",
        place=("", 4, "1146"),
    ),
    "sqlite": Case(
        command="sqlite3 shop.db < up.sql",
        output="Runtime error near line 5: UNIQUE constraint failed: carts.id (19)\n",
        exit=1,
        result=Result.FAIL,
        tool="sqlite",
        error="sql_error",
        place=("", 5, None),
    ),
    "tox": Case(command="tox -e py311", output=TOX, exit=1, result=Result.FAIL, tool="tox"),
    "tox is content": Case(
        command="tox -e py311", output="  py311: OK (0.40=setup[0.37]+cmd[0.03] seconds)\n  congratulations :) (0.45 seconds)\n", exit=0, result=Result.PASS, tool="tox"
    ),
    "nox": Case(command="nox -s tests", output=NOX, exit=1, result=Result.FAIL, tool="nox"),
    "pnpm": Case(command="pnpm run check", output=PNPM, exit=3, result=Result.FAIL, tool="pnpm"),
    "bun": Case(command="bun run check", output=BUN, exit=3, result=Result.FAIL, tool="bun"),
    "yarn": Case(command="yarn check:all", output=YARN, exit=3, result=Result.FAIL, tool="yarn"),
    "turbo": Case(command="turbo run check", output=TURBO, exit=1, result=Result.FAIL, tool="turbo"),
    "sarif": Case(
        command="cat found.sarif", output=SARIF, exit=0, result=Result.FAIL, tool="semgrep", error="py.eval", place=("app/views.py", 31, "py.eval")
    ),
    "pytest reportlog": Case(
        command="cat log.jsonl",
        output=REPORTLOG,
        exit=0,
        result=Result.FAIL,
        tool="pytest",
        error="FAIL",
        failing=("t/test_a.py::test_bad", "t/test_a.py::test_gone"),
    ),
    "libtest json": Case(command="cat t.json", output=LIBTEST, exit=0, result=Result.FAIL, tool="cargo", error="FAIL", failing=("tests::bad",)),
    "dart json": Case(command="dart test -r json", output=DART, exit=1, result=Result.FAIL, tool="dart", error="FAIL", failing=("carries",)),
    "mocha json": Case(command="mocha --reporter json", output=MOCHA, exit=1, result=Result.FAIL, tool="mocha", error="FAIL", failing=("cart carries",)),
    "rspec json": Case(command="rspec -f json", output=RSPEC, exit=1, result=Result.FAIL, tool="rspec", error="FAIL", failing=("Cart carries",)),
    "ctrf": Case(command="cat ctrf.json", output=CTRF, exit=0, result=Result.FAIL, tool="events", error="FAIL", failing=("carries",)),
    "microsoft's linker": Case(command="link cart.obj", output=LINKER, exit=1, result=Result.FAIL, tool="cc", error="LNK2019", place=("cart.obj", None, "LNK2019")),
    "gfortran": Case(command="make", output=FORTRAN, exit=2, result=Result.FAIL, tool="cc", error="compile error", place=("/w/sum.f90", 7, None)),
    "rerun of pytest": Case(
        command="pytest --reruns 2", output="test_a.py R..   [100%]\n\n===== 2 passed, 1 rerun in 0.12s =====\n", exit=0, result=Result.FLAKY, tool="pytest"
    ),
    "rerun of nextest": Case(
        command="cargo nextest run",
        output=(
            "  TRY 1 FAIL [   0.003s] (1/1) cart tests::carries\n  TRY 2 PASS [   0.003s] (1/1) cart tests::carries\n"
            "     Summary [   0.012s] 1 test run: 1 passed (1 flaky), 0 skipped\n"
        ),
        exit=0,
        result=Result.FLAKY,
        tool="cargo",
    ),
    "rerun of surefire": Case(
        command="mvn test",
        output="[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n[INFO] BUILD SUCCESS\n",
        exit=0,
        result=Result.FLAKY,
        tool="junit",
    ),
    "a warning of javac is no failure": Case(
        command="mvn compile", output="[WARNING] /w/Cart.java:[3,5] [unchecked] unchecked call\n[INFO] BUILD SUCCESS\n", exit=0, result=Result.PASS, tool="jvm"
    ),
    "race detector": Case(
        command="go run -race .",
        output=(
            "==================\nWARNING: DATA RACE\nWrite at 0x00c000014088 by goroutine 7:\n  main.fill()\n      /w/cart.go:10 +0x3c\n\n"
            "Previous write at 0x00c000014088 by main goroutine:\n  main.main()\n      /w/cart.go:20 +0x3c\n==================\nFound 1 data race(s)\nexit status 66\n"
        ),
        exit=1,
        result=Result.FAIL,
        tool="go",
        error="DATA RACE",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_tool_is_read_as_it_prints(name: str) -> None:
    case = CASES[name]
    seen = observe(case.command, case.output, case.exit)
    first = seen.diagnostics[0] if seen.diagnostics else None
    place = (first.file, first.line, first.code) if first else None
    assert (seen.result, seen.tool, seen.error_class, seen.failing) == (case.result, case.tool, case.error, case.failing)
    if case.place is not None:
        assert place == case.place


def test_what_stands_in_a_comment_of_a_report_was_not_run() -> None:
    report = '<testsuite>\n<!-- <testcase name="old"><failure/></testcase> -->\n<testcase name="new"/>\n</testsuite>\n'
    seen = observe("cat junit.xml", report, 0)
    assert (seen.result, seen.passing, seen.failing) == (Result.PASS, ("new",), ())


def test_the_shell_names_the_error_and_the_line_gives_the_place() -> None:
    seen = observe("./run.sh", "run.sh: line 2: frob: command not found\n", 127)
    assert (seen.result, seen.error_class) == (Result.NOISE, "missing binary")
    assert [(each.file, each.line) for each in seen.diagnostics] == [("run.sh", 2)]


def test_a_grade_in_brackets_is_no_task_name() -> None:
    seen = observe("mvn compile", "[INFO] Compiling\n[ERROR] /w/a b/Cart.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE\n", 1)
    assert (seen.result, seen.diagnostics[0].file, seen.diagnostics[0].severity) == (Result.FAIL, "/w/a b/Cart.java", "error")


def test_a_file_that_jest_could_not_run_stands_for_itself() -> None:
    text = "FAIL src/a.test.js\n  ● Test suite failed to run\n\n    Cannot find module './b'\n\nPASS src/c.test.js\n\nTests:       1 passed, 1 total\n"
    assert observe("jest", text, 1).failing == ("src/a.test.js",)


def test_events_of_go_count_a_package_that_ran_out_of_time() -> None:
    text = (
        '{"Action":"run","Package":"ex/a","Test":"TestSlow"}\n'
        '{"Action":"output","Package":"ex/a","Test":"TestSlow","Output":"panic: test timed out after 2s\\n"}\n'
        '{"Action":"output","Package":"ex/a","Output":"goroutine 7 [running]:\\n"}\n'
        '{"Action":"fail","Package":"ex/a","Elapsed":2}\n'
    )
    seen = observe("go test -json ./...", text, 1)
    assert (seen.result, seen.failing) == (Result.FAIL, ("TestSlow", "ex/a"))
    assert seen.counts is not None
    assert (seen.counts.failed, seen.counts.total) == (2, 1)
