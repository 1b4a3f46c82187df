"""What Claude Code's texts mean: `user` lines that are not the user, results that say how a command ended, notices about background commands."""

import re

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.observe.late import Late
from ruledout.read import tools
from ruledout.read.claude_code.shapes import ToolResult

_NOTES = (
    "<command-", "<local-command-", "<system-reminder>", "<bash-stdout>", "<bash-stderr>", "<task-notification>", "<user-prompt-submit-hook>", "<ide_",
    "<user-memory-input>", "<session-start-hook>", "<post-tool-use-hook>", "<teammate-message", "Caveat: The messages below were generated",
    "[Request interrupted by user", "This session is being continued from a previous conversation", "Stop hook feedback:",
)  # fmt: skip
_EXIT = Late(r"(?:Error: )?Exit code (-?\d{1,10})(?:\n|$)")
_TIMED_OUT = Late(r"Command timed out after \d")
_STARTED = Late(r"Command (?:running in background|was manually backgrounded by user|was backgrounded).{0,40}? with ID: ([\w-]+)")
_DENIED = ("Permission to use ", "Claude requested permissions", "This command requires approval", "PreToolUse:", "Hook PreToolUse:", "Error: PreToolUse:")
_TAGS = ("status", "exit_code", "task_id", "task-id", "summary", "output", "stdout", "stderr")
_NOTICE_EXIT = Late(r"exit code (-?\d{1,10})")
INTERRUPTION = "[Request interrupted by user"


def is_note(said: str) -> bool:
    """Is this text in a user's place not the user's."""
    return said.lstrip().startswith(_NOTES)


def typed(said: str) -> str | None:
    """The command that the user ran from the prompt with `!`."""
    return _between(said, "bash-input") if said.startswith("<bash-input>") else None


def typed_output(said: str) -> str | None:
    """What such a command printed."""
    if not said.startswith(("<bash-stdout>", "<bash-stderr>")):
        return None
    return "\n".join(part for part in (_between(said, "bash-stdout"), _between(said, "bash-stderr")) if part)


def _between(said: str, tag: str) -> str | None:
    """The text from the first opening of a tag to its last close."""
    start, end = said.find(f"<{tag}>"), said.rfind(f"</{tag}>")
    return said[start + len(tag) + 2 : end] if 0 <= start < end else None


class Ended(Struct):
    """How a call ended. `task` names the background command that it has become."""

    output: str
    exit: int | None = None
    ending: Ending = Ending.DONE
    task: str | None = None


def ended(name: str, said: str, *, error: bool, kept: ToolResult) -> Ended:
    """What a result says of a call of this tool. A foreground command with no error has ended with 0; what the harness says of a code is added to the text."""
    ending = tools.ending(said, name)
    if kept.interrupted is True:
        ending = Ending.INTERRUPTED
    if error and ending is Ending.DONE:
        ending = _error(name, said)
    if not tools.is_run(name):
        return Ended(said, ending=ending)
    task = kept.task if isinstance(kept.task, str) else None
    if not error and (task or (found := _STARTED.match(said))):
        return Ended(said, ending=Ending.RUNNING, task=task or (found[1] if found else None))
    if found := _EXIT.match(said):
        return Ended(said[found.end() :], exit=int(found[1]), ending=ending)
    if ending is not Ending.DONE:
        return Ended(said, ending=ending)
    if isinstance(kept.meaning, str) and kept.meaning:
        return Ended(f"{said}\n[{kept.meaning}]".lstrip("\n"), exit=1)
    return Ended(said, exit=1 if error else 0)


def _error(name: str, said: str) -> Ending:
    """How a call with the error flag ended, where the common words do not tell."""
    if said.startswith(_DENIED):
        return Ending.REFUSED
    if tools.is_run(name):
        return Ending.TIMED_OUT if _TIMED_OUT.search(said[:300]) or _TIMED_OUT.search(said[-300:]) else Ending.DONE
    return Ending.MALFORMED


class Poll(Struct):
    """What a look at a background command showed. `output` is None where it shows none."""

    task: str | None
    status: str | None
    exit: int | None
    output: str | None


def poll(said: str) -> Poll:
    """Read the tags in which `TaskOutput`, `BashOutput` and notices tell of a background command."""
    tags = {tag: found for tag in _TAGS if (found := _between(said, tag)) is not None}
    given = (tags.get("exit_code") or "").strip()
    notice = _NOTICE_EXIT.search((tags.get("summary") or "")[:2000])
    code = int(given) if re.fullmatch(r"-?\d{1,10}", given) else int(notice[1]) if notice else None
    shown = [tags[tag].strip("\n") for tag in ("output", "stdout", "stderr") if tags.get(tag)]
    return Poll(tags.get("task_id") or tags.get("task-id"), tags.get("status"), code, "\n".join(shown) if shown else None)
