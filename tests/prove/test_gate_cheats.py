"""Never green by a cheat: the rows of the gate cheats, each named for what it does."""

import sys
from pathlib import Path

import pytest
from tests.prove.corpus.repo import PYTEST, UNITTEST, Repo, codes
from tests.prove.corpus.wrong import CALC, FLAT, PY, REAL, TEST, WRONG

from ruledout.errors import BadInput
from ruledout.model.gate import Isolation, ProofVerdict, TestStatus
from ruledout.model.outcome import Result
from ruledout.ports import ProofRequest
from ruledout.prove.gate import Runner


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_fix_is_refused(name: str, tmp_path: Path) -> None:
    case = WRONG[name]
    repo = Repo(tmp_path / "repo")
    repo.commit(case.base)
    repo.write(case.fix)
    if case.prepare is not None:
        case.prepare(repo)
    before = repo.state()

    proof = repo.prove(*case.argv, **case.options)

    assert (proof.verdict, tuple(codes(proof))) == (ProofVerdict.REFUSED, case.codes), proof.reasons
    assert proof.gate.tests == ()
    assert repo.state() == before


FIXED = {"calc.py": REAL}


def fixed(repo: Repo, base: dict[str, str] = FLAT, fix: dict[str, str] = FIXED) -> Repo:  # never changed
    repo.commit(base)
    repo.write(fix)
    return repo


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("sh", "-c", "python -m pytest || true"), "shell_gate"),
        (("bash", "-lc", "python -m pytest; exit 0"), "shell_gate"),
        (("bash", "-euo", "pipefail", "-c", "pytest | tail -3"), "shell_gate"),
        (("python", "-m", "pytest", "||", "true"), "shell_gate"),
        (("python", "-m", "pytest", "|", "tail", "-3"), "shell_gate"),
        (("python", "-m", "pytest", "&"), "shell_gate"),
        (("python -m pytest || :",), "shell_gate"),
        (("true",), "vacuous_gate"),
        (("echo", "ok"), "vacuous_gate"),
        (("pytest", "--version"), "vacuous_gate"),
        (("pytest", "--collect-only"), "vacuous_gate"),
        ((sys.executable, "-c", "pass"), "vacuous_gate"),
        ((), "vacuous_gate"),
    ],
)
def test_rows_12_13_14_a_shell_or_a_command_that_tests_nothing_is_no_gate(repo: Repo, argv: tuple[str, ...], code: str) -> None:
    proof = fixed(repo).prove(*argv)

    assert (proof.verdict, codes(proof)) == (ProofVerdict.REFUSED, [code])
    assert proof.receipt.green == ()


@pytest.mark.parametrize("level", [None, Isolation.WORK_TREE])
@pytest.mark.parametrize("passes_when", ["there", "not there"])
def test_row_28_what_an_earlier_run_left_in_tmp_helps_no_later_one(repo: Repo, tmp_path: Path, level: Isolation | None, passes_when: str) -> None:
    marker = f"/tmp/ruledout-test-marker-{tmp_path.name}-{level}-{passes_when.replace(' ', '-')}"
    test = (
        f"import os, unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        there = os.path.exists({marker!r})\n"
        f"        open({marker!r}, 'w').close()\n        self.assertEqual(there, {passes_when == 'there'})\n"
    )
    repo.commit({**FLAT, "test_calc.py": test})
    repo.write({"calc.py": CALC + "\n\nx = 1\n"})
    try:
        proof = repo.prove(*UNITTEST, "test_calc", level=level, runs=2)
    finally:
        Path(marker).unlink(missing_ok=True)

    assert proof.verdict is ProofVerdict.REFUSED
    assert codes(proof) in (["still_red"], ["flaky"], ["not_fail_to_pass"])


def test_row_30_the_callers_environment_does_not_move_the_verdict(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "trap").mkdir()
    (tmp_path / "trap/calc.py").write_text(REAL)
    (tmp_path / "trap/rc").write_text("exit 0\n")
    hostile = {
        "PYTEST_ADDOPTS": "--collect-only",
        "PYTEST_PLUGINS": "nosuch",
        "PYTHONOPTIMIZE": "1",
        "PYTHONPATH": str(tmp_path / "trap"),
        "MAKEFLAGS": "n",
        "NODE_OPTIONS": "--require /nosuch",
        "BASH_ENV": str(tmp_path / "trap/rc"),
        "GIT_DIR": "/nosuch",
        "GIT_WORK_TREE": "/nosuch",
        "GIT_INDEX_FILE": "/nosuch",
    }
    fixed(repo, PY)

    plain, changed = repo.prove(*PYTEST, "tests"), repo.prove(*PYTEST, "tests", env=hostile)

    assert (plain.verdict, changed.verdict) == (ProofVerdict.PROVED, ProofVerdict.PROVED)
    assert (plain.gate, plain.patch) == (changed.gate, changed.patch)
    for name in ("PYTEST_ADDOPTS", "PYTHONPATH", "GIT_DIR", "LD_PRELOAD", "A B"):
        with pytest.raises(BadInput) as raised:
            Runner({}).prove(ProofRequest(root=str(repo.root), argv=PYTEST, env=(name,)))
        assert raised.value.slug == "forbidden-variable"


def test_row_31_a_runner_of_the_work_trees_own_is_not_taken_for_the_real_one(repo: Repo) -> None:
    fixed(repo, {**PY, "bin/pytest": "#!/bin/sh\necho '2 passed'\nexit 0\n"})
    (repo.root / "bin/pytest").chmod(0o755)
    tools = str(Path(sys.executable).parent)

    proof = repo.prove("pytest", "-q", "tests", env={"PATH": f"{repo.root}/bin:bin:.:{tools}:/usr/bin:/bin"})

    assert proof.verdict is ProofVerdict.PROVED
    assert f"program={tools}/pytest" in proof.receipt.green[0].facts


RETRY = """
from _pytest.runner import runtestprotocol


def pytest_runtest_protocol(item, nextitem):
    for last in (False, False, False, True):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        again = any(report.failed for report in reports) and not last
        for report in reports:
            if again and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not again:
            return True
"""


def test_row_40_a_test_that_passes_now_and_then_is_flaky(repo: Repo) -> None:
    fixed(repo, fix={"calc.py": "import os\n\n\ndef add(a, b):\n    return a + b if int(os.environ['PYTHONHASHSEED']) % 2 == 0 else 0\n"})

    proof = repo.prove(*UNITTEST, "test_calc", runs=3)

    assert (proof.verdict, codes(proof)) == (ProofVerdict.REFUSED, ["flaky"])
    assert [run.outcome for run in proof.receipt.green] == [Result.PASS, Result.FAIL, Result.PASS]


def test_row_40_a_retry_until_green_is_flaky(repo: Repo) -> None:
    fixed(repo, {**PY, "conftest.py": RETRY}, {"calc.py": "calls = []\n\n\ndef add(a, b):\n    calls.append(1)\n    return a + b if len(calls) > 2 else 0\n"})

    proof = repo.prove(*PYTEST, "tests")

    assert (proof.verdict, codes(proof)) == (ProofVerdict.REFUSED, ["flaky"])


@pytest.mark.parametrize(
    ("argv", "product", "code"),
    [
        ((*UNITTEST, "test_calc"), "import time\n\ntime.sleep(60)\n", "timeout"),
        ((*UNITTEST, "test_calc"), "import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n", "infra"),
        (("no-such-program", "test_calc"), REAL, "not_started"),
        (("./no-such-program",), REAL, "not_started"),
    ],
)
def test_row_42_what_could_not_be_run_is_neither_red_nor_green(repo: Repo, argv: tuple[str, ...], product: str, code: str) -> None:
    proof = fixed(repo, fix={"calc.py": product}).prove(*argv, runs=3, deadline_s=1.5)

    assert (proof.verdict, codes(proof)) == (ProofVerdict.INCONCLUSIVE, [code])
    assert {run.outcome for run in proof.receipt.green} == {Result.INFRA}
    assert {run.signature for run in proof.receipt.green} == {None}


def test_row_42_a_base_that_hangs_is_no_red(repo: Repo) -> None:
    fixed(repo, {**FLAT, "calc.py": "def add(a, b):\n    while True:\n        pass\n"})

    proof = repo.prove(*UNITTEST, "test_calc", deadline_s=1.5)

    assert (proof.verdict, codes(proof)) == (ProofVerdict.INCONCLUSIVE, ["timeout"])


def test_row_43_the_receipts_trees_are_the_trees_that_were_run(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit({"calc.py": REAL})
    fixed(repo)
    base = repo.git("rev-parse", "HEAD^{tree}").strip()

    proof = repo.prove(*UNITTEST, "test_calc", env={"GIT_DIR": str(other.root / ".git")})
    repo.git("add", "-A")
    tree = repo.git("write-tree").strip()

    assert proof.patch is not None
    assert proof.patch.tree == tree
    assert [run.tree for run in proof.receipt.green] == [tree]
    assert [run.tree for run in (*proof.receipt.red, *proof.receipt.red_on_revert)] == [base, base]
    for cwd in ("../other", str(other.root), "-x", "nosuch"):
        with pytest.raises(BadInput):
            repo.prove(*UNITTEST, cwd=cwd)


def test_row_44_without_a_run_there_is_no_proof(repo: Repo) -> None:
    with pytest.raises(BadInput):
        fixed(repo).prove(*UNITTEST, "test_calc", runs=0)


def test_a_red_test_that_the_patch_skips_is_not_fixed(repo: Repo) -> None:
    fixed(repo, fix={"calc.py": "import unittest\n\n\ndef add(a, b):\n    raise unittest.SkipTest('later')\n"})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert codes(proof) == ["skipped"]
    assert TestStatus.SKIPPED in {test.status for test in proof.receipt.green[0].tests}


def test_a_private_copy_whose_tests_import_the_original_tree_is_inconclusive(repo: Repo) -> None:
    lead = f"import sys\nsys.path.insert(0, {str(repo.root)!r})\n"
    fixed(repo, {"calc.py": CALC, "tests/test_calc.py": lead + TEST}, FIXED)

    weak = repo.prove(*PYTEST, "tests", level=Isolation.WORK_TREE)
    strong = repo.prove(*PYTEST, "tests")

    assert (weak.verdict, codes(weak)) == (ProofVerdict.INCONCLUSIVE, ["imports_original_tree"])
    assert weak.receipt.isolation is Isolation.WORK_TREE
    if strong.receipt.isolation is not Isolation.WORK_TREE:
        assert strong.verdict is ProofVerdict.PROVED
