"""The one table of where each agent keeps its sessions, by platform, with the variables that move it. Touches nothing: it only says where to look.

A root's alternatives are tried in order: the first whose variables are all set to absolute paths counts. `$CONFIG` and `$DATA` are the platform's own folders.
"""

from collections.abc import Mapping

from msgspec import Struct

from ruledout.errors import BadInput

SYSTEMS = ("linux", "darwin", "win32")
REPOSITORY = "$REPOSITORY"
"""The top folder of the work tree that is asked about: some agents keep their sessions in it."""


class Place(Struct, frozen=True, kw_only=True):
    """One place of one agent. `pattern` is what lies under the root, one shell pattern a folder level.

    `side` are file names of that pattern that are no sessions of their own. `refused` says why nothing here can be read: it is counted, not listed.
    `events` marks a session that is a folder of event files. `project` says that the folder two levels up stands for a work tree that its sessions do not
    name: by a file of this name in it, or by its own name, the SHA-256 of the path. `pieces` says where the rest of a session lies that is kept in many files.
    """

    agent: str
    roots: tuple[str, ...]
    pattern: str
    side: tuple[str, ...] = ()
    refused: str | None = None
    events: str | None = None
    project: str | None = None
    pieces: str | None = None
    systems: tuple[str, ...] = SYSTEMS


_DATABASE = "database, which is not read"
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_TASKS = "tasks/*/api_conversation_history.json"


def _in_editors(agent: str, extension: str) -> tuple[Place, ...]:
    """An editor extension's tasks, in each editor that can hold it, here and on the far side of a remote session."""
    local = tuple(Place(agent=agent, roots=(f"$CONFIG/{editor}/User/globalStorage/{extension}",), pattern=_TASKS) for editor in _EDITORS)
    return (*local, Place(agent=agent, roots=(f"~/.vscode-server/data/User/globalStorage/{extension}",), pattern=_TASKS, systems=("linux",)))


PLACES: tuple[Place, ...] = (
    Place(agent="claude-code", roots=("$CLAUDE_CONFIG_DIR/projects", "~/.claude/projects"), pattern="*/*.jsonl", side=("agent-*.jsonl",)),
    Place(
        agent="claude-code",
        roots=("$CLAUDE_CONFIG_DIR/projects", "$XDG_CONFIG_HOME/claude/projects", "~/.config/claude/projects"),
        pattern="*/*.jsonl",
        side=("agent-*.jsonl",),
    ),
    Place(agent="codex-cli", roots=("$CODEX_HOME/sessions", "~/.codex/sessions"), pattern="*/*/*/rollout-*.jsonl"),
    Place(agent="codex-cli", roots=("$CODEX_HOME/sessions", "~/.codex/sessions"), pattern="*/*/*/rollout-*.jsonl.zst", refused="compressed, which is not read"),
    Place(agent="codex-cli", roots=("$CODEX_HOME/archived_sessions", "~/.codex/archived_sessions"), pattern="rollout-*.jsonl"),
    Place(agent="gemini-cli", roots=("$GEMINI_CLI_HOME/.gemini/tmp", "~/.gemini/tmp"), pattern="*/chats/session-*.json", project=".project_root"),
    Place(agent="gemini-cli", roots=("$GEMINI_CLI_HOME/.gemini/tmp", "~/.gemini/tmp"), pattern="*/chats/session-*.jsonl", project=".project_root"),
    Place(agent="opencode", roots=("$OPENCODE_DATA_DIR", "$DATA/opencode"), pattern="opencode*.db", refused=_DATABASE),
    Place(
        agent="opencode",
        roots=("$OPENCODE_DATA_DIR/storage", "$DATA/opencode/storage"),
        pattern="session/*/ses_*.json",
        pieces="message/SESSION and part/MESSAGE",
    ),
    Place(agent="copilot-cli", roots=("$COPILOT_HOME/session-state", "~/.copilot/session-state"), pattern="*/events.jsonl"),
    Place(
        agent="openhands",
        roots=("$OPENHANDS_CONVERSATIONS_DIR", "$OPENHANDS_PERSISTENCE_DIR/conversations", "~/.openhands/conversations"),
        pattern="*/events",
        events="event-*.json",
    ),
    Place(agent="openhands", roots=("$FILE_STORE_PATH/sessions", "~/.openhands/sessions"), pattern="*/events", events="[0-9]*.json"),
    Place(agent="pi", roots=("$PI_CODING_AGENT_DIR/sessions", "~/.pi/agent/sessions"), pattern="*/*.jsonl"),
    Place(
        agent="cline",
        roots=("$CLINE_SESSION_DATA_DIR", "$CLINE_DATA_DIR/sessions", "$CLINE_DIR/data/sessions", "~/.cline/data/sessions"),
        pattern="*/*.messages.json",
    ),
    Place(agent="cline", roots=("$CLINE_DATA_DIR", "$CLINE_DIR/data", "~/.cline/data"), pattern=_TASKS),
    *_in_editors("cline", "saoudrizwan.claude-dev"),
    *_in_editors("roo", "rooveterinaryinc.roo-cline"),
    Place(agent="goose", roots=("$GOOSE_PATH_ROOT/data/sessions", "$DATA/goose/sessions"), pattern="*.jsonl", systems=("linux", "darwin")),
    Place(agent="goose", roots=("$GOOSE_PATH_ROOT/data/sessions", "$CONFIG/Block/goose/data/sessions"), pattern="*.jsonl", systems=("win32",)),
    Place(agent="goose", roots=("$GOOSE_PATH_ROOT/data/sessions", "$DATA/goose/sessions"), pattern="*.db", refused=_DATABASE, systems=("linux", "darwin")),
    Place(agent="goose", roots=("$GOOSE_PATH_ROOT/data/sessions", "$CONFIG/Block/goose/data/sessions"), pattern="*.db", refused=_DATABASE, systems=("win32",)),
    Place(
        agent="qwen-code",
        roots=("$QWEN_RUNTIME_DIR/projects", "$QWEN_HOME/projects", "~/.qwen/projects"),
        pattern="*/chats/*.jsonl",
        side=("agent-*.jsonl",),
    ),
    Place(agent="cursor", roots=("~/.cursor/projects",), pattern="*/agent-transcripts/*.jsonl"),
    Place(agent="cursor", roots=("~/.cursor/projects",), pattern="*/agent-transcripts/*/*.jsonl"),
    Place(agent="cursor", roots=("~/.cursor/chats",), pattern="*/*/store.db", refused=_DATABASE),
    Place(agent="aider", roots=(REPOSITORY,), pattern=".aider.chat.history.md"),
    Place(agent="specstory", roots=(f"{REPOSITORY}/.specstory/history",), pattern="*.md"),
)
AGENTS = tuple(dict.fromkeys(place.agent for place in PLACES))


class Machine(Struct, frozen=True, kw_only=True):
    """What decides where things lie: the user's home, the platform (`sys.platform`), the environment, the work tree that is asked about."""

    home: str
    system: str
    env: Mapping[str, str]
    repository: str | None = None


def agent_named(name: str) -> str:
    """The agent of this name, or the only one whose name starts so. Raises `BadInput` (`unknown-agent`)."""
    found = [agent for agent in AGENTS if agent == name] or [agent for agent in AGENTS if name and agent.startswith(name)]
    if len(found) != 1:
        raise BadInput("unknown-agent", f"there is no agent {name!r} whose sessions can be found", f"name one of these: {', '.join(AGENTS)}")
    return found[0]


def root_of(place: Place, machine: Machine) -> str | None:
    """The folder under which a place's pattern holds on this machine, or None where it has none."""
    if machine.system not in place.systems:
        return None
    return next((path for template in place.roots if (path := _filled(template, machine)) is not None), None)


def variables(place: Place) -> tuple[str, ...]:
    """The variables that move a place, in the order in which they are asked."""
    named = [part for root in place.roots for part in root.split("/") if part.startswith("$")]
    every = [name for part in named for name in ({"$CONFIG": (), "$DATA": ("XDG_DATA_HOME",), REPOSITORY: ()}.get(part, (part[1:],)))]
    return tuple(dict.fromkeys(every))


def _filled(template: str, machine: Machine) -> str | None:
    first, _, rest = template.partition("/")
    base = _base(first, machine)
    return None if base is None else f"{base}/{rest}" if rest else base


def _base(first: str, machine: Machine) -> str | None:
    known = {"~": machine.home, REPOSITORY: machine.repository}
    if first in known:
        return known[first]
    if first == "$DATA":
        return _absolute(machine.env.get("XDG_DATA_HOME")) or f"{machine.home}/.local/share"
    return _config(machine) if first == "$CONFIG" else _absolute(machine.env.get(first[1:]))


def _config(machine: Machine) -> str:
    """Where the platform keeps programs' settings."""
    if machine.system == "win32":
        return _absolute(machine.env.get("APPDATA")) or f"{machine.home}/AppData/Roaming"
    if machine.system == "darwin":
        return f"{machine.home}/Library/Application Support"
    return _absolute(machine.env.get("XDG_CONFIG_HOME")) or f"{machine.home}/.config"


def _absolute(value: str | None) -> str | None:
    """The path without its last slash; a relative one is no place, since it would depend on where we were started."""
    value = (value or "").strip()
    return value.rstrip("/\\") or value if value.startswith(("/", "\\")) or value[1:3] in (":\\", ":/") else None
