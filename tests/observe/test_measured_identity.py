"""The bars of identity, on measuring data that may lie beside the repository; skipped where it does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from ruledout.model.outcome import Signal
from ruledout.observe.outcome import observe

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "signatures"


def rows(name: str) -> list[dict[str, Any]]:
    file = DATA / f"{name}.jsonl"
    if not file.is_file():
        pytest.skip("the measuring data is not here")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]


def equal(row: dict[str, Any], level: str) -> bool:
    first, second = (observe("", row["input"][side], row["input"].get(f"exit_{side}")).signature for side in "ab")
    return first is not None and second is not None and getattr(first, level) == getattr(second, level)


def rate(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


def pairs(name: str) -> list[dict[str, Any]]:
    return [row for row in rows(name) if row["kind"] == "pair"]


def test_the_same_program_is_the_same_failure_and_a_known_edit_is_another() -> None:
    controlled = pairs("pairs-controlled-edits")
    assert rate([equal(row, row["level"]) for row in controlled if row["expected"]["same"]]) >= 0.95
    assert rate([not equal(row, row["level"]) for row in controlled if not row["expected"]["same"]]) >= 0.95


def test_crashes_are_found_again_at_coarse_and_never_merge_at_normalised() -> None:
    crashes = pairs("pairs-crashes") + pairs("pairs-casr")
    assert rate([equal(row, "coarse") for row in crashes if row["expected"]["same"]]) >= 0.8
    assert rate([not equal(row, "normalised") for row in crashes + pairs("pairs-kernel") if not row["expected"]["same"]]) >= 0.95


def test_hardly_a_failure_of_the_code_is_called_environment() -> None:
    answers = [(row["expected"]["domain_signal"], observe(row["input"].get("command") or "", row["input"]["output"]).signal) for row in rows("no-signal")]
    assert rate([signal is Signal.NO for wanted, signal in answers if wanted is True]) <= 0.02
    assert rate([signal is Signal.YES for wanted, signal in answers if wanted is False]) <= 0.02
