"""Secrets leave here, before anything is kept (R13): each becomes a typed slot such as `<secret:github>`.

A secret is known by its own form (`providers`), by its place (`places`: headers, URLs, command lines), by its name (`named`: `KEY=value`), or
because a person marked it (`private`). Entropy alone makes no secret: commit ids, UUIDs, lockfile digests, base64 data and paths stay. Nothing is
ever looked up or verified. All rooms work on UTF-8 bytes and look for a literal trigger before they run a pattern, so that ordinary text costs
little; every pattern takes linear time.
"""

from ruledout.redact import named, places, private, providers


def redact(text: str) -> str:
    """The text with every secret replaced by a typed slot; the same object when there is none.

    Idempotent. JSON stays JSON: a slot holds no quote and no backslash, and stands only inside a text or, with quotes, in the place of a number.
    Never raises on any text, lone surrogates included.
    """
    raw = text.encode("utf-8", "surrogatepass")
    found, low = raw, raw.lower()
    for stage in (private.redact, providers.redact, places.redact, named.redact):
        new = stage(found, low)
        if new is not found:
            found, low = new, new.lower()
    return text if found is raw else found.decode("utf-8", "surrogatepass")
