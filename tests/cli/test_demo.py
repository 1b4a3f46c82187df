"""The demo ends as it should, leaves nothing behind, and its session is what happens when its steps are done again."""

import json
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def recorder() -> ModuleType:
    spec = util.spec_from_file_location("record_demo", ROOT / "docs" / "record_demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_demo_shows_a_proof_two_dead_ends_a_guard_a_check_what_a_line_is_for_and_a_handoff(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "ruledout", "demo", "--keep", str(tmp_path / "shares")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for said in (
        "red 3x -> green 3x -> red on revert 3x",
        "hardened (2 ruled out, 2 different failures)",
        "guards",
        "ablated: the gate goes red without it",
        "RULED OUT",
        "\nclear:",
        "against b2, a dead end",
        "this change takes a proved guard out",
        "UNRESOLVED_HANDOFF",
    ):
        assert said in done.stdout
    assert str(tmp_path) not in done.stdout.replace(str(tmp_path / "shares"), "", 1)


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = subprocess.run([sys.executable, "-m", "ruledout", "demo", "--keep", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.txt"]


def test_doing_the_steps_again_gives_the_session_that_is_shipped(tmp_path: Path) -> None:
    module = recorder()
    module.lay(module.DEMO / "base", tmp_path / "shares")
    again = module.Recorder(tmp_path / "shares")
    module.play(again)
    shipped = [json.loads(line) for line in (module.DEMO / "session.jsonl").read_text().splitlines()]
    told = [{key: line[key] for key in ("type", "uuid")} for line in again.lines]
    assert told == [{key: line[key] for key in ("type", "uuid")} for line in shipped]
    for new, old in zip(again.lines, shipped, strict=True):
        if sys.version_info[:2] == (3, 11):  # the underlining of tracebacks is another in later versions
            assert new == old
