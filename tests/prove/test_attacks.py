"""Cheats that want `proved` without a fix: refused where a run can tell, else told of in the receipt."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.prove.corpus.attacks import ADMITTED, REFUSED
from tests.prove.corpus.repo import UNITTEST, Repo, codes
from tests.prove.corpus.wrong import CALC, FLAT, REAL

from ruledout.model.gate import Isolation, Proof, ProofVerdict
from ruledout.prove import canary, mutants

ALL = pytest.mark.skipif("RULEDOUT_ALL_ATTACKS" not in os.environ, reason="set RULEDOUT_ALL_ATTACKS to try every cheat")


def rows(names: dict[str, tuple[str, ...]]) -> list[object]:
    """Every case; those that start pytest, npm or cargo only on demand, save a few."""
    slow = [name for name, argv in names.items() if ("pytest" in argv or argv[0] in ("npm", "cargo")) and not name.startswith(KEPT)]
    return [pytest.param(name, marks=ALL) if name in slow else name for name in names]


KEPT = ("expected constant", "product hooks runtest", "Rust product", "plugin by addopts")


def tried(name: str, tmp_path: Path) -> Proof:
    case = REFUSED[name] if name in REFUSED else ADMITTED[name][0]
    if shutil.which(case.argv[0]) is None and "/" not in case.argv[0]:
        pytest.skip(f"{case.argv[0]} is not installed")
    repo = Repo(tmp_path / "repo")
    repo.commit(case.base)
    repo.write(case.fix)
    if case.prepare is not None:
        case.prepare(repo)
    return repo.prove(*case.argv, **case.options)


@pytest.mark.parametrize("name", rows({name: case.argv for name, case in REFUSED.items()}))
def test_a_cheat_is_refused(name: str, tmp_path: Path) -> None:
    proof = tried(name, tmp_path)

    assert (proof.verdict, tuple(codes(proof))) == (ProofVerdict.REFUSED, REFUSED[name].codes), proof.reasons
    assert proof.gate.tests == ()


@pytest.mark.parametrize("name", rows({name: case.argv for name, (case, _) in ADMITTED.items()}))
def test_a_cheat_that_no_run_tells_from_a_fix_is_told_of(name: str, tmp_path: Path) -> None:
    proof = tried(name, tmp_path)

    assert proof.verdict is ProofVerdict.PROVED, proof.reasons
    facts = proof.receipt.green[0].facts
    assert tuple(fact for fact in facts if fact in ADMITTED[name][1]) == ADMITTED[name][1], facts


def test_an_order_that_a_test_counts_out_in_a_shared_folder_is_not_known_beforehand(repo: Repo) -> None:
    """Four rounds: three later ones in an order of chance, so that a count by three comes out right once in twenty-seven times."""
    counted = "n = int(open('vendor/n').read())\n        open('vendor/n', 'w').write(str(n + 1))\n        self.assertEqual(n % 3, 0)"
    repo.commit(
        {
            "calc.py": CALC,
            ".gitignore": "vendor/\n",
            "test_calc.py": f"import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        {counted}\n",
        }
    )
    repo.write({"calc.py": CALC + "x = 1\n", "vendor/n": "0"})

    verdicts = set()
    for _ in range(3):
        repo.write({"vendor/n": "0"})
        verdicts.add(repo.prove(*UNITTEST, "test_calc", level=Isolation.WORK_TREE, runs=4).verdict)

    assert ProofVerdict.REFUSED in verdicts


HANGS = f"import subprocess, time\nsubprocess.Popen(['setsid', 'sleep', 'TAG'])\ntime.sleep(60)\n{REAL}"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the supervisor is Linux's")
@pytest.mark.parametrize("level", [Isolation.NAMESPACE, Isolation.BUBBLEWRAP, Isolation.WORK_TREE])
def test_a_prover_that_is_killed_leaves_no_process_and_an_untouched_checkout(repo: Repo, tmp_path: Path, level: Isolation) -> None:
    if level is Isolation.BUBBLEWRAP and shutil.which("bwrap") is None:
        pytest.skip("bwrap is not installed")
    tag = f"98{os.getpid()}.{['namespace', 'bubblewrap', 'work_tree'].index(level)}"
    repo.commit(FLAT)
    repo.write({"calc.py": HANGS.replace("TAG", tag)})
    before, scratch = repo.state(), tmp_path / "scratch"
    scratch.mkdir()
    program = (
        "import sys, pathlib\nfrom tests.prove.corpus.repo import *\nrepo = object.__new__(Repo)\nrepo.root = pathlib.Path(sys.argv[1])\n"
        "repo.prove(*UNITTEST, 'test_calc', level=Isolation(sys.argv[2]))\n"
    )
    env = {**os.environ, "TMPDIR": str(scratch), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    prover = subprocess.Popen([sys.executable, "-c", program, str(repo.root), level], env=env, stderr=subprocess.DEVNULL)
    wait(lambda: running(tag))

    prover.send_signal(signal.SIGKILL)
    prover.wait()
    wait(lambda: not running(tag) and not running(str(scratch)))

    assert (running(tag), running(str(scratch))) == ([], [])
    assert repo.state() == before
    repo.write({"calc.py": REAL})
    assert repo.prove(*UNITTEST, "test_calc", level=level, env={"TMPDIR": str(scratch)}).verdict is ProofVerdict.PROVED
    assert list(scratch.iterdir()) == []


def running(word: str) -> list[str]:
    """Command lines of processes that hold a word, the prover's own start not among them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if word in line and " -c " not in line:
            found.append(line)
    return found


def wait(until: object) -> None:
    """Up to twenty seconds for something to become so; the caller asserts."""
    for _ in range(400):
        if until():  # type: ignore[operator]  # a function without arguments
            return
        time.sleep(0.05)


@pytest.mark.parametrize(
    "product",
    [
        "import os, tempfile\nd = tempfile.mkdtemp()\nfor n in range(2100):\n    open(f'{d}/{n}', 'wb').write(b'x' * (1 << 20))\n",
        pytest.param("import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(99)\n", marks=ALL),
    ],
    ids=["many files", "many processes"],
)
def test_rows_109_110_what_uses_up_its_room_is_inconclusive(repo: Repo, product: str) -> None:
    repo.commit(FLAT)
    repo.write({"calc.py": product + REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    if proof.receipt.isolation is not Isolation.NAMESPACE:
        pytest.skip("this level sets no such bound")
    assert (proof.verdict, codes(proof)) == (ProofVerdict.INCONCLUSIVE, ["quota"]), proof.reasons


def test_two_hundred_processes_that_leave_their_session_are_gone_at_the_end(repo: Repo) -> None:
    tag = f"97{os.getpid()}"
    leave = "        os.setsid()\n        if os.fork() == 0:\n            os.execvp('sleep', ['sleep', 'TAG'])\n        os._exit(0)\n"
    repo.commit(FLAT)
    repo.write({"calc.py": f"import os\nfor n in range(200):\n    if os.fork() == 0:\n{leave}".replace("TAG", tag) + REAL})

    assert repo.prove(*UNITTEST, "test_calc", level=Isolation.WORK_TREE).verdict is ProofVerdict.PROVED
    assert running(tag) == []


@pytest.mark.parametrize(
    ("test", "path", "source", "expected"),
    [
        ("m.TestAdd", "m/a_test.go", "func TestAdd(t *testing.T) {\n}\n", 'func TestAdd(t *testing.T) { defer t.Error("ruledout");\n}\n'),
        ("m.TestAdd", "m/a_test.go", "func TestAddMore(t *testing.T) {\n}\n", None),
        ("tests/a.rs::odd", "tests/a.rs", "#[test]\n#[should_panic]\nfn odd() {\n}\n", None),
        ("a.test.js > adds", "a.test.js", "test('adds', () => { expect(add(2, 3)).toBe(5); });", "test('adds', () => { expect(add(2, 3)).toBe((5 + 1)); });"),
        (
            "adds",
            "a.test.js",
            "it('adds', () => { if (x) return; assert.equal(y, 'a'); });",
            "it('adds', () => { throw new Error(\"ruledout\"); if (x) return; assert.equal(y, 'a'); });",
        ),
        ("adds", "a.test.js", "for (const t of all) test(t.name, () => {});", None),
    ],
)
def test_a_test_of_another_language_is_made_to_fail(test: str, path: str, source: str, expected: str | None) -> None:
    changes = canary.others(test, path, source)

    assert (mutants.apply(source, changes[-1:]) if changes else None) == expected
