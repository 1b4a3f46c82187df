"""One small session of each format, in its real shape, for the tests that hold for all readers."""

import io
import json
import zipfile

import pytest

DIFF = "diff --git a/app.py b/app.py\n--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-one\n+two\n"


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _lines(*records: object) -> bytes:
    return b"".join(_json(record) + b"\n" for record in records)


def _zip(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + ".json", content)
    return buffer.getvalue()


_MINI = {
    "info": {"mini_version": "2.2.7", "submission": DIFF, "exit_status": "Submitted", "config": {"environment": {"cwd": "/repo"}}},
    "messages": [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": "Fix the bug."},
        {"role": "assistant", "content": "Run the tests.", "extra": {"actions": [{"command": "pytest -q", "tool_call_id": "call_1"}], "response": {"id": "x"}}},
        {"role": "tool", "tool_call_id": "call_1", "content": "<returncode>1</returncode>", "extra": {"raw_output": "1 failed", "returncode": 1}},
        {"role": "exit", "content": DIFF, "extra": {"exit_status": "Submitted", "submission": DIFF}},
    ],
    "trajectory_format": "mini-swe-agent-1.1",
}
_SWE = {
    "environment": "swe_main",
    "trajectory": [
        {
            "action": "open app.py\n",
            "observation": "[File: /repo/app.py (2 lines total)]\n1:one\n2:three\n",
            "thought": "Look.",
            "state": '{"working_dir": "/repo"}',
        },
        {"action": "edit 1:1\ntwo\nend_of_edit\n", "observation": "[File: /repo/app.py (2 lines total)]\n1:two\n2:three\nFile updated.", "thought": "Mend."},
        {"action": "python app.py\n", "observation": "ok\n", "thought": "Run.", "state": '{"working_dir": "/repo"}'},
    ],
    "history": [{"role": "system", "content": "SETTING"}, {"role": "user", "content": "demo", "is_demo": True}, {"role": "user", "content": "Fix the bug."}],
    "info": {"submission": DIFF},
}
_MESSAGES = [
    {"role": "user", "content": "Fix the bug."},
    {"role": "assistant", "content": "Run.", "tool_calls": [{"id": "call_1", "function": {"name": "bash", "arguments": '{"command": "pytest -q"}'}}]},
    {"role": "tool", "tool_call_id": "call_1", "content": "1 failed\n[Command finished with exit code 1]"},
]
_OPENCODE = {
    "info": {"id": "ses_1", "directory": "/repo", "version": "1.2.0", "projectID": "p"},
    "messages": [
        {"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "Fix the bug.", "id": "prt_1"}]},
        {
            "info": {"id": "msg_2", "role": "assistant", "path": {"cwd": "/repo"}},
            "parts": [
                {"type": "text", "text": "Run.", "id": "prt_2"},
                {
                    "type": "tool",
                    "tool": "bash",
                    "callID": "call_1",
                    "id": "prt_3",
                    "state": {"status": "completed", "input": {"command": "npm test"}, "output": "1 failed", "metadata": {"exit": 1}},
                },
            ],
        },
    ],
}
_PI = (
    {"type": "session", "version": 3, "id": "s1", "cwd": "/repo"},
    {"type": "message", "id": "a", "parentId": None, "message": {"role": "user", "content": [{"type": "text", "text": "Fix the bug."}]}},
    {
        "type": "message",
        "id": "b",
        "parentId": "a",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "Run."}, {"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {"command": "go test"}}],
        },
    },
    {
        "type": "message",
        "id": "c",
        "parentId": "b",
        "message": {
            "role": "toolResult",
            "toolCallId": "call_1",
            "toolName": "bash",
            "content": [{"type": "text", "text": "FAIL\n\nCommand exited with code 1"}],
            "isError": True,
        },
    },
)
_GEMINI = {
    "sessionId": "s1",
    "projectHash": "h",
    "startTime": "2026-01-01T00:00:00Z",
    "lastUpdated": "2026-01-01T00:00:01Z",
    "messages": [
        {"id": "m1", "type": "user", "content": [{"text": "Fix the bug."}]},
        {
            "id": "m2",
            "type": "gemini",
            "content": "Run.",
            "toolCalls": [
                {
                    "id": "call_1",
                    "name": "run_shell_command",
                    "args": {"command": "pytest"},
                    "status": "success",
                    "result": [{"functionResponse": {"response": {"output": "Output: 1 failed\nExit Code: 1\nProcess Group PGID: 7"}}}],
                }
            ],
        },
    ],
}
_COPILOT = (
    {"type": "session.start", "data": {"sessionId": "s1", "copilotVersion": "1.0.64", "context": {"cwd": "/repo"}}},
    {"type": "user.message", "data": {"content": "Fix the bug."}},
    {"type": "assistant.message", "data": {"content": "Run.", "toolRequests": []}},
    {"type": "tool.execution_start", "data": {"toolCallId": "call_1", "toolName": "bash", "arguments": {"command": "pytest"}}},
    {"type": "tool.execution_complete", "data": {"toolCallId": "call_1", "success": True, "result": {"content": "1 failed\n<exited with exit code 1>"}}},
)
_ATIF = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s1",
    "agent": {"name": "an-agent", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Fix the bug."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "Run.",
            "tool_calls": [{"tool_call_id": "call_1", "function_name": "bash", "arguments": {"command": "pytest"}}],
            "observation": {"results": [{"source_call_id": "call_1", "content": "<returncode>1</returncode>\n<output>\n1 failed\n</output>"}]},
        },
    ],
}
_OPENHANDS_0 = [
    {"id": 0, "timestamp": "t", "source": "user", "action": "message", "args": {"content": "Fix the bug."}},
    {
        "id": 1,
        "timestamp": "t",
        "source": "agent",
        "action": "run",
        "args": {"command": "pytest", "thought": "Run."},
        "tool_call_metadata": {"tool_call_id": "call_1"},
    },
    {
        "id": 2,
        "timestamp": "t",
        "source": "agent",
        "cause": 1,
        "observation": "run",
        "content": "1 failed",
        "extras": {"metadata": {"exit_code": 1, "working_dir": "/repo"}},
    },
]
_OPENHANDS_1 = (
    {"id": "e1", "timestamp": "t", "source": "user", "kind": "MessageEvent", "llm_message": {"content": [{"type": "text", "text": "Fix the bug."}]}},
    {
        "id": "e2",
        "timestamp": "t",
        "source": "agent",
        "kind": "ActionEvent",
        "thought": [{"type": "text", "text": "Run."}],
        "action": {"kind": "TerminalAction", "command": "pytest"},
        "tool_name": "terminal",
        "tool_call_id": "call_1",
    },
    {
        "id": "e3",
        "timestamp": "t",
        "source": "environment",
        "kind": "ObservationEvent",
        "tool_call_id": "call_1",
        "observation": {
            "content": [{"type": "text", "text": "1 failed"}],
            "is_error": False,
            "exit_code": 1,
            "metadata": {"exit_code": 1, "working_dir": "/repo"},
        },
    },
)
_CLINE = [
    {"role": "user", "ts": 1, "content": [{"type": "text", "text": "<task>\nFix the bug.\n</task>"}]},
    {"role": "assistant", "ts": 2, "content": [{"type": "text", "text": "Run.\n<execute_command><command>pytest</command></execute_command>"}]},
    {
        "role": "user",
        "ts": 3,
        "content": [{"type": "text", "text": "[execute_command for 'pytest'] Result:"}, {"type": "text", "text": "Exit code: 1\n1 failed"}],
    },
]
_AIDER = (
    b"# aider chat started at 2024-08-06 08:47:10\n\n> Aider v0.50.0  \n\n#### fix the bug  \n\nChange it:\n\napp.py\n```python\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n\n"
    b"> Applied edit to app.py  \n\n#### /run pytest  \n> === test session ===\n1 failed in 0.1s  \n"
)
_SPECSTORY = b"<!-- Generated by SpecStory -->\n\n_**User**_\n\nFix the bug.\n\n---\n\n_**Assistant**_\n\nRun.\n\n---\n\n```bash\npytest\n```\n\n```\n1 failed\n```\n\n---\n"
_CONSOLE = "> Fix the bug.\n\n\n⏺ I will run it.\n\n\n⏺ Bash(pytest)…\n\n  ⎿  Error: 1 failed\n\n".encode()
_OTEL = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "spanId": "a1",
                            "name": "agent",
                            "attributes": [
                                {"key": "openinference.span.kind", "value": {"stringValue": "AGENT"}},
                                {"key": "input.value", "value": {"stringValue": "Fix the bug."}},
                            ],
                        },
                        {
                            "spanId": "b2",
                            "name": "bash",
                            "startTimeUnixNano": "2",
                            "attributes": [
                                {"key": "openinference.span.kind", "value": {"stringValue": "TOOL"}},
                                {"key": "tool.name", "value": {"stringValue": "bash"}},
                                {"key": "input.value", "value": {"stringValue": '{"command": "pytest"}'}},
                                {"key": "output.value", "value": {"stringValue": "1 failed"}},
                            ],
                        },
                    ]
                }
            ]
        }
    ]
}
_SAMPLE = {
    "id": 1,
    "messages": [
        {"id": "m1", "role": "user", "content": "Fix the bug."},
        {"id": "m2", "role": "assistant", "content": "Run.", "tool_calls": [{"id": "call_1", "function": "bash", "arguments": {"command": "pytest"}}]},
        {"id": "m3", "role": "tool", "tool_call_id": "call_1", "content": "attachment://abc"},
    ],
    "attachments": {"abc": "1 failed"},
}
_EVAL = {"eval_id": "s1", "task": "t", "packages": {"inspect_ai": "0.3.95"}}
_INSPECT = {"version": 2, "status": "success", "eval": _EVAL, "plan": {}, "samples": [_SAMPLE]}

_GOOSE = (
    {"id": "20260101_1", "working_dir": "/repo", "description": "Bug", "message_count": 3},
    {"id": "m1", "role": "user", "created": 1, "content": [{"type": "text", "text": "Fix the bug."}]},
    {
        "id": "m2",
        "role": "assistant",
        "created": 2,
        "content": [
            {"type": "text", "text": "Run."},
            {
                "type": "toolRequest",
                "id": "call_1",
                "toolCall": {"status": "success", "value": {"name": "developer__shell", "arguments": {"command": "pytest -q"}}},
            },
        ],
    },
    {
        "id": "m3",
        "role": "user",
        "created": 3,
        "content": [
            {
                "type": "toolResponse",
                "id": "call_1",
                "toolResult": {"status": "success", "value": {"content": [{"type": "text", "text": "1 failed\nCommand exited with code 1"}], "isError": False}},
            }
        ],
    },
)
_QWEN_ENVELOPE = {"sessionId": "s1", "cwd": "/repo", "version": "0.15.0"}
_QWEN_OUTPUT = "Command: pytest\nDirectory: (root)\nOutput: 1 failed\nError: (none)\nExit Code: 1\nSignal: 0"
_QWEN = (
    {"uuid": "a", "parentUuid": None, **_QWEN_ENVELOPE, "type": "user", "message": {"role": "user", "parts": [{"text": "Fix the bug."}]}},
    {
        "uuid": "b",
        "parentUuid": "a",
        **_QWEN_ENVELOPE,
        "type": "assistant",
        "message": {
            "role": "model",
            "parts": [{"text": "Run."}, {"functionCall": {"id": "call_1", "name": "run_shell_command", "args": {"command": "pytest"}}}],
        },
    },
    {
        "uuid": "c",
        "parentUuid": "b",
        **_QWEN_ENVELOPE,
        "type": "tool_result",
        "message": {"role": "user", "parts": [{"functionResponse": {"id": "call_1", "name": "run_shell_command", "response": {"error": _QWEN_OUTPUT}}}]},
        "toolCallResult": {"callId": "call_1", "status": "error"},
    },
)
_CURSOR = (
    {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>\nFix the bug.\n</user_query>"}]}},
    {
        "role": "assistant",
        "message": {
            "content": [{"type": "text", "text": "Run."}, {"type": "tool_use", "name": "Shell", "input": {"command": "pytest", "working_directory": "/repo"}}]
        },
    },
    {"role": "user", "message": {"content": [{"type": "tool_result", "content": "1 failed"}]}},
    {"type": "turn_ended", "status": "success"},
)

SAMPLES = {
    "goose": _lines(*_GOOSE),
    "qwen-code": _lines(*_QWEN),
    "cursor": _lines(*_CURSOR),
    "mini-swe-agent": _json(_MINI),
    "swe-agent": _json(_SWE),
    "messages": _json(_MESSAGES),
    "opencode": _json(_OPENCODE),
    "pi": _lines(*_PI),
    "gemini-cli": _json(_GEMINI),
    "copilot-cli": _lines(*_COPILOT),
    "atif": _json(_ATIF),
    "openhands": _json(_OPENHANDS_0),
    "openhands V1": _lines(*_OPENHANDS_1),
    "cline": _json(_CLINE),
    "aider": _AIDER,
    "specstory": _SPECSTORY,
    "console": _CONSOLE,
    "otel": _json(_OTEL),
    "inspect": _json(_INSPECT),
    "inspect archive": _zip(header=_json({"version": 2, "status": "success", "eval": _EVAL}), samples__1_epoch_1=_json(_SAMPLE)),
}


class Samples(dict[str, bytes]):
    """The sessions; a failing property test names them and does not print them all."""

    def __repr__(self) -> str:
        return "samples"


@pytest.fixture(scope="session")
def samples() -> "Samples":
    """A session by the name of its format; a second one of a format has a word behind it."""
    return Samples(SAMPLES)


@pytest.fixture(scope="session", params=sorted(SAMPLES))
def sample(request: pytest.FixtureRequest) -> tuple[str, bytes]:
    """Each session in turn, with the name of its format."""
    name: str = request.param
    known = name if name in ("mini-swe-agent", "swe-agent", "gemini-cli", "copilot-cli", "qwen-code") else name.split(maxsplit=1)[0]
    return known, SAMPLES[name]
