"""What must stand in a text where a mask could hit: a look at the text that saves compiling and asking most masks. It may say yes in vain, never no in vain."""

from collections.abc import Callable

from ruledout.observe.late import Late
from ruledout.text import folded

_DIGIT = Late(r"\d")
_NO_DIGIT = frozenset(
    ("done", "trace", "uuid", "url", "email", "route", "path", "drive", "mac", "ipv6", "addr", "hash", "long"),
)
"""masks that may hit where there is no digit"""


def _has(*words: str) -> Callable[[str, str], bool]:
    return lambda _text, low: any(word in low for word in words)


def _counts(mark: str, least: int) -> Callable[[str, str], bool]:
    return lambda text, _low: text.count(mark) >= least


def _looks(pattern: str) -> Callable[[str, str], bool]:
    form = Late(pattern)
    return lambda text, _low: form.search(text) is not None


def _either(*looks: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    return lambda text, low: any(look(text, low) for look in looks)


NEEDS: dict[str, Callable[[str, str], bool]] = {
    "done": _has("<"),
    "trace": _has("00-"),
    "uuid": _counts("-", 4),
    "url": _has("://"),
    "email": _has("@"),
    "route": _has(" /"),
    "path": _has("/"),
    "drive": _has(":\\", ":/"),
    "place": _has(":", "("),
    "time": _looks(r"\d[-/.:]\d{1,2}[-/.:]\d|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"),
    "mac": _counts(":", 5),
    "ipv6": _counts(":", 2),
    "ip": _counts(".", 3),
    "local": _has("localhost:", "internal:"),
    "port": _has("port"),
    "dur": _looks(r"\d ?[numshdµμ]"),
    "size": _looks(r"\d[ -]?[kKMGTb]"),
    "offset": _has("+0x"),
    "addr": _has("0x", "@"),
    "code": _either(_has("err", "code", "status", "exit", "signal", "http", "sqlstate"), _looks(r"[A-Z]-\d")),
    "pid": _either(_has("pid", "process"), _looks(r"==\d|[A-Za-z]\[\d")),
    "tid": _has("tid", "thread", "goroutine", "worker", "gw", "exec", "cpu"),
    "line": _has("line", "col", "ln", "offset", "index #", "char", "position", "#"),
    "hash": _looks(r"[0-9a-fA-F]{7}"),
    "suffix": _looks(r"-[a-z]{0,3}\d[a-z]"),
    "float": _looks(r"\d\.\d"),
    "int": _looks(r"\d{5}|\d,\d{3}"),
    "long": lambda text, _low: len(text) > 62 and any(quote in text for quote in "\"'`"),
}
"""Name of a mask -> may it hit, given the text and the text folded. Literals are in lower case: they are sought in the folded text."""


def likely(text: str, names: tuple[str, ...]) -> list[str]:
    """Those of the masks that may hit, in the same order."""
    low, digits = folded(text), _DIGIT.search(text) is not None
    return [name for name in names if (digits or name in _NO_DIGIT) and NEEDS[name](text, low)]
