"""The plainest use of a verb is read without the parser, and reads the same."""

import pytest

from ruledout.doors.cli import parser_of
from ruledout.doors.verbs import inspect_

CASES = (["a.jsonl"], ["a.jsonl", "--json"], ["--json", "a.jsonl"], ["-"], ["--json", "-"], [""], ["--json", "--json", "x"])


@pytest.mark.parametrize("argv", CASES)
def test_inspect_is_read_as_its_parser_reads_it(argv: list[str]) -> None:
    assert inspect_.plainly(argv) == vars(parser_of("inspect")[0].parse_args(argv))


@pytest.mark.parametrize("argv", [[], ["--json"], ["a", "b"], ["--help"], ["-h", "a"], ["--jsonl", "a"], ["a", "-x"]])
def test_anything_else_is_left_to_the_parser(argv: list[str]) -> None:
    assert inspect_.plainly(argv) is None
