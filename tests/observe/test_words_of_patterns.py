"""Whatever a pattern finds, one of the words that are looked for first stands in it: shown on texts made from the pattern itself."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruledout.distill import acts
from ruledout.observe import nosignal, span, spans
from ruledout.observe.tools import wrappers

LOOKED = {
    **{f"wrappers: {tool}": (pattern, marks) for tool, marks, pattern in wrappers._FAILED},
    "wrappers: fine": (wrappers._FINE, wrappers._FINE_MARKS),
    "acts: saves": (acts._SAVES.pattern, acts._SAVING),
    "acts: returns": (acts._RETURNS.pattern, acts._RETURNING),
    "acts: copies": (acts._COPIES.pattern, acts._COPYING),
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
