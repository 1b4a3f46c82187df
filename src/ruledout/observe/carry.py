"""Old signatures under new rules: what a record kept of a failure, signed again by this version, or unknown (docs/signatures.md, Versions).

Ids of two versions are never compared as they stand: equal digests would mean nothing, unequal ones even less. A signature is carried only where its
kept parts are all that its id was made of, and where each version in between says how its parts become those of the next. Where that fails the
answer is unknown, never "another failure" (R14). It keeps no store and reads no text.

Whoever raises `signature.VERSION` adds a step here: a function from the kept parts of the version before to those of the next, which answers None
where they do not suffice (a mask that keeps what was masked away needs the text). Where the way of hashing changed too, the old way goes into
`FORMERLY`.
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec.structs import replace

from ruledout.model.outcome import ErrorSignature
from ruledout.observe import signature

_ID = re.compile(r"dbs(\d{1,6}):[enc]:([0-9a-f]{32})")

Step = Callable[[ErrorSignature], ErrorSignature | None]
"""from the kept parts of one version to those of the next, or None where they do not suffice"""
Signer = Callable[[ErrorSignature], tuple[str, str]]
"""the normalised and the coarse id of kept parts, as one version made them"""

STEPS: Mapping[int, Step] = {}
"""by the version that a step begins at; version 1 is the first and has none yet"""
FORMERLY: Mapping[int, Signer] = {}
"""by version, where the hash was made in another way than today"""


class Same(StrEnum):
    """Whether two signatures stand for one failure."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def version(identity: str) -> int | None:
    """The version in an id (`dbs1:n:...`), or None for what is no id."""
    found = _ID.fullmatch(identity)
    return int(found[1]) if found else None


def carried(kept: ErrorSignature, steps: Mapping[int, Step] = STEPS, formerly: Mapping[int, Signer] = FORMERLY) -> ErrorSignature | None:
    """The signature by the rules of this version, or None where it is not known.

    One of this version comes back as it is. `exact` stays the old id: it is a receipt of a text that is not kept. None for a later version than
    this one, for a step that is missing or does not suffice, and for an id that its own kept parts do not give (a span that was cut, or a record
    that somebody changed).
    """
    at = version(kept.normalised)
    if at == signature.VERSION:
        return kept
    if at is None or at > signature.VERSION or not is_whole(kept, formerly):
        return None
    parts: ErrorSignature | None = kept
    for number in range(at, signature.VERSION):
        step = steps.get(number)
        parts = step(parts) if step is not None and parts is not None else None
    if parts is None:
        return None
    normalised, coarse = signature.again(parts)
    return replace(parts, normalised=normalised, coarse=coarse)


def is_whole(kept: ErrorSignature, formerly: Mapping[int, Signer] = FORMERLY) -> bool:
    """Do the kept parts give the id that is kept with them, by the rules that it was made by."""
    made = formerly.get(version(kept.normalised) or 0, signature.again)(kept)
    return _digest(made[0]) == _digest(kept.normalised) != ""


def same(one: ErrorSignature, other: ErrorSignature, steps: Mapping[int, Step] = STEPS, formerly: Mapping[int, Signer] = FORMERLY) -> Same:
    """Is this one failure, at the normalised level. Within one version by the ids, across versions only after both are carried."""
    versions = {version(one.normalised), version(other.normalised)}
    if len(versions) == 1 and None not in versions:
        return Same.YES if one.normalised == other.normalised else Same.NO
    here, there = carried(one, steps, formerly), carried(other, steps, formerly)
    if here is None or there is None:
        return Same.UNKNOWN
    return Same.YES if here.normalised == there.normalised else Same.NO


def _digest(identity: str) -> str:
    found = _ID.fullmatch(identity)
    return found[2] if found else ""
