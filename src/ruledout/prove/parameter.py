"""A parameter as someone writes it, `workers=1..64`, as a row of positions that a search can walk. Pure.

Whole numbers, decimals, sizes, ISO dates and times, and ordered lists. Every position has one text, which is what the command gets and what the answer says.
"""

import math
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial

from msgspec import Struct

from ruledout.errors import BadInput

_SIZE = re.compile(r"(?P<number>\d+)(?P<unit>[KMGT])?(?P<rest>i?B)?", re.IGNORECASE)
_POWERS = "KMGT"
_MOST = 2**62
_FINE = Decimal("0.01")
"""how near a threshold of decimals on a log scale is found, as a share of it"""


class Axis(Struct, frozen=True):
    """A parameter's values: `size` positions from 0, each with its text; `doubled` is the position at about twice a position's value."""

    name: str
    size: int
    text: Callable[[int], str]
    doubled: Callable[[int], int] | None = None


def axis(parameter: str, scale: str, tolerance: str | None) -> Axis:
    """Read `NAME=LOW..HIGH` or `NAME=a,b,c`. Raises `BadInput` (`bad-parameter`) with what was expected."""
    name, equals, values = parameter.partition("=")
    if not equals:
        raise _bad(parameter, "there is no `=` between name and values")
    if not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        raise _bad(parameter, "there is no name before `=`")
    low, dots, high = values.partition("..")
    if not dots:
        return _listed(parameter, name, values, scale)
    for kind in (_whole, _size, _moment, _decimal):
        found = kind(parameter, name, (low, high), scale, tolerance)
        if found is not None:
            return found
    raise _bad(parameter, f"{low!a} and {high!a} are not two values of one kind")


def _listed(parameter: str, name: str, values: str, scale: str) -> Axis:
    choices = [value for value in values.split(",") if value]
    if len(choices) < 2 or len(set(choices)) != len(choices):
        raise _bad(parameter, "it names no range and no list of two or more different values")
    if scale == "log":
        raise _bad(parameter, "a list has no log scale")
    return Axis(name, len(choices), choices.__getitem__)


def _steps(parameter: str, name: str, bounds: tuple[int, int, int], scale: str, text: Callable[[int], str]) -> Axis:
    """A row of whole numbers in whole steps, the upper end always in it."""
    low, high, step = bounds
    if not low < high or step < 1 or high - low > _MOST:
        raise _bad(parameter, "the first value is not below the second, or the step is below 1")
    if scale == "log" and low < 1:
        raise _bad(parameter, "a log scale needs values above zero")
    size = -(-(high - low) // step) + 1

    def value(at: int) -> int:
        return min(low + at * step, high)

    def doubled(at: int) -> int:
        return min(max((2 * value(at) - low) // step, at + 1), size - 1)

    return Axis(name, size, lambda at: text(value(at)), doubled if scale == "log" else None)


def _whole(parameter: str, name: str, ends: tuple[str, str], scale: str, tolerance: str | None) -> Axis | None:
    if not all(re.fullmatch(r"[+-]?\d{1,19}", end) for end in ends):
        return None
    return _steps(parameter, name, (int(ends[0]), int(ends[1]), _step(parameter, tolerance)), scale, str)


def _step(parameter: str, tolerance: str | None) -> int:
    if tolerance is not None and not re.fullmatch(r"\d{1,18}", tolerance):
        raise _bad(parameter, f"the tolerance {tolerance!a} is no whole number")
    return int(tolerance or 1)


def _size(parameter: str, name: str, ends: tuple[str, str], scale: str, tolerance: str | None) -> Axis | None:
    """Powers of 1,024, whatever is written behind the letter; found to a unit of the smaller end, or to the tolerance."""
    found = [_SIZE.fullmatch(end) for end in ends]
    if not all(found):
        return None
    step = _SIZE.fullmatch(tolerance) if tolerance is not None else None
    if tolerance is not None and step is None:
        raise _bad(parameter, f"the tolerance {tolerance!a} is no size")
    numbers = [_bytes(match) for match in found if match]
    unit = _bytes(step) if step else 1 << 10 * (_POWERS.index(found[0]["unit"].upper()) + 1 if found[0] and found[0]["unit"] else 0)
    rest = next((match["rest"] for match in found if match and match["rest"]), "") or ""
    return _steps(parameter, name, (numbers[0], numbers[1], unit), scale, partial(_size_text, rest))


def _bytes(match: re.Match[str]) -> int:
    return int(match["number"]) << 10 * (_POWERS.index(match["unit"].upper()) + 1 if match["unit"] else 0)


def _size_text(rest: str, number: int) -> str:
    """The number in the greatest unit that divides it."""
    power = next((power for power in range(len(_POWERS), 0, -1) if number and number % 1024**power == 0), 0)
    return f"{number // 1024**power}{_POWERS[power - 1] if power else ''}{rest if power or rest == 'B' else ''}"


def _moment(parameter: str, name: str, ends: tuple[str, str], scale: str, tolerance: str | None) -> Axis | None:
    """Days, or seconds where a time of day is given."""
    kind: type[date] = datetime if all("T" in end for end in ends) else date
    try:
        low, high = (kind.fromisoformat(end) for end in ends)
        length = high - low
    except (ValueError, TypeError):
        return None
    if scale == "log":
        raise _bad(parameter, "dates have no log scale")
    unit = timedelta(seconds=1) if kind is datetime else timedelta(days=1)
    return _steps(parameter, name, (0, length // unit, _step(parameter, tolerance)), "linear", lambda at: (low + at * unit).isoformat())


def _decimal(parameter: str, name: str, ends: tuple[str, str], scale: str, tolerance: str | None) -> Axis | None:
    try:
        low, high = Decimal(ends[0]), Decimal(ends[1])
        fine = Decimal(tolerance) if tolerance is not None else None
    except InvalidOperation:
        return None
    if not (low.is_finite() and high.is_finite() and low < high) or (fine is not None and not (fine.is_finite() and fine > 0)):
        raise _bad(parameter, "the first value is not below the second, or the tolerance is not above zero")
    if scale == "log":
        return _geometric(parameter, name, (low, high), fine or _FINE)
    step = fine or Decimal(10) ** ((high - low) / 1000).adjusted()
    size = math.ceil((high - low) / step) + 1
    if size > _MOST:
        raise _bad(parameter, "the tolerance is too small for the range")
    return Axis(name, size, lambda at: format(min(low + at * step, high).normalize(), "f"))


def _geometric(parameter: str, name: str, ends: tuple[Decimal, Decimal], share: Decimal) -> Axis:
    """Positions that grow by a share, to six digits."""
    low, high = ends
    if low <= 0 or share > 1:
        raise _bad(parameter, "a log scale needs values above zero, and a tolerance of at most 1: it is a share")
    ratio = float(1 + share)
    size = math.ceil(math.log(float(high / low)) / math.log(ratio)) + 1
    leap = max(1, round(math.log(2) / math.log(ratio)))

    def text(at: int) -> str:
        value = high if at >= size - 1 else low * Decimal(repr(ratio)) ** at if at else low
        return format(Decimal(f"{value:.6g}").normalize(), "f")

    return Axis(name, size, text, lambda at: min(at + leap, size - 1))


def _bad(parameter: str, seen: str) -> BadInput:
    mend = "give --param NAME=1..64, NAME=0.1..0.9, NAME=64K..1G, NAME=2026-01-01..2026-12-31 or NAME=a,b,c"
    return BadInput("bad-parameter", f"{parameter[:80]!a}: {seen}", mend)
