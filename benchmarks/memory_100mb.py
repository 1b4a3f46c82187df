"""The peak memory of `inspect` on a session of 100 MB, to the session's size."""

import tempfile
import time
from pathlib import Path

from _measure import can, options, peak, report, skip
from _session import write

SIZE = 100_000_000

if __name__ == "__main__":
    asked = options(__doc__, best_of=1)
    if not can(asked.program, "inspect"):
        skip("memory_100mb", "the program has no verb inspect")
        raise SystemExit(0)
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder, "session.jsonl")
        size = write(session, SIZE)
        start = time.perf_counter()
        most = min(peak([*asked.program, "inspect", "--json", str(session)]) for _ in range(asked.best_of))
        took = (time.perf_counter() - start) / asked.best_of
    report("memory_100mb", most / size, 3, unit="x the session's size", bytes=size, peak_bytes=most, seconds=round(took, 1))
