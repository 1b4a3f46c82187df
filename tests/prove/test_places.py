"""Where things live on real machines: environments outside the repository, neighbours installed as editable, linked work trees, what git ignores."""

import os
import sys
import venv
from pathlib import Path

import pytest
from tests.prove.corpus.honest import HONEST, build
from tests.prove.corpus.repo import UNITTEST, Repo, codes
from tests.prove.corpus.wrong import CALC, FLAT, REAL, UNIT

from ruledout.model.gate import Isolation, ProofVerdict
from ruledout.ports import ProofRequest
from ruledout.prove.gate import Runner


def prove(root: Path, home: Path, *argv: str, level: Isolation | None = None, shown: tuple[str, ...] = ()) -> tuple[str, list[str], str]:
    environment = {**os.environ, "HOME": str(home)}
    environment.pop("VIRTUAL_ENV", None)
    proof = Runner(environment, wanted=level, shown=shown).prove(ProofRequest(root=str(root), argv=argv, runs=1, deadline_s=60.0))
    tail = proof.receipt.green[0].tail if proof.receipt.green else ""
    return proof.verdict.value, codes(proof), tail


def test_an_environment_in_the_home_folder_with_a_neighbour_installed_as_editable(tmp_path: Path) -> None:
    home = tmp_path / "home"
    neighbour = home / "code/neighbour/src"
    neighbour.mkdir(parents=True)
    (neighbour / "neighbour.py").write_text("five = 5\n")
    (home / "secret.txt").write_text("x\n")
    venv.create(home / "envs/one", with_pip=False, symlinks=True)
    packages = next((home / "envs/one").glob("lib/python*/site-packages"))
    (packages / "neighbour.pth").write_text(f"{neighbour}\n")
    repo = Repo(home / "code/mine")
    repo.commit(
        {
            "calc.py": CALC,
            "test_calc.py": UNIT.replace(
                "import unittest\n", f"import os, unittest\nfrom neighbour import five\nassert not os.path.exists({str(home / 'secret.txt')!r})\n"
            ),
        }
    )
    repo.write({"calc.py": REAL})

    assert prove(repo.root, home, str(home / "envs/one/bin/python"), "-m", "unittest", "test_calc")[:2] == ("proved", [])


def test_a_folder_that_the_user_shows_is_there(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    (home / "data/five").write_text("5")
    repo = Repo(home / "mine")
    repo.commit({"calc.py": CALC, "test_calc.py": UNIT.replace("5)", f"int(open({str(home / 'data/five')!r}).read()))")})
    repo.write({"calc.py": REAL})

    assert prove(repo.root, home, *UNITTEST, "test_calc", shown=(str(home / "data"),))[0] == "proved"


def test_a_linked_work_tree_is_proved_as_itself_and_the_main_one_is_not_there(tmp_path: Path) -> None:
    main = Repo(tmp_path / "main")
    main.commit(
        {**FLAT, "test_calc.py": UNIT.replace("import unittest\n", f"import os, unittest\nassert not os.path.exists({str(tmp_path / 'main/calc.py')!r})\n")}
    )
    main.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "main/.trees/side"))
    side = tmp_path / "main/.trees/side"
    (side / "calc.py").write_text(REAL)
    before = main.state()

    assert prove(side, tmp_path, *UNITTEST, "test_calc")[:2] == ("proved", [])
    assert main.state() == before


def test_modes_links_and_bytes_arrive_as_they_are(repo: Repo) -> None:
    (repo.root / "data").mkdir()
    (repo.root / "data/bytes").write_bytes(bytes(range(256)) + b"\r\n")
    (repo.root / "link").symlink_to("data/bytes")
    (repo.root / "run.sh").write_text("#!/bin/sh\n# $Id$\n")
    (repo.root / "run.sh").chmod(0o755)
    check = (
        "import os, unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n"
        "        self.assertEqual(open('data/bytes', 'rb').read(), bytes(range(256)) + b'\\r\\n')\n        self.assertEqual(os.readlink('link'), 'data/bytes')\n"
        "        self.assertTrue(os.access('run.sh', os.X_OK))\n        self.assertEqual(open('run.sh', 'rb').read(), b'#!/bin/sh\\n# $Id$\\n')\n"
    )
    repo.commit({"calc.py": CALC, "test_calc.py": check, ".gitattributes": "* text=auto eol=crlf\n*.sh ident\n"})
    repo.write({"calc.py": REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())


def test_line_ends_that_a_filter_wrote_are_no_change(repo: Repo) -> None:
    repo.commit({**FLAT, "windows.txt": "a\nb\n", ".gitattributes": "windows.txt text eol=crlf\n"})
    (repo.root / "windows.txt").write_bytes(b"a\r\nb\r\n")
    repo.write({"calc.py": REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert proof.patch is not None
    assert proof.patch.files == ("calc.py",)


def test_a_private_copy_tests_its_own_tree_behind_an_editable_install(repo: Repo) -> None:
    case = HONEST["an editable install that leads to the repository's own path"]
    built = build(case, repo.root)

    proof = built.prove(*case.argv, level=Isolation.WORK_TREE)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert proof.receipt.isolation is Isolation.WORK_TREE


def test_tools_in_the_home_folder_may_write_to_their_caches(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".cargo/bin").mkdir(parents=True)
    (home / ".cargo/credentials.toml").write_text("token\n")
    repo = Repo(tmp_path / "mine")
    cargo = str(home / ".cargo")
    test = UNIT.replace(
        "self.assertEqual",
        f"open({cargo!r} + '/lock', 'w').close()\n        assert open({cargo!r} + '/credentials.toml').read() == ''\n        self.assertEqual",
    )
    repo.commit({"calc.py": CALC, "test_calc.py": test})
    repo.write({"calc.py": REAL})

    assert prove(repo.root, home, *UNITTEST, "test_calc", level=Isolation.NAMESPACE)[:2] == ("proved", [])
    assert not (home / ".cargo/lock").exists()


def test_an_ignored_folder_may_be_written_to_and_stays_as_it_was(repo: Repo) -> None:
    repo.commit(
        {
            **FLAT,
            ".gitignore": "target/\n__pycache__/\n",
            "test_calc.py": UNIT.replace("self.assertEqual", "open('target/out', 'w').close()\n        self.assertEqual"),
        }
    )
    (repo.root / "target").mkdir()
    (repo.root / "target/in").write_text("kept\n")
    repo.write({"calc.py": REAL})
    before = repo.state()

    proof = repo.prove(*UNITTEST, "test_calc", level=Isolation.NAMESPACE)
    if proof.receipt.isolation is not Isolation.NAMESPACE:
        pytest.skip("no namespaces here")

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert repo.state() == before


def test_a_private_copy_leaves_what_git_ignores_as_it_was(repo: Repo) -> None:
    write = "open('out/written', 'w').close()\n        self.assertEqual(open('out/in').read(), 'kept')\n        self.assertEqual"
    repo.commit({**FLAT, ".gitignore": "out/\n__pycache__/\n", "test_calc.py": UNIT.replace("self.assertEqual", write)})
    repo.write({"calc.py": REAL, "out/in": "kept"})
    before = repo.state()

    proof = repo.prove(*UNITTEST, "test_calc", level=Isolation.WORK_TREE)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert repo.state() == before


def test_an_ignored_link_to_a_hidden_place_leads_there(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules/five").write_text("5")
    repo.commit(
        {
            "calc.py": CALC,
            ".gitignore": "modules\n",
            "test_calc.py": UNIT.replace("5)", "int(open('modules/five').read()))\n        open('modules/cache', 'w').close()"),
        }
    )
    (repo.root / "modules").symlink_to(tmp_path / "modules")
    repo.write({"calc.py": REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    if proof.receipt.isolation is Isolation.WORK_TREE:
        pytest.skip("this level writes where the link leads")
    assert proof.verdict is ProofVerdict.PROVED
    assert not (tmp_path / "modules/cache").exists()


def test_a_gate_that_wants_the_network_is_inconclusive(repo: Repo) -> None:
    repo.commit(
        {
            "calc.py": CALC,
            "test_calc.py": UNIT.replace("self.assertEqual", "import socket\n        socket.create_connection(('127.0.0.1', 9), 2)\n        self.assertEqual"),
        }
    )
    repo.write({"calc.py": REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    if proof.receipt.isolation is Isolation.WORK_TREE:
        pytest.skip("this level has the network")
    assert (proof.verdict, codes(proof)) == (ProofVerdict.INCONCLUSIVE, ["infra"])


def test_the_interpreter_of_the_tests_is_named(repo: Repo) -> None:
    repo.commit(FLAT)
    repo.write({"calc.py": REAL})

    proof = repo.prove(*UNITTEST, "test_calc")

    assert f"program={sys.executable}" in proof.receipt.red[0].facts
