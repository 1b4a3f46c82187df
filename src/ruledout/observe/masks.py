"""The table of masks, in order: a name, a pattern, and a check that turns a hit into a slot or leaves it. `observe.mask` applies it.

Each check gets the hit and `slot(kind, value)`, and gives the text that takes its place. A pattern has no groups of its own and no nested
quantifiers over the same characters, so that one pass is linear.
"""

import re
from collections.abc import Callable

from ruledout.observe.late import Late
from ruledout.observe.places import place

Slot = Callable[[str, str], str]

NUMBERED = frozenset({"uuid", "addr", "ip", "hash", "num", "email", "host", "tmp", "str", "mac"})
"""Kinds whose equal values share a number. Times, durations, processes and threads are not: two of them are equal by chance."""

_HEX = "[0-9a-fA-F]"
_UNIT = r"(?:ns|us|µs|μs|ms|msec|msecs|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|days?|milliseconds?)"
_SIZE = r"(?:[kKMGT]i?B|[kKMGT]B|bytes?|KiB|MiB|GiB)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? "
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?"
_ZONE = r"(?: ?(?:Z|[+-]\d{2}:?\d{2}))?(?: (?:UTC|GMT|[A-Z]{2,3}T))?"
_SEGMENT = r"[\w.+@~%=#$-]"

GROUPS: tuple[tuple[str, str], ...] = (
    ("done", r"<(?:uuid|url|email|tmp|ip|port|time|dur|size|addr|hash|pid|tid|num|host|str|n|stdlib|secret|id|mac)\d*>"),
    ("trace", rf"\b00-{_HEX}{{32}}-{_HEX}{{16}}-{_HEX}{{2}}\b"),
    ("uuid", rf"(?<![0-9a-fA-F]){_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}(?![0-9a-fA-F])"),
    ("url", r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s<>\"'`]{1,2000}"),
    ("email", r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[A-Za-z]{2,12}(?![\w-])"),
    ("route", r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /[^\s\"'<>]{0,500}"),
    ("path", rf"(?<![\w>./~*\\-])(?:~|\.{{1,2}})?/{_SEGMENT}[\w.+@~%=#$/-]{{0,1000}}(?::\d{{1,7}}){{0,2}}"),
    ("drive", r"(?<![\w>])[A-Za-z]:[\\/]{1,2}[\w.+@~%=#$\\/-]{1,1000}(?::\d{1,7}){0,2}"),
    (
        "place",
        (
            r"(?<![\w>/])(?:[\w+@~-][\w.+@~/\\-]{0,300}\.[A-Za-z][A-Za-z0-9_+]{0,9}|[\w./-]{0,100}(?:[Mm]ake|Docker|Rake|Jenkins"
            r"|Gem)file)(?:(?::\d{1,7}){1,2}|\(\d{1,7}(?:,\d{1,5})?\))(?![\w.])"
        ),
    ),
    (
        "time",
        (
            rf"(?<![\w.:])(?:\d{{4}}-\d{{2}}-\d{{2}}(?:[T _]{_CLOCK}{_ZONE})?|\d{{4}}/\d{{2}}/\d{{2}}(?:[ T]{_CLOCK}{_ZONE})?"
            rf"|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}(?:,? {_CLOCK}(?: ?[AP]M)?)?"
            rf"|(?:{_DAY})?{_MONTH}[a-z]{{0,6}}\.? {{1,2}}\d{{1,2}}(?:,? \d{{4}})?(?:,? {_CLOCK}{_ZONE}(?: \d{{4}})?)?"
            rf"|(?:{_DAY})?\d{{1,2}} {_MONTH}[a-z]{{0,6}} \d{{4}}(?: {_CLOCK}{_ZONE})?|{_CLOCK}{_ZONE})(?!\w|:[0-9a-fA-F])"
        ),
    ),
    ("mac", rf"(?<![\w:])(?:{_HEX}{{2}}:){{5}}{_HEX}{{2}}(?![\w:])"),
    ("ipv6", rf"(?<![\w:.])(?:\[)?(?:{_HEX}{{0,4}}:){{2,7}}(?:{_HEX}{{1,4}}|\d{{1,3}}(?:\.\d{{1,3}}){{3}})?(?:\](?::\d{{1,5}})?)?(?![\w:(])"),
    ("ip", r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.-]|\.\d)"),
    ("local", r"\b(?:localhost|host\.docker\.internal):\d{2,5}\b"),
    ("port", r"(?i:\bport[ :=#]{1,3})\d{2,5}\b"),
    ("dur", rf"(?<![\w.])\d{{1,12}}(?:\.\d{{1,9}})? ?{_UNIT}(?:\d{{1,4}}(?:\.\d{{1,9}})?{_UNIT}){{0,3}}(?![\w-])"),
    ("size", rf"(?<![\w.])\d{{1,15}}(?:\.\d{{1,6}})?[ -]?{_SIZE}\b"),
    ("offset", rf"\+0x{_HEX}{{1,16}}(?:/0x{_HEX}{{1,16}})?"),
    ("addr", rf"\b0[xX]{_HEX}{{1,64}}\b|(?<=\w@){_HEX}{{4,16}}\b"),
    ("code", r"(?i:\b(?:errno|error|err|code|status|exit|signal|http|winerror|sqlstate)[ =:\[(#]{1,2})-?\d{1,10}\b|\b[A-Z]{2,6}-\d{1,6}\b"),
    ("pid", r"(?i:\b(?:pid|process|ppid)[ :=#]{1,2})\d{1,10}\b|==\d{1,8}==|(?<=[A-Za-z])\[\d{1,8}\](?=:)"),
    (
        "tid",
        (
            r"(?i:\b(?:tid|thread id|goroutine|worker|thread)[ :=#-]{1,2})\d{1,10}\b|\bthread '[^'\n]{0,80}' \(\d{1,10}\)|\bgw\d{1,4}\b"
            r"|\b(?:[A-Za-z]+-){1,4}(?:exec|thread|worker)-\d{1,6}\b|(?i:\bcpu[ :#]{1,2})\d{1,4}\b"
        ),
    ),
    ("line", r"(?i:\b(?:lines?|col|column|ln|offset|index #|char|position)[ :=]{1,2})\d{1,9}(?:[-:]\d{1,9})?\b|(?<![\w#])#\d{1,9}\b"),
    ("hash", rf"(?<![0-9A-Za-z_])(?:sha\d{{1,3}}[:-])?(?=\d{{0,128}}[a-fA-F]){_HEX}{{7,128}}(?![0-9A-Za-z_])"),
    ("suffix", r"(?<=[a-z0-9]-)(?=[a-z]{0,3}\d[a-z])(?!s390x)[b-df-hj-np-tv-z0-9]{4,5}(?![\w-])"),
    ("float", r"(?<![\w.])\d{1,20}\.\d{1,20}(?:[eE][+-]?\d{1,3})?(?![\w.])"),
    ("int", r"(?<![\w.])(?:\d{1,3}(?:,\d{3}){1,6}|\d{5,30})(?!\w|,\d{3}|\.\w)"),
    ("long", r"\"[^\"\n]{61,4000}\"|(?<!\w)'[^'\n]{61,4000}'(?!\w)|`[^`\n]{61,4000}`"),
)

NAMES = tuple(name for name, _ in GROUPS)
VOLATILE = ("done", "trace", "uuid", "path", "drive", "time", "addr", "tid")
PATTERNS = {name: Late(pattern) for name, pattern in GROUPS}

_STATUS = Late(r"0x(?:8007|8000|C000|c000|E06D|e06d)[0-9a-fA-F]{4}")
_DIGIT = Late(r"\d")
_LAST_NUMBER = Late(r"\d+(?=\)?$)")


def _kept(hit: str, _slot: Slot) -> str:
    return hit


def _whole(kind: str) -> Callable[[str, Slot], str]:
    return lambda hit, slot: slot(kind, hit)


def _after_word(kind: str) -> Callable[[str, Slot], str]:
    """Keep the word in front (`port `, `pid=`, `line `), put a slot for the number."""

    def check(hit: str, slot: Slot) -> str:
        start = _DIGIT.search(hit)
        return hit[: start.start()] + slot(kind, "") if start else hit

    return check


def _url(hit: str, slot: Slot) -> str:
    """Scheme, a slot for the host, the shape of the path; the query goes. Marks behind it belong to the sentence."""
    bare = hit.rstrip(".,;:!?)]}")
    scheme, rest = bare.split("://", 1)
    if scheme.lower() == "file":
        return "file://" + place(rest, slot) + hit[len(bare) :]
    host, _, path = rest.partition("/")
    shape = "/".join("*" if _DIGIT.search(step) else step for step in re.split(r"[?#]", path, maxsplit=1)[0].split("/") if step)
    return f"{scheme}://{slot('host', host)}{'/' + shape if shape else ''}{hit[len(bare) :]}"


def _route(hit: str, _slot: Slot) -> str:
    verb, path = hit.split(" ", 1)
    return verb + " /" + "/".join("*" if _DIGIT.search(step) else step for step in re.split(r"[?#]", path, maxsplit=1)[0].split("/") if step)


def _ip(hit: str, slot: Slot) -> str:
    address = hit.split(":", maxsplit=1)[0]
    valid = all(int(part) < 256 for part in address.split("."))
    return slot("ip", hit) if valid else hit


def _ipv6(hit: str, slot: Slot) -> str:
    """At least three groups, or `::1`; `a::b` and clocks are none."""
    groups = [group for group in hit.strip("[]").split(":") if group]
    enough = "::" in hit and (hit.strip("[]") == "::1" or (len(groups) > 2 and any(map(_DIGIT.search, groups))))
    return slot("ip", hit) if enough or len(groups) == 8 else hit


def _addr(hit: str, slot: Slot) -> str:
    """Status codes of Windows and values of up to two digits are kept: they are no addresses."""
    return hit if _STATUS.fullmatch(hit) else slot("addr", hit.lower())


def _hash(hit: str, slot: Slot) -> str:
    bare = re.sub(r"^sha\d{1,3}[:-]", "", hit)
    mixed = any(c.isdigit() for c in bare) and any(c.isalpha() for c in bare)
    return slot("hash", hit) if mixed or len(bare) >= 16 else hit


def _float(hit: str, slot: Slot) -> str:
    whole, _, part = hit.partition(".")
    return slot("num", hit) if len(part) > 3 or len(whole) > 4 else hit


def _long(hit: str, slot: Slot) -> str:
    """A long literal: its quotes, its first word, a slot."""
    words = hit[1:-1].split(maxsplit=1)
    first = words[0] if words and words[0].isalpha() else ""
    return f"{hit[0]}{first + ' ' if first else ''}{slot('str', hit)}{hit[-1]}"


def _line(hit: str, slot: Slot) -> str:
    return _after_word("n")(hit, slot)


def _pid(hit: str, slot: Slot) -> str:
    return "==" + slot("pid", "") + "==" if hit.startswith("==") else ("[" + slot("pid", "") + "]" if hit.startswith("[") else _after_word("pid")(hit, slot))


def _tid(hit: str, slot: Slot) -> str:
    """Keep the words (`goroutine `, `Thread-`, `thread 'main' (`), put a slot for the number behind them."""
    number = _LAST_NUMBER.search(hit)
    return hit[: number.start()].rstrip("-") + slot("tid", "") + hit[number.end() :] if number else hit


CHECKS: dict[str, Callable[[str, Slot], str]] = {
    "done": _kept,
    "trace": _whole("uuid"),
    "uuid": _whole("uuid"),
    "url": _url,
    "email": _whole("email"),
    "route": _route,
    "path": place,
    "drive": place,
    "place": place,
    "mac": _whole("mac"),
    "ipv6": _ipv6,
    "ip": _ip,
    "local": lambda hit, slot: hit.split(":")[0] + ":" + slot("port", ""),
    "port": _after_word("port"),
    "time": lambda _hit, slot: slot("time", ""),
    "dur": lambda _hit, slot: slot("dur", ""),
    "size": lambda _hit, slot: slot("size", ""),
    "offset": lambda _hit, _slot: "",
    "addr": _addr,
    "code": _kept,
    "pid": _pid,
    "tid": _tid,
    "line": _line,
    "hash": _hash,
    "suffix": lambda _hit, slot: slot("id", ""),
    "float": _float,
    "int": _whole("num"),
    "long": _long,
}
