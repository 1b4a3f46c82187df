"""Every agent's hook events are read, and answered in its own dialect: in the shapes that the agents send."""

import json
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from ruledout import agents
from ruledout.agents import event as ev
from ruledout.read import patch as read_patch

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "payloads"
TOOL: dict[str, object] = {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/p"}
RUN: dict[str, object] = {"command": "python3 test_it.py", "description": "run tests"}
EDIT: dict[str, object] = {"file_path": "/p/calc.py", "old_string": "return a - b", "new_string": "return a + b"}
TRACE = 'Traceback (most recent call last):\n  File "/p/test_it.py", line 2, in <module>\nAssertionError: -1'
PATCH = "*** Begin Patch\n*** Update File: /p/calc.py\n@@\n def add(a, b):\n-    return a - b\n+    return a + b\n*** End Patch"
# Case: agent, what it sends, and kind, session, command, exit, output, changes as they are read.
READ: dict[str, tuple[str, dict[str, object], tuple[object, ...]]] = {
    "claude, before a run": (
        "claude",
        {**TOOL, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": RUN},
        ("before", "s", "python3 test_it.py", None, "", []),
    ),
    "claude, after a red run": (
        "claude",
        {**TOOL, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": RUN, "error": f"Exit code 1\n{TRACE}", "is_interrupt": False},
        ("after", "s", "python3 test_it.py", 1, TRACE, []),
    ),
    "claude, after a green run": (
        "claude",
        {
            **TOOL,
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": RUN,
            "tool_response": {"stdout": "1 passed", "stderr": "", "interrupted": False},
        },
        ("after", "s", "python3 test_it.py", 0, "1 passed", []),
    ),
    "claude, before an edit": (
        "claude",
        {**TOOL, "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": EDIT},
        ("before", "s", "", None, "", [("/p/calc.py", "replace", "return a - b", "return a + b")]),
    ),
    "claude, before a whole file": (
        "claude",
        {**TOOL, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "/p/N.md", "content": "done\n"}},
        ("before", "s", "", None, "", [("/p/N.md", "write", "", "done\n")]),
    ),
    "claude, a look": (
        "claude",
        {**TOOL, "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "/p/calc.py"}},
        ("before", "s", "", None, "", []),
    ),
    "claude, after a compaction": ("claude", {**TOOL, "hook_event_name": "SessionStart", "source": "compact"}, ("compact", "s", "", None, "", [])),
    "codex, before a patch": (
        "codex",
        {**TOOL, "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": PATCH}},
        ("before", "s", "", None, "", [("/p/calc.py", "replace", "def add(a, b):\n    return a - b", "def add(a, b):\n    return a + b")]),
    ),
    "codex, after a run": (
        "codex",
        {**TOOL, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": RUN, "tool_response": TRACE},
        ("after", "s", "python3 test_it.py", None, TRACE, []),
    ),
    "gemini, after a red run": (
        "gemini",
        {
            **TOOL,
            "hook_event_name": "AfterTool",
            "tool_name": "run_shell_command",
            "tool_input": RUN,
            "tool_response": {"llmContent": f"<untrusted_context>\nOutput: {TRACE}\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>"},
        },
        ("after", "s", "python3 test_it.py", 1, TRACE, []),
    ),
    "gemini, after a green run": (
        "gemini",
        {
            **TOOL,
            "hook_event_name": "AfterTool",
            "tool_name": "run_shell_command",
            "tool_input": RUN,
            "tool_response": {"llmContent": "<untrusted_context>\nOutput: 1 passed\nProcess Group PGID: 7\n</untrusted_context>"},
        },
        ("after", "s", "python3 test_it.py", 0, "1 passed", []),
    ),
    "gemini, its compaction before every call": ("gemini", {**TOOL, "hook_event_name": "PreCompress", "trigger": "auto"}, ("other", "s", "", None, "", [])),
    "copilot, before an edit": (
        "copilot",
        {"sessionId": "s", "timestamp": 1, "cwd": "/p", "toolName": "edit", "toolArgs": {"path": "/p/calc.py", "old_str": "a", "new_str": "b"}},
        ("before", "s", "", None, "", [("/p/calc.py", "replace", "a", "b")]),
    ),
    "copilot, after a red run": (
        "copilot",
        {
            "sessionId": "s",
            "cwd": "/p",
            "toolName": "bash",
            "toolArgs": RUN,
            "toolResult": {"resultType": "success", "textResultForLlm": f"{TRACE}\n<shellId: 0 completed with exit code 1>"},
        },
        ("after", "s", "python3 test_it.py", 1, TRACE, []),
    ),
    "copilot, in capitals": (
        "copilot",
        {
            "hook_event_name": "PostToolUse",
            "session_id": "s",
            "cwd": "/p",
            "tool_name": "Bash",
            "tool_input": RUN,
            "tool_result": {"result_type": "success", "text_result_for_llm": "1 passed\n<shellId: 1 completed with exit code 0>"},
        },
        ("after", "s", "python3 test_it.py", 0, "1 passed", []),
    ),
    "copilot, a session's start": ("copilot", {"sessionId": "s", "cwd": "/p", "source": "new", "initialPrompt": "x"}, ("start", "s", "", None, "", [])),
    "opencode, as our plug-in asks": (
        "opencode",
        {"ev": "post", "tool": "bash", "session": "s", "args": RUN, "output": TRACE, "exit": 1, "cwd": "/p"},
        ("after", "s", "python3 test_it.py", 1, TRACE, []),
    ),
    "opencode, as it calls plug-ins": (
        "opencode",
        {
            "k": "tool.execute.before",
            "v": {"i": {"tool": "edit", "sessionID": "s", "callID": "c"}, "o": {"args": {"filePath": "/p/calc.py", "oldString": "a", "newString": "b"}}},
        },
        ("before", "s", "", None, "", [("/p/calc.py", "replace", "a", "b")]),
    ),
    "cursor, before a shell command": (
        "cursor",
        {"conversation_id": "s", "hook_event_name": "beforeShellExecution", "command": "make", "cwd": "/p", "user_email": "a@b.c"},
        ("before", "s", "make", None, "", []),
    ),
    "cursor, after a tool that failed": (
        "cursor",
        {
            "conversation_id": "s",
            "hook_event_name": "postToolUseFailure",
            "tool_name": "Shell",
            "tool_input": RUN,
            "tool_output": TRACE,
            "workspace_roots": ["/p"],
        },
        ("after", "s", "python3 test_it.py", None, TRACE, []),
    ),
    "openhands, after a red run": (
        "openhands",
        {
            "event_type": "PostToolUse",
            "tool_name": "terminal",
            "tool_input": RUN,
            "tool_response": {"output": TRACE, "exit_code": 1},
            "session_id": "s",
            "working_dir": "/p",
        },
        ("after", "s", "python3 test_it.py", 1, TRACE, []),
    ),
}


def agent(name: str) -> "agents.Agent":
    found = agents.agent(name)
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "given", "wanted"), READ.values(), ids=READ)
def test_an_event_is_read_as_it_was_meant(name: str, given: dict[str, object], wanted: tuple[object, ...]) -> None:
    event = agent(name).read(given)
    changes = [(change.path, change.kind, change.old, change.new) for change in event.changes]
    assert (event.kind, event.session, event.command, event.exit, event.output, changes) == wanted
    assert event.cwd == "/p" or name == "opencode"


SAID = {
    ("claude", "PreToolUse"): '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"T"}}',
    ("codex", "PostToolUse"): '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"T"}}',
    ("gemini", "BeforeTool"): "",
    ("gemini", "AfterTool"): '{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"T"}}',
    ("copilot", "PreToolUse"): '{"additionalContext":"T"}',
    ("cursor", "preToolUse"): "",
    ("cursor", "postToolUse"): '{"additional_context":"T"}',
    ("openhands", "PreToolUse"): '{"additionalContext":"T"}',
    ("opencode", "pre"): "",
    ("opencode", "post"): '{"context":"T"}',
}
DENIED = {
    ("claude", "PreToolUse"): '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"T"}}',
    ("claude", "PostToolUse"): "",
    ("codex", "PreToolUse"): '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"T"}}',
    ("gemini", "BeforeTool"): '{"decision":"deny","reason":"T"}',
    ("copilot", "PreToolUse"): '{"permissionDecision":"deny","permissionDecisionReason":"T"}',
    ("cursor", "preToolUse"): '{"permission":"deny","agent_message":"T","user_message":"T"}',
    ("openhands", "PreToolUse"): '{"decision":"deny","reason":"T"}',
    ("opencode", "pre"): '{"deny":"T"}',
}


def named(name: str) -> dict[str, object]:
    return {"hook_event_name": name, "event_type": name, "ev": name}


@pytest.mark.parametrize(("case", "line"), SAID.items(), ids=str)
def test_what_is_known_is_said_in_the_agent_s_dialect(case: tuple[str, str], line: str) -> None:
    assert agent(case[0]).say(agent(case[0]).read(named(case[1])), "T") == line


@pytest.mark.parametrize(("case", "line"), DENIED.items(), ids=str)
def test_R15_an_act_is_stopped_in_the_agent_s_dialect_only_before_it(case: tuple[str, str], line: str) -> None:
    assert agent(case[0]).deny(agent(case[0]).read(named(case[1])), "T") == line


@pytest.mark.parametrize("name", agents.AGENTS)
def test_every_agent_fits_the_protocol_and_survives_any_shape(name: str) -> None:
    module = agent(name)
    odd: list[object] = [None, 7, "x", [], {}, {"command": 7}, {"edits": [7, {}]}, {"file_path": "a", "edits": {}}]
    keys = ("tool_input", "toolArgs", "args", "tool_response", "toolResult", "v", "i", "o", "metadata", "workspace_roots", "error", "tool_name", "tool")
    events = [module.read(cast("dict[str, object]", {"tool_name": "Edit", key: value})) for key in keys for value in odd]
    assert (isinstance(module, ModuleType), module.NAME, {event.session for event in events}) == (True, name, {""})


def test_other_spellings_of_an_agent_s_name_are_known_and_unknown_ones_are_none() -> None:
    assert [one and one.NAME for one in map(agents.agent, ("claude-code", "gemini-cli", "codex-cli", "copilot-cli", "", "../x"))] == [
        "claude",
        "gemini",
        "codex",
        "copilot",
        None,
        None,
    ]


PATCHES = {
    "one hunk": PATCH,
    "two hunks, two files": "*** Begin Patch\n*** Update File: a.py\n@@ def f\n-x\n+y\n@@\n z\n-q\n*** Update File: b.py\n@@\n+new\n keep\n*** End Patch\n",
    "a new file": "*** Begin Patch\n*** Add File: n.py\n+one\n+two\n*** End Patch",
    "a deletion, then a change": "*** Begin Patch\n*** Delete File: old.py\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch",
    "a move": "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n*** End Patch",
    "windows line ends": "*** Begin Patch\r\n*** Update File: a.py\r\n@@\r\n-x\r\n+y\r\n*** End Patch\r\n",
}


@pytest.mark.parametrize("source", PATCHES.values(), ids=PATCHES)
def test_a_patch_is_taken_apart_as_the_readers_do(source: str) -> None:
    wanted = [(change.path, list(hunk.removed), list(hunk.added)) for change in read_patch.changes(source) for hunk in change.hunks]
    assert [(change.path, ev.rows(change.old), ev.rows(change.new)) for change in ev.patched(source)] == wanted


@pytest.mark.skipif(not DATA.is_dir(), reason="the recorded payloads are not here")
@pytest.mark.parametrize("name", ["claude", "codex", "copilot", "gemini", "opencode"])
def test_recorded_payloads_are_read(name: str) -> None:
    (file,) = DATA.glob(f"{name}-*.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    events = [agent(name).read(row.get("stdin", row)) for row in rows]
    assert {"before", "after"} <= {event.kind for event in events}
    assert "python3 test_it.py" in {event.command for event in events if event.kind == "before"}
    assert {event.exit for event in events if event.kind == "after" and event.command == "python3 test_it.py"} & ({None} if name == "codex" else {1})
    assert {change.path.rpartition("/")[2] for event in events for change in event.changes} >= {"calc.py"}
