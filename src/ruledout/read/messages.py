"""Plain message lists: OpenAI's (chat and responses) and Anthropic's, bare, under a key, or as JSON Lines; with calls as objects or in the text.

Read here too: rows of training sets (`{trajectory: [{role, text}]}`) and logs of single model calls, whose `response` holds the newest message.
A ref is the call's id, else `step:N`, the index into the list; in a file with one message a line, `line:N`. Exit statuses are told by the text only.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import aci, loose, textcalls, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "messages"

_LISTS = ("messages", "trajectory", "history", "conversation", "input")
_PROMPT = re.compile(r"\(Open file: ([^\n]*)\)\n\(Current directory: ([^\n]*)\)\nbash-\$\s*\Z")
_LEAD = re.compile(r"\A(?:OBSERVATION:|EXECUTION RESULT of \[[^\]\n]*\]:)\s?\n?")
_EXIT = re.compile(
    r"\[(?:Command finished|The command completed) with exit code (-?\d{1,9})\.?\]|^(?:Exit code:|Process exited with code|<returncode>)\s*(-?\d{1,9})\b",
    re.MULTILINE,
)
_WAITING = re.compile(r"\[The command (?:has no new output after|is still running)")
_TIMED_OUT = re.compile(r"\[The command timed out after")
_KEYS = frozenset(("C-c", "C-d", "C-z"))
_HARNESS = (
    "please continue working on the task on whatever approach",
    "verify if the found files contain all the necessary information",
    "your last output did not use any tool calls",
    "your output was not formatted correctly",
    "no function call was detected",
    "exit due to",
    "<system-reminder>",
    "<environment_context>",
    "<environment_details>",
    "here is a demonstration of how to correctly accomplish this task",
)
"""How messages begin that stand in the user's place and are the harness's."""


class _Message(Struct):
    role: Any = None
    content: Any = None
    text: Any = None
    system_prompt: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    is_demo: Any = None
    type: Any = None
    name: Any = None
    arguments: Any = None
    call_id: Any = None
    output: Any = None


def claims(head: bytes) -> bool:
    """A list of objects with a role and something said, at one of the known places."""
    ways = loose.outline(head)
    if {"schema_version", "resourceSpans", "sessionId", "uuid", "info.directory"} & ways:
        return False
    return any(
        f"{way}role" in ways and bool({f"{way}content", f"{way}text", f"{way}tool_calls"} & ways) for way in ("", "[].", *(f"{name}[]." for name in _LISTS))
    )


def read(raw: bytes) -> Transcript:
    """Read a message list. Raises BadInput when there is none to be read."""
    session = _Session(Assembler(NAME))
    opened = _open(raw, session.out)
    for ref, part in opened.messages:
        message = loose.decode(part, _Message)
        if message is None:
            session.out.skip("not a message", ref)
        elif message.is_demo:
            session.out.skip("demonstration from another task", ref)
        else:
            session.take(ref, message)
    session.settle()
    row = opened.row
    session.response(row.members.get("response", b""))
    if row.torn is not None:
        session.out.skip("torn document", f"byte:{row.torn}")
    results = loose.mapping(loose.value(row.members.get("test_result", b"")))
    patches = [row.text("generated_patch"), loose.text(results.get("git_patch")), row.text("model_patch"), session.submission]
    return session.out.finish(
        session=row.text("instance_id") or row.text("traj_id") or row.text("id") or None,
        cwd=session.cwd,
        final_patch=next((patch for patch in patches if "diff --git " in patch or "\n+++ " in patch), None),
    )


class _Opened(Struct, frozen=True):
    """The messages with their refs, and the object around them."""

    messages: list[tuple[str, loose.Piece]]
    row: loose.Document


def _open(raw: bytes, out: Assembler) -> _Opened:
    """Find the list: the document itself, a member of it, the first row of JSON Lines, or its lines."""
    first = loose.lined(raw)
    if first is not None:
        lines = [(number, part) for number, (_, part) in objects(raw, loose.record, out.skip)]
        row = loose.Document(members=first)
        if not _listed(row):
            return _Opened([(f"line:{number}", part) for number, part in lines], loose.Document())
        for number, _ in lines[1:]:
            out.skip("further session in the file", f"line:{number}")
        return _Opened(_listed(row), row)
    document = loose.document(raw, NAME)
    if document.elements:
        return _Opened([(f"step:{index}", part) for index, part in enumerate(document.elements)], document)
    if messages := _listed(document):
        return _Opened(messages, document)
    if "role" in document.members:
        return _Opened([("line:0", raw)], document)
    raise BadInput("no-messages", f"the document has none of {', '.join(_LISTS)}", "give a file that holds a message list")


def _listed(row: loose.Document) -> list[tuple[str, loose.Piece]]:
    found = next((items for name in _LISTS if (items := row.items(name))), [])
    return [(f"step:{index}", part) for index, part in enumerate(found)]


class _Session:
    """Walks the messages. A call in the text has no id: the next message that is not the assistant's answers it."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.screen = aci.Screen()
        self.cwd: str | None = None
        self.told: str | None = None
        self.submission = ""
        self.interface: bool = False
        """SWE-agent's own command language is spoken"""
        self.pending: list[tuple[str, str]] = []
        """ref and tool of text calls that await a result"""
        self.names: dict[str, str] = {}
        """tool by call id"""
        self.waiting: str | None = None
        """the command that has not ended: the shell is still in it"""
        self.follows: dict[str, tuple[str, bool]] = {}
        """calls that look after a waiting command: that command, and whether they break it off"""
        self.command = ""
        """what was asked in SWE-agent's language and has not been answered yet"""

    def take(self, ref: str, message: _Message) -> None:
        """The next message."""
        if message.type == "function_call":
            self._call(loose.text(message.call_id) or ref, loose.text(message.name), message.arguments)
        elif message.type == "function_call_output":
            self._result(loose.text(message.call_id) or ref, loose.text(message.output))
        elif message.role in ("assistant", "ai", "model"):
            self._assistant(ref, message)
        elif message.role in ("system", "developer"):
            self.out.say(Role.SYSTEM, _said(message) or loose.text(message.system_prompt), ref)
        elif message.role in ("tool", "function"):
            self._result(loose.text(message.tool_call_id) or self._oldest(ref), _said(message))
        elif message.role in ("user", "human"):
            self._user(ref, message)
        else:
            self.out.skip("no message of a known role", ref)

    def response(self, raw: loose.Piece) -> None:
        """The newest message of a logged model call, which is not in the list yet. Text without a call has no place to point to and is counted."""
        choices = loose.mapping(loose.value(raw)).get("choices")
        for choice in choices if isinstance(choices, list) else ():
            message = loose.mapping(loose.mapping(choice).get("message"))
            calls = (
                [loose.text(loose.mapping(call).get("id")) for call in message.get("tool_calls") or ()] if isinstance(message.get("tool_calls"), list) else []
            )
            if calls and calls[0] and calls[0] not in self.names:
                self._assistant(calls[0], _Message(content=message.get("content"), tool_calls=message.get("tool_calls")))
            elif loose.text(message.get("content")):
                self.out.skip("text of the newest response", "response")

    def settle(self) -> None:
        """Nothing more will answer what is pending; a command that nothing answered is a call all the same."""
        for ref, name in self.pending:
            if not name:
                step = self.screen.step(self.command, "", self.told)
                self.out.call(ref, step.name, step.arguments, cwd=self.cwd, shown=self.command)
        self.pending.clear()

    def _assistant(self, ref: str, message: _Message) -> None:
        self.settle()
        said = _said(message)
        calls = _calls(ref, message)
        written = [] if calls else textcalls.functions(said)
        command = None if calls or written or not self.interface else _last_block(said)
        if written:
            said = textcalls.around(said, written)
        elif command is not None:
            said = said[: command[0]]
        if said.strip():
            self.out.say(Role.ASSISTANT, said.strip(), ref)
        for call, name, arguments in calls:
            self._call(call, name, arguments)
        for one in written:
            self.pending.append((ref, one.name))
            self._call(ref, one.name, one.arguments)
        if command is not None:
            self.pending.append((ref, ""))
            self.command = command[1]

    def _call(self, ref: str, name: str, arguments: object) -> None:
        self.names[ref] = name
        given = loose.mapping(arguments)
        command = given.get("command", "") if tools.is_run(name) else None
        if self.waiting and isinstance(command, str) and (not command.strip() or command.strip() in _KEYS):
            self.follows[ref] = (self.waiting, command.strip() in _KEYS)
            name = "terminal_input"  # it only waits for the command before it, or breaks it off
        elif command is not None:
            self.waiting = None
        self.out.call(ref, name, given or arguments, cwd=self.cwd)

    def _user(self, ref: str, message: _Message) -> None:
        said = _said(message)
        prompt = _PROMPT.search(said, max(0, len(said) - 2000))
        results = (
            [part for part in message.content if isinstance(part, dict) and part.get("type") == "tool_result"] if isinstance(message.content, list) else []
        )
        for part in results:
            self._result(loose.text(part.get("tool_use_id")) or self._oldest(ref), loose.text(part.get("content")), failed=part.get("is_error") is True)
        if results:
            said = "\n".join(loose.text(part) for part in message.content if isinstance(part, dict) and part.get("type") == "text")
            if not said.strip():
                return
        elif self.pending:
            call, name = self.pending.pop(0)
            if name:
                self._result(call, said)
            else:
                self._observed(call, said[: prompt.start()].rstrip("\n") if prompt else said)
            self._prompted(prompt)
            return
        self._prompted(prompt)
        harness = said.lstrip().lower().startswith(_HARNESS)
        self.out.say(Role.NOTE if harness else Role.USER, said, ref)

    def _prompted(self, prompt: re.Match[str] | None) -> None:
        """Take in where SWE-agent's shell stands after an answer."""
        if prompt:
            self.interface = True
            self.told, self.cwd = (None if prompt[1] == "n/a" else prompt[1]), prompt[2]

    def _oldest(self, ref: str) -> str:
        """The text call that has waited longest, else the message itself."""
        return self.pending.pop(0)[0] if self.pending else ref

    def _result(self, ref: str, said: str, *, failed: bool = False) -> None:
        said = _LEAD.sub("", said)
        found = _EXIT.search(said, max(0, len(said) - 400)) or _EXIT.search(said[:400])
        exit_code = int(found[1] or found[2]) if found else None
        name = self.names.get(ref, "")
        edits = name.startswith("str_replace") or "edit" in name.lower()
        if edits and (failed or aci.unmatched(said)):
            self.out.result(ref, said, ending=Ending.MALFORMED)
        elif _WAITING.search(said[-600:]):
            self.waiting = self.follows.get(ref, (ref, False))[0]
            self.out.result(ref, said, ending=Ending.RUNNING)
        elif _TIMED_OUT.search(said[-600:]):
            self.out.result(ref, said, ending=Ending.TIMED_OUT)
        else:
            waiting, breaks = self.follows.get(ref, ("", False))
            if waiting and exit_code is not None:
                self.out.result(waiting, said, exit=None if breaks else exit_code, ending=Ending.INTERRUPTED if breaks else Ending.DONE, result_ref=ref)
            self.out.result(ref, said, exit=None if exit_code == -1 else exit_code)

    def _observed(self, ref: str, observation: str) -> None:
        """The answer to a command of SWE-agent's interface: only now is it known which file an `edit` was for."""
        step = self.screen.step(self.command, observation, self.told)
        self.out.call(ref, step.name, step.arguments, cwd=self.cwd, shown=self.command)
        self.out.result(ref, observation, ending=Ending.MALFORMED if aci.refused(observation) else Ending.DONE)
        self.screen.learn(observation)


def _said(message: _Message) -> str:
    """What a message says, whichever key holds it."""
    return loose.text(message.content) or loose.text(message.text) or loose.text(message.output)


def _calls(ref: str, message: _Message) -> list[tuple[str, str, object]]:
    """Id, tool and arguments of the calls that a message holds as objects."""
    calls: list[tuple[str, str, object]] = []
    for call in map(loose.mapping, message.tool_calls if isinstance(message.tool_calls, list) else ()):
        function = loose.mapping(call.get("function")) or call
        calls.append((loose.text(call.get("id")) or ref, loose.text(function.get("name")), function.get("arguments")))
    blocks = message.content if isinstance(message.content, list) else []
    uses = [part for part in blocks if isinstance(part, dict) and part.get("type") == "tool_use"]
    return calls + [(loose.text(part.get("id")) or ref, loose.text(part.get("name")), part.get("input")) for part in uses]


def _last_block(said: str) -> tuple[int, str] | None:
    """The last fenced block of a text, and where it starts."""
    start, found, at = -1, None, 0
    inner: list[str] = []
    for line in said.split("\n"):
        if line.lstrip().startswith("```"):
            if start < 0:
                start, inner = at, []
            else:
                found, start = (start, "\n".join(inner)), -1
        elif start >= 0:
            inner.append(line)
        at += len(line) + 1
    return found
