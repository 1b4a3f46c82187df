"""Commands that outlive their call: put into the background, looked at later, told of by a notice. Their end goes to the call that started them."""

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.read.arguments import first, mapping
from ruledout.read.assemble import Assembler
from ruledout.read.claude_code.wording import Poll

_POLLS = frozenset({"TaskOutput", "BashOutput", "AgentOutputTool", "KillShell", "KillBash", "TaskStop"})
_TASK_KEYS = ("task_id", "bash_id", "shell_id", "agentId")
_ENDINGS = {"completed": Ending.DONE, "failed": Ending.DONE, "killed": Ending.INTERRUPTED, "stopped": Ending.INTERRUPTED, "timeout": Ending.TIMED_OUT}
_LIMIT = 1024 * 1024


class _Task(Struct):
    """A command in the background: the call that started it, what it has printed so far, and how it ended, where only a notice told."""

    ref: str
    output: str = ""
    seen: str | None = None
    exit: int | None = None
    ending: Ending = Ending.RUNNING


class Background:
    """The background commands of one chain of turns."""

    def __init__(self, assembler: Assembler) -> None:
        """Results go to this assembler."""
        self._assembler = assembler
        self._tasks: dict[str, _Task] = {}
        self._polls: dict[str, str] = {}

    def started(self, task: str, ref: str) -> None:
        """The call `ref` went on in the background under this id."""
        self._tasks[task] = _Task(ref)

    def call(self, ref: str, name: str, arguments: object) -> None:
        """Remember which command a call looks at."""
        if name in _POLLS and (task := first(mapping(arguments), _TASK_KEYS)):
            self._polls[ref] = task

    def is_poll(self, ref: str) -> bool:
        """Does this call look at a command that was started here."""
        return self._polls.get(ref) in self._tasks

    def result(self, ref: str, poll: Poll, *, more: bool) -> bool:
        """Take what a look showed. `more` says that it shows only what is new. False where it tells of no command that was started here."""
        task = self._tasks.get(self._polls.get(ref, ""))
        if task is None or poll.status is None:
            return False
        shown = poll.output or ""
        task.output = f"{task.output}{shown}\n"[-_LIMIT:] if more and shown else shown or task.output
        ending = _ENDINGS.get(poll.status, Ending.RUNNING)
        self._assembler.result(task.ref, task.output, exit=poll.exit, ending=ending, result_ref=ref)
        self._assembler.close(ref, Ending.DONE)
        return True

    def notice(self, poll: Poll, ref: str) -> None:
        """Keep what a notice says of how a command ended; its output may still come."""
        if (task := self._tasks.get(poll.task or "")) and poll.status in _ENDINGS:
            task.seen, task.exit, task.ending = ref, poll.exit, _ENDINGS[poll.status]

    def finish(self) -> None:
        """Close the commands of which only a notice told the end."""
        for task in self._tasks.values():
            if task.seen and self._assembler.ended(task.ref) is Ending.RUNNING:
                self._assembler.result(task.ref, task.output, exit=task.exit, ending=task.ending, result_ref=task.seen)
