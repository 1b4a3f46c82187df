"""How much of a session is read to list it, and how spans of time are told."""

import json

import pytest

from ruledout.errors import BadInput
from ruledout.flows import list_sessions as flow
from ruledout.flows.list_sessions import glimpse, list_sessions, since
from ruledout.ports import FoundSession, FoundSessions

NOW = "2026-11-30T12:00:00Z"


class Shelf:
    """Sessions in memory, which remembers how many bytes of each were asked for."""

    def __init__(self, **sessions: bytes) -> None:
        self.sessions = {f"/{name}.jsonl": raw for name, raw in sessions.items()}
        self.asked: list[int | None] = []

    def found(self, agent: str | None = None, since: str | None = None) -> FoundSessions:  # noqa: ARG002  # the port's names
        rows = [FoundSession(agent="claude-code", path=path, bytes=len(raw), modified=NOW) for path, raw in self.sessions.items()]
        return FoundSessions(sessions=tuple(rows), skipped=())

    def read(self, session: FoundSession, limit: int | None = None) -> bytes:
        self.asked.append(limit)
        raw = self.sessions[session.path]
        return raw if limit is None else raw[:limit].rpartition(b"\n")[0] + b"\n"


def line(text: str, folder: str | None = "/r", uuid: str = "u") -> bytes:
    told = {"type": "user", "uuid": uuid, "isSidechain": False, "sessionId": "s", "message": {"role": "user", "content": text}}
    return json.dumps({**told, **({"cwd": folder} if folder else {})}).encode() + b"\n"


BIG = line("Fix it.") + b"".join(line("x" * 1000, uuid=f"u{number}") for number in range(3000))


def test_what_is_beyond_the_budget_is_known_by_its_head_alone() -> None:
    shelf = Shelf(a=BIG, b=line("Small."))
    big, small = list_sessions(shelf, None, None, None, budget=1000).sessions
    assert (big.turns, big.looks, big.whole, big.prompt, big.repository) == (None, "unknown", False, "Fix it.", "/r")
    assert (small.turns, small.whole) == (1, True)
    assert shelf.asked == [flow.HEAD, None]


def test_within_the_budget_a_session_is_read_once_and_whole() -> None:
    shelf = Shelf(a=BIG)
    assert (list_sessions(shelf, None, None, None).sessions[0].turns, shelf.asked) == (3001, [None])


def test_a_session_of_another_repository_costs_a_head_and_no_more() -> None:
    shelf = Shelf(a=BIG)
    found = list_sessions(shelf, None, None, lambda folder: folder == "/other")
    assert (found.sessions, found.elsewhere, shelf.asked) == ((), 1, [flow.HEAD])


@pytest.mark.parametrize(
    ("raw", "asked"),
    [
        pytest.param(line("a"), [None], id="small: whole at once"),
        pytest.param(line("x" * 1000, None) * 100 + line("a") + line("x" * 1000) * 2000, [flow.HEAD, flow.LONG_HEAD], id="the folder comes late"),
        pytest.param(line("x" * 100_000) + line("x" * 1000) * 2000, [flow.HEAD, flow.LONG_HEAD], id="the first record is longer than a head"),
        pytest.param(line("x" * 2_000_000) + line("a"), [flow.HEAD, flow.LONG_HEAD, None], id="and longer than a long one"),
    ],
)
def test_a_head_that_does_not_tell_the_folder_is_followed_by_a_longer_one(raw: bytes, asked: list[int | None]) -> None:
    shelf = Shelf(a=raw)
    assert (glimpse(shelf, shelf.found().sessions[0]).cwd, shelf.asked) == ("/r", asked)


@pytest.mark.parametrize(
    ("span", "moment"),
    [
        ("30m", "2026-11-30T11:30:00Z"),
        ("12h", "2026-11-30T00:00:00Z"),
        ("2d", "2026-11-28T12:00:00Z"),
        ("1w", "2026-11-23T12:00:00Z"),
        ("2026-11-01", "2026-11-01T00:00:00Z"),
    ],
)
def test_a_span_is_a_moment_before_now_or_a_day(span: str, moment: str) -> None:
    assert since(NOW, span) == moment


@pytest.mark.parametrize("span", ["", "2", "d", "-1d", "2d ", "soon", "99999w", "2026-13-01"])
def test_what_is_no_span_is_refused(span: str) -> None:
    with pytest.raises(BadInput) as refused:
        since(NOW, span)
    assert refused.value.slug == "bad-span"
