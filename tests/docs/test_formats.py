"""The page of formats leaves out no reader, no place and no step."""

from pathlib import Path

import pytest

from ruledout.read.detect import READERS
from ruledout.sources.places import PLACES

PAGE = (Path(__file__).resolve().parents[2] / "docs/formats.md").read_text(encoding="utf-8")
TOLD = PAGE.partition("## What each form tells")[2].partition("\n## ")[0]
FOUND = PAGE.partition("## Where sessions are found")[2].partition("\n## ")[0]


@pytest.mark.parametrize("name", READERS)
def test_every_format_has_a_section_and_a_row_of_what_it_tells(name: str) -> None:
    assert f"\n### `{name}`\n" in PAGE
    (row,) = [line for line in TOLD.splitlines() if line.startswith(f"| `{name}`")]
    assert row.count("|") == 8


def test_no_row_tells_of_a_format_that_is_not_read() -> None:
    rows = [line.split("`")[1] for line in TOLD.splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(READERS)


def test_every_place_is_on_the_page() -> None:
    assert [place for place in PLACES if f"| {place.agent} |" not in FOUND or f"{place.pattern}`" not in FOUND] == []


def test_every_agent_whose_sessions_are_found_is_read() -> None:
    readable = {place.agent for place in PLACES if place.refused is None}
    assert readable - {"roo"} <= set(READERS)  # Roo's files are read as Cline's
