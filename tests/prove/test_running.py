"""Running what others wrote: argv stays argv, git runs nothing of the repository, nothing survives, nothing leaks."""

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.prove.corpus.repo import PYTEST, UNITTEST, Repo, codes
from tests.prove.corpus.wrong import CALC, FLAT, REAL, UNIT

from ruledout.errors import BadInput
from ruledout.model.gate import Isolation, ProofVerdict, ReportSource, TestStatus
from ruledout.prove import process, reading, sandbox
from ruledout.prove.process import Command, Ended, How
from ruledout.prove.reading import State
from ruledout.prove.report import Report

LEVELS = [Isolation.BUBBLEWRAP, Isolation.NAMESPACE, Isolation.WORK_TREE]
STRONG = LEVELS[:2]
ENV = {"PATH": os.environ.get("PATH", os.defpath)}


@pytest.fixture(params=LEVELS, ids=str)
def level(request: pytest.FixtureRequest, tmp_path: Path) -> Isolation:
    wanted: Isolation = request.param
    if sandbox.level(ENV["PATH"], str(tmp_path), wanted).isolation is not wanted:
        pytest.skip(f"{wanted} is not to be had here")
    return wanted


def alive(mark: str) -> list[str]:
    """Processes whose command line holds the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode() if entry.name.isdigit() else ""
        except OSError:
            continue
        if mark in line and int(entry.name) != os.getpid():
            found.append(line)
    return found


def test_row_101_what_a_shell_would_take_apart_stays_one_word(repo: Repo) -> None:
    words = ["; touch /tmp/x", "$(touch x)", "`id`", "a\nb", 'it\'s "quoted"', "* ? [a]", "$HOME", "\\"]
    repo.commit({"calc.py": CALC, "checks/tell.py": "import sys\n"})
    repo.write(
        {
            "calc.py": REAL,
            "checks/tell.py": (
                "import sys\nsys.path.insert(0, '.')\nimport calc\nprint('1..2')\n"
                f"print('ok 1 - words' if sys.argv[1:] == {words!r} else 'not ok 1 - words')\n"
                "print('ok 2 - adds' if calc.add(2, 3) == 5 else 'not ok 2 - adds')\nsys.exit(0 if calc.add(2, 3) == 5 else 1)\n"
            ),
        }
    )

    proof = repo.prove(sys.executable, "-S", "checks/tell.py", *words)

    assert (proof.verdict, proof.gate.tests) == (ProofVerdict.PROVED, ("adds",))
    assert proof.gate.argv[-len(words) :] == tuple(words)


@pytest.mark.parametrize(
    "option",
    [
        {"base": "--output=/tmp/ruledout-row-102"},
        {"base": "-n"},
        {"base": "HEAD\nHEAD"},
        {"base": "nosuch"},
        {"test_paths": ("--x",)},
        {"test_paths": (":(top)",)},
    ],
)
def test_row_102_what_git_could_take_for_an_option_is_refused(repo: Repo, option: dict[str, Any]) -> None:
    repo.commit(FLAT)
    repo.write({"calc.py": REAL})

    with pytest.raises(BadInput):
        repo.prove(*UNITTEST, "test_calc", **option)

    assert not Path("/tmp/ruledout-row-102").exists()


def test_row_102_a_file_named_like_an_option_is_a_file(repo: Repo) -> None:
    repo.commit({**FLAT, "--output=x": "1\n", "-rf": "1\n", 'a\nb\tc"d': "1\n"})
    repo.write({"calc.py": REAL, "--output=x": "2\n", 'a\nb\tc"d': "2\n", "ümlaut ": "3\n"})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert proof.verdict is ProofVerdict.PROVED
    assert proof.patch is not None
    assert proof.patch.files == ("--output=x", 'a\nb\tc"d', "calc.py", "ümlaut ")


def test_row_103_nothing_of_the_repositorys_configuration_is_run(repo: Repo, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    touched.mkdir()

    def trap(name: str) -> str:
        script = tmp_path / f"trap-{name}"
        script.write_text(f"#!/bin/sh\ntouch {touched}/{name}\ncat\n")
        script.chmod(0o755)
        return str(script)

    repo.commit({**FLAT, ".gitattributes": "*.py filter=evil diff=evil\n* text=auto\n"})
    for key in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.smudge",
        "filter.evil.clean",
        "core.editor",
    ):
        repo.git("config", key, trap(key))
    repo.git("config", "filter.evil.process", trap("process"))
    repo.git("config", "alias.ls-files", f"!touch {touched}/alias")
    repo.git("config", "remote.origin.url", f"ext::{trap('transport')}")
    repo.git("config", "remote.origin.promisor", "true")
    for hook in ("post-checkout", "post-index-change", "pre-commit", "reference-transaction"):
        shutil.copy(trap(hook), repo.root / ".git/hooks" / hook)
    for mark in touched.iterdir():
        mark.unlink()
    (repo.root / "calc.py").write_text(REAL)

    proof = repo.prove(*UNITTEST, "test_calc")

    assert proof.verdict is ProofVerdict.PROVED
    assert sorted(mark.name for mark in touched.iterdir()) == []


def test_row_103_a_replace_reference_does_not_forge_the_base(repo: Repo) -> None:
    base = repo.commit({**FLAT, "calc.py": REAL})
    forged = repo.commit({"calc.py": CALC}, "forged")
    repo.git("reset", "-q", "--hard", base)
    repo.git("replace", base, forged)
    repo.write({"calc.py": "def add(a, b):\n    return b + a\n"})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert codes(proof) == ["not_fail_to_pass"]


def test_row_105_nothing_survives_the_deadline(repo: Repo, level: Isolation, tmp_path: Path) -> None:
    mark = f"7{os.getpid()}.{abs(hash(str(tmp_path))) % 10**6}"
    repo.commit(FLAT)
    repo.write(
        {
            "calc.py": (
                "import signal, subprocess, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                f"subprocess.Popen(['setsid', 'sleep', '{mark}'])\nsubprocess.Popen(['sleep', '{mark}'], start_new_session=True, env={{}}, executable='/bin/sleep')\n"
                "time.sleep(60)\n"
            )
        }
    )
    began = time.monotonic()

    proof = repo.prove(*UNITTEST, "test_calc", level=level, deadline_s=1.5)

    assert time.monotonic() - began < 45, "the gate itself would take a minute"
    assert codes(proof) == ["timeout"]
    assert alive(mark) == []


def test_row_105_nothing_survives_a_run_that_ended_by_itself(repo: Repo, level: Isolation, tmp_path: Path) -> None:
    mark = f"6{os.getpid()}.{abs(hash(str(tmp_path))) % 10**6}"
    repo.commit(FLAT)
    repo.write({"calc.py": f"import subprocess\nsubprocess.Popen(['setsid', 'sleep', '{mark}'])\n\n\n{REAL}"})

    proof = repo.prove(*UNITTEST, "test_calc", level=level)

    assert proof.verdict is ProofVerdict.PROVED
    assert alive(mark) == []


def test_row_106_a_background_child_that_holds_the_output_holds_nobody(tmp_path: Path) -> None:
    began = time.monotonic()

    ended = process.run(Command(argv=("/bin/sh", "-c", "echo said; sleep 30 & exit 3"), cwd=str(tmp_path), env=ENV, deadline_s=20))

    assert (ended.how, ended.exit, ended.output) == (How.EXITED, 3, b"said\n")
    assert time.monotonic() - began < 15, "the child holds the output for half a minute"


def test_row_107_a_flood_of_output_is_capped_at_head_and_tail(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    ended = process.run(Command(argv=("/bin/sh", "-c", "echo first; yes | head -c 200000000; echo last"), cwd=str(tmp_path), env=ENV, deadline_s=60))

    assert (ended.exit, ended.output[:6], ended.output[-5:]) == (0, b"first\n", b"last\n")
    assert len(ended.output) < 5 << 20
    assert ended.lost > 190_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


def test_row_112_a_secret_of_our_environment_is_nowhere_to_be_seen(repo: Repo, level: Isolation) -> None:
    secret = "correct-horse-battery"
    spy = (
        "import glob, os, unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n"
        "        seen = dict(os.environ).__repr__()\n        for path in glob.glob('/proc/[0-9]*/environ'):\n            try:\n                seen += open(path, errors='replace').read()\n"
        f"            except OSError:\n                pass\n        self.assertNotIn({secret[::-1]!r}[::-1], seen)\n"
    )
    repo.commit({"calc.py": CALC, "test_calc.py": spy})
    repo.write({"calc.py": REAL})

    if level is Isolation.WORK_TREE:
        proof = repo.prove(
            sys.executable,
            "-S",
            "-c",
            "import os, sys\nprint('1..1')\nprint('not ok 1 - x' if 'SECRET' in os.environ else 'ok 1 - x')",
            level=level,
            env={"SECRET": secret},
        )
        assert "ok 1" in proof.receipt.green[0].tail
        assert "not ok" not in proof.receipt.green[0].tail
        return
    child = f"import sys\nsys.path[:0] = {[entry for entry in sys.path if entry]!r}\nimport os\nfrom ruledout.prove.gate import Runner\nfrom ruledout.model.gate import Isolation\nfrom ruledout.ports import ProofRequest\nproof = Runner(os.environ, wanted=Isolation({level.value!r})).prove(ProofRequest(root={str(repo.root)!r}, argv={(*UNITTEST, 'test_calc')!r}, runs=1))\nprint(proof.verdict, proof.receipt.isolation, proof.reasons)\n"
    done = subprocess.run(
        [sys.executable, "-c", child], env={**ENV, "HOME": os.environ.get("HOME", "/"), "SECRET": secret}, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith(f"proved {level} ()"), done.stdout + done.stderr


def test_row_117_home_other_work_trees_and_the_git_folder_are_not_there_and_outside_is_read_only(repo: Repo, level: Isolation, tmp_path: Path) -> None:
    if level is Isolation.WORK_TREE:
        pytest.skip("this level does not promise it, and says so")
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh/id").write_text("key\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    repo.commit(FLAT)
    repo.git("worktree", "add", "-q", str(tmp_path / "other"), "HEAD")
    tries = (
        f"import os\nfrom calc import add as real\nimport unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(real(2, 3), 5)\n"
        f"        for path in ({str(home / '.ssh/id')!r}, {str(tmp_path / 'other/calc.py')!r}, '.git', {str(repo.root / '.git/HEAD')!r}):\n            self.assertFalse(os.path.exists(path), path)\n"
        f"        for folder in ({str(outside)!r}, '/usr', '/etc'):\n            with self.assertRaises(OSError):\n                open(folder + '/ruledout-written', 'w').close()\n"
        "        open('written-in-the-tree', 'w').close()\n        open('/tmp/written', 'w').close()\n"
    )
    repo.write({"calc.py": REAL, "test_calc.py": tries})
    before = repo.state()

    proof = repo.prove(*UNITTEST, "test_calc", level=level, env={"HOME": str(home)})

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert proof.receipt.isolation is level
    assert repo.state() == before
    assert not Path("/tmp/written").exists()
    assert not (repo.root / "written-in-the-tree").exists()


def test_row_117_the_network_is_not_there_but_localhost_is(repo: Repo, level: Isolation) -> None:
    if level is Isolation.WORK_TREE:
        pytest.skip("this level does not promise it, and says so")
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        repo.commit(FLAT)
        repo.write(
            {
                "calc.py": REAL,
                "test_calc.py": (
                    "import socket, unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n"
                    f"        with self.assertRaises(OSError):\n            socket.create_connection(('127.0.0.1', {port}), 2)\n"
                    "        own = socket.create_server(('127.0.0.1', 0))\n        socket.create_connection(own.getsockname(), 2)\n"
                ),
            }
        )

        proof = repo.prove(*UNITTEST, "test_calc", level=level)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())


@pytest.mark.parametrize(
    ("ended", "tests", "state"),
    [
        (Ended(how=How.EXITED, exit=0), "passed", State.GREEN),
        (Ended(how=How.EXITED, exit=0), "failed", State.MISMATCH),
        (Ended(how=How.EXITED, exit=0), "skipped", State.SKIPPED),
        (Ended(how=How.EXITED, exit=0), "", State.NOT_RUN),
        (Ended(how=How.EXITED, exit=1), "failed", State.RED),
        (Ended(how=How.EXITED, exit=1), "passed", State.MISMATCH),
        (Ended(how=How.EXITED, exit=5), "", State.NOT_RUN),
        (Ended(how=How.EXITED, exit=126), "", State.NOT_STARTED),
        (Ended(how=How.EXITED, exit=127), "", State.NOT_STARTED),
        (Ended(how=How.EXITED, exit=137), "", State.INFRA),
        (Ended(how=How.SIGNAL, signal="SIGKILL"), "passed", State.INFRA),
        (Ended(how=How.SIGNAL, signal="SIGTERM"), "", State.INFRA),
        (Ended(how=How.SIGNAL, signal="SIGSEGV"), "passed", State.CRASHED),
        (Ended(how=How.TIMEOUT), "passed", State.TIMEOUT),
        (Ended(how=How.NOT_STARTED, why="x"), "", State.NOT_STARTED),
    ],
    ids=lambda value: str(getattr(value, "exit", None) or getattr(value, "how", value)),
)
def test_row_122_only_an_exit_and_a_report_that_agree_are_green(ended: Ended, tests: str, state: State) -> None:
    report = Report(tests={"t": TestStatus(tests)} if tests else {}, source=ReportSource.REPORT)

    seen = reading.read("pytest", "0" * 40, ended, None if not tests and ended.exit in (126, 127, 137) else report, known_runner=True, facts=())

    assert seen.state is state
    assert (reading.gate_run(seen, ()).outcome.value == "pass") == (state is State.GREEN)


@pytest.mark.parametrize(("status", "state"), [(0, State.NOT_RUN), (1, State.CRASHED)])
def test_row_122_a_report_without_its_end_is_no_pass(status: int, state: State) -> None:
    report = Report(tests={"t": TestStatus.PASSED}, source=ReportSource.REPORT, complete=False)

    assert reading.read("pytest", "0" * 40, Ended(how=How.EXITED, exit=status), report, known_runner=True, facts=()).state is state


def test_names_that_are_no_text_are_carried_and_words_that_are_none_are_refused(repo: Repo) -> None:
    repo.commit(FLAT)
    (repo.root / os.fsdecode(b"data-\xff")).write_text("x\n")
    repo.write({"calc.py": REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert proof.verdict is ProofVerdict.PROVED
    assert proof.patch is not None
    assert proof.patch.files == ("calc.py", "data-\ufffd")
    for word in ("a\0b", "\udcff"):
        with pytest.raises(BadInput):
            repo.prove("pytest", word)


def test_removing_a_run_follows_no_link(repo: Repo, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("x\n")
    mine.chmod(0o644)
    trap = f"import os\nos.makedirs('locked/deep')\nos.symlink({str(mine)!r}, 'locked/link')\nos.chmod('locked', 0)\n"
    repo.commit({**FLAT, "test_calc.py": trap + UNIT})
    repo.write({"calc.py": REAL})
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    proof = repo.prove(*UNITTEST, "test_calc", env={"TMPDIR": str(scratch)})

    assert proof.verdict is ProofVerdict.PROVED
    assert mine.stat().st_mode & 0o777 == 0o644
    assert list(scratch.iterdir()) == []


def test_leftovers_of_a_killed_run_are_removed_at_the_next_start(repo: Repo, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    (scratch / "ruledout-run-999999-x/tree").mkdir(parents=True)
    (scratch / f"ruledout-run-{os.getpid()}-mine").mkdir()
    repo.commit(FLAT)
    repo.write({"calc.py": REAL})

    repo.prove(*UNITTEST, "test_calc", env={"TMPDIR": str(scratch)})

    assert [path.name for path in scratch.iterdir()] == [f"ruledout-run-{os.getpid()}-mine"]


def test_a_run_whose_reading_fails_leaves_nothing_behind(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(FLAT)
    repo.write({"calc.py": REAL})

    def boom(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reading, "read", boom)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with pytest.raises(KeyboardInterrupt):
        repo.prove(*PYTEST, "test_calc.py", env={"TMPDIR": str(scratch)})

    assert list(scratch.iterdir()) == []
