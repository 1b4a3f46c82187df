"""A transcript for people who build their own agent loop: say what was said and done as it happens; no session file is needed."""

from collections.abc import Sequence

from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read.assemble import Assembler


class SessionLog:
    """Notes a session as it goes. Texts are redacted and cleaned at this door, as those of any session file (R13).

    Each method returns the `ref` under which the turn or act can be named in a proposal.
    """

    def __init__(self, agent: str = "own-loop") -> None:
        """Begin an empty session of the agent with this name."""
        self._agent, self._log, self._count = agent, Assembler("own-loop"), 0

    def _ref(self) -> str:
        self._count += 1
        return f"step:{self._count - 1}"

    def asked(self, text: str) -> str:
        """The user said something."""
        ref = self._ref()
        self._log.say(Role.USER, text, ref)
        return ref

    def said(self, text: str) -> str:
        """The agent said something: hypotheses and causes are read from here only."""
        ref = self._ref()
        self._log.say(Role.ASSISTANT, text, ref)
        return ref

    def ran(self, command: str, output: str, exit: int | None, *, timed_out: bool = False) -> str:  # noqa: A002  # the word of `Run`
        """The agent ran a shell command; `exit` is None where it is not known."""
        ref = self._ref()
        self._log.call(ref, "bash", {"command": command})
        self._log.result(ref, output, exit=exit, ending=Ending.TIMED_OUT if timed_out else Ending.DONE)
        return ref

    def edited(self, path: str, removed: Sequence[str], added: Sequence[str]) -> str:
        """The agent replaced lines in a file; lines come without line ends."""
        ref = self._ref()
        self._log.call(ref, "Edit", {"file_path": path, "old_string": "\n".join(removed), "new_string": "\n".join(added)})
        self._log.result(ref, "done")
        return ref

    def wrote(self, path: str, content: str) -> str:
        """The agent wrote a whole file."""
        ref = self._ref()
        self._log.call(ref, "Write", {"file_path": path, "content": content})
        self._log.result(ref, "done")
        return ref

    def transcript(self) -> Transcript:
        """The session so far."""
        return self._log.finish(agent=self._agent)
