"""A client that says exactly what it is told to, to the real program over real pipes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

Json = dict[str, Any]

VERSION = "io.modelcontextprotocol/protocolVersion"
ENVELOPE: Json = {VERSION: "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "0"}, "io.modelcontextprotocol/clientCapabilities": {}}
PROGRAM = (sys.executable, "-m", "ruledout", "mcp")
DEADLINE_S = 60


def request(id_: object, method: str, params: Json | None = None, *, stateless: bool = False) -> Json:
    """A request of either era."""
    if stateless:
        params = {"_meta": ENVELOPE, **(params or {})}
    return {"jsonrpc": "2.0", "id": id_, "method": method, **({} if params is None else {"params": params})}


def note(method: str, params: Json | None = None) -> Json:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def hello(version: str = "2025-11-25", capabilities: Json | None = None) -> Json:
    """The first request of the handshake era."""
    return request(0, "initialize", {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": {"name": "t", "version": "0"}})


GREETING = (hello(), note("notifications/initialized"))


def called(id_: object, name: str, arguments: Json | None = None, *, stateless: bool = False) -> Json:
    """A call of a tool."""
    return request(id_, "tools/call", {"name": name, "arguments": arguments or {}}, stateless=stateless)


def environment(home: Path) -> dict[str, str]:
    """A home of its own, so that no session of this machine is found."""
    moves = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "COPILOT_HOME", "PI_CODING_AGENT_DIR", "QWEN_HOME")
    kept = {name: value for name, value in os.environ.items() if name not in moves}
    return {**kept, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}


def line(message: object) -> bytes:
    """A message as it goes over the wire; bytes go as they are."""
    return message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"


def talk(cwd: Path, *messages: object, options: tuple[str, ...] = ()) -> list[Any]:
    """Everything that the server says to these messages, sent at once, until it ends: which it does well, with nothing on standard error."""
    done = subprocess.run(
        [*PROGRAM, *options], input=b"".join(map(line, messages)), cwd=cwd, env=environment(cwd), capture_output=True, timeout=DEADLINE_S, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return [json.loads(row) for row in done.stdout.splitlines()]


def ask(cwd: Path, name: str, arguments: Json | None = None) -> Json:
    """The whole result of one call of a tool."""
    result: Json = talk(cwd, *GREETING, called(1, name, arguments))[-1]["result"]
    shown = json.loads(result["content"][0]["text"])
    assert shown == result["structuredContent"]
    return result


def told(cwd: Path, name: str, arguments: Json | None = None) -> Json:
    """The structured answer of one call that is no error."""
    result = ask(cwd, name, arguments)
    assert result["isError"] is False, result
    answer: Json = result["structuredContent"]
    return answer


class Talk:
    """A running server, to be spoken to message by message."""

    def __init__(self, to: IO[bytes], back: IO[bytes]) -> None:
        self._to, self._back = to, back

    def send(self, *messages: object) -> None:
        self._to.write(b"".join(map(line, messages)))
        self._to.flush()

    def hear(self) -> Any:  # noqa: ANN401  # JSON
        """The next message of the server."""
        return json.loads(self._back.readline())

    def until(self, id_: object) -> list[Any]:
        """Everything that is said until the reply with this id."""
        heard = [self.hear()]
        while not (isinstance(heard[-1], dict) and heard[-1].get("id") == id_):
            heard.append(self.hear())
        return heard


@contextmanager
def running(cwd: Path) -> Iterator[Talk]:
    """A server that ends well when its input does."""
    with subprocess.Popen(PROGRAM, cwd=cwd, env=environment(cwd), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        try:
            yield Talk(server.stdin, server.stdout)
            server.stdin.close()
            assert (server.wait(DEADLINE_S), server.stderr.read()) == (0, b"")
        finally:
            server.kill()
