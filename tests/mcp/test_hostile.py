"""Whatever comes in: a JSON-RPC error or silence, and the server goes on."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.mcp.client import GREETING, Talk, called, request, running, talk

MEGA = 1_000_000
PARSE, INVALID = -32700, -32600
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
METHODS = st.sampled_from(["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled", "notifications/initialized", "x"])
TOOLS = st.sampled_from(["check_idea", "recall", "handoff", "propose_residual", "nope"])
ARGUMENTS = st.dictionaries(st.sampled_from(["idea", "query", "record", "diff", "edit", "root_cause", "guards", "session"]), JSON, max_size=3)
CALLS = st.fixed_dictionaries({"name": TOOLS | JSON, "arguments": ARGUMENTS | JSON})
ROOTS = st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": st.sampled_from(["roots-1", "roots-2", 1]), "result": JSON})
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | JSON, "method": METHODS | JSON}, optional={"id": JSON.filter(lambda id_: id_ != "end"), "params": CALLS | JSON}
)
LINES = st.binary(max_size=200).map(lambda raw: raw.replace(b"\n", b" ")) | (MESSAGES | ROOTS | JSON | st.lists(MESSAGES, max_size=3)).map(
    lambda value: json.dumps(value).encode()
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """One server for all that follows: it must outlive everything."""
    with running(tmp_path_factory.mktemp("place")) as talk_:
        talk_.send(*GREETING)
        talk_.hear()
        yield talk_


def sound(reply: Any) -> bool:  # noqa: ANN401  # JSON
    if isinstance(reply, list):
        return bool(reply) and all(map(sound, reply))
    asks = reply.get("method") == "roots/list"
    return reply["jsonrpc"] == "2.0" and "id" in reply and (asks or (("result" in reply) != ("error" in reply)))


@given(lines=st.lists(LINES, min_size=1, max_size=8))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_ends_the_server_and_every_reply_is_sound(server: Talk, lines: list[bytes]) -> None:
    server.send(*(line + b"\n" for line in lines), request("end", "ping"))
    assert all(map(sound, server.until("end")))


@pytest.mark.parametrize(
    ("case", "line", "code"),
    [
        ("no JSON", b"hello", PARSE),
        ("a header of another framing", b"Content-Length: 52", PARSE),
        ("half a message", b'{"jsonrpc":"2.0","id":1,"meth', PARSE),
        ("bytes of no encoding", bytes(range(11, 256)), PARSE),
        ("another encoding", '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16-le").replace(b"\n", b""), PARSE),
        ("a byte order mark", b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', PARSE),
        ("a number that is none", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', PARSE),
        ("a number of 10,000 digits", b'{"jsonrpc":"2.0","method":"ping","id":' + b"9" * 10_000 + b"}", PARSE),
        ("nested 100,000 deep", b"[" * 100_000, PARSE),
        ("nested 100,000 deep, and closed", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, PARSE),
        ("10 MB without an end", b"x" * 10 * MEGA, INVALID),
        ("10 MB of a message", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"' + b"x" * 10 * MEGA + b'"}}', INVALID),
        ("10 MB of line noise", bytes(range(11, 256)) * 41_000, INVALID),
        ("null", b"null", INVALID),
        ("a text", b'"ping"', INVALID),
        ("a batch of 10,000", json.dumps([request(1, "ping")] * 10_000).encode(), INVALID),
    ],
)
def test_a_line_that_is_no_message_is_one_error_without_an_id(server: Talk, case: str, line: bytes, code: int) -> None:
    server.send(line + b"\n", request("end", "ping"))
    (reply, _) = server.until("end")
    assert (reply["id"], reply["error"]["code"]) == (None, code), case


@pytest.mark.parametrize("value", ["\ud800", "\0", "\x1b[2J", "a" * 3 * MEGA, "(" * 50_000, "/" * 50_000 + ".py::x"])
@pytest.mark.parametrize(("name", "argument"), [("check_idea", "idea"), ("check_idea", "diff"), ("recall", "query"), ("handoff", "record")])
def test_a_hostile_argument_is_answered(server: Talk, name: str, argument: str, value: str) -> None:
    server.send(called("end", name, {argument: value}))
    reply = server.until("end")[-1]["result"]
    assert reply["structuredContent"].get("error", {}).get("slug") != "defect"


def test_deep_arguments_are_refused_as_such(server: Talk) -> None:
    deep = b'{"a":' * 900 + b"1" + b"}" * 900
    server.send(b'{"jsonrpc":"2.0","id":"end","method":"tools/call","params":{"name":"recall","arguments":{"query":' + deep + b"}}}\n")
    assert server.until("end")[-1]["result"]["structuredContent"]["error"]["slug"] == "bad-arguments"


def test_ten_thousand_messages_at_once_are_answered_in_order(tmp_path: Path) -> None:
    replies = talk(tmp_path, *GREETING, *(request(number, "ping") for number in range(10_000)))
    assert [reply["id"] for reply in replies] == [0, *range(10_000)]


def test_a_client_that_leaves_without_reading_is_no_trouble(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server._back.close()
        server.send(*GREETING, *(request(number, "tools/list") for number in range(5)))
