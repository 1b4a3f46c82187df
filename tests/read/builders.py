"""Session files in the shapes that Claude Code and Codex write, line by line, with made-up content."""

import json

Json = dict[str, object]


class ClaudeFile:
    """A Claude Code session file in the making. Each line hangs on the one before, unless `parent` says otherwise."""

    def __init__(self, cwd: str = "/home/dev/app") -> None:
        self.cwd = cwd
        self.rows: list[str] = []
        self.last: str | None = None

    def line(self, kind: str, **rest: object) -> str:
        uuid = f"u{len(self.rows)}"
        above = rest.pop("parent", self.last)
        row = {"parentUuid": above, "isSidechain": False, "cwd": self.cwd, "sessionId": "s1", "version": "2.1.0", "type": kind, "uuid": uuid, **rest}
        self.rows.append(json.dumps(row))
        self.last = uuid
        return uuid

    def user(self, text: str, **rest: object) -> str:
        return self.line("user", message={"role": "user", "content": text}, **rest)

    def says(self, text: str, **rest: object) -> str:
        return self.line("assistant", message={"role": "assistant", "id": f"m{len(self.rows)}", "content": [{"type": "text", "text": text}]}, **rest)

    def calls(self, ref: str, name: str, message: str | None = None, given: Json | None = None, **rest: object) -> str:
        block = {"type": "tool_use", "id": ref, "name": name, "input": given or {}}
        return self.line("assistant", message={"role": "assistant", "id": message or f"m{len(self.rows)}", "content": [block]}, **rest)

    def gives(self, ref: str, text: str, *, error: bool = False, kept: object = None, **rest: object) -> str:
        block = {"type": "tool_result", "tool_use_id": ref, "content": text, "is_error": error}
        more = {} if kept is None else {"toolUseResult": kept}
        return self.line("user", message={"role": "user", "content": [block]}, **more, **rest)

    def runs(self, ref: str, command: str, output: str, *, error: bool = False, kept: object = None) -> None:
        self.calls(ref, "Bash", given={"command": command})
        self.gives(ref, output, error=error, kept=kept)

    def raw(self) -> bytes:
        return "".join(f"{row}\n" for row in self.rows).encode()


class CodexFile:
    """A Codex rollout in the making."""

    def __init__(self, cwd: str = "/home/dev/app") -> None:
        self.rows: list[str] = []
        self.line("session_meta", id="c1", cwd=cwd, cli_version="0.140.0", base_instructions={"text": "You are an agent."})
        self.line("turn_context", cwd=cwd, model="m")

    def line(self, kind: str, **payload: object) -> None:
        self.rows.append(json.dumps({"timestamp": "2026-06-18T04:57:11.237Z", "type": kind, "payload": payload}))

    def item(self, kind: str, **rest: object) -> None:
        self.line("response_item", type=kind, **rest)

    def event(self, kind: str, **rest: object) -> None:
        self.line("event_msg", type=kind, **rest)

    def says(self, text: str, role: str = "assistant") -> None:
        self.item("message", role=role, content=[{"type": "output_text" if role == "assistant" else "input_text", "text": text}])

    def calls(self, ref: str, name: str, **given: object) -> None:
        self.item("function_call", name=name, arguments=json.dumps(given), call_id=ref)

    def gives(self, ref: str, output: str) -> None:
        self.item("function_call_output", call_id=ref, output=output)

    def patches(self, ref: str, patch: str, output: str) -> None:
        self.item("custom_tool_call", name="apply_patch", input=patch, call_id=ref, status="completed")
        self.item("custom_tool_call_output", call_id=ref, output=output)

    def raw(self) -> bytes:
        return "".join(f"{row}\n" for row in self.rows).encode()
