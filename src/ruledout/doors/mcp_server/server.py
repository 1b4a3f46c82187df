"""The loop: a line in, a line out, one request at a time. It ends with its input, and nothing that comes in ends it before.

Standard input and output are taken for the protocol alone: whatever else reads finds an empty stream, whatever else writes goes to standard error.
"""

import gc
import os
from collections import deque
from contextlib import suppress

from ruledout.doors.mcp_server.lines import LONGEST, TOO_LONG, Lines
from ruledout.doors.mcp_server.protocol import INVALID, Fault, Json, Peer, fault, read, write
from ruledout.doors.mcp_server.tools import call

ROOTS_S = 2.0
"""how long a first call waits for a client to name its roots"""
_MOST_AHEAD = 1000


def serve(repo: str | None) -> int:
    """Answer until standard input ends; always 0. `repo` is the repository; None asks the client for its roots, and else takes the current folder."""
    gc.enable()  # the command line switched it off for a short life, and this one is long
    with suppress(OSError, BrokenPipeError, KeyboardInterrupt):
        lines, output = _streams()
        Server(lines, output, repo).run()
    return 0


def _streams() -> tuple[Lines, int]:
    """The protocol's own descriptors. `session: "-"`, a stray print or a library's warning cannot reach them."""
    input_, output = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    with suppress(OSError):
        os.dup2(2, 1)
    for descriptor in (input_, output):
        with suppress(OSError):
            os.set_blocking(descriptor, True)
    return Lines(input_), output


class Server:
    """One client: its messages in the order in which they came, those that were read ahead included."""

    def __init__(self, lines: Lines, output: int, repo: str | None) -> None:
        """Serve on these; `repo` goes before what the client says."""
        self._lines, self._output = lines, output
        self._repo = repo
        self._asked, self._waits = 0, False
        self._roots: object = None
        self._ahead: deque[object] = deque()
        self._peer = Peer(self._tool, self._is_lost)

    def run(self) -> None:
        """Until the input ends."""
        while True:
            if self._ahead:
                message = self._ahead.popleft()
            else:
                line = self._lines.next()
                if line is None:
                    return
                message = self._read(line)
            if message is not None:
                self._take(message)

    def _take(self, message: object) -> None:
        method = message.get("method") if isinstance(message, dict) else None
        if self._heard_roots(message) or (method == "tools/call" and self._cancelled(message)):
            return
        reply = self._peer.answer(message)
        if reply is not None:
            self._send(reply)
        if method in ("notifications/initialized", "notifications/roots/list_changed") and self._peer.has_roots and self._repo is None:
            self._ask_roots()

    def _read(self, line: bytes) -> object:
        """The message in a line; None where there is none, which has been answered."""
        if not line.strip():
            if line == TOO_LONG:
                self._send(fault(Fault(INVALID, f"a message has at most {LONGEST} bytes")))
            return None
        try:
            value = read(line)
        except Fault as error:
            self._send(fault(error))
            return None
        if value is None:
            self._send(fault(Fault(INVALID, "a message is a JSON object")))
        return value

    def _send(self, message: object) -> None:
        data = memoryview(write(message))
        while data:
            data = data[os.write(self._output, data) :]

    def _tool(self, name: str, arguments: Json, roots: object) -> tuple[Json, bool]:
        return call(name, arguments, self._place(roots))

    def _is_lost(self) -> bool:
        from ruledout import wiring

        return self._repo is None and wiring.repository(None) is None

    def _look_ahead(self, seconds: float) -> bool:
        """Read one message more, if it is there or comes in time; whether there was one."""
        if len(self._ahead) >= _MOST_AHEAD or not self._lines.waits(seconds):
            return False
        line = self._lines.next()
        if line is None:
            return False
        message = self._read(line)
        if message is not None and not self._heard_roots(message):
            self._ahead.append(message)
        return True

    def _cancelled(self, message: object) -> bool:
        """Whether the client took this call back while it was waiting: then nothing is done and nothing is said."""
        while self._look_ahead(0.0):
            pass
        if not isinstance(message, dict) or "id" not in message:
            return False
        taken_back = [
            params.get("requestId")
            for one in self._ahead
            if isinstance(one, dict) and one.get("method") == "notifications/cancelled" and isinstance(params := one.get("params"), dict)
        ]
        return message["id"] in taken_back

    def _ask_roots(self) -> None:
        self._asked, self._waits = self._asked + 1, True
        self._send({"jsonrpc": "2.0", "id": f"roots-{self._asked}", "method": "roots/list"})

    def _heard_roots(self, message: object) -> bool:
        """Take the client's answer to our last question; whether the message was an answer of that kind. One that comes late counts for the next call."""
        if not isinstance(message, dict) or "method" in message or not str(message.get("id")).startswith("roots-"):
            return False
        if message["id"] == f"roots-{self._asked}":
            self._waits = False
            result = message.get("result")
            self._roots = result.get("roots") if isinstance(result, dict) else None
        return True

    def _place(self, roots: object) -> str | None:
        """The repository's folder: told at the start, else the first root that lies in one, else None for the current folder. `roots` came with the call."""
        from time import monotonic

        until = monotonic() + ROOTS_S
        while self._waits and self._look_ahead(until - monotonic()):
            pass
        self._waits = False
        named = self._roots if roots is None else roots
        if self._repo is not None or not isinstance(named, list):
            return self._repo
        from ruledout.doors.mcp_server.places import repository_in

        return repository_in(named)
