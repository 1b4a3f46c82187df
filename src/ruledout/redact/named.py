"""Secrets that are known by the name they are given: `KEY=value`, `"key": "value"`, `--password value`, `the password is "value"`.

A name alone makes nothing secret: source text is full of names. The value must stand in value position and look like a value, no expression, type,
placeholder, path, address or label. What counts as one depends on the name: nearly anything after `password`, only mixed letters and digits after `token`.
"""

import re
from functools import cache, partial

from ruledout.redact.places import SHAM
from ruledout.redact.scan import swap

_NAMES = {
    b"pass": rb"pass(?:word|wd|phrase|wort|code|e)?s?",
    b"pwd": rb"pwd",
    b"secret": rb"secrets?(?!:[a-z-]{1,20}>)",  # a slot is none
    b"token": rb"token",
    b"key": rb"key",
    b"credential": rb"credentials?",
    b"_auth": rb"_auth",
    b"sig=": rb"(?<=[?&])sig",
}
_FOREIGN = tuple(word.encode() for word in ("contraseña", "пароль", "Пароль", "密码", "密碼", "パスワード"))

_KEY_OF = tuple(
    b"api access secret private auth encryption encrypt signing master account subscription consumer app application client service role anon license deploy"
    b" ssh webhook shared sharedaccess storage crypto admin".split()
)
_TOKEN_OF = tuple(
    b"page next continuation cursor max min num eos bos pad unk sep cls mask stop first last total prompt input output completion sync resume per".split()
)
_ALPHA = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = _ALPHA + b"0123456789_.-$"

_SIGN = (
    rb"(?P<close>\\{0,3}[\"'`])?\]?[ \t]{0,8}+"
    rb"(?:\??:[ \t]{0,4}[A-Za-z_][\w.\[\]| ]{0,30}=(?!=)"
    rb"|(?P<sign>:=|=>|[!=]?={1,2}|\?:|:(?![:=/]))|(?P<tag>>)|(?P<verb>is|was)(?=[ \t]+\\{0,3}[\"'`])|(?P<flag>(?<=[ \t])))[ \t]{0,8}+"
)
_VALUE = (
    # a quote that is escaped further in ends no value: `\\"` in a plain one, `\\\\\\"` in one of JSON within JSON; two backslashes are one of the value's own
    rb"(?:[frbuFRBU]{0,2}(?P<quote>(?P<escaped>\\{1,3})?[\"'`])(?P<text>[^\r\n]{0,4096}?)"
    rb"(?(escaped)(?<!\\)|(?:(?<!\\)|(?<=[^\\]\\\\)))(?P=quote)"
    rb"|(?P<bare>(?!(?:pass|token|secret|key|pwd)[a-z_]{0,8}[:=])[^\s\"'`\\<>(){}\[\],;|&]{1,2048}+))"
)


@cache
def _pattern(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!<secret:)(?P<name>" + name + rb")[0-9]{0,2}" + _SIGN + _VALUE, re.IGNORECASE)


def redact(raw: bytes, low: bytes) -> bytes:
    """The bytes with the values of secret-sounding names replaced."""
    for word, name in _NAMES.items():
        if word in low:  # asked here, for a call costs more than a look at a short text
            new = swap(raw, low, word, partial(_pattern, name), _without)
            if new is not raw:
                raw, low = new, new.lower()
    if not raw.isascii():
        for word in _FOREIGN:
            if word in raw:
                raw = swap(raw, raw, word, partial(_pattern, word), _without)
    return raw


def _without(match: re.Match[bytes]) -> bytes | None:
    """The match with a slot for its value, or None where the value is none."""
    kind, upper, lead = _kind(match)
    group = "text" if match["quote"] is not None else "bare"
    value = match[group]
    if kind is None or not value or not _in_place(match, lead) or _sham(value.removeprefix(b'\\"')):
        return None
    env = upper and match["sign"] == b"=" and match.string[match.start(group) - 1 : match.start(group)] in (b"=", b'"', b"'")
    if not (_quoted_worth(kind, value, env=env) if group == "text" else _bare_worth(kind, match, env=env)):
        return None
    slot = b"<secret:%b>" % kind
    if group == "bare" and value.isdigit() and match["close"]:
        slot = match["close"] + slot + match["close"]
    start, end = match.span(group)
    return match.string[match.start() : start] + slot + match.string[end : match.end()]


def _kind(match: re.Match[bytes]) -> tuple[bytes | None, bool, bytes]:
    """What the name promises (None: nothing), whether it is in capitals, and what stands before its word."""
    window = match.string[max(0, match.start() - 48) : match.start()]
    lead = window[len(window.rstrip(_LETTERS)) :]
    word = match["name"]
    plain = lead.lower().translate(None, b"_.-$")
    name = word.lower()
    kind: bytes | None = b"password"
    if name in (b"pass", b"passe", b"pwd"):
        bound = lead[-1:] in (b"_", b"-", b".") or not lead or (word[:1].isupper() and lead[-1:].islower())
        kind = b"password" if bound and plain != b"old" else None
    elif name.startswith(b"secret"):
        kind = b"secret"
    elif name == b"token":
        kind = None if plain.endswith(_TOKEN_OF) else b"token"
    elif name == b"key":
        kind = b"key" if plain.endswith(_KEY_OF) else None
    elif name == b"sig":
        kind = b"signature" if match["sign"] == b"=" else None
    elif name in (b"_auth", b"credential", b"credentials"):
        kind = b"credential"
    return kind, word.isupper() and lead.upper() == lead, lead


def _in_place(match: re.Match[bytes], lead: bytes) -> bool:
    """Does the value stand where values stand."""
    if match["flag"] is not None:
        before = match.string[max(0, match.start() - 120) : match.start()]
        netrc = re.search(rb"login\s+\S{1,80}\s+$", before) if not lead else None
        return (lead.startswith(b"--") or netrc is not None) and match["close"] is None
    if match["tag"]:
        before = match.string[max(0, match.start() - len(lead) - 1) : match.start() - len(lead)]
        return before == b"<" and match.string[match.end() : match.end() + 2] == b"</"
    return True


_WORDS = frozenset(
    b"none null nil undefined true false yes no string str int bool bytes any optional required text hidden test testing invalid missing empty field incorrect"
    b" mismatch redacted encrypted forbidden generated rejected accepted disabled enabled expired wrong"
    b" value unknown default auto object number password plain".split()
)


def _sham(value: bytes) -> bool:
    """A placeholder, a template, a path, an address, a digest or a slot: no secret, whatever its name."""
    low = value[:200].lower()
    return (
        value.startswith((*SHAM, b"!", b"?", b"`", b"\\"))
        or low in _WORDS
        or bool(re.match(rb"(?:your|insert|enter|placeholder|change[-_]?me|replace[-_]|xxx|\.\.\.|-+$|#|r1:|sha[0-9]{1,3}[-:]|https?://|[:@][a-z_]+$)", low))
        or b"redacted" in low
        or bool(re.search(rb"\$\{|\{\w*\}|%[s(]", value))
        or b"<secret:" in value
        or (bool(re.fullmatch(rb"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w./\\@-]*", value)) and not (value.count(b"/") < 2 and _strong(value)))
    )


@cache
def _label() -> re.Pattern[bytes]:
    """A text that only names the thing again, as labels, keys and test ids do."""
    return re.compile(
        rb"(?:[a-z]+[_.:/-])*(?:new|old|current|confirm|user|repeat|login|db|reset|forgot|my)?(?:password|passwd|passphrase|secret|token|pass|pwd|key|credential|auth)s?"
        rb"(?:input|field|label|form|hash)?(?:[_.:/-][a-z]+)*",
        re.IGNORECASE,
    )


def _quoted_worth(kind: bytes, value: bytes, *, env: bool) -> bool:
    """Is a quoted text a secret of this kind."""
    if env:
        return len(value) >= 4
    if re.search(rb"\s", value) or _label().fullmatch(value):
        return False
    return len(value) >= 4 if kind in (b"password", b"secret") else _strong(value)


def _bare_worth(kind: bytes, match: re.Match[bytes], *, env: bool) -> bool:
    """Is an unquoted word a secret of this kind, and not a name of the program."""
    value = match["bare"]
    after = match.string[match.end() : match.end() + 1]
    if after in (b"(", b"[", b"{") or (after in (b"'", b'"', b"`") and not match["close"] and not env and match["flag"] is None):
        return False
    if re.fullmatch(rb"[0-9._]+", value):
        return kind in (b"password", b"secret") and len(value) >= 4 and (env or match["close"] is not None)
    if env:
        return len(value) >= 4 and (kind in (b"password", b"secret") or _strong(value))
    if re.fullmatch(rb"[A-Za-z_$][\w$]*(?:[.?!:]{1,2}[A-Za-z_$][\w$]*)+[?!]?", value) and not _strong(value.replace(b".", b"")):
        return False
    if kind not in (b"password", b"secret"):
        return _strong(value)
    return len(value) >= 4 if match["flag"] is not None else _bare_password(match)


def _bare_password(match: re.Match[bytes]) -> bool:
    """Is a word behind `password:` or `secret =` the thing itself: mixed, or alone on a line of settings."""
    value = match["bare"]
    mixed = bool(re.search(rb"[0-9]", value) and re.search(rb"[A-Za-z]", value)) or bool(re.search(rb"[@#$%^*+~!]", value.rstrip(b"!")))
    return (mixed and len(value) >= 6 and not re.fullmatch(rb"[a-z]+(?:_[a-z0-9]+)+", value)) or _stands_alone(match)


def _stands_alone(match: re.Match[bytes]) -> bool:
    """A line of a settings file, `password: opensesame`: a small word of eight or more letters and nothing behind it."""
    if match["sign"] not in (b":", b"=") or not re.fullmatch(rb"[a-z]{8,}", match["bare"]):
        return False
    window = match.string[max(0, match.start() - 48) : match.start()]
    line = window[window.rfind(b"\n") + 1 :]
    whole = line.strip() and not line.strip().translate(None, _LETTERS)
    return (
        bool(whole or not line.strip())
        and match.string[match.end() : match.end() + 1] in (b"", b"\n", b"\r")
        and not match["bare"].endswith((b"ed", b"ing", b"word"))
    )


def _strong(value: bytes) -> bool:
    """Letters and digits mixed as no word mixes them, or a long run of both cases. The first 64 letters decide."""
    value = value[:64]
    if len(value) < 8 or re.fullmatch(rb"[A-Za-z]+(?:[_.:/-][A-Za-z]*[0-9]{0,2})*", value):
        return len(value) >= 24 and bool(re.search(rb"[a-z][A-Z]{1,3}[a-z]{0,3}[A-Z]", value)) and value.isalnum()
    digits = len(value) - len(value.translate(None, b"0123456789"))
    letters = len(value) - len(value.translate(None, _ALPHA))
    return letters >= 2 and digits >= (2 if len(value) < 16 else 1)
