"""Positive control: an honest fix is never refused (RELIABILITY row 49 in small)."""

import shutil
from pathlib import Path

import pytest
from tests.prove.corpus.honest import HONEST, build

from ruledout.model.gate import ProofVerdict


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_fix_is_proved(name: str, tmp_path: Path) -> None:
    case = HONEST[name]
    if case.needs and shutil.which(case.needs) is None:
        pytest.skip(f"{case.needs} is not installed")
    repo = build(case, tmp_path / "repo")
    before = repo.state()

    proof = repo.prove(*case.argv, **case.options)

    assert (proof.verdict, proof.reasons) == (ProofVerdict.PROVED, ())
    assert proof.gate.tests == case.tests
    assert {run.tree for run in proof.receipt.green} == {proof.patch.tree if proof.patch else None}
    assert repo.state() == before
