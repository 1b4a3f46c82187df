"""R3 as a table: which sentences state one mechanism, and which tell a story, hedge, or offer a choice, by their word."""

import pytest

from ruledout.distill.words import not_isolated

MECHANISMS = (
    "If the header is missing then the parser reads past the buffer.",
    "When the queue is empty, then `pop` returns the sentinel instead of blocking.",
    "The first row is dropped because the reader takes it for a header.",
    "`close` is called first, so the flush writes to a closed file.",
    "The iterator skips the first element after a reset.",
    "The next pointer is freed before the loop reads it.",
    "A later call reuses the buffer that the earlier one still holds.",
    "The cache is not invalidated when the file is changed on disk.",
    "The lock leaks when the thread dies or the timer fires.",
    "The key is wrong whenever the host or the port is missing.",
    "The merge keeps stale rows when either side is empty.",
    "Timeouts below 500 us are rounded to zero by the timer.",
    "The timer takes its argument in us and the caller gives ms.",
    "The endpoint is built for us-east-1 whatever region is set.",
    "Dates are parsed with the US locale on every host.",
    "A fixed buffer of 64 bytes holds names of any length.",
    "Fixed-size records overflow when the name holds multi-byte characters.",
    "Entries are looked up by name but stored by id.",
    "The fallback host is tried before the primary one has timed out.",
    "Plugins are discovered by file name, so two of one name shadow each other.",
    "The finally block closes the socket that the caller still reads.",
    "The handle leaks in finally when `open` itself has raised.",
    "Reads from the replica are eventually consistent, so the counter lags behind.",
    "I/O errors are swallowed by the retry loop in the writer.",
    "The index i is reused by the inner loop over columns.",
    "A pointer that may be null is dereferenced in the hot path.",
    "Date.now() is read twice, so the two stamps differ.",
    "The just-in-time compiler folds the constant before the guard.",
    "Paths, e.g. Windows ones, keep their backslash in the key.",
    "The `?` placeholder is not escaped in the generated query.",
    "The operator a?.b returns undefined, which the sum turns into NaN.",
    "Settings from my.cnf override the pool size of the driver.",
    "The server returns 204 but the client should read a body only on 200.",
    "`add` subtracts one from every total, so sums are off by one.",
    "The offset is stale after parsing fails half way through a frame.",
    "Removed rows stay in the index until the next vacuum.",
)

STORIES = (
    ("I found that the cache key leaves out the locale.", "I"),
    ("We had the wrong default in the settings of the pool.", "We"),
    ("This led us to the stale key in the cache.", "led us"),
    ("The agent had passed the wrong flag to the build.", "The agent"),
    ("i think the cache key leaves out the locale.", "i"),
    ("The cache key might leave out the locale.", "might"),
    ("It looks like the cache key leaves out the locale.", "looks like"),
    ("The lock must have been taken twice by the worker.", "must have been"),
    ("The pool could be too small for the load.", "could be"),
    ("First, the header is read with the wrong size.", "First"),
    ("The parser reads the header and then the body is lost.", "then"),
    ("Then the parser reads past the end of the buffer.", "Then"),
    ("Finally the parser reads past the end of the buffer.", "Finally"),
    ("Next, the loop frees the pointer that it reads.", "Next"),
    ("It turned out that the key leaves out the locale.", "turned out"),
    ("Eventually we saw that the key leaves out the locale.", "Eventually"),
    ("Later on the key was built without its locale.", "Later on"),
    ("Fixed the parser so that it reads the whole header.", "Fixed"),
    ("Changed the key so that it holds the locale.", "Changed"),
    ("The bug was fixed by holding the locale in the key.", "bug was fixed"),
    ("The tests passed once the key held the locale.", "tests passed"),
    ("The solution is to hold the locale in the key.", "The solution"),
    ("The previous attempt left the locale out of the key.", "previous attempt"),
    ("The parser was tried with a bigger buffer and it held.", "tried"),
    ("The parser looked at the wrong part of the header.", "looked"),
    ("The key now holds the locale of the caller.", "now"),
    ("This change makes the key hold the locale.", "This change"),
    ("Either the key or the value is stale.", "Either"),
    ("It fails because the key is stale or the value is wrong.", "or the"),
    ("The key is stale, or maybe the value is wrong.", "or maybe"),
    ("The sum is wrong, alternatively the product is.", "alternatively"),
    ("Is the key stale because of the locale?", "?"),
    ("The locale is missing. the key is shared by two languages.", "more than one sentence"),
    ("The locale is missing. `key` is shared by two languages.", "more than one sentence"),
    ("Causes:\n- the locale is missing\n- the key is shared", "more than one sentence"),
)


@pytest.mark.parametrize("cause", MECHANISMS)
def test_R3_a_mechanism_is_kept_though_a_word_of_it_could_tell_a_story(cause: str) -> None:
    assert not_isolated(cause) == ()


@pytest.mark.parametrize(("cause", "word"), STORIES)
def test_R3_a_story_a_hedge_or_a_choice_is_refused_by_its_word(cause: str, word: str) -> None:
    messages = [reason.message for reason in not_isolated(cause)]
    assert any(repr(word) in message or word == message for message in messages), messages
