"""The official SDK's client against the real server, in both eras and with its own choice of one. Skipped where the SDK is not installed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.client import PROGRAM, environment
from tests.mcp.conftest import DEMO

from ruledout.doors.mcp_server.tools import TOOLS

pytest.importorskip("mcp.client.client", reason="the SDK is not installed")


async def conversation(repo: Path, mode: str) -> tuple[str, list[Any], Any, Any, str]:
    import importlib

    sdk: Any = importlib.import_module("mcp")
    place = sdk.StdioServerParameters(command=PROGRAM[0], args=list(PROGRAM[1:]), cwd=str(repo), env=environment(repo))
    async with sdk.Client(place, mode=mode) as client:
        tools = (await client.list_tools()).tools
        proposed = await client.call_tool("propose_residual", {"root_cause": "I think so", "session": str(DEMO / "session.jsonl")})
        wrong = await client.call_tool("recall", {"q": "x"})
        try:
            await client.call_tool("no_such_tool", {})
        except sdk.MCPError as error:
            return client.protocol_version, tools, proposed, wrong, str(error)
    return "", [], None, None, ""


@pytest.mark.filterwarnings("default")  # the SDK's own libraries warn about one another
@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")])
def test_the_official_client_lists_calls_and_is_refused_in_each_era(repo: Path, mode: str, version: str) -> None:
    spoken, tools, proposed, wrong, refused = asyncio.run(conversation(repo, mode))
    assert spoken == version
    assert [(tool.name, tool.description, tool.input_schema) for tool in tools] == [(t["name"], t["description"], t["inputSchema"]) for t in TOOLS]
    assert [tool.annotations.read_only_hint for tool in tools] == [True, True, False, True]
    assert {reason["rule"] for reason in proposed.structured_content["unmet"]} == {"R3"}
    assert (proposed.is_error, wrong.is_error) == (False, True)
    assert "there is no such tool" in refused
