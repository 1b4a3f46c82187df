"""What runs other tools and says how that went: tox, nox, npm, pnpm, yarn, bun, Turborepo, Nx, Lerna, just. Heard where the inner tool said nothing."""

from ruledout.model.outcome import Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short, unique

NAME = "wrappers"
PROGRAMS: frozenset[str] = frozenset()
_FAILED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "tox",
        (": FAIL", ": commands", ": InterpreterNotFound", ": parallel child"),
        r"(?m)^ {0,4}(?:ERROR: +)?(\S{1,60}): (?:FAIL(?:ED)?\b(?: code \d+)?.{0,80}|(?:commands|InterpreterNotFound|parallel child .{0,40}) ?failed.{0,80})$",
    ),
    ("nox", ("nox > ",), r"(?m)^nox > (?:\* )?(?:Session )?(\S{1,80}?):? (?:failed|aborted).{0,80}$"),
    ("pnpm", ("ELIFECYCLE", "ERR_PNPM_RECURSIVE"), r"(?m)^.{0,120}(?:ELIFECYCLE|ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL|ERR_PNPM_RECURSIVE_FAIL).{0,200}$"),
    (
        "npm",
        ("npm ERR!", "npm error"),
        (
            r"(?m)^npm (?:ERR!|error) (?:Lifecycle script `([^`\n]{1,80})` failed.{0,80}|code ELIFECYCLE"
            r"|Failed at the .{1,100} script.{0,40}|Test failed\. .{0,60})$"
        ),
    ),
    (
        "yarn",
        ("error Command failed", "YN0000", "Usage Error"),
        r"(?m)^(?:error Command failed with exit code \d+\.|➤ YN0000: .{0,60}Failed with errors.{0,60}|Usage Error: .{1,200})$",
    ),
    ("bun", ("error: script",), r"(?m)^error: script \"([^\"\n]{1,80})\" (?:exited with code \d+|was terminated by signal \w+).{0,60}$"),
    (
        "turbo",
        ("Failed: ", "run failed: ", ": command "),
        r"(?m)^(?:Failed: +(\S.{0,200})|.{0,40}ERROR +run failed: .{1,200}|.{0,80}: command .{1,200} exited \(\d+\))$",
    ),
    (
        "nx",
        ("Ran target", "Running target", "Failed tasks:"),
        r"(?m)^.{0,12}(?:NX +Ran target \S+ for .{1,100}(?:failed|\(\d+ failed\)).{0,60}|NX +Running target .{1,100} failed|Failed tasks:)$",
    ),
    ("lerna", ("lerna ERR!",), r"(?m)^lerna ERR! .{1,80} exited \d+ in '([^'\n]{1,80})'$"),
    ("just", ("error: Recipe",), r"(?m)^error: Recipe `([^`\n]{1,80})` failed on line \d+ with exit code \d+$"),
    ("task", ("task: Failed",), r"(?m)^task: Failed to run task \"([^\"\n]{1,80})\": exit status \d+$"),
    ("rake", ("rake aborted!",), r"(?m)^rake aborted!$"),
)
_FINE = (
    r"(?m)^ {0,4}(?:congratulations :\)(?: .{0,40})?|\S{1,60}: OK \([\d.]+.{0,80}\)|nox > \* \S{1,80}: success)$"
    r"|^ {0,4}Tasks: +(\d+) successful, \1 total$|^.{0,12}NX +Successfully ran target .{1,160}$"
)
_FINE_MARKS = ("congratulations :)", ": OK (", "nox > ", "Tasks: ", "Successfully ran target")
"""one of these stands in whatever `_FINE` finds; so with those beside each pattern above"""
_HARD = ("evaluation failed :(", "ERROR: could not install deps", "npm ERR! code E", "npm error code E")
_MARKS = (
    "FAIL", "failed", "ELIFECYCLE", "ERR_PNPM", "npm ERR!", "npm error", "error Command failed", "error: script", "YN0000", "Failed: ", "congratulations :)",
    "nox > ", "Tasks: ", "NX  ", "rake aborted!", "evaluation failed", ": OK (", "exited",
)  # fmt: skip


def claims(output: str) -> bool:
    """One of their words."""
    return any(mark in output for mark in _MARKS)


def read(output: str) -> Reading | None:
    """Which session or script failed. They name no place and no test."""
    for tool, marks, pattern in _FAILED:
        found = list(rx(pattern).finditer(output)) if any(mark in output for mark in marks) else []
        if found:
            names = unique(name for each in found for name in each.groups() if name)
            return _failed(tool, found[-1][0].strip(), names)
    if any(mark in output for mark in _HARD[:2]):
        return _failed("tox", "evaluation failed", ())
    return Reading(tool=_passed_by(output), ran=Evidence.RAN, says="pass") if any(mark in output for mark in _FINE_MARKS) and rx(_FINE).search(output) else None


def _failed(tool: str, said: str, names: tuple[str, ...]) -> Reading:
    line = f"{said}" if len(names) < 2 else f"{said} ({', '.join(names[:8])})"
    return Reading(tool=tool, kind=Kind.NONE, ran=Evidence.RAN, says="fail", message=short(line), span=line)


def _passed_by(output: str) -> str:
    return "nox" if "nox > " in output else "tox" if "congratulations" in output or ": OK (" in output else "nx" if "NX  " in output else "turbo"
