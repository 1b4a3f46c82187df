"""Writes `docs/record.schema.json` from the code; with `--check`, exits 1 when the file is not what the code says."""  # a script, no package

import json
import sys
from pathlib import Path

from ruledout.model import wire

HOME = Path(__file__).with_name("record.schema.json")


def main(arguments: list[str]) -> int:
    """Write the schema, or compare it."""
    text = json.dumps(wire.schema(), indent=2, ensure_ascii=False) + "\n"
    if "--check" not in arguments:
        HOME.write_text(text, encoding="utf-8")
        return 0
    if HOME.exists() and HOME.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write("docs/record.schema.json is not current; run python docs/build_schema.py\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
