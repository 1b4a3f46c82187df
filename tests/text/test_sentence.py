"""The first sentence of what an agent says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout import text

SAID = {
    "plain": ("The key omits the locale. Then more.", "The key omits the locale."),
    "no full stop": ("The key omits the locale", "The key omits the locale"),
    "a file name": ("The bug is in foo.py and bar.ts. Next.", "The bug is in foo.py and bar.ts."),
    "a version": ("It broke in 1.2.3 of numpy. Next.", "It broke in 1.2.3 of numpy."),
    "e.g.": ("Some keys, e.g. the locale, are missing. Next.", "Some keys, e.g. the locale, are missing."),
    "i.e. in brackets": ("The cache (i.e. the dict) is stale. Next.", "The cache (i.e. the dict) is stale."),
    "a quotation": ('It says "not found." Next.', 'It says "not found."'),
    "a list": ("- **First**: the key omits the locale.\n- second", "First: the key omits the locale."),
    "a numbered list": ("1. The key omits `locale`.\n2. x", "The key omits locale."),
    "a heading": ("## Root cause\n\nThe key omits the locale.", "The key omits the locale."),
    "only a heading": ("# Root cause", "Root cause"),
    "an announcement": ("Here is what I found:\n\nThe key omits the locale.", "The key omits the locale."),
    "a question": ("Why is it stale? The key omits the locale.", "The key omits the locale."),
    "only a question": ("Why is it stale?", "Why is it stale?"),
    "code in a fence": ("```python\nx = 1. y\n```\nThe key omits the locale.", "The key omits the locale."),
    "a line broken in the middle": ("The key omits\nthe locale. Next.", "The key omits the locale."),
    "a quoted line": ("> The key omits the locale.", "The key omits the locale."),
    "nothing": ("", ""),
    "only blanks": (" \n\t\n", ""),
    "snake case is no emphasis": ("The field my_own_key__x is lost. Next.", "The field my_own_key__x is lost."),
}


@pytest.mark.parametrize(("said", "sentence"), SAID.values(), ids=SAID)
def test_the_first_declarative_sentence_is_found(said: str, sentence: str) -> None:
    assert text.one_sentence(said, 300) == sentence


def test_a_sentence_is_capped() -> None:
    assert text.one_sentence("The key omits the locale.", 8) == "The key…"


@given(st.text(alphabet="ab .?!:\n#-*`>1e.g", max_size=60), st.integers(1, 40))
@settings(max_examples=500, deadline=None)
def test_a_sentence_is_one_short_line_of_what_was_said(said: str, limit: int) -> None:
    sentence = text.one_sentence(said, limit)
    assert len(sentence) <= limit
    assert "\n" not in sentence
