"""Whatever a pattern finds, one of the words that are looked for first stands in it: shown on texts made from the pattern itself."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruledout.distill import acts
from ruledout.observe import nosignal, span, spans
from ruledout.observe.late import Late
from ruledout.observe.tools import wrappers

LOOKED = {
    **{f"wrappers: {tool}": (pattern, marks) for tool, marks, pattern in wrappers._FAILED},
    "wrappers: fine": (wrappers._FINE, wrappers._FINE_MARKS),
    **{f"no signal: {kind}": (form.pattern, nosignal._MACHINES) for form, kind in nosignal._BY_ERROR},
    "spans: starts": (spans.STARTS.pattern, spans._BEGINNINGS),
    "span: group": ("(?m)" + span._CI_GROUP.pattern, span._CI_GROUPS),
    "span: mark": ("(?m)" + span._CI_MARK.pattern, span._CI_MARKS),
}


@pytest.mark.parametrize("name", LOOKED)
def test_a_pattern_finds_nothing_without_one_of_its_words(name: str) -> None:
    pattern, words = LOOKED[name]

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(pattern))
    def holds(text: str) -> None:
        assert any(word in text for word in words)

    holds()


@pytest.mark.parametrize(
    ("form", "words", "commands"),
    [
        (
            acts._SAVES,
            acts._SAVING,
            ("git diff > a", "git -C x diff --output=a", "git diff | tee a", "git format-patch -1", "git bundle create a", "git stash create"),
        ),
        (acts._RETURNS, acts._RETURNING, ("git cherry-pick a", "git --no-pager merge b", "git\tam < a", "git read-tree c", "git apply d", "git bisect good")),
        (acts._COPIES, acts._COPYING, ("cp a b", "x; rsync a b", "sudo unzip a", "(scp a b", "cat a > b", "x\nln -s a b", "tar xf a", "install a b")),
    ],
)
def test_a_command_that_saves_or_brings_back_holds_one_of_the_words(form: Late, words: tuple[str, ...], commands: tuple[str, ...]) -> None:
    assert all(form.search(command) and any(word in command for word in words) for command in commands)
