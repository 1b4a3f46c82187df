"""Cline's and Roo's task files: Anthropic messages with a time stamp each, calls as blocks or as tags in the text; and Cline's later `*.messages.json`.

A ref is the call's id, else `step:N`, the index into the list. Every user turn carries `<environment_details>`, which is the program's and is left out.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import loose, textcalls, tools
from ruledout.read.assemble import Assembler

NAME = "cline"

_TOOLS = frozenset(
    (
        *("execute_command", "read_file", "write_to_file", "replace_in_file", "apply_diff", "search_files", "list_files", "list_code_definition_names"),
        *("insert_content", "search_and_replace", "browser_action", "use_mcp_tool", "access_mcp_resource", "ask_followup_question", "attempt_completion"),
        *("new_task", "plan_mode_respond", "switch_mode", "update_todo_list", "fetch_instructions", "codebase_search", "load_mcp_documentation"),
    )
)
_DETAILS = ("<environment_details>", "</environment_details>")
_ANSWER = re.compile(r"\[([a-z_]{3,40})(?: for '[^\n]{0,4000}')?\] Result:\s?")
_EXIT = re.compile(r"(?:failed with exit code|Exit code:?|exited with code) (-?\d{1,9})\b", re.IGNORECASE)
_SEARCH = re.compile(r"^-{5,9} SEARCH>?$|^<{5,9} SEARCH>?\n:start_line:.*\n-{5,9}$", re.MULTILINE)
_REPLACE = re.compile(r"^\+{5,9} REPLACE>?$", re.MULTILINE)


class _Message(Struct):
    role: Any = None
    content: Any = None
    metadata: Any = None


def claims(head: bytes) -> bool:
    """A message list whose text bears Cline's marks, or whose messages bear its time stamps; or the later file with its agent and session."""
    ways = loose.outline(head)
    if {"messages[].role", "sessionId", "agent", "version"} <= ways and "schema_version" not in ways:
        return True
    if "[].role" not in ways or "[].content[].type" not in ways:
        return False
    return "[].ts" in ways or any(mark in head for mark in (b"<environment_details>", b'"text": "<task>', b'"text":"<task>'))


def read(raw: bytes) -> Transcript:
    """Read a task. Raises BadInput when no message can be read."""
    document = loose.document(raw, NAME)
    walk = _Walk(Assembler(NAME))
    if prompt := document.text("system_prompt"):
        walk.out.say(Role.SYSTEM, prompt, "step:0")
    for index, part in enumerate(document.elements or document.items("messages")):
        message = loose.decode(part, _Message)
        if message is None:
            walk.out.skip("not a message", f"step:{index}")
        else:
            walk.take(f"step:{index}", message)
    if document.torn is not None:
        walk.out.skip("torn document", f"byte:{document.torn}")
    return walk.out.finish(agent=NAME, session=document.text("sessionId") or None, cwd=walk.cwd)


class _Walk:
    """Goes through the messages. A call in the text has no id: the next user turn answers it."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.cwd: str | None = None
        self.names: dict[str, str] = {}
        self.pending: list[str] = []

    def take(self, ref: str, message: _Message) -> None:
        """The next message."""
        blocks = message.content if isinstance(message.content, list) else [{"type": "text", "text": message.content}]
        if message.role == "assistant":
            self.pending.clear()
            for block in map(loose.mapping, blocks):
                self._block(ref, block)
        elif message.role == "user":
            self._user(ref, [loose.mapping(block) for block in blocks], summary=bool(loose.mapping(message.metadata).get("kind")))
        else:
            self.out.skip("message of an unknown role", ref)

    def _block(self, ref: str, block: dict[str, Any]) -> None:
        if block.get("type") == "tool_use":
            self._call(loose.text(block.get("id")) or ref, loose.text(block.get("name")), loose.mapping(block.get("input")))
            return
        said = loose.text(block.get("text")) or loose.text(block.get("thinking"))
        calls = textcalls.tagged(said, _TOOLS)
        if plain := textcalls.around(said, calls):
            self.out.say(Role.ASSISTANT, plain, ref)
        for call in calls:
            self.pending.append(ref)
            self._call(ref, call.name, dict(call.arguments))

    def _call(self, ref: str, name: str, arguments: dict[str, Any]) -> None:
        self.names[ref] = name
        if isinstance(diff := arguments.get("diff"), str):
            arguments = {**arguments, "diff": _REPLACE.sub(">>>>>>> REPLACE", _SEARCH.sub("<<<<<<< SEARCH", diff))}
        if isinstance(commands := arguments.get("commands"), list):
            arguments = {**arguments, "command": "\n".join(map(loose.text, commands))}
        self.out.call(ref, name, arguments, cwd=loose.text(arguments.get("cwd")) or None)

    def _user(self, ref: str, blocks: list[dict[str, Any]], *, summary: bool) -> None:
        spoken: list[str] = []
        for block in blocks:
            if block.get("type") == "tool_result":
                said = self._without_details(ref, loose.text(block.get("content")))
                self._result(loose.text(block.get("tool_use_id")) or ref, said, failed=block.get("is_error") is True)
            elif said := self._without_details(ref, loose.text(block.get("text"))).strip():
                spoken.append(said)
        said = "\n".join(spoken)
        if answer := _ANSWER.match(said) if self.pending else None:
            self._result(self.pending.pop(0), said[answer.end() :], failed=False)
        elif said:
            harness = summary or said.startswith(("[ERROR]", "[TASK RESUMPTION]", "# Context summary"))
            self.out.say(Role.NOTE if harness else Role.USER, said, ref)

    def _without_details(self, ref: str, said: str) -> str:
        start = said.find(_DETAILS[0])
        if start < 0:
            return said
        end = said.find(_DETAILS[1], start)
        details = said[start : end if end >= 0 else len(said)]
        if self.cwd is None and (found := re.search(r"^# Current (?:Working|Workspace) Directory \(([^)\n]{1,1000})\)", details, re.MULTILINE)):
            self.cwd = found[1]
        self.out.skip("environment details", ref)
        return said[:start] + (said[end + len(_DETAILS[1]) :] if end >= 0 else "")

    def _result(self, ref: str, said: str, *, failed: bool) -> None:
        name = self.names.get(ref, "")
        said, told = _unpacked(said)
        head = said[:400].lower()
        if "the user denied this operation" in head:
            self.out.result(ref, said, ending=Ending.REFUSED)
        elif "still running" in head and tools.is_run(name):
            self.out.result(ref, said, ending=Ending.RUNNING)
        elif "execution timed out after" in head and tools.is_run(name):
            self.out.result(ref, said, ending=Ending.TIMED_OUT)
        elif not tools.is_run(name):
            broken = failed or head.startswith(("the tool execution failed", "<error_details>", "error "))
            self.out.result(ref, said, ending=Ending.MALFORMED if broken else Ending.DONE)
        elif told is None and (found := _EXIT.search(said[:600])):
            self.out.result(ref, said, exit=int(found[1]))
        else:
            self.out.result(ref, said, exit=told)


def _unpacked(said: str) -> tuple[str, int | None]:
    """A result that is JSON (`[{query, result, success}]`), as text and exit status; any other as it is."""
    if not said.lstrip().startswith(("[{", "{")):
        return said, None
    value = loose.value(said.encode("utf-8", "replace"))
    parts = [loose.mapping(part) for part in (value if isinstance(value, list) else [value])]
    texts = [loose.text(part.get("result")) or loose.text(part.get("output")) or loose.text(part.get("error")) for part in parts]
    exits = [code for part in parts if (code := loose.integer(part.get("exitCode", part.get("exit_code")))) is not None]
    joined = "\n".join(text for text in texts if text)
    return (joined, exits[-1] if exits else None) if joined else (said, None)
