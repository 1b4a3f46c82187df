"""Secrets that are known by their place: credentials in URLs, authorization headers, cookies, `curl -u`."""

import re
from functools import cache

from ruledout.redact.scan import swap

SHAM = (b"$", b"{", b"<", b"*", b"%", b"[", b"(", b"&lt;")
"""what a variable, a template or a slot starts with"""


@cache
def _url() -> re.Pattern[bytes]:
    """`://user:password@`, the password up to the last `@` before a slash, or over slashes where it does not look like a port; `://token@`."""
    password = rb"[^\s/\"'`<>\\]{1,256}|(?![0-9]{1,5}[/?#])[^\s\"'`<>\\]{1,128}"
    token = rb"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,200}"
    return re.compile(rb"://(?:(?P<user>[^\s/:@\"'`<>\\]{0,100}:)(?P<pass>" + password + rb")|(?P<token>" + token + rb"))@(?=[^\s@\"'`<>])")


def _without_url(match: re.Match[bytes]) -> bytes | None:
    if (match["pass"] or match["token"]).startswith(SHAM):
        return None
    return b"://%b<secret:url>@" % (match["user"] or b"")


_VALUE = rb"(?P<value>[A-Za-z0-9._~+/=:|-]{4,8192})"


@cache
def _header() -> re.Pattern[bytes]:
    """`Authorization: Basic ...` in headers, JSON and source."""
    sign = rb"(?:\\{0,3}[\"'`])?\]?\s{0,4}(?:=>|[:=,])\s{0,4}(?:\\{0,3}[\"'`])?"
    scheme = rb"(?:(?P<scheme>basic|bearer|token|digest|apikey|api-key|negotiate|key)(?:\s|%20){1,4})?"
    return re.compile(rb"(?P<lead>authorization" + sign + scheme + rb")" + _VALUE, re.IGNORECASE)


@cache
def _bearer() -> re.Pattern[bytes]:
    """`Bearer ...` anywhere."""
    return re.compile(rb"(?P<lead>(?P<scheme>bearer)(?:\s|%20){1,4})" + _VALUE, re.IGNORECASE)


def _without_header(match: re.Match[bytes]) -> bytes | None:
    value, scheme = match["value"], (match["scheme"] or b"").lower()
    mixed = re.search(rb"[0-9]", value) or (re.search(rb"[a-z]", value) and re.search(rb"[A-Z]", value[1:]))
    basic = scheme == b"basic" and (value.endswith(b"=") or len(value) % 4 == 0)
    code = re.fullmatch(rb"[A-Za-z_]+(?:\.[A-Za-z_]+)+", value) or (not scheme and re.fullmatch(rb"[-+0-9.eE]+", value))
    if code or not (basic or (mixed and len(value) >= 6) or len(value) >= 24):
        return None
    return b"%b<secret:%b>" % (match["lead"], b"basic" if scheme == b"basic" else b"bearer")


@cache
def _cookie() -> re.Pattern[bytes]:
    """A cookie header, or `--cookie`, with `name=value` pairs, up to the end of its line or text."""
    lead = rb"(?:cookie(?:\\{0,3}[\"'`])?\s{0,4}:\s{0,4}|(?<=--)cookie[ =])(?:\\{0,3}[\"'`])?"
    return re.compile(rb"(?P<lead>" + lead + rb")[A-Za-z0-9_.%!#$&*+^|~-]{1,100}=(?![\s=])[^\r\n\"'`\\]{1,8192}", re.IGNORECASE)


def _without_cookie(match: re.Match[bytes]) -> bytes | None:
    return match["lead"] + b"<secret:cookie>"


@cache
def _login() -> re.Pattern[bytes]:
    """`-u user:password`; asked only where `curl` is."""
    return re.compile(rb"(?P<lead>(?: -[uU]|(?<= -)-user|(?<= --proxy)-user)(?: {1,4}|=)?(?:\\{0,3}[\"'])?[^\s:\"'\\]{1,100}:)(?P<value>[^\s\"'\\]{1,200})")


def _without_login(match: re.Match[bytes]) -> bytes | None:
    before = match.string[max(0, match.start() - 2000) : match.start()]
    line = before[before.replace(b"\\\n", b"  ").rfind(b"\n") + 1 :]
    if b"curl" not in line or match["value"].startswith(SHAM):
        return None
    return match["lead"] + b"<secret:password>"


def redact(raw: bytes, low: bytes) -> bytes:
    """The bytes with credentials in known places replaced."""
    for word, pattern, make, needs in _PLACES:
        if needs in low and word in low:
            new = swap(raw, low, word, pattern, make)
            if new is not raw:
                raw, low = new, new.lower()
    return raw


_PLACES = (
    (b"authorization", _header, _without_header, b""),
    (b"bearer", _bearer, _without_header, b""),
    (b"cookie", _cookie, _without_cookie, b""),
    (b"://", _url, _without_url, b"@"),
    (b" -u", _login, _without_login, b"curl"),
    (b"-user", _login, _without_login, b"curl"),
)
"""the word that stands at the start, its pattern, what becomes of it, and what else must be somewhere in the text"""
