"""What the store contract's checks are written with: three records, and two ways to say that a promise was broken."""

from collections.abc import Callable

from ruledout.errors import RuledoutError
from ruledout.model import wire
from ruledout.model.record import Record
from ruledout.ports import Store
from ruledout.testing import samples

Make = Callable[[], Store]
Check = Callable[[Make], None]


def one() -> Record:
    """A residual."""
    return wire.record(samples.residual())


def other() -> Record:
    """Another residual, with the same dead end in it."""
    return wire.record(samples.residual("The retry loop swallows the last timeout."))


def third() -> Record:
    """A handoff."""
    return wire.record(samples.handoff())


def same(found: object, expected: object) -> None:
    """Raise `AssertionError` where they differ."""
    if found != expected:
        raise AssertionError(f"expected {expected!r}, found {found!r}")


def raises(kind: type[RuledoutError], slug: str, act: Callable[[], object]) -> None:
    """Raise `AssertionError` where the act is not refused so, with a mend."""
    try:
        result = act()
    except kind as error:
        same(error.slug, slug)
        if not error.mend:
            raise AssertionError(f"{slug} names no mend") from error
        return
    raise AssertionError(f"expected {kind.__name__} {slug}, found {result!r}")
