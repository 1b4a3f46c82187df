"""Which agent keeps its settings where, and what it is asked to call: events, matchers, time-outs in its own unit. One table; adding an agent is a row.

The command of the user's own settings is a fixed path, which no upgrade changes: Codex asks for trust again when a command changes, Cursor tells doubles by it.
The command of a project's settings names nothing of this machine, and where the program is not installed it ends without a word.
"""

from msgspec import Struct

from ruledout.agents.settings import Want

FRONT = "ruledout-hook"
STATE = '"${XDG_STATE_HOME:-$HOME/.local/state}" "$HOME/Library/Application Support"'
SECONDS = 5
USER, PROJECT = "user", "project"


class Setup(Struct, frozen=True, kw_only=True):
    """One agent. `home` are folders that show it is there, tried in order: the first whose variable is set, else the last; `project` the same in a work tree.

    `user_file` and `project_file` are relative to them. `syntax` is `json`, `jsonc`, `toml` or `whole`. `events` are event, matcher; `shape` is how a handler
    is written; `unit` is what a second counts in its time-outs. `trust` is what its user still has to do.
    """

    agent: str
    title: str
    home: tuple[str, ...]
    user_file: str
    project: str
    project_file: str
    syntax: str
    events: tuple[tuple[str, str], ...]
    shape: str
    unit: int = 1
    version: bool = False
    trust: str = ""


_TOOLS = "Bash|Edit|MultiEdit|Write"
SETUPS: dict[str, Setup] = {
    one.agent: one
    for one in (
        Setup(
            agent="claude",
            title="Claude Code",
            home=("$CLAUDE_CONFIG_DIR", "~/.claude"),
            user_file="settings.json",
            project=".claude",
            project_file=".claude/settings.json",
            syntax="json",
            events=(("PreToolUse", _TOOLS), ("PostToolUse", _TOOLS), ("PostToolUseFailure", _TOOLS), ("SessionStart", ""), ("PreCompact", "")),
            shape="nested",
        ),
        Setup(
            agent="codex",
            title="Codex CLI",
            home=("$CODEX_HOME", "~/.codex"),
            user_file="hooks.json",
            project=".codex",
            project_file=".codex/hooks.json",
            syntax="json",
            events=(("PreToolUse", "Bash|apply_patch"), ("PostToolUse", "Bash|apply_patch"), ("SessionStart", ""), ("PreCompact", "")),
            shape="nested",
            trust="Codex skips a new hook until you trust it: open /hooks in Codex",
        ),
        Setup(
            agent="gemini",
            title="Gemini CLI",
            home=("$GEMINI_CLI_HOME/.gemini", "~/.gemini"),
            user_file="settings.json",
            project=".gemini",
            project_file=".gemini/settings.json",
            syntax="jsonc",
            events=(("BeforeTool", "run_shell_command|replace|write_file"), ("AfterTool", "run_shell_command|replace|write_file"), ("SessionStart", "")),
            shape="named",
            unit=1000,
        ),
        Setup(
            agent="copilot",
            title="Copilot CLI",
            home=("$COPILOT_HOME", "~/.copilot"),
            user_file="settings.json",
            project=".github/hooks",
            project_file=".github/hooks/ruledout.json",
            syntax="jsonc",
            events=(("preToolUse", ""), ("postToolUse", ""), ("sessionStart", "")),
            shape="bash",
        ),
        Setup(
            agent="opencode",
            title="opencode",
            home=("$XDG_CONFIG_HOME/opencode", "~/.config/opencode"),
            user_file="plugins/ruledout.js",
            project=".opencode",
            project_file=".opencode/plugins/ruledout.js",
            syntax="whole",
            events=(("tool.execute.before", ""), ("tool.execute.after", ""), ("session.compacted", "")),
            shape="plugin",
        ),
        Setup(
            agent="cursor",
            title="Cursor",
            home=("~/.cursor",),
            user_file="hooks.json",
            project=".cursor",
            project_file=".cursor/hooks.json",
            syntax="json",
            events=(("preToolUse", "Shell|Write"), ("postToolUse", "Shell|Write"), ("sessionStart", ""), ("preCompact", "")),
            shape="flat",
            version=True,
        ),
        Setup(
            agent="openhands",
            title="OpenHands",
            home=("~/.openhands",),
            user_file="hooks.json",
            project=".openhands",
            project_file=".openhands/hooks.json",
            syntax="json",
            events=(
                ("PreToolUse", "terminal|execute_bash|file_editor|str_replace_editor|apply_patch"),
                ("PostToolUse", "terminal|execute_bash"),
                ("SessionStart", "*"),
            ),
            shape="nested",
        ),
    )
}


def command(agent: str, scope: str, shim: str, *, windows: bool = False) -> str:
    """The command line of an agent's hook. `shim` is the front's fixed path."""
    if windows:
        return f'powershell -NoProfile -ExecutionPolicy Bypass -File "{shim}" {agent}'
    if scope == USER:
        import shlex

        return f"{shlex.quote(shim)} {agent}"
    look = f'for d in {STATE}; do f="$d/ruledout/bin/{FRONT}"; [ -x "$f" ] && exec "$f" {agent}; done'
    return f"{look}; command -v ruledout >/dev/null 2>&1 && exec ruledout hook {agent}; exit 0"


def wants(setup: Setup, scope: str, told: str, shim: str) -> tuple[Want, ...]:
    """What should stand in this agent's settings; `told` is its command."""
    if setup.shape == "plugin":
        from ruledout.agents.settings.plugin import plugin

        return (Want(pointer=("plugin",), value=plugin(scope, shim), command=told),)
    version = setup.version or (setup.agent == "copilot" and scope == PROJECT)
    first = (Want(pointer=("version",), value=1),) if version else ()
    return first + tuple(Want(pointer=("hooks", event), value=_group(setup, matcher, told), command=told) for event, matcher in setup.events)


def _group(setup: Setup, matcher: str, told: str) -> dict[str, object]:
    limit = SECONDS * setup.unit
    if setup.shape == "bash":
        return {"type": "command", "bash": told, "timeoutSec": limit}
    if setup.shape == "flat":
        return {"command": told, "type": "command", **({"matcher": matcher} if matcher else {}), "timeout": limit}
    named = {"name": "ruledout"} if setup.shape == "named" else {}
    handler = {"type": "command", **named, "command": told, "timeout": limit}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}
