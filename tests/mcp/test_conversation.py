"""Conversations with the real server in both eras: what it says, in which order, and to what it says nothing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.client import ENVELOPE, GREETING, VERSION, Json, called, hello, line, note, request, running, talk

from ruledout import __version__
from ruledout.doors.mcp_server.tools import INSTRUCTIONS, TOOLS

SERVER = {"name": "ruledout", "version": __version__}
TOLD = {"io.modelcontextprotocol/serverInfo": SERVER}


def greeted(version: str) -> Json:
    return {"protocolVersion": version, "capabilities": {"tools": {"listChanged": False}}, "serverInfo": SERVER, "instructions": INSTRUCTIONS}


def error(id_: object, code: int) -> tuple[object, int]:
    return id_, code


def codes(replies: list[Any]) -> list[tuple[object, int]]:
    """Id and code of each reply; 0 for a result."""
    return [(reply["id"], reply.get("error", {"code": 0})["code"]) for reply in replies]


def test_a_whole_conversation_of_the_handshake_era(repo: Path) -> None:
    replies = talk(repo, *GREETING, request("a", "ping"), request(2, "tools/list"), called(3, "recall", {"query": "shares"}))
    assert replies == [
        {"jsonrpc": "2.0", "id": 0, "result": greeted("2025-11-25")},
        {"jsonrpc": "2.0", "id": "a", "result": {}},
        {"jsonrpc": "2.0", "id": 2, "result": {"tools": TOOLS}},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "result": {
                "content": [{"type": "text", "text": '{"hits":[],"brief":""}'}],
                "structuredContent": {"hits": [], "brief": ""},
                "isError": False,
            },
        },
    ]


def test_a_whole_conversation_of_the_stateless_era(repo: Path) -> None:
    replies = talk(
        repo,
        request(1, "server/discover", stateless=True),
        request(2, "tools/list", stateless=True),
        called(3, "handoff", stateless=True),
    )
    kept = {"ttlMs": 3_600_000, "cacheScope": "public", "resultType": "complete", "_meta": TOLD}
    assert [reply["result"] for reply in replies] == [
        {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": False}}, "instructions": INSTRUCTIONS, **kept},
        {"tools": TOOLS, **kept},
        {
            "content": [{"type": "text", "text": '{"record":null,"brief":""}'}],
            "structuredContent": {"record": None, "brief": ""},
            "isError": False,
            "resultType": "complete",
            "_meta": TOLD,
        },
    ]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2026-07-28", "2025-11-25"),
        ("1.0", "2025-11-25"),
    ],
)
def test_a_version_that_is_known_is_spoken_and_else_the_newest_of_the_era(repo: Path, asked: str, given: str) -> None:
    (reply,) = talk(repo, hello(asked))
    assert reply["result"]["protocolVersion"] == given


def test_a_version_that_is_not_spoken_is_refused_with_those_that_are(repo: Path) -> None:
    (reply,) = talk(repo, request(1, "tools/list", {"_meta": {**ENVELOPE, VERSION: "2031-01-01"}}))
    assert reply["error"] == {"code": -32022, "message": "unsupported protocol version", "data": {"supported": ["2026-07-28"], "requested": "2031-01-01"}}


def test_a_probe_that_was_refused_may_be_followed_by_the_handshake(repo: Path) -> None:
    replies = talk(repo, request(1, "server/discover", {"_meta": {VERSION: "2027-01-01"}}), *GREETING, request(2, "tools/list"))
    assert codes(replies) == [(1, -32022), (0, 0), (2, 0)]


@pytest.mark.parametrize(
    ("case", "message", "code"),
    [
        ("unknown method", request(7, "resources/list"), -32601),
        ("unknown tool", called(7, "run_gate"), -32602),
        ("no tool named", request(7, "tools/call", {}), -32602),
        ("arguments that are no object", request(7, "tools/call", {"name": "recall", "arguments": []}), -32602),
        ("parameters that are no object", {"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}, -32602),
        ("a probe without its version", request(7, "server/discover"), -32602),
        ("a greeting without a version", request(7, "initialize", {}), -32602),
        ("another protocol", {"jsonrpc": "1.0", "id": 7, "method": "ping"}, -32600),
        ("no method", {"jsonrpc": "2.0", "id": 7}, -32600),
        ("a method that is no text", {"jsonrpc": "2.0", "id": 7, "method": 1}, -32600),
    ],
)
def test_what_cannot_be_answered_is_an_error_with_its_id(repo: Path, case: str, message: Json, code: int) -> None:
    assert codes(talk(repo, *GREETING, message))[1:] == [error(7, code)], case


@pytest.mark.parametrize("id_", [None, True, 1.5, [1], {"a": 1}])
def test_an_id_that_is_none_is_not_told_back(repo: Path, id_: object) -> None:
    assert codes(talk(repo, request(id_, "ping"))) == [error(None, -32600)]


@pytest.mark.parametrize("method", ["tools/list", "tools/call"])
def test_tools_before_any_greeting_are_refused_and_a_ping_is_not(repo: Path, method: str) -> None:
    replies = talk(repo, request(1, method, {"name": "recall", "arguments": {"query": "x"}}), request(2, "ping"), *GREETING, request(3, "tools/list"))
    assert codes(replies) == [(1, -32600), (2, 0), (0, 0), (3, 0)]


def test_notifications_replies_and_blank_lines_are_answered_with_silence(repo: Path) -> None:
    quiet = (
        note("notifications/initialized"),
        note("no/such"),
        note("tools/call", {"name": "nope"}),
        b"\n",
        b"  \r\n",
        {"jsonrpc": "2.0", "id": 9, "result": {}},
    )
    assert codes(talk(repo, *quiet, request(1, "ping"))) == [(1, 0)]


def test_a_batch_is_answered_as_one_and_a_batch_of_notifications_not_at_all(repo: Path) -> None:
    replies = talk(repo, *GREETING, [request(1, "ping"), note("notifications/x"), request(2, "no/such")], [note("notifications/x")], [])
    assert codes(replies[1]) == [(1, 0), (2, -32601)]
    assert codes(replies[2:]) == [(None, -32600)]


def test_wrong_arguments_are_a_result_that_says_what_to_mend(repo: Path) -> None:
    replies = talk(repo, *GREETING, called(1, "recall", {"q": "x"}), called(2, "check_idea"), called(3, "propose_residual", {"root_cause": 3}))
    for reply in replies[1:]:
        assert reply["result"]["isError"] is True
        assert set(reply["result"]["structuredContent"]["error"]) == {"slug", "message", "mend"}
    assert [reply["result"]["structuredContent"]["error"]["slug"] for reply in replies[1:]] == ["bad-arguments", "empty-question", "bad-arguments"]


def test_a_call_that_was_taken_back_while_it_waited_is_not_made(repo: Path) -> None:
    taken = [called(1, "recall", {"query": "x"}), called(2, "recall", {"query": "y"}), note("notifications/cancelled", {"requestId": 2}), request(3, "ping")]
    with running(repo) as server:
        server.send(*GREETING)
        server.hear()
        server.send(*taken)  # in one write: the server finds all of it waiting
        assert codes(server.until(3)) == [(1, 0), (3, 0)]


def test_taking_back_what_is_done_or_unknown_says_nothing(repo: Path) -> None:
    whom: list[Json] = [{"requestId": 9}, {"requestId": None}, {}, {"requestId": {"a": []}}]
    odd = [note("notifications/cancelled", one) for one in whom]
    assert codes(talk(repo, *GREETING, called(1, "handoff"), *odd, request(2, "ping"))) == [(0, 0), (1, 0), (2, 0)]


def test_the_last_message_counts_without_its_line_end(repo: Path) -> None:
    assert codes(talk(repo, b'{"jsonrpc":"2.0","id":1,"method":"ping"}')) == [(1, 0)]


def test_the_repository_is_the_first_root_that_is_one(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "a b"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    (other / ".git/ruledout").mkdir()
    (other / ".git/ruledout/ruledout.db").write_bytes(b"no database at all, but it is asked")
    with running(repo) as server:
        server.send(hello(capabilities={"roots": {}}), note("notifications/initialized"))
        assert [server.hear()["id"], server.hear()] == [0, {"jsonrpc": "2.0", "id": "roots-1", "method": "roots/list"}]
        server.send(called(1, "recall", {"query": "x"}))  # the answer about the roots comes after it, and is waited for
        roots = ["http://example.invalid/x", f"file://{tmp_path}/none", "file:///%00", 3, other.as_uri(), repo.as_uri()]
        server.send({"jsonrpc": "2.0", "id": "roots-1", "result": {"roots": [{"uri": uri} for uri in roots]}})
        assert server.hear()["result"]["isError"] is True
        server.send(note("notifications/roots/list_changed"))
        server.hear()
        server.send({"jsonrpc": "2.0", "id": "roots-2", "error": {"code": 1, "message": "no"}}, called(2, "recall", {"query": "x"}))
        assert server.hear()["result"]["isError"] is False


def test_a_client_that_never_names_its_roots_is_answered_all_the_same(repo: Path) -> None:
    with running(repo) as server:
        server.send(hello(capabilities={"roots": {}}), note("notifications/initialized"), called(1, "recall", {"query": "x"}))
        assert codes(server.until(1)[2:]) == [(1, 0)]


def test_a_stateless_client_is_asked_for_its_roots_only_where_we_stand_in_no_repository(repo: Path, tmp_path: Path) -> None:
    can = {"_meta": {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {"roots": {}}}, "name": "recall", "arguments": {"query": "x"}}
    asked = {"resultType": "input_required", "inputRequests": {"roots": {"method": "roots/list"}}, "_meta": TOLD}
    (first,) = talk(tmp_path, request(1, "tools/call", can))
    assert first["result"] == asked
    answered = {**can, "inputResponses": {"roots": {"roots": [{"uri": repo.as_uri()}]}}}
    assert codes(talk(tmp_path, request(1, "tools/call", answered)) + talk(repo, request(2, "tools/call", can))) == [(1, 0), (2, 0)]


def test_the_repository_can_be_told_at_the_start(repo: Path, tmp_path: Path) -> None:
    (repo / ".git/ruledout").mkdir()
    (repo / ".git/ruledout/ruledout.db").write_bytes(b"no database at all, but it is asked")
    replies = talk(tmp_path, *GREETING, called(1, "recall", {"query": "x"}), options=("--repo", str(repo)))
    assert replies[-1]["result"]["isError"] is True


def test_a_client_is_connected_before_anything_that_a_call_needs_is_loaded(tmp_path: Path) -> None:
    code = "import sys; sys.argv = ['ruledout', 'mcp']; from ruledout.__main__ import main; main(); sys.stderr.write(' '.join(sys.modules))"
    asked = b"".join(map(line, (*GREETING, request(1, "tools/list"), request(2, "server/discover", stateless=True))))
    done = subprocess.run([sys.executable, "-I", "-c", code], input=asked, cwd=tmp_path, capture_output=True, check=True)
    loaded = set(done.stderr.decode().split())
    assert len(done.stdout.splitlines()) == 3
    assert {"msgspec", "argparse", "typing", "pathlib", "sqlite3", "subprocess", "asyncio", "ruledout.wiring", "ruledout.flows"} & loaded == set()
