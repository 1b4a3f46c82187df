"""`ruledout mute`: kept in the user's own folder, shown, and taken back."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.hook.ground import BAD, OLD, cart, keep, repository


def test_what_is_muted_is_kept_shown_heeded_and_taken_back(tmp_path: Path) -> None:
    session = repository(tmp_path)
    record = keep(session, cart())
    env = {"PATH": os.environ["PATH"], **session.env}

    def mute(*words: str) -> list[str]:
        argv = [sys.executable, "-m", "ruledout", "mute", *words, "--json"]
        return list(json.loads(subprocess.run(argv, cwd=session.root, env=env, capture_output=True, check=True).stdout)["muted"])

    asked = [mute(), mute("--rule", "edit"), mute("--here"), mute(record.digest[10:20] + "/b1"), mute("--all", "--off")]
    named = ["rule:edit", f"repo:{session.root}", f"item:{record.digest}/b1"]
    assert asked == [[], named[:1], named[:2], named, named]
    silent = session.edit(OLD, BAD)
    assert (silent, mute("--off"), "ruled out" in session.edit(OLD, BAD)) == ("", [], True)
