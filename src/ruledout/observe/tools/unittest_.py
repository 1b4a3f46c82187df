"""unittest and what speaks like it: Django's runner, nose, trial."""

from msgspec.structs import replace

from ruledout.model.outcome import Counts, Evidence, Kind
from ruledout.observe import traceback
from ruledout.observe.reading import Reading
from ruledout.observe.scan import number, rx, short, unique

NAME = "unittest"
PROGRAMS = frozenset(("unittest", "nose2", "nosetests", "trial", "runtests.py", "manage.py", "django"))
_RAN = r"(?m)^Ran (\d+) tests? in [\d.]+s?$"
_BLOCK = r"(?m)^(FAIL|ERROR): (.+)$"
_WORDS = {"failures": "failed", "errors": "errors", "skipped": "skipped", "expected failures": "xfailed", "unexpected successes": "xpassed"}
_VERBOSE = r"(?m)^(\w+ \([\w.<>]+\)(?: (?:\[.*\]|\(.*\)))?)(?:\n[^\n]{1,200})? \.\.\. (ok|FAIL|ERROR|skipped|expected failure|unexpected success)\b"
_LINE = "-" * 70


def claims(output: str) -> bool:
    """The closing `Ran N tests in`, or a block of a failure between its rules."""
    return (
        "\nRan " in output or output.startswith("Ran ") or ("=" * 70 in output and ("\nFAIL: " in output or "\nERROR: " in output)) or "NO TESTS RAN" in output
    )


def read(output: str) -> Reading | None:
    """Failing ids as printed (`test_a (mod.T.test_a)`), counts from the last lines, class and message of the first block."""
    runs = rx(_RAN).findall(output)
    blocks = list(rx(_BLOCK).finditer(output)) if "=" * 70 in output else []
    if not runs and not blocks:
        return None
    failing = unique(block[2].strip() for block in blocks)
    total = sum(number(run) or 0 for run in runs)
    told = rx(r"(?m)^(OK|FAILED|NO TESTS RAN)(?: \((.+)\))?\r?$").findall(output)
    counted = _counts(total, " ".join(part for _, part in told)) if runs else None
    failed = bool(failing) or any(word == "FAILED" for word, _ in told)
    says = "fail" if failed else "none_ran" if runs and total == 0 else "pass" if told or runs else None
    verbose = rx(_VERBOSE).findall(output)
    reading = Reading(
        tool=NAME,
        kind=Kind.TEST_FAILURE if failed else Kind.NONE,
        ran=Evidence.RAN if total else Evidence.NONE,
        says=says,
        failing=failing,
        passing=unique(name for name, word in verbose if word == "ok"),
        skipping=unique(name for name, word in verbose if word == "skipped"),
        counts=counted,
    )
    return _with_error(reading, output, blocks[0].start()) if blocks else reading


def _counts(total: int, told: str) -> Counts:
    found = {name: int(value) for key, name in _WORDS.items() for value in rx(rf"\b(?<!un)(?<!un ){key}=(\d+)").findall(told)[:1]}
    return Counts(total=total, passed=max(0, total - sum(found.values())), **found)


def _with_error(reading: Reading, output: str, at: int) -> Reading:
    end = output.find("=" * 70, at)
    block = output[at : end if end >= 0 else len(output)]
    found = traceback.raised(block)
    if not found:
        return reading
    chain = traceback.last_chain(found, block)
    return replace(
        reading,
        classes=tuple(each.name for each in chain),
        message=short(traceback.message(block, chain[0])),
        frames=chain[0].frames,
        span=block[: chain[0].end].strip(),
    )
