"""Each runner's own report, read; and the argv that asks for it."""

import json
import sys
from pathlib import Path

import pytest
from tests.prove.corpus.repo import Repo, codes
from tests.prove.corpus.wrong import CALC, REAL

from ruledout.model.gate import Isolation, ProofVerdict, ReportSource, TestStatus
from ruledout.prove import runners
from ruledout.prove.runners import cargo, golang, jest, node, text

PASSED, FAILED, SKIPPED, ERROR, XFAILED = TestStatus.PASSED, TestStatus.FAILED, TestStatus.SKIPPED, TestStatus.ERROR, TestStatus.XFAILED


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        ("pytest -q", "pytest"),
        ("/x/.venv/bin/pytest tests/a.py::t", "pytest"),
        ("python -W error -m pytest", "pytest"),
        ("python3.12 -m pytest", "pytest"),
        ("uv run pytest", "pytest"),
        ("poetry run python -m pytest", "pytest"),
        ("timeout 60 env A=1 py.test", "pytest"),
        ("coverage run -m pytest", "pytest"),
        ("python -m unittest", "unittest"),
        ("python3 -S -m unittest -v a.b", "unittest"),
        ("go test ./...", "go"),
        ("go vet", "text"),
        ("cargo test --lib", "cargo"),
        ("cargo +nightly test", "cargo"),
        ("cargo build", "text"),
        ("npx jest a", "jest"),
        ("node_modules/.bin/vitest run", "jest"),
        ("pnpm exec vitest", "jest"),
        ("node --test", "node"),
        ("node x.js", "text"),
        ("make check", "text"),
        ("cat pytest", "text"),
        ("git log pytest", "text"),
    ],
)
def test_an_argv_is_claimed_by_the_runner_that_it_calls(argv: str, name: str) -> None:
    assert name == runners.pick(argv.split()).NAME


@pytest.mark.parametrize(
    ("argv", "prepared"),
    [
        ("go test ./...", "go test -json -count=1 ./..."),
        ("go test -count=3 -json ./...", "go test -count=3 -json ./..."),
        ("npx jest a", "npx jest a --json --outputFile=OUT/jest.json"),
        ("vitest run", "vitest run --reporter=default --reporter=json --outputFile.json=OUT/jest.json --retry=0"),
        ("vitest", "vitest --reporter=default --reporter=json --outputFile.json=OUT/jest.json --retry=0 --run"),
        ("cargo test", "cargo test"),
        (
            "node --test a.js",
            "node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=tap --test-reporter-destination=OUT/node.tap --test a.js",
        ),
        ("python -S -m unittest -v a", "python -S OUT/ruledout_unittest.py -v a"),
    ],
)
def test_the_argv_asks_for_a_report_outside_the_tree(argv: str, prepared: str, tmp_path: Path) -> None:
    words = argv.split()

    assert " ".join(runners.pick(words).prepare(words, tmp_path).argv).replace(str(tmp_path), "OUT") == prepared


GO = [
    {"Action": "run", "Package": "x/a", "Test": "TestOne"},
    {"Action": "output", "Package": "x/a", "Test": "TestOne", "Output": "--- FAIL\n"},
    {"Action": "fail", "Package": "x/a", "Test": "TestOne"},
    {"Action": "pass", "Package": "x/a", "Test": "TestTwo/sub"},
    {"Action": "skip", "Package": "x/a", "Test": "TestThree"},
    {"Action": "fail", "Package": "x/a"},
    {"Action": "build-fail", "ImportPath": "x/b"},
    {"Action": "fail", "Package": "x/b"},
]


def test_gos_events_are_read_and_a_package_that_fails_without_a_test_did_not_build(tmp_path: Path) -> None:
    output = "# x/b\nnot json\n" + "".join(json.dumps(event) + "\n" for event in GO) + "{broken\n"

    report = golang.read(tmp_path, output, 1)

    assert report is not None
    assert report.tests == {"x/a.TestOne": FAILED, "x/a.TestTwo/sub": PASSED, "x/a.TestThree": SKIPPED}
    assert (report.unbuilt, report.source) == (("x/b",), ReportSource.REPORT)
    assert golang.read(tmp_path, "go: no Go files\n", 1) is None


CARGO = """   Compiling packer v0.1.0
     Running unittests src/lib.rs (target/debug/deps/packer-1a2b)

running 4 tests
test tests::odd ... FAILED
test tests::even ... ok
test tests::panics - should panic ... ok
test tests::slow ... ignored, takes a minute

failures:
test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/it.rs (target/debug/deps/it-3c4d)
test works ... ok
test result: ok. 1 passed
   Doc-tests packer
test src/lib.rs - decode (line 3) ... ok
test result: ok. 1 passed
"""


def test_cargos_text_is_read_with_the_target_in_the_id(tmp_path: Path) -> None:
    report = cargo.read(tmp_path, CARGO, 101)
    broken = cargo.read(tmp_path, "error[E0425]: cannot find\nerror: could not compile `packer` (lib test) due to 1 previous error\n", 101)

    assert report is not None
    assert report.tests == {
        "src/lib.rs::tests::odd": FAILED,
        "src/lib.rs::tests::even": PASSED,
        "src/lib.rs::tests::panics": PASSED,
        "src/lib.rs::tests::slow": SKIPPED,
        "tests/it.rs::works": PASSED,
        "packer::src/lib.rs - decode (line 3)": PASSED,
    }
    assert broken is not None
    assert (broken.tests, broken.unbuilt, broken.source) == ({}, ("",), ReportSource.NONE)


def test_jests_report_is_read_and_a_file_without_tests_did_not_load(tmp_path: Path) -> None:
    rows = [
        {"ancestorTitles": ["add", "numbers"], "title": "adds", "status": "passed"},
        {"ancestorTitles": [], "title": "fails", "status": "failed"},
        {"ancestorTitles": [], "title": "later", "status": "todo"},
        {"ancestorTitles": [], "title": "again", "status": "passed", "invocations": 2},
    ]
    files = [{"name": "/r/a.test.js", "status": "failed", "assertionResults": rows}, {"name": "/r/b.test.js", "status": "failed", "assertionResults": []}]
    (tmp_path / "jest.json").write_text(json.dumps({"testResults": files}))

    report = jest.read(tmp_path, "", 1)

    assert report is not None
    assert report.tests == {
        "/r/a.test.js > add > numbers > adds": PASSED,
        "/r/a.test.js > fails": FAILED,
        "/r/a.test.js > later": SKIPPED,
        "/r/a.test.js > again": PASSED,
    }
    assert (report.unbuilt, report.notes) == (("/r/b.test.js",), ("retried=/r/a.test.js > again",))
    assert jest.read(tmp_path / "nosuch", "", 1) is None


TAP = """TAP version 13
# Subtest: sets
    # Subtest: inner
    ok 1 - inner
      ---
      duration_ms: 1
      ...
    not ok 2 - other
    1..2
not ok 1 - sets
ok 2 - later # SKIP not yet
not ok 3 - some day # TODO
ok 4 - plain
1..4
"""


def test_nested_tap_is_read(tmp_path: Path) -> None:
    (tmp_path / "node.tap").write_text(TAP)

    report = node.read(tmp_path, "", 1)

    assert report is not None
    assert report.tests == {"sets": FAILED, "sets > inner": PASSED, "sets > other": FAILED, "later": SKIPPED, "some day": XFAILED, "plain": PASSED}
    assert (report.complete, report.unbuilt) == (True, ())
    broken = node.tap("TAP version 13\nnot ok 1 - /r/a.test.js\n", ReportSource.REPORT)
    assert (broken.tests, broken.unbuilt, broken.complete) == ({}, ("",), False)


@pytest.mark.parametrize(
    ("output", "source", "complete"),
    [
        ("1..2\nok 1 - a\nok 2 - b\n", ReportSource.TEXT, True),
        ("1..2\nok 1 - a\n", ReportSource.TEXT, False),
        ("ok 1 - a\n", ReportSource.TEXT, True),
        ("ok 1 - a\n", ReportSource.REPORT, False),
        ("1..1\n    ok 1 - inner\n    1..1\n", ReportSource.REPORT, False),
    ],
)
def test_tap_that_stops_before_its_plan_did_not_come_to_its_end(output: str, source: ReportSource, complete: bool) -> None:  # noqa: FBT001  # a table's column
    assert node.tap(output, source).complete is complete


UNITTEST_TEXT = """test_a (tests.test_x.T.test_a) ... ok
test_b (tests.test_x.T)
It has a docstring ... FAIL
test_c (tests.test_x.T.test_c) ... skipped 'no'
----
Ran 3 tests in 0.001s

FAILED (failures=1, skipped=1)
"""


def test_text_of_unittest_and_doctest_is_read_where_there_is_no_report(tmp_path: Path) -> None:
    told = text.read(tmp_path, UNITTEST_TEXT, 1)
    doctest = text.read(tmp_path, "Trying:\n    f()\nok\n1 items passed all tests:\n   2 tests in chunk.chunked\n", 0)
    failed = text.read(tmp_path, '***\nFile "chunk.py", line 3, in chunk.chunked\nFailed example:\n    f()\n', 1)

    assert told is not None
    assert told.tests == {"tests.test_x.T.test_a": PASSED, "tests.test_x.T.test_b": FAILED, "tests.test_x.T.test_c": SKIPPED}
    assert doctest is not None
    assert doctest.tests == {"chunk.chunked": PASSED}
    assert failed is not None
    assert failed.tests == {"chunk.chunked": FAILED}
    assert text.read(tmp_path, "done\n", 0) is None


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("go", "test", "-run", "^$", "./..."), '{"Action":"pass","Package":"x"}'),
        (("cargo", "test", "nosuch"), "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out"),
        (("jest", "--passWithNoTests"), "No tests found, exiting with code 0"),
        (("node", "--test", "nosuch"), "1..0"),
    ],
)
def test_row_38_zero_tests_are_no_pass_for_any_runner(repo: Repo, tmp_path: Path, argv: tuple[str, ...], says: str) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / argv[0]).write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n")
    (tools / argv[0]).chmod(0o755)
    repo.commit({"calc.py": CALC, "tests/x": ""})
    repo.write({"calc.py": REAL})

    proof = repo.prove(*argv, env={"PATH": f"{tools}:/usr/bin:/bin"})

    assert (proof.verdict, codes(proof)) == (ProofVerdict.REFUSED, ["not_run"])


def test_a_whole_proof_by_gos_events(repo: Repo, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    program = (
        f"#!{sys.executable} -S\nimport json, sys\nsys.path.insert(0, '.')\nassert sys.argv[1:4] == ['test', '-json', '-count=1'], sys.argv\nfrom calc import add\n"
        "ok = add(2, 3) == 5\nword = 'pass' if ok else 'fail'\nprint(json.dumps({'Action': word, 'Package': 'x', 'Test': 'TestAdd'}))\n"
        "print(json.dumps({'Action': word, 'Package': 'x'}))\nsys.exit(not ok)\n"
    )
    (tools / "go").write_text(program)
    (tools / "go").chmod(0o755)
    repo.commit({"calc.py": CALC})
    repo.write({"calc.py": REAL})

    proof = repo.prove("go", "test", "./...", env={"PATH": f"{tools}:/usr/bin:/bin"})

    assert (proof.verdict, proof.gate.tests) == (ProofVerdict.PROVED, ("x.TestAdd",))
    assert proof.receipt.green[0].source is ReportSource.REPORT


@pytest.mark.parametrize("level", [None, Isolation.WORK_TREE])
def test_ids_with_whole_paths_are_kept_relative_to_the_tree(repo: Repo, tmp_path: Path, level: Isolation | None) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    program = (
        f"#!{sys.executable} -S\nimport json, os, sys\nsys.path.insert(0, '.')\nfrom calc import add\nok = add(2, 3) == 5\n"
        "row = {'ancestorTitles': ['add'], 'title': 'adds', 'status': 'passed' if ok else 'failed'}\n"
        "report = {'testResults': [{'name': os.getcwd() + '/a.test.js', 'status': row['status'], 'assertionResults': [row]}]}\n"
        "open(sys.argv[-1].partition('=')[2], 'w').write(json.dumps(report))\nsys.exit(not ok)\n"
    )
    (tools / "jest").write_text(program)
    (tools / "jest").chmod(0o755)
    repo.commit({"calc.py": CALC})
    repo.write({"calc.py": REAL})

    proof = repo.prove("jest", env={"PATH": f"{tools}:/usr/bin:/bin"}, level=level)

    assert (proof.verdict, proof.gate.tests) == (ProofVerdict.PROVED, ("a.test.js > add > adds",))
