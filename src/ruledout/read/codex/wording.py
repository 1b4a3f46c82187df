"""What Codex's outputs say of how a command ended, and which `user` texts are not the user's."""

import re

import msgspec
from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.read import tools
from ruledout.read.codex import shapes

_NOTES = (
    "# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<turn_aborted>", "<permissions instructions>", "<INSTRUCTIONS>", "<skill>",
    "<subagent_notification>", "<collaboration_mode>", "<apps_instructions>", "<plugins_instructions>", "<user_shell_command>", "# Context from my IDE",
)  # fmt: skip
_HEAD = 600
_EXITED = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID (\d{1,12})$", re.MULTILINE)
_TIMED_OUT = re.compile(r"(?:command|process) timed out after \d", re.IGNORECASE)
_REFUSED = ("exec command rejected by user", "patch rejected by user", "rejected by user")
_ABORTED = re.compile(r"(?:command |exec )?aborted(?: by user)?(?: after [\d.]+ ?s(?:econds)?)?\.?\s*$")
_BAD_CALL = ("failed to parse function arguments", "unsupported call", "write_stdin failed", "exec_command failed", "apply_patch verification failed")


class Ended(Struct):
    """How a call ended, or that it runs on under a session id."""

    output: str
    exit: int | None = None
    ending: Ending = Ending.DONE
    running: str | None = None


def is_note(said: str) -> bool:
    """Is this text in a user's place not the user's."""
    return said.lstrip().startswith(_NOTES)


def ended(said: str, name: str = "") -> Ended:
    """Read the header over a command's output (`Exit code: 1`, `Process exited with code 1`), or the JSON object around it."""
    if said.startswith("{") and (held := _headed(said)):
        return held
    if (early := _without_run(said)) is not None:
        return Ended(said, ending=early)
    at = said.find("Output:\n", 0, _HEAD)
    head, body = (said[:at], said[at + len("Output:\n") :]) if at >= 0 and (at == 0 or said[at - 1] == "\n") else (said[:_HEAD], said)
    exited, running = _EXITED.search(head), _RUNNING.search(head)
    if at < 0 and not (exited or running):
        return Ended(said, ending=tools.ending(said, name))
    code = int(exited[1]) if exited else None
    ending = Ending.TIMED_OUT if _TIMED_OUT.match(body.lstrip()[:100]) else Ending.RUNNING if running else tools.ending(body, name)
    return Ended(body, exit=code, ending=ending, running=running[1] if running else None)


def _without_run(said: str) -> Ending | None:
    """An output that stands for a command that never ran, or was stopped."""
    start = said[:200].lstrip()
    if start.startswith(_REFUSED):
        return Ending.REFUSED
    if _ABORTED.match(start):
        return Ending.INTERRUPTED
    return Ending.MALFORMED if start.startswith(_BAD_CALL) else None


def _headed(said: str) -> Ended | None:
    try:
        found = shapes.HEADED.decode(said)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    if not isinstance(found.output, str) or not isinstance(found.metadata, dict):
        return None
    code = found.metadata.get("exit_code")
    timed_out = bool(_TIMED_OUT.match(found.output.lstrip()[:100]))
    return Ended(found.output, exit=code if isinstance(code, int) else None, ending=Ending.TIMED_OUT if timed_out else Ending.DONE)
