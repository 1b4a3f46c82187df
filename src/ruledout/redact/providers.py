"""Secrets that are known by their own form: keys with a provider's prefix, JSON Web Tokens, private keys in PEM."""

import re
from functools import cache

_FORMS = {
    "aws": r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "github": r"gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255}",
    "gitlab": r"gl(?:pat|ptt|rt|dt|cbt|soat|ft|imt|agent|oas)-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_.-]+)?|GR1348941[A-Za-z0-9_-]{20,}",
    "slack": r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,}"
    r"|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,}",
    "stripe": r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}",
    "anthropic": r"sk-ant-[A-Za-z0-9_-]{16,}",
    "openai": r"sk-(?:proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{16,}|sk-(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}",
    "google": r"AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_.-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}",
    "npm": r"npm_[A-Za-z0-9]{30,}",
    "pypi": r"pypi-Ag[A-Za-z0-9_-]{16,}",
    "huggingface": r"(?:hf_|api_org_)(?=[A-Za-z]*[0-9A-Z])[A-Za-z0-9]{30,}",
    "jwt": r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    "sendgrid": r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "twilio": r"SK[0-9a-f]{32}(?![A-Za-z0-9])",
    "mailgun": r"(?<![_-])key-[0-9a-f]{32}(?![A-Za-z0-9])",
    "mailchimp": r"[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])",
    "digitalocean": r"do[opr]_v1_[0-9a-f]{40,}",
    "shopify": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "linear": r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}",
    "grafana": r"glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}",
    "replicate": r"r8_[A-Za-z0-9]{30,}",
    "groq": r"gsk_[A-Za-z0-9]{30,}",
    "perplexity": r"pplx-[A-Za-z0-9]{40,}",
    "xai": r"xai-[A-Za-z0-9]{40,}",
    "tavily": r"tvly-(?=[A-Za-z-]*[0-9])[A-Za-z0-9-]{20,}",
    "langsmith": r"lsv2_(?:pt|sk)_[0-9a-f]{32}(?:_[0-9a-f]{10})?",
    "postman": r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
    "sentry": r"sntry[su]_[A-Za-z0-9+/=_]{30,}",
    "docker": r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}",
    "vault": r"hv[sbr]\.[A-Za-z0-9_-]{24,}",
    "databricks": r"dapi[0-9a-f]{32}(?:-[0-9])?",
    "doppler": r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}",
    "planetscale": r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{30,}",
    "newrelic": r"NRAK-[A-Z0-9]{27}",
    "notion": r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])",
    "figma": r"figd_[A-Za-z0-9_-]{30,}",
    "square": r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
    "facebook": r"EAACEdEose0cBA[A-Za-z0-9]+",
    "telegram": r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])",
    "discord": r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])",
    "age": r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    "atlassian": r"AT[AC]TT3[A-Za-z0-9_=-]{40,}|ATBB[A-Za-z0-9]{32}(?![A-Za-z0-9])",
    "pulumi": r"pul-[0-9a-f]{40}",
    "supabase": r"sb[ps]_(?:secret_)?[A-Za-z0-9_]{30,}|sb_secret_[A-Za-z0-9_-]{20,}",
    "netlify": r"nfp_[A-Za-z0-9]{36}",
    "rubygems": r"rubygems_[0-9a-f]{48}",
    "brevo": r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
    "airtable": r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    "hubspot": r"pat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}-[0-9a-f-]{27}",
    "terraform": r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
    "dynatrace": r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
    "contentful": r"CFPAT-[A-Za-z0-9_-]{43}",
    "buildkite": r"bkua_[0-9a-f]{40}",
    "circleci": r"CCIPAT_[A-Za-z0-9_]{20,}",
    "clojars": r"CLOJARS_[a-z0-9]{60}",
}

_STARTS = (
    r"A[KSBC][ICA][A]|gh[pousr]_|github_pat|gl[a-z]{2,5}-|GR1348941|xox[abeoprs]|xapp-|hooks\.slack|[sr]k_[lpt]|whsec_|sk-|AIza|ya29\.|GOCSPX-|npm_|pypi-Ag|hf_|api_org_"
    r"|eyJ|SG\.|SK[0-9a-f]{32}|key-[0-9a-f]{32}|do[opr]_v1_|shp[a-z]{2}_|lin_[ao]|gl(?:sa|c)_|r8_|gsk_|pplx-|xai-|tvly-|lsv2_|PMAK-|sntry[su]_|dckr_|hv[sbr]\."
    r"|dapi[0-9a-f]{32}|dp\.[a-z]{2,5}\.|pscale_"
    r"|NRAK-|ntn_|secret_[A-Za-z0-9]{43}|figd_|sq0|EAACEd|AA[A-Za-z0-9_-]{33}(?= )|[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\."
    r"|AGE-S|AT[AC]TT3|ATBB|pul-|sb[ps]?_|nfp_|rubygems_|xkeysib-|pat[A-Za-z0-9]{14}\.|pat-[nea]|[A-Za-z0-9]{14}\.atlasv1|dt0[a-z]|CFPAT-|bkua_|CCIPAT_|CLOJARS_|[0-9a-f]{32}-us"
)
"""how the forms above begin; asked only of long words, which are few"""

_SHAPE = bytes(0x61 if (chr(byte).isalnum() and byte < 0x80) or byte in b"_.-" else 0x20 for byte in range(256))
_SHORTEST = 15
_RUN = re.compile(b"a" * _SHORTEST + b"a*")
"""a long word, once every letter is an `a` and all else a blank: starting with a literal it is found many times faster than by a class of letters"""

_EDGE = rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
"""no letter or digit before it, or an escaped line end as in JSON"""


@cache
def _starts() -> re.Pattern[bytes]:
    return re.compile(b"(?:[ _.-]| [nrt])(?:" + _STARTS.encode() + b")")


@cache
def _forms() -> re.Pattern[bytes]:
    return re.compile(_EDGE + b"(?:" + "|".join(f"(?P<{name}>{form})" for name, form in _FORMS.items()).encode() + b")")


def redact(raw: bytes, _low: bytes) -> bytes:
    """The bytes with every key of a known form replaced, private keys first."""
    if b"PRIVATE KEY" in raw:
        raw = _without_pem(raw)
    words = {raw[run.start() : run.end()] for run in _RUN.finditer(raw.translate(_SHAPE))}
    if not words:
        return raw
    likely = _likely(b" %b " % b" ".join(words))
    parts, kept = [], 0
    for start, end in _stretches(raw, likely) if likely else ():
        for match in _forms().finditer(raw, start, end):
            parts += [raw[kept : match.start()], b"<secret:%b>" % (match.lastgroup or "").encode()]
            kept = match.end()
    return b"".join(parts) + raw[kept:] if parts else raw


def _likely(line: bytes) -> set[bytes]:
    """The words of a line that begin, or go on behind `_`, `.` or `-`, as one of the forms does."""
    found, done = set(), 0
    for start in _starts().finditer(line):
        if start.start() >= done:
            done = line.find(b" ", start.start() + 1)
            found.add(line[line.rfind(b" ", 0, start.start() + 1) + 1 : done])
    return found


_REACH = 600
"""how far beyond its word a form may go: a telegram key begins before it, a Slack address goes on behind it"""
_FEW = 50


def _stretches(raw: bytes, words: set[bytes]) -> list[tuple[int, int]]:
    """Where these words stand, with some room, in order and without overlap; all of the text when they are many."""
    if len(words) > _FEW:
        return [(0, len(raw))]
    found: list[tuple[int, int]] = []
    for word in words:
        place = raw.find(word)
        while place >= 0:
            found.append((max(0, place - 20), min(len(raw), place + len(word) + _REACH)))
            place = raw.find(word, place + len(word))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


@cache
def _edges() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """The first and the last line of a private key."""
    kind = rb" (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    return re.compile(b"-----BEGIN" + kind), re.compile(b"-----END" + kind)


_LONGEST = 32_768
_PEM = b"<secret:private-key>"


def _without_pem(raw: bytes) -> bytes:
    """Private keys out, whole. Where quotes stand inside (a list of lines, source text), only the runs of the key go, so that quotes stay in pairs."""
    first, last = _edges()
    begins, ends = list(first.finditer(raw)), [end.end() for end in last.finditer(raw)]
    parts, kept, at = [], 0, 0
    for begin, after in zip(begins, [*(begin.start() for begin in begins[1:]), len(raw)], strict=False):
        while at < len(ends) and ends[at] <= begin.end():
            at += 1
        if at < len(ends) and ends[at] <= min(after, begin.end() + _LONGEST):
            stop = ends[at]
            body = raw[begin.start() : stop]
            gone = _PEM if not re.search(rb"[\"'`]", body) else _runs(body)
        else:
            tail = _torn().match(raw, begin.end(), min(after, begin.end() + _LONGEST))
            stop = tail.end() if tail else begin.end()
            gone = _PEM if re.search(rb"[A-Za-z0-9+/=]{16}", raw[begin.end() : stop]) else raw[begin.start() : stop]
        parts += [raw[kept : begin.start()], gone]
        kept = stop
    new = b"".join(parts) + raw[kept:]
    return raw if new == raw else new


@cache
def _torn() -> re.Pattern[bytes]:
    """What may follow the first line of a key whose last line is missing."""
    return re.compile(rb"(?:\\+[nrt]|[A-Za-z0-9+/=]++|\s|(?<=\n)[>|+ ]+|(?<=\n)[A-Z][A-Za-z-]+: [A-Za-z0-9,+/ -]+)*+")


def _runs(body: bytes) -> bytes:
    """A key whose lines stand in quotes, without its base64."""
    return re.sub(rb"(?<![A-Za-z0-9+/=\\])(?:\\[nrt])*(?=[0-9]*[A-Za-z+/][0-9]*[A-Za-z+/])[A-Za-z0-9+/=]{16,}", _PEM, body)
