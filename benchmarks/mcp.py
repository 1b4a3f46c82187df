"""How long a client waits until `ruledout mcp` has answered its first request, to a bare interpreter (`python -I -c pass`); and what a call takes then.

The bar holds for both eras: `initialize`, and `server/discover`.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from _measure import ENVIRONMENT, can, options, report, seconds, skip

META: dict[str, object] = {
    f"io.modelcontextprotocol/{name}": value for name, value in (("protocolVersion", "2026-07-28"), ("clientInfo", {}), ("clientCapabilities", {}))
}
HELLO = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}},
    "server/discover": {"_meta": META},
}
CALLS = 50


def waited(program: Sequence[str], method: str, calls: int, folder: str) -> tuple[float, list[float]]:
    """Seconds from the start of the process to its first answer, and those of each call after it, the first left out: it loads what calls need."""
    start = time.perf_counter()
    with subprocess.Popen([*program, "mcp"], env=ENVIRONMENT, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def ask(id_: int, name: str, params: object) -> None:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": id_, "method": name, "params": params}).encode() + b"\n")
            server.stdin.flush()
            if json.loads(server.stdout.readline()).get("error"):
                raise SystemExit(f"{name} was refused")

        ask(0, method, HELLO[method])
        first, took = time.perf_counter() - start, []
        for number in range(calls):
            at = time.perf_counter()
            ask(number + 1, "tools/call", {"name": "recall", "arguments": {"query": "rounding shares"}, "_meta": META})
            took.append(time.perf_counter() - at)
        server.stdin.close()
    return first, took[1:]


def main() -> None:
    """Print a line for each era, and one for a call."""
    asked = options(__doc__ or "", best_of=20)
    if not can(asked.program, "mcp"):
        skip("mcp", "the program has no verb mcp")
        sys.exit(0)
    with tempfile.TemporaryDirectory() as folder:
        bare = [asked.python, "-I", "-c", "pass"]
        waited(asked.program, "initialize", 0, folder)
        rounds = [(*(waited(asked.program, method, 0, folder)[0] for method in HELLO), seconds(bare)) for _ in range(asked.best_of)]
        *firsts, base = map(min, zip(*rounds, strict=True))
        for method, first in zip(HELLO, firsts, strict=True):
            report(f"mcp connect, {method}", first / base, 3.0, unit="x a bare interpreter", program_ms=round(first * 1000, 1), bare_ms=round(base * 1000, 1))
        calls = sorted(waited(asked.program, "server/discover", CALLS, folder)[1])
        report("mcp call", calls[len(calls) // 2] * 1000, None, unit="ms, median of recall in an empty repository")


if __name__ == "__main__":
    main()
