"""mini-swe-agent trajectories: v1 (commands in fenced blocks, results in user messages), v2 (`extra.actions`, tool messages), bare message lists.

A ref is the tool call's id, else `step:N`, the index into `messages` of the message that holds the command. The model's raw response and the settings,
which are most of the bytes, are never decoded. A copy of the agent's screen is read too, as far as it goes: lossy, with `line:N` for a ref.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read import loose
from ruledout.read.assemble import Assembler

NAME = "mini-swe-agent"

_SIGNS = (
    b'"mini_version"',
    b'"mini-swe-agent-1',
    b"minisweagent.",
    b"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
    b"_SWE_AGENT_FINAL_OUTPUT",
    b"mswea_bash_command",
)
_SUBMITS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "_SWE_AGENT_FINAL_OUTPUT")
_BLOCK = re.compile(r"```(?:mswea_bash_command|bash|sh)[ \t]*\n(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"<returncode>\s*(-?\d{1,9})\s*</returncode>")
_EXCEPTION = re.compile(r"<exception>(.*?)</exception>", re.DOTALL)
_TIMED_OUT = re.compile(r"timed out|TimeoutExpired", re.IGNORECASE)


_SPEAKER = re.compile(r"(?:mini-swe-agent \(step \d{1,6}, \$\d[\d.]{0,12}\)|(System|User|Tool|Exit)):\s*$")


class _Action(Struct):
    command: Any = None
    tool_call_id: Any = None


class _Extra(Struct):
    actions: list[_Action] = []
    returncode: Any = None
    raw_output: Any = None
    exception_info: Any = None
    exception_type: Any = None
    submission: Any = None


class _Message(Struct):
    role: Any = None
    content: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    extra: _Extra | None = None


class _Environment(Struct):
    cwd: Any = None


class _Config(Struct):
    environment: _Environment | None = None


class _Info(Struct):
    mini_version: Any = None
    submission: Any = None
    config: _Config | None = None


def claims(head: bytes) -> bool:
    """A message list, or an object with one, that bears a sign of mini-swe-agent."""
    if b"mini-swe-agent (step " in head and head[:1] not in (b"{", b"["):
        return any(_SPEAKER.match(line) for line in head.decode("utf-8", "replace").split("\n"))
    ways = loose.outline(head)
    shaped = "messages" in ways or "[].role" in ways or "info.mini_version" in ways or "info.config" in ways
    return shaped and not {"schema_version", "resourceSpans"} & ways and any(sign in head for sign in _SIGNS)


def read(raw: bytes) -> Transcript:
    """Read a trajectory. Raises BadInput when no message can be read."""
    if raw.lstrip()[:1] not in (b"{", b"["):
        return _screen(raw)
    document = loose.document(raw, NAME)
    session = _Session(Assembler(NAME))
    for index, part in enumerate(document.elements or document.items("messages")):
        message = loose.decode(part, _Message)
        if message is None:
            session.out.skip("not a message", f"step:{index}")
        else:
            session.take(f"step:{index}", message)
    session.settle(None)
    if document.torn is not None:
        session.out.skip("torn document", f"byte:{document.torn}")
    info = loose.decode(document.members.get("info", b"{}"), _Info) or _Info()
    place = info.config.environment.cwd if info.config and info.config.environment else None
    return session.out.finish(
        agent=NAME,
        version=loose.text(info.mini_version) or None,
        session=document.text("instance_id") or None,
        cwd=loose.text(place) or None,
        final_patch=_patch(loose.text(info.submission) or session.submission),
    )


def _screen(raw: bytes) -> Transcript:
    """A copy of the screen: each speaker's mark starts a message."""
    session = _Session(Assembler(NAME))
    role, start, said = "", 0, list[str]()
    for number, line in enumerate([*raw.decode("utf-8", "replace").split("\n"), "Exit:"]):
        found = _SPEAKER.match(line)
        if not found:
            said.append(line.removesuffix("\r"))
            continue
        if role:
            session.take(f"line:{start}", _Message(role=role, content="\n".join(said).strip("\n")))
        elif any(part.strip() for part in said):
            session.out.say(Role.NOTE, "\n".join(said).strip("\n"), "line:0")
        role, start, said = (found[1] or "assistant").lower(), number, []
    session.settle(None)
    patch = _patch(session.submission)
    return session.out.finish(agent=NAME, fidelity=Fidelity.LOSSY, final_patch=patch)


class _Session:
    """Walks the messages: an assistant's commands stay pending until the message that answers them is seen."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.submission = ""
        self.tasks = 0
        self.pending: list[str] = []
        """refs that await a result, in order"""
        self.blocks: tuple[str, list[str]] | None = None
        """the ref and the fenced blocks of a v1 message, not yet known to have been run or refused"""
        self.submitting: str | None = None

    def take(self, ref: str, message: _Message) -> None:
        """The next message."""
        said = loose.text(message.content)
        if message.role == "assistant":
            self.settle(None)
            self._assistant(ref, said, message)
        elif message.role == "system":
            self.out.say(Role.SYSTEM, said, ref)
        elif message.role in ("user", "tool", "exit", "environment"):
            self._answer(ref, said, message)
        else:
            self.out.skip("unknown role", ref)

    def _assistant(self, ref: str, said: str, message: _Message) -> None:
        extra = message.extra or _Extra()
        actions = [(loose.text(action.tool_call_id) or ref, loose.text(action.command)) for action in extra.actions] or _called(ref, message.tool_calls)
        if actions:
            self.out.say(Role.ASSISTANT, said, ref)
            for call, command in actions:
                self._call(call, command)
            return
        blocks = [block for block in _BLOCK.findall(said) if block.strip()]
        self.out.say(Role.ASSISTANT, _BLOCK.sub("", said).strip() if len(blocks) == 1 else said, ref)
        self.blocks = (ref, blocks) if blocks else None

    def _call(self, ref: str, command: str) -> None:
        if any(mark in command for mark in _SUBMITS):
            self.submitting = ref
            self.out.call(ref, "submit", {"command": command}, shown=command)
        else:
            self.pending.append(ref)
            self.out.call(ref, "bash", {"command": command})

    def settle(self, answer: str | None) -> bool:
        """Decide on the fenced blocks that await it: run, or refused because there was not exactly one. True when they were refused."""
        if self.blocks is None:
            return False
        (ref, blocks), self.blocks = self.blocks, None
        ran = len(blocks) == 1 or (answer is not None and _CODE.search(answer) is not None)
        if ran:
            self._call(ref, blocks[0])
        else:
            self.out.call(ref, "bash", {"command": "\n".join(blocks)})
            self.out.result(ref, answer or "", ending=Ending.MALFORMED if answer is not None else Ending.MISSING)
        return not ran

    def _answer(self, ref: str, said: str, message: _Message) -> None:
        if self.tasks == 0 and message.role == "user" and not self.blocks and not self.pending and not self.submitting:
            self.tasks += 1
            self.out.say(Role.USER, said, ref)
            return
        if self.settle(said):
            self.out.say(Role.NOTE, said, ref)
            return
        extra = message.extra or _Extra()
        call = loose.text(message.tool_call_id)
        told = extra.returncode is not None or extra.raw_output is not None or _CODE.search(said) is not None
        if self.submitting and not told:
            self.submission = loose.text(extra.submission) or said
            self.out.result(self.submitting, said)
            self.submitting = None
        elif told and (call or self.pending or self.submitting):
            self._result(call or (self.pending[0] if self.pending else self.submitting or ref), said, extra)
        else:
            self._note(ref, said)

    def _result(self, ref: str, said: str, extra: _Extra) -> None:
        if ref in self.pending:
            self.pending.remove(ref)
        found = _CODE.search(said)
        exit_code = loose.integer(extra.returncode) if extra.returncode is not None else int(found[1]) if found else None
        thrown = _thrown(said, extra)
        output = loose.text(extra.raw_output) if isinstance(extra.raw_output, str) else _output(said)
        shown = "\n".join(part for part in (thrown, output) if part)
        if thrown:  # the command did not come to an end, so that -1 is the harness's word, not an exit status
            self.out.result(ref, shown, ending=Ending.TIMED_OUT if _TIMED_OUT.search(thrown) else Ending.INTERRUPTED)
        else:
            self.out.result(ref, shown, exit=exit_code)

    def _note(self, ref: str, said: str) -> None:
        """A message that is no result: a time-out, the user's refusal, or the harness speaking."""
        head = said[:300].lower()
        if self.pending and "timed out" in head:
            self.out.result(self.pending.pop(0), _output(said) or said, ending=Ending.TIMED_OUT)
        elif self.pending and "rejected your command" in head:
            self.out.result(self.pending.pop(0), said, ending=Ending.REFUSED)
        elif "user added a new task" in head or "interrupted by user" in head:
            self.out.say(Role.USER, said, ref)
        else:
            self.out.say(Role.NOTE, said, ref)


def _called(ref: str, tool_calls: object) -> list[tuple[str, str]]:
    """Id and command of native tool calls, for files that do not repeat them in `extra.actions`."""
    calls = [loose.mapping(call) for call in tool_calls] if isinstance(tool_calls, list) else []
    asked = [(loose.text(call.get("id")) or ref, loose.mapping(loose.mapping(call.get("function")).get("arguments"))) for call in calls]
    return [(name, loose.text(arguments.get("command"))) for name, arguments in asked]


def _thrown(said: str, extra: _Extra) -> str:
    """What the harness says of a command that it could not see to its end; empty for all others."""
    found = _EXCEPTION.search(said[:2000]) if said.startswith("<exception>") else None
    return loose.text(extra.exception_info) or (found[1].strip() if found else "")


def _output(said: str) -> str:
    """The output inside an observation; head and tail joined where the harness cut it; all of it where there are no tags."""
    if (whole := _between(said, "output")) is not None:
        return whole
    head, tail = _between(said, "output_head"), _between(said, "output_tail")
    if head is None and tail is None:
        return _CODE.sub("", said).strip()
    return f"{head or ''}\n[... {(_between(said, 'elided_chars') or 'output').strip()} left out ...]\n{tail or ''}"


def _between(said: str, tag: str) -> str | None:
    """What stands between a tag's first opening and last closing; None where it has none."""
    start, end = said.find(f"<{tag}>"), said.rfind(f"</{tag}>")
    return said[start + len(tag) + 2 : end].removeprefix("\n").removesuffix("\n") if 0 <= start < end else None


def _patch(submission: str) -> str | None:
    """The submission where it is a diff."""
    return submission if "diff --git " in submission or "\n+++ " in submission else None
