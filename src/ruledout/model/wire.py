"""The wire: an outcome as canonical JSON and back, and an agent's proposal as JSON (docs/record.schema.json).

The only room that holds value, bytes and digest together (R11). The form of an outcome is a JSON object `{"schema": 1, "status": ..., fields}` in
RFC 8785 form. Reading is strict: what would not be written back byte for byte is refused, with the JSON path and the mend. It judges no rule:
whether a well-formed residual deserves its name is asked elsewhere.
"""

import msgspec

from ruledout import digest
from ruledout.errors import BadInput
from ruledout.model.proposal import Proposal
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual, SessionOutcome, UnresolvedHandoff

SCHEMA = 1
"""The version of the form. A reader refuses a later one; an earlier one is read by the code of its time."""

_STATUSES: dict[str, type[DebugResidual | UnresolvedHandoff]] = {"RESOLVED": DebugResidual, "UNRESOLVED_HANDOFF": UnresolvedHandoff}
_ABSENT = object()
_AS_IS = "write it as the program wrote it, or export it again"


def encode(outcome: SessionOutcome) -> bytes:
    """Canonical bytes (RFC 8785, UTF-8) of an outcome, every field included.

    Raises `BadInput` (`not-canonical`) with the JSON path for a lone surrogate, NaN, an infinity, or a whole number beyond 2^53 - 1.
    """
    return digest.canonical({"schema": SCHEMA, **msgspec.to_builtins(outcome)})


def record(outcome: SessionOutcome) -> Record:
    """The outcome with its bytes and their digest. The digest is over all the bytes, so over all fields (R11). Raises as `encode` does."""
    body = encode(outcome)
    return Record(digest=digest.of_bytes("record", body), body=body, outcome=outcome)


def decode(body: bytes) -> SessionOutcome:
    """The outcome that these bytes are the canonical form of.

    Raises `BadInput`: `not-json`, `duplicate-key`, `no-record` (no object, no schema, unknown status), `later-schema`, `wrong-shape` (unknown or
    missing field, wrong type) or `not-canonical`. Whatever the bytes, nothing else is raised.
    """
    form = _object(body, "record")
    outcome = _shaped(form)
    _same(body, encode(outcome), form)
    return outcome


def kept(digest_: str, body: bytes) -> Record:
    """A record out of a store, from bytes whose digest the caller has just derived again: they were canonical when they were written.

    Spares the second writing that `decode` does for bytes from elsewhere. Raises `BadInput` as `decode` does, `not-canonical` apart.
    """
    return Record(digest=digest_, body=body, outcome=_shaped(_plain(body, "record")))


def proposal(body: bytes) -> Proposal:
    """What an agent claims, from its JSON in any layout. Untrusted (R2). Raises `BadInput` as `decode` does, but does not ask for canonical form."""
    form = _object(body, "proposal")
    digest.canonical(form)
    try:
        return msgspec.convert(form, Proposal)
    except msgspec.ValidationError as error:
        raise BadInput("wrong-shape", f"proposal: {error}", "see the fields of a proposal in docs/formats.md") from None


def _object(body: bytes, what: str) -> dict[str, object]:
    """The JSON object in these bytes, read without forgiveness."""
    form = _plain(body, what)
    twice = _doubled(body)
    if twice is not None:
        raise BadInput("duplicate-key", f"{what}: the key {twice!a} stands twice in one object", "keep one of the two")
    return form


def _plain(body: bytes, what: str) -> dict[str, object]:
    """The JSON object in these bytes; of a key that stands twice, the last."""
    try:
        form: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput("not-json", f"{what}: {error}", "give one JSON object in UTF-8, without a byte order mark") from None
    except RecursionError:
        raise BadInput("not-json", f"{what}: nested too deeply", "flatten the value") from None
    if not isinstance(form, dict):
        raise BadInput("no-record", f"$: this {what} is {_kind(form)}, not an object", "give one JSON object")
    return form


def _doubled(body: bytes) -> str | None:
    """A key that stands twice in one object, or None. The fast reader keeps the last and says nothing."""
    import json  # asked only of what comes from outside

    found: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        if len({key for key, _ in pairs}) != len(pairs):
            keys = [key for key, _ in pairs]
            found.append(next(key for key in keys if keys.count(key) > 1))

    try:
        json.loads(body, object_pairs_hook=look)
    except (ValueError, RecursionError) as error:
        raise BadInput("not-json", f"$: {error}", "give plain JSON in UTF-8") from None
    return found[0] if found else None


def _shaped(form: dict[str, object]) -> SessionOutcome:
    """The value that this object describes, once schema and status are known."""
    schema, status = form.get("schema"), form.get("status")
    if type(schema) is not int or schema < 1:
        raise BadInput("no-record", f"$.schema: expected {SCHEMA}, found {_kind(schema)}", "give a record that ruledout has written")
    if schema > SCHEMA:
        raise BadInput("later-schema", f"$.schema: {schema} is later than {SCHEMA}", "use a newer ruledout to read it")
    kind = _STATUSES.get(status) if isinstance(status, str) else None
    if kind is None:
        raise BadInput("no-record", f"$.status: expected one of {', '.join(_STATUSES)}, found {_kind(status)}", _AS_IS)
    try:
        return msgspec.convert({key: value for key, value in form.items() if key != "schema"}, kind)
    except msgspec.ValidationError as error:
        raise BadInput("wrong-shape", f"record: {error}", _AS_IS) from None


def _same(body: bytes, canonical: bytes, form: dict[str, object]) -> None:
    """Refuse bytes that are not the ones we would write: the digest would be of something else (R11)."""
    if body == canonical:
        return
    written = msgspec.json.decode(canonical)
    path = _difference(form, written, "$")
    seen = f"{path}: a field is missing or not as it is written" if path else "$: white space, key order, escapes or numbers are not in RFC 8785 form"
    raise BadInput("not-canonical", seen, _AS_IS)


def _difference(left: object, right: object, path: str) -> str | None:
    """The first place where two JSON values differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        parts = [(f"{path}.{key}", left.get(key, _ABSENT), right.get(key, _ABSENT)) for key in sorted({*left, *right})]
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        parts = [(f"{path}[{at}]", *pair) for at, pair in enumerate(zip(left, right, strict=True))]
    else:
        return None if left == right else path
    return next((found for part in parts if (found := _difference(part[1], part[2], part[0]))), None)


def _kind(value: object) -> str:
    """A JSON value in a few words for a message."""
    if value is None:
        return "nothing"
    names = {dict: "an object", list: "an array", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return f"{str(value)[:40]!a}" if isinstance(value, str | int) else names.get(type(value), "something else")


def schema() -> dict[str, object]:
    """JSON Schema (2020-12) of a record. Every field is required, for the written form leaves none out."""
    form = msgspec.json.schema(SessionOutcome)
    parts = form["$defs"]
    for name, part in parts.items():
        if part.get("type") == "object":
            part["required"] = sorted(part["properties"])
            for field in part["properties"].values():
                field.pop("default", None)
        if name in ("DebugResidual", "UnresolvedHandoff"):
            part["properties"] = {"schema": {"const": SCHEMA}, **part["properties"]}
            part["required"] = sorted(part["properties"])
    form.pop("discriminator", None)  # a word of OpenAPI, unknown to JSON Schema
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A record of ruledout: a residual or a handoff",
        **form,
    }
