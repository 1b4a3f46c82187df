"""pytest's report in all the ways in which pytest is called, and what its plug-in will not be told."""

import sys

import pytest
from tests.prove.corpus.repo import PYTEST, Repo
from tests.prove.corpus.wrong import CALC, REAL

from ruledout.model.gate import Isolation, ProofVerdict, ReportSource

SRC = {
    "src/calc.py": CALC,
    "tests/test_calc.py": "import pytest\nfrom calc import add\n\n\nclass TestAdd:\n    @pytest.mark.parametrize('a', [2])\n    def test_add(self, a):\n        assert add(a, 3) == 5\n\n    def test_rest(self):\n        pass\n",
    "Makefile": f"check:\n\tPYTHONPATH=src {sys.executable} -m pytest -q tests\n",
}


@pytest.mark.parametrize(
    "argv",
    [
        ("env", "PYTHONPATH=src", *PYTEST, "tests"),
        ("env", "PYTHONPATH=src", "PYTEST_ADDOPTS=-x", *PYTEST, "tests"),
        ("make", "check"),
        (sys.executable, "-I", "-m", "pytest", "-q", "-o", "pythonpath=src", "tests"),
        (*PYTEST, "-o", "pythonpath=src", "tests/test_calc.py::TestAdd::test_add[2]"),
        (*PYTEST, "-o", "pythonpath=src", "-p", "no:cacheprovider", "--strict-config", "-W", "error", "tests"),
    ],
    ids=["env", "env with options", "a Makefile that sets PYTHONPATH", "an isolated Python", "a test id", "no cache, strictly configured"],
)
def test_pytest_tells_of_its_tests_however_it_is_called(repo: Repo, argv: tuple[str, ...]) -> None:
    repo.commit(SRC)
    repo.write({"src/calc.py": REAL})

    proof = repo.prove(*argv)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert proof.gate.tests == ("tests/test_calc.py::TestAdd::test_add[2]",)
    assert {run.source for run in (*proof.receipt.green, *proof.receipt.red)} == {ReportSource.REPORT}


def test_the_tests_see_nothing_of_the_plug_in_in_their_environment(repo: Repo) -> None:
    repo.commit(
        {
            "calc.py": CALC,
            "conftest.py": "",
            "test_calc.py": (
                "import os, sys\nfrom calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
                "    assert [name for name in os.environ if 'PYTEST_ADD' in name or 'RULEDOUT_R' in name or name == 'PYTHONPATH'] == []\n"
            ),
        }
    )
    repo.write({"calc.py": REAL})

    proof = repo.prove(*PYTEST, "test_calc.py", level=Isolation.WORK_TREE)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
