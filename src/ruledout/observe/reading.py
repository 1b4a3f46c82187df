"""What one toolchain reads out of one output: facts, without a verdict. `observe.outcome` weighs them with the exit and the command."""

from typing import Protocol

from msgspec import Struct

from ruledout.model.outcome import Counts, Diagnostic, Evidence, Frame, Kind


class Shape(Struct, frozen=True, kw_only=True):
    """A shell command taken apart, as far as reading its result needs.

    `programs` are the words that start each simple command, without path, wrappers (`env`, `timeout`, `sudo`, `npx`, `uv run`, `poetry run`, `python -m`)
    and assignments: `cd x && FOO=1 python -m pytest -q | tail -3` gives `("cd", "pytest", "tail")`. `tool` is the one whose result is wanted,
    or None where the command checks nothing. `hides_exit` names what hides the tool's exit status (`| tail`, `|| true`, `; echo`, `&`), or None.
    """

    programs: tuple[str, ...]
    tool: str | None
    hides_exit: str | None
    role: str | None = None
    """what the tool's result says: `test`, `build`, `lint`, `script`, `run`, `hooked`, or None where nothing is checked"""
    prints_exit: str | None = None
    """`echo` where the list ends in `; echo $?`, so that the output itself tells the hidden exit status"""
    checks: int = 0
    """how many of the simple commands check something"""


class Reading(Struct, frozen=True, kw_only=True):
    """Facts that a toolchain found. Empty where it found nothing; `ran` says whether there is positive evidence that it ran at all.

    `classes` are outer to inner; `message` the decisive line as printed; `span` the cause span, cleaned, for the exact signature.
    `failed` is set where the text itself says that it failed even without ids (`FAILED`, `error: could not compile`), `passed` likewise.
    """

    tool: str
    kind: Kind = Kind.NONE
    ran: Evidence = Evidence.NONE
    says: str | None = None
    """`pass`, `fail`, `flaky` (failed, then passed when run again) or `none_ran` (zero tests), or None where the text does not tell"""
    classes: tuple[str, ...] = ()
    code: str | None = None
    message: str | None = None
    frames: tuple[Frame, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    failing: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    skipping: tuple[str, ...] = ()
    counts: Counts | None = None
    addr: str | None = None
    span: str = ""


class Toolchain(Protocol):
    """One tool or family: a module with these names, listed in `observe.toolchains.TOOLCHAINS`. It knows no other toolchain."""

    NAME: str
    PROGRAMS: frozenset[str]
    """words of `Shape.programs` that mean this tool"""

    def claims(self, output: str) -> bool:
        """Does this text look like this tool's, for commands that do not say. Cheap: substring tests before patterns."""
        ...

    def read(self, output: str) -> Reading | None:
        """Read the cleaned output (`observe.span.clean`); None where nothing of this tool is in it."""
        ...
