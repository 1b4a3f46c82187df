"""What a repository's settings may say, and what they may not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.config import Settings, from_own, from_pyproject
from ruledout.errors import BadInput


def test_a_file_without_our_table_gives_the_defaults() -> None:
    assert from_pyproject('[project]\nname = "x"\n') == Settings()
    assert from_own("") == Settings(deadline_s=300.0, runs=3, test_paths=(), brief_tokens=800, carry=())


def test_both_files_say_the_same_thing() -> None:
    lines = 'deadline_s = 12\nruns = 5\ntest_paths = ["tests/**", "*_spec.rb"]\nbrief_tokens = 300\ncarry = ["node_modules", ".venv"]\n'
    wanted = Settings(deadline_s=12.0, runs=5, test_paths=("tests/**", "*_spec.rb"), brief_tokens=300, carry=("node_modules", ".venv"))
    assert from_own(lines) == wanted
    assert from_pyproject("[tool.ruledout]\n" + lines) == wanted


@pytest.mark.parametrize("key", ["trust", "trusted_gates", "sandbox", "isolation", "url", "server_url", "store", "token", "env", "argv", "gate_command"])
def test_R12_a_repository_cannot_set_what_runs_or_whom_we_talk_to(key: str) -> None:
    for read, text in ((from_own, f'{key} = "x"'), (from_pyproject, f'[tool.ruledout]\n{key} = "x"')):
        with pytest.raises(BadInput) as caught:
            read(text)
        assert caught.value.slug == "not-for-a-repository"
        assert key in caught.value.message


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("colour = 1", "colour"),
        ('runs = "3"', "$.runs"),
        ("runs = 0", "runs = 0"),
        ("runs = true", "$.runs"),
        ("deadline_s = inf", "deadline_s"),
        ("deadline_s = nan", "deadline_s"),
        ("brief_tokens = 1000000", "brief_tokens"),
        ('carry = "x"', "$.carry"),
        ('carry = ["/etc"]', "/etc"),
        ('carry = ["../x"]', "../x"),
        ('carry = ["a/../../x"]', ".."),
        ('carry = ["~/x"]', "~/x"),
        ('carry = ["C:/x"]', "C:/x"),
        ('carry = [""]', "carry"),
        ('carry = ["a\\u202eb"]', "carry"),
        ('test_paths = ["a\\u200bb"]', "test_paths"),
        ("runs = ", ".ruledout.toml is no TOML"),
        ("runs = 1\nruns = 2", ".ruledout.toml is no TOML"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_place(line: str, seen: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_own(line)
    assert caught.value.slug == "bad-settings"
    assert seen in caught.value.message
    assert caught.value.mend


def test_a_table_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="no table"):
        from_pyproject("[tool]\nruledout = 3")


@given(st.text())
@settings(max_examples=200, deadline=None)
def test_no_text_crashes_the_reader(content: str) -> None:
    for read in (from_own, from_pyproject):
        try:
            read(content)
        except BadInput:
            continue
