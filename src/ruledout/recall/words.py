"""Words of prose and code for search, cut the same way when a record is kept and when it is asked for.

An identifier is kept whole and also cut into its parts (`parseHTTPHeader` -> `parsehttpheader`, `parse`, `http`, `header`), so that a question may name either.
Pure; refuses nothing: text without words gives none. How and why: docs/decisions/0044-words.md.
"""

import re
import unicodedata
from collections.abc import Iterator

_LONGEST = 80
_CHUNK = re.compile(r"[^\W_][\w./\\:@$-]*|_[\w./\\:@$-]*")
_PART = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")

_STOP = frozenset(
    """
    a about after all also an and any are as at be because been before being but by can could did do does doing done down each either
    else for from had has have having he her here him his how i if in into is it its itself just let may me might more most must my no
    nor not now of off on once only or other our out over own per she should so some such than that the their them then there these
    they this those through to too under until up upon us very was we were what when where which while who whom why will with would
    yet you your
    """.split()  # noqa: SIM905  # a list of ninety strings is harder to read
)

_ENDINGS = (("ies", "y", 3), ("ied", "y", 3), ("ing", "", 4), ("ed", "", 4), ("es", "", 4), ("s", "", 4))


def stem(word: str) -> str:
    """A light stem: plural, `-ing` and `-ed` off plain English words, so that `retried`, `retries` and `retry` meet; codes and short words stay."""
    if len(word) < 5 or not word.isascii() or not word.isalpha():
        return word
    for ending, instead, least in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= least:
            return _trimmed(word[: -len(ending)] + instead)
    return _trimmed(word)


def _trimmed(word: str) -> str:
    """`stopp` -> `stop`, and a final `e` off (`cache` and `caching` -> `cach`)."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        return word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


GENERIC = frozenset(
    stem(word)
    for word in """
    add bug build call case cause change check code command error exception fail failed failure file fix function get issue line make
    method module new output pass passed problem python remove result return run script set src start stop test tests try tried type
    update use used value work write wrong py js ts go rs main lib
    """.split()  # noqa: SIM905  # as above
)
"""Stems that stand in every debugging session: good for ranking, never a sign that two of them mean the same."""


def words(text: str) -> list[str]:
    """Search words in their order, with repeats: lower case, stop words out, identifiers whole and in parts. At most 80 characters each."""
    return [word for chunk in _CHUNK.findall(unicodedata.normalize("NFKC", text)) for word in _of_chunk(chunk)]


def concepts(text: str) -> frozenset[str]:
    """The distinct parts that say something: no whole identifiers, no generic words, no bare numbers. What likeness is measured on."""
    found = (part for chunk in _CHUNK.findall(unicodedata.normalize("NFKC", text)) for part in _parts(chunk))
    return frozenset(part for part in found if part not in GENERIC and not part.isdigit())


def _of_chunk(chunk: str) -> Iterator[str]:
    parts = list(_parts(chunk))
    whole = chunk.strip("./\\:@$-").replace("\\", "/").lower()
    if 1 < len(whole) <= _LONGEST and whole not in _STOP and stem(whole) not in parts:
        yield whole
    yield from parts


def _parts(chunk: str) -> Iterator[str]:
    for piece in _PART.findall(chunk):
        if not piece.isascii():
            for wide in _WIDE.findall(piece):  # scripts without spaces: pairs of characters
                yield from (wide[i : i + 2] for i in range(max(1, len(wide) - 1)))
        for part in _HUMP.split(piece):
            low = part.lower()
            if 1 < len(low) <= _LONGEST and low not in _STOP and (low.isascii() or not _WIDE.search(low)):
                yield stem(low)
