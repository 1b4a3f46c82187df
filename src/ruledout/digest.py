"""Tagged digests over canonical bytes (R11). Knows no value of the model: what comes in is a JSON value or bytes."""

try:  # the interpreter's own, as `random` of the standard library takes it: OpenSSL takes 2 ms to load, too long for a few hundred bytes
    from _sha2 import sha256  # type: ignore[import-not-found, unused-ignore]  # since 3.12
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found, unused-ignore]  # until 3.11
    except ImportError:  # built without it
        from hashlib import sha256

from ruledout.errors import BadInput

_MOST = 2**53 - 1
"""the greatest whole number that every JSON reader keeps exactly"""


def canonical(value: object) -> bytes:
    """RFC 8785 bytes of a JSON value (tuples count as arrays).

    Raises `BadInput` with the JSON path for what has no canonical form: a lone surrogate, NaN or an infinity, a whole number beyond 2^53 - 1,
    a key that is no text, a value that is no JSON, and nesting deeper than Python can follow.
    """
    import rfc8785  # 16 ms that only those pay who hash

    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]  # the library refuses what is no JSON value
    except (rfc8785.CanonicalizationError, ValueError, TypeError, AttributeError) as error:
        path, what = _fault(value) or ("$", str(error) or type(error).__name__)
        raise BadInput("not-canonical", f"{path}: {what} has no canonical JSON form", "replace or remove this value") from None
    except RecursionError:
        raise BadInput("too-deep", "$: nested too deeply for canonical JSON", "flatten the value") from None


def of_bytes(kind: str, data: bytes) -> str:
    """`r1:sha256:<hex>` over the kind and the bytes; the kind, with its length, keeps equal bytes of two kinds apart."""
    import hashlib  # for much data, of which it takes several times as much a second

    tag = kind.encode("utf-8", "surrogatepass")
    return "r1:sha256:" + hashlib.sha256(b"ruledout:%d:%b:%d:%b" % (len(tag), tag, len(data), data)).hexdigest()


def short(data: bytes) -> str:
    """32 hex digits of SHA-256: what fingerprints and signatures are named by."""
    name: str = sha256(data).hexdigest()
    return name[:32]


def tagged(kind: str, value: object) -> str:
    """`r1:sha256:<hex>` over the kind and the canonical bytes of a JSON value. Raises as `canonical` does."""
    return of_bytes(kind, canonical(value))


def _fault(root: object) -> tuple[str, str] | None:
    """Path and description of the first value, in document order, that has no canonical form."""
    waiting: list[tuple[str, object]] = [("$", root)]
    while waiting:
        path, value = waiting.pop()
        what = _wrong(value)
        if what:
            return path, what
        if isinstance(value, dict):
            bad = next((key for key in value if _wrong_key(key)), None)
            if bad is not None:
                return f"{path}.{bad!a}", "this key"
            waiting.extend((f"{path}.{key}", item) for key, item in reversed(value.items()))
        elif isinstance(value, list | tuple):
            waiting.extend((f"{path}[{at}]", item) for at, item in reversed(tuple(enumerate(value))))
    return None


def _wrong(value: object) -> str | None:
    """Why a single value, its parts left aside, has no canonical form."""
    if isinstance(value, str):
        return "text with a lone surrogate" if _torn(value) else None
    if isinstance(value, bool) or value is None or isinstance(value, dict | list | tuple):
        return None
    if isinstance(value, int):
        return "a whole number beyond 2^53 - 1" if abs(value) > _MOST else None
    if isinstance(value, float):
        return "NaN or an infinity" if value != value or value in (float("inf"), float("-inf")) else None  # noqa: PLR0124  # NaN is the one value unlike itself
    return f"a value of type {type(value).__name__}"


def _wrong_key(key: object) -> bool:
    return not isinstance(key, str) or _torn(key)


def _torn(text: str) -> bool:
    """Does the text hold a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
