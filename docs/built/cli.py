"""The command line as the program itself tells it: its verbs, each verb's help, and the demo. Refuses to know any verb by name."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

CHOICES = re.compile(r"\{([a-z][a-z-]*(?:,\s*[a-z][a-z-]*)+)\}")
LINE = re.compile(r"^ {2,8}([a-z][a-z-]*)(?: {2,}| [A-Z\[]|$)")


class NotMade(Exception):
    """A part could not be made; the page keeps what it has."""


@cache
def said(root: Path, *argv: str) -> tuple[int, str]:
    """Exit code and output of the program on these arguments: no colour, 100 columns, no time-out shorter than the demo."""
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONWARNINGS": "error", "TERM": "dumb"}
    done = subprocess.run(
        [sys.executable, "-m", "ruledout", *argv], cwd=root, env=env, capture_output=True, text=True, timeout=300, check=False
    )  # our own program
    return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr


def names(help_text: str) -> list[str]:
    """The verbs in a help text, in its order: argparse's `{a,b,c}`, else the indented names at the start of a line."""
    if found := CHOICES.search(help_text):
        return re.split(r",\s*", found[1])
    return list(dict.fromkeys(name[1] for line in help_text.splitlines() if (name := LINE.match(line))))


@cache
def known(root: Path) -> dict[str, str]:
    """Every verb that answers `--help`, with what it answers."""
    code, text = said(root, "--help")
    helps = {name: said(root, name, "--help") for name in names(text)} if code == 0 else {}
    return {name: answer for name, (status, answer) in helps.items() if status == 0 and answer.strip()}


def summary(help_text: str) -> str:
    """The first paragraph after the usage: one line."""
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", help_text.strip())]
    rest = [part for part in paragraphs if not part.lower().startswith("usage:")]
    return re.split(r"(?<=[.]) ", rest[0])[0].rstrip(".:") if rest else ""


def cell(text: str) -> str:
    """A text that may stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


FIRST_LOOK = ("# Did that fix", "# Has this been tried")


def verbs(root: Path) -> str:
    """A table of the verbs, one line each."""
    rows = [f"| `{name}` | {cell(summary(text))} |" for name, text in known(root).items()]
    return "\n".join(["| verb | does |", "|---|---|", *rows, ""]) if rows else "The program tells no verbs yet.\n"


def helps(root: Path) -> str:
    """Each verb's help, word for word as the reference version of Python lays it out."""
    parts = [f"### `ruledout {name}`\n\n```text\n{text.strip()}\n```\n" for name, text in known(root).items()]
    return "\n".join(parts) if parts else "The program tells no verbs yet.\n"


def demo(root: Path) -> str:
    """All that `ruledout demo` prints, if the program has it."""
    if "demo" not in known(root):
        return "```text\n(`ruledout demo` is not built yet)\n```\n"
    code, text = said(root, "demo")
    if code:
        raise NotMade(f"`ruledout demo` ended with exit code {code}: {text.strip()[-300:]}")
    return f"```text\n{text.strip()}\n```\n"


def questions(root: Path) -> str:
    """Of the demo's steps, headed by `# ...`, the two that matter at a first look: the proof and the warning."""
    steps = re.split(r"^(?=# )", demo(root).removeprefix("```text\n").removesuffix("```\n"), flags=re.MULTILINE)
    asked = [step.strip() for step in steps if step.startswith(FIRST_LOOK)] or [step.strip() for step in steps]
    return "```text\n" + "\n\n".join(asked) + "\n```\n"
