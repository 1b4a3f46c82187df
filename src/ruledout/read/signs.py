"""The keys by which a reader knows its format: a literal first, a pattern only behind it, so that a head without the key costs a glance. Knows no format."""

import re


def shows(head: bytes, key: bytes, then: bytes) -> bool:
    """Does `key` stand in the head with the pattern `then` right behind it, here or there."""
    return key in head and re.search(re.escape(key) + then, head) is not None


def starts(head: bytes, pattern: bytes) -> bool:
    """Does the head begin like this."""
    return re.match(pattern, head) is not None
