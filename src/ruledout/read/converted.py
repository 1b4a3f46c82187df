"""What converters to a common format write around an output: exit status, a second copy, metadata, the mark of a cut. For `atif`, and traces made from it.

Common formats have no field for an exit status. What the converters put into the text for each agent is read here, and nothing is concluded from its absence.
"""

import re

_EXIT = re.compile(
    r"^(?:<returncode>|\[exit_code\] |Exit code:? |Exit Code: |Process exited with code |Command exited with code )(-?\d{1,9})\b"
    r"|(?:exited|completed|finished) with exit code (-?\d{1,9})\b",
    re.MULTILINE,
)
_OUTPUT = re.compile(r"\A<returncode>-?\d{1,9}</returncode>\s*<output>\n?(.*?)\n?</output>\s*\Z", re.DOTALL)
_FAILED = "\n\n[error] tool reported failure"
_TAILS = ("\n\n[stdout]\n", "\n[metadata] {", '\n{"detailedContent":', _FAILED)
"""How the parts begin that converters put behind an output: the same output again, or its metadata as JSON."""
_RUNNING = re.compile(
    r"shellId: [^\s<>]{1,40} (?:is still running|is waiting)|started in (?:detached )?background with shellId: [^\s<>]{1,40}>"
    r"|^Process running with session ID \d{1,12}$|Command (?:running in background|was manually backgrounded by user|was backgrounded).{0,40}? with ID: [\w-]+",
    re.MULTILINE,
)
_CUT = "...[truncated]"


def exit_of(content: str) -> int | None:
    """The exit status that the text tells at its start or end; None where it tells none."""
    found = _EXIT.search(content[:300]) or _EXIT.search(content[-300:])
    return int(found[1] or found[2]) if found else None


def plain(content: str) -> str:
    """The output as the tool gave it, without what the converters wrap around it or put behind it."""
    if found := _OUTPUT.match(content):
        return found[1]
    cuts = [at for tail in _TAILS if (at := content.find(tail)) > 0]
    return content[: min(cuts)] if cuts else content


def failed(content: str) -> bool:
    """Does the converter say that the tool call failed."""
    return content.endswith(_FAILED)


def running(output: str) -> bool:
    """Does an output say that its command goes on: what it shows so far decides nothing."""
    return bool(_RUNNING.search(output[-400:]) or _RUNNING.search(output[:400]))


def uncut(value: str) -> str | None:
    """What is left of a value that an exporter cut at its end; None for one that is whole."""
    return value.removesuffix(_CUT) if value.endswith(_CUT) else None
