"""Many processes at once, and processes that are killed: what was acknowledged is there, whole, and in one chain."""

import os
import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from ruledout.store.sqlite import SqliteStore
from ruledout.testing.clock import StillClock

WRITER = Path(__file__).with_name("writer.py")
ROUNDS = int(os.environ.get("RULEDOUT_KILL_ROUNDS", "20"))


def start(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, WRITER, path, name, str(count)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def start_into(output: Path, path: Path) -> subprocess.Popen[bytes]:
    """A writer without end, whose acknowledgements go into a file: none is lost in a pipe."""
    with output.open("wb") as file:
        return subprocess.Popen([sys.executable, WRITER, path, output.stem, "0"], stdout=file)


def acknowledged(output: str) -> list[tuple[int, str]]:
    """Whole lines alone: a torn one was not acknowledged to its end."""
    return [(int(line.split()[0]), line.split()[1]) for line in output.splitlines(keepends=True) if line.endswith("\n")]


def test_eight_processes_that_keep_fifty_records_each_at_once_lose_none(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "store.db"
    writers = [start(path, f"w{n}", 50) for n in range(8)]
    outputs = [writer.communicate(timeout=120) for writer in writers]
    assert [(writer.returncode, errors) for writer, (_, errors) in zip(writers, outputs, strict=True)] == [(0, "")] * 8
    said = sorted(pair for output, _ in outputs for pair in acknowledged(output))
    with closing(SqliteStore(path, StillClock())) as store:
        assert sorted((kept.seq, kept.digest) for kept in store.listed()) == said
        assert [seq for seq, _ in said] == list(range(1, 401))
        assert store.audit() == ()


def test_eight_processes_that_keep_the_same_records_keep_each_once(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "store.db"
    writers = [start(path, "same", 10) for _ in range(8)]
    outputs = [writer.communicate(timeout=120) for writer in writers]
    assert [errors for _, errors in outputs] == [""] * 8
    assert sum(output.count("True") for output, _ in outputs) == 10
    with closing(SqliteStore(path, StillClock())) as store:
        assert len(store.listed()) == 10
        assert store.audit() == ()


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "store.db"
    chance = random.Random(4711)  # noqa: S311  # only spreads the moments of death
    said: list[tuple[int, str]] = []
    for number in range(ROUNDS):
        outputs = [tmp_path / f"r{number}w{n}.txt" for n in range(2)]
        writers = [start_into(output, path) for output in outputs]
        while not outputs[0].stat().st_size and writers[0].poll() is None:
            time.sleep(0.005)
        time.sleep(chance.random() * 0.15)
        for writer in writers:
            writer.kill()
            writer.wait(timeout=60)
        for output in outputs:
            said += acknowledged(output.read_text())
        with closing(SqliteStore(path, StillClock())) as store:
            held = {(kept.seq, kept.digest) for kept in store.listed()}
            assert set(said) <= held, f"round {number}"
            assert len(held) <= len(said) + 2 * (number + 1), "at most the one that each writer was at"
            if number % 5 == 4 or number == ROUNDS - 1:
                assert store.audit() == ()
    assert len(said) > ROUNDS
