"""Tagged digests over canonical bytes (R11)."""

import hashlib

import rfc8785


def canonical(value: object) -> bytes:
    """RFC 8785 bytes of a JSON value."""
    return rfc8785.dumps(value)  # type: ignore[arg-type]  # the library refuses what is no JSON value


def of_bytes(kind: str, data: bytes) -> str:
    """`r1:sha256:<hex>` over the kind and the bytes; the kind keeps equal bytes of two kinds apart."""
    return "r1:sha256:" + hashlib.sha256(f"ruledout:{kind}:{len(data)}:".encode() + data).hexdigest()


def tagged(kind: str, value: object) -> str:
    """`r1:sha256:<hex>` over the kind and the canonical bytes of a JSON value."""
    return of_bytes(kind, canonical(value))
