"""The table of places: where each agent's sessions lie, on each platform, and what moves them."""

import pytest

from ruledout.errors import BadInput
from ruledout.sources.places import AGENTS, PLACES, SYSTEMS, Machine, agent_named, root_of, variables


def roots(agent: str, system: str = "linux", env: dict[str, str] | None = None, repository: str | None = None) -> list[str]:
    """The roots of an agent's places that can be read, each once."""
    machine = Machine(home="/home/ann", system=system, env=env or {}, repository=repository)
    found = (root_of(place, machine) for place in PLACES if place.agent == agent and place.refused is None)
    return list(dict.fromkeys(root for root in found if root is not None))


@pytest.mark.parametrize(
    ("agent", "env", "expected"),
    [
        pytest.param("claude-code", {}, ["/home/ann/.claude/projects", "/home/ann/.config/claude/projects"], id="claude, its two homes"),
        pytest.param("claude-code", {"CLAUDE_CONFIG_DIR": "/else/"}, ["/else/projects"], id="claude, moved"),
        pytest.param("codex-cli", {"CODEX_HOME": "/cx"}, ["/cx/sessions", "/cx/archived_sessions"], id="codex, moved"),
        pytest.param("gemini-cli", {"GEMINI_CLI_HOME": "/g"}, ["/g/.gemini/tmp"], id="gemini, its home moved"),
        pytest.param("goose", {"XDG_DATA_HOME": "/xdg"}, ["/xdg/goose/sessions"], id="goose, data moved"),
        pytest.param("goose", {"GOOSE_PATH_ROOT": "/gr", "XDG_DATA_HOME": "/xdg"}, ["/gr/data/sessions"], id="goose, its own variable first"),
        pytest.param("pi", {"PI_CODING_AGENT_DIR": "/pi"}, ["/pi/sessions"], id="pi, moved"),
        pytest.param("openhands", {"OPENHANDS_PERSISTENCE_DIR": "/oh"}, ["/oh/conversations", "/home/ann/.openhands/sessions"], id="openhands, moved"),
        pytest.param("qwen-code", {"QWEN_HOME": "/q", "QWEN_RUNTIME_DIR": "/qr"}, ["/qr/projects"], id="qwen, the runtime folder first"),
        pytest.param("copilot-cli", {"COPILOT_HOME": "relative/path"}, ["/home/ann/.copilot/session-state"], id="a relative path moves nothing"),
        pytest.param("codex-cli", {"CODEX_HOME": "  "}, ["/home/ann/.codex/sessions", "/home/ann/.codex/archived_sessions"], id="nor does a blank one"),
    ],
)
def test_a_variable_moves_an_agents_place(agent: str, env: dict[str, str], expected: list[str]) -> None:
    assert roots(agent, env=env) == expected


@pytest.mark.parametrize(
    ("system", "env", "expected"),
    [
        ("linux", {}, "/home/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev"),
        ("linux", {"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Code/User/globalStorage/saoudrizwan.claude-dev"),
        ("darwin", {}, "/home/ann/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev"),
        ("win32", {}, "/home/ann/AppData/Roaming/Code/User/globalStorage/saoudrizwan.claude-dev"),
        ("win32", {"APPDATA": "C:\\Roam"}, "C:\\Roam/Code/User/globalStorage/saoudrizwan.claude-dev"),
    ],
)
def test_an_editors_extension_lies_where_the_platform_keeps_settings(system: str, env: dict[str, str], expected: str) -> None:
    assert expected in roots("cline", system, env)


def test_goose_lies_elsewhere_on_windows() -> None:
    assert roots("goose", "win32") == ["/home/ann/AppData/Roaming/Block/goose/data/sessions"]


def test_what_lies_in_the_repository_is_looked_for_only_where_there_is_one() -> None:
    assert (roots("aider"), roots("specstory")) == ([], [])
    assert (roots("aider", repository="/r"), roots("specstory", repository="/r")) == (["/r"], ["/r/.specstory/history"])


def test_every_agent_has_a_place_on_every_platform() -> None:
    machines = [Machine(home="/h", system=system, env={}, repository="/r") for system in SYSTEMS]
    assert [(agent, m.system) for m in machines for agent in AGENTS if not any(root_of(p, m) for p in PLACES if p.agent == agent)] == []


def test_no_place_lists_a_pickle_or_a_database() -> None:
    read = [place.pattern for place in PLACES if place.refused is None]
    assert [pattern for pattern in read if pattern.endswith((".pkl", ".db", ".sqlite", ".vscdb"))] == []


def test_an_agent_is_named_by_its_start_where_only_one_starts_so() -> None:
    assert (agent_named("claude"), agent_named("codex-cli"), agent_named("cursor")) == ("claude-code", "codex-cli", "cursor")
    for name in ("", "c", "nobody"):
        with pytest.raises(BadInput, match="name one of these"):
            agent_named(name)


def test_the_variables_of_a_place_are_told() -> None:
    first = next(place for place in PLACES if place.agent == "openhands")
    assert variables(first) == ("OPENHANDS_CONVERSATIONS_DIR", "OPENHANDS_PERSISTENCE_DIR")
