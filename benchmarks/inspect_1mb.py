"""How long `inspect` takes on a session of 1 MB, to a process that runs `json.loads` on each line of the same bytes."""

import tempfile
from pathlib import Path

from _measure import best, can, options, report, skip
from _session import write

MEGABYTE = 1_000_000
LOADS = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"

if __name__ == "__main__":
    asked = options(__doc__, best_of=10)
    if not can(asked.program, "inspect"):
        skip("inspect_1mb", "the program has no verb inspect")
        raise SystemExit(0)
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder, "session.jsonl")
        size = write(session, MEGABYTE)
        program, loads = best(asked.best_of, [*asked.program, "inspect", "--json", str(session)], [asked.python, "-I", "-c", LOADS, str(session)])
    report("inspect_1mb", program / loads, 4, unit="x json.loads", bytes=size, program_ms=round(program * 1000, 1), loads_ms=round(loads * 1000, 1))
