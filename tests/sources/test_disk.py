"""The walk and the reading, on a real file system: what is found, what is passed over with its reason, what is never touched."""

import hashlib
import json
import os
import pickle
from pathlib import Path

import pytest

from ruledout.errors import BadInput
from ruledout.ports import FoundSession
from ruledout.read import detect
from ruledout.sources import files, walk
from ruledout.sources.disk import Disk
from ruledout.sources.places import Machine

needs_posix = pytest.mark.skipif(os.name != "posix", reason="links and FIFOs")
LINE = b'{"type":"user","message":{"role":"user","content":"hi"}}\n'


def disk(home: Path, **env: str) -> Disk:
    return Disk(Machine(home=str(home), system="linux", env=env, repository=str(home / "repo")))


def put(path: Path, content: bytes = LINE, at: float | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if at is not None:
        os.utime(path, (at, at))
    return path


def found(home: Path, agent: str | None = None, since: str | None = None) -> list[tuple[str, str]]:
    return [(one.agent, os.path.relpath(one.path, home)) for one in disk(home).found(agent, since).sessions]


def skipped(home: Path) -> dict[str, tuple[int, str]]:
    return {one.reason: (one.count, os.path.relpath(one.first, home)) for one in disk(home).found().skipped}


def test_the_sessions_of_all_agents_are_found_newest_first(tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/-repo/a.jsonl", at=1000)
    put(tmp_path / ".codex/sessions/2026/01/02/rollout-x.jsonl", at=3000)
    put(tmp_path / ".gemini/tmp/hash/chats/session-1.json", b"{}", at=2000)
    put(tmp_path / ".local/share/goose/sessions/g.jsonl", at=4000)
    put(tmp_path / ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/17/api_conversation_history.json", b"[]", at=5000)
    put(tmp_path / "repo/.aider.chat.history.md", b"# aider chat started at 2026\n", at=6000)
    put(tmp_path / ".openhands/conversations/c1/events/event-00000-a.json", b"{}", at=7000)
    assert [agent for agent, _ in found(tmp_path)] == ["openhands", "aider", "roo", "goose", "codex-cli", "gemini-cli", "claude-code"]
    assert skipped(tmp_path) == {}


def test_agent_and_moment_narrow_what_is_found(tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/-repo/old.jsonl", at=1000)
    put(tmp_path / ".claude/projects/-repo/new.jsonl", at=90_000)
    put(tmp_path / ".codex/archived_sessions/rollout-x.jsonl", at=90_000)
    assert found(tmp_path, "claude", "1970-01-02T00:00:00Z") == [("claude-code", ".claude/projects/-repo/new.jsonl")]


def test_a_machine_without_agents_has_no_sessions_and_nothing_is_made(tmp_path: Path) -> None:
    assert disk(tmp_path).found().sessions == ()
    assert list(tmp_path.iterdir()) == []


def test_a_gemini_session_belongs_to_the_work_tree_that_its_folder_stands_for(tmp_path: Path) -> None:
    hashed = hashlib.sha256(str(tmp_path / "repo").encode()).hexdigest()
    put(tmp_path / f".gemini/tmp/{hashed}/chats/session-1.json", b"{}", at=3)
    put(tmp_path / ".gemini/tmp/slug/chats/session-2.json", b"{}", at=2)
    put(tmp_path / ".gemini/tmp/slug/.project_root", b"/home/ann/slug\n")
    put(tmp_path / ".gemini/tmp/unknown/chats/session-3.json", b"{}", at=1)
    assert [one.repository for one in disk(tmp_path).found().sessions] == [str(tmp_path / "repo"), "/home/ann/slug", None]


@needs_posix
def test_R14_what_cannot_be_taken_is_counted_with_its_reason(tmp_path: Path) -> None:
    folder = tmp_path / ".claude/projects/-repo"
    put(folder / "good.jsonl")
    put(folder / "agent-1.jsonl")
    put(folder / "agent-2.jsonl")
    put(folder / "empty.jsonl", b"")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "link.jsonl").symlink_to("/etc/passwd")
    (tmp_path / ".claude/projects/round").symlink_to(tmp_path / ".claude/projects")
    put(tmp_path / ".local/share/opencode/opencode.db", b"SQLite format 3\0")
    put(tmp_path / ".codex/sessions/2026/01/02/rollout-x.jsonl.zst", b"\x28\xb5\x2f\xfd")
    assert found(tmp_path) == [("claude-code", ".claude/projects/-repo/good.jsonl")]
    assert skipped(tmp_path) == {
        "FIFO, socket or device": (1, ".claude/projects/-repo/pipe.jsonl"),
        "compressed, which is not read": (1, ".codex/sessions/2026/01/02/rollout-x.jsonl.zst"),
        "database, which is not read": (1, ".local/share/opencode/opencode.db"),
        "empty file": (1, ".claude/projects/-repo/empty.jsonl"),
        "side chain of another session": (2, ".claude/projects/-repo/agent-1.jsonl"),
        "symbolic link, which is not followed": (2, ".claude/projects/-repo/link.jsonl"),
    }


@needs_posix
def test_a_session_in_pieces_comes_as_its_agents_own_export(tmp_path: Path) -> None:
    storage = tmp_path / ".local/share/opencode/storage"
    put(storage / "session/p1/ses_1.json", b'{"id":"ses_1","directory":"/r"}', at=100)
    put(storage / "message/ses_1/msg_2.json", b'{"id":"msg_2","role":"assistant"}', at=300)
    put(storage / "message/ses_1/msg_1.json", b'{"id":"msg_1","role":"user"}\n', at=200)
    put(storage / "message/ses_1/msg_3.json", b'{"id":"msg_3","role":"user"}', at=100)
    put(storage / "message/ses_1/msg_4.json", b'{"id":"msg_4","ro', at=100)
    put(storage / "message/ses_2/msg_9.json", b'{"id":"msg_9"}')
    (storage / "part").mkdir()
    (storage / "part/msg_3").symlink_to(storage / "message/ses_2")
    put(storage / "part/msg_1/prt_1.json", b'{"type":"text","text":"Fix it."}', at=100)
    put(storage / "part/msg_2/prt_2.json", b'{"type":"text",\n"text":"b"}', at=400)
    put(storage / "part/msg_2/prt_1.json", b'{"type":"text","text":"a"}', at=100)
    (one,) = disk(tmp_path).found().sessions
    assert json.loads(disk(tmp_path).read(one)) == {
        "info": {"id": "ses_1", "directory": "/r"},
        "messages": [
            {"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "Fix it."}]},
            {"info": {"id": "msg_2", "role": "assistant"}, "parts": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {"info": {"id": "msg_3", "role": "user"}, "parts": []},
        ],
    }
    assert (one.agent, one.modified) == ("opencode", "1970-01-01T00:06:40Z")
    assert len(json.loads(disk(tmp_path).read(one, 40))["messages"]) == 1
    transcript = detect.read(disk(tmp_path).read(one))
    assert (transcript.format, transcript.cwd, transcript.turns[0].text) == ("opencode", "/r", "Fix it.")


@needs_posix
def test_settings_that_are_themselves_a_link_are_walked(tmp_path: Path) -> None:
    put(tmp_path / "dotfiles/projects/-repo/a.jsonl")
    (tmp_path / ".claude").symlink_to(tmp_path / "dotfiles")
    (tmp_path / ".codex").symlink_to(tmp_path / ".codex")
    assert [agent for agent, _ in found(tmp_path)] == ["claude-code"]


@needs_posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_counted_and_stops_nothing(tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/-a/a.jsonl")
    closed = put(tmp_path / ".claude/projects/-b/b.jsonl").parent
    closed.chmod(0)
    try:
        assert found(tmp_path) == [("claude-code", ".claude/projects/-a/a.jsonl")]
        assert skipped(tmp_path) == {"folder that may not be read": (1, ".claude/projects/-b")}
    finally:
        closed.chmod(0o700)


def test_the_same_file_found_by_two_ways_is_one_session(tmp_path: Path) -> None:
    put(tmp_path / ".config/claude/projects/-repo/a.jsonl")
    (tmp_path / ".claude").symlink_to(tmp_path / ".config/claude")
    assert len(found(tmp_path)) == 1


def test_a_folder_with_very_many_entries_is_left_at_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MOST_ENTRIES", 5)
    for number in range(20):
        put(tmp_path / f".codex/archived_sessions/rollout-{number:02}.jsonl")
    assert len(found(tmp_path)) == 4
    assert skipped(tmp_path)["more entries than are looked at"][0] == 1


def test_a_file_name_that_is_no_text_can_be_told(tmp_path: Path) -> None:
    try:
        put(tmp_path / ".claude/projects/-repo" / os.fsdecode(b"\xff.jsonl"))
    except (OSError, UnicodeError):
        pytest.skip("this file system takes text alone")
    (one,) = disk(tmp_path).found().sessions
    assert disk(tmp_path).read(one) == LINE


def test_events_come_in_the_order_of_their_numbers_and_a_pickle_is_never_opened(tmp_path: Path) -> None:
    events = tmp_path / ".openhands/sessions/s1/events"
    for number in (10, 2, 0):
        put(events / f"{number}.json", f'{{"id":\n {number}}}'.encode())
    put(events / "agent_state.pkl", pickle.dumps({"x": 1}))
    (one,) = disk(tmp_path).found().sessions
    assert disk(tmp_path).read(one) == b'{"id":  0}\n{"id":  2}\n{"id":  10}'
    assert one.bytes == sum(path.stat().st_size for path in events.glob("*.json"))


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        pytest.param(LINE + LINE, LINE + LINE, id="whole"),
        pytest.param(LINE + b'{"type":"us', LINE, id="the last record is still being written"),
        pytest.param(LINE + LINE[:-1], LINE + LINE[:-1], id="the last record is whole, its line end is not there yet"),
        pytest.param(LINE + '{"a":"ü'.encode()[:-1], LINE, id="cut inside a character"),
        pytest.param(b'{"type":"us', b'{"type":"us', id="nothing whole: the reader says so"),
    ],
)
def test_a_live_session_is_read_up_to_its_last_whole_record(tmp_path: Path, given: bytes, taken: bytes) -> None:
    assert files.read(str(put(tmp_path / "a.jsonl", given))) == taken


def test_a_record_that_was_torn_is_taken_once_when_it_is_complete(tmp_path: Path) -> None:
    path = put(tmp_path / "a.jsonl", LINE + LINE[:20])
    first = files.read(str(path))
    with path.open("ab") as file:
        file.write(LINE[20:])
    second = files.read(str(path))
    assert (first, second[len(first) :]) == (LINE, LINE)


def test_a_head_is_read_no_further_than_asked(tmp_path: Path) -> None:
    assert files.read(str(put(tmp_path / "a.jsonl", LINE * 100)), len(LINE) * 2 + 5) == LINE * 2


def test_a_session_replaced_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.jsonl", LINE * 3)
    real = files._bytes

    def replaced(descriptor: int, size: int) -> bytes:
        raw = real(descriptor, size)
        if raw == LINE * 3:  # an agent compacts: writes a new file beside, and renames it
            put(tmp_path / "new", LINE).replace(path)
        return raw

    monkeypatch.setattr(files, "_bytes", replaced)
    assert files.read(str(path)) == LINE


def test_a_session_that_is_rewritten_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.jsonl", LINE * 3)
    real = files._bytes

    def replaced(descriptor: int, size: int) -> bytes:
        put(tmp_path / "new", LINE).replace(path)
        return real(descriptor, size)

    monkeypatch.setattr(files, "_bytes", replaced)
    with pytest.raises(BadInput) as refused:
        files.read(str(path))
    assert refused.value.slug == "changing"


@needs_posix
@pytest.mark.parametrize("kind", ["link", "fifo", "device", "folder", "gone"])
def test_no_link_is_followed_no_fifo_waited_for_and_no_device_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.jsonl"
    if kind == "link":
        path.symlink_to(put(tmp_path / "target"))
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    place = "/dev/zero" if kind == "device" else str(path)
    with pytest.raises(BadInput) as refused:
        files.read(place)
    assert refused.value.slug == ("unreadable" if kind == "gone" else "not-a-file")


def test_a_session_beyond_the_bound_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = put(tmp_path / "a.jsonl")
    os.truncate(path, files.MOST + 1)
    with pytest.raises(BadInput) as refused:
        files.read(str(path))
    assert refused.value.slug == "too-big"


def test_reading_changes_nothing_and_locks_nothing(tmp_path: Path) -> None:
    path = put(tmp_path / ".claude/projects/-repo/a.jsonl")
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        before = (path.stat().st_mtime_ns, path.stat().st_size, sorted(path.parent.iterdir()))
        (one,) = disk(tmp_path).found().sessions
        assert disk(tmp_path).read(FoundSession(agent=one.agent, path=one.path, bytes=one.bytes, modified=one.modified)) == LINE
        assert (path.stat().st_mtime_ns, path.stat().st_size, sorted(path.parent.iterdir())) == before
    finally:
        path.parent.chmod(0o700)
