"""A tool call's arguments, whatever their shape: untrusted, of any type, with any key missing."""

import re
from collections.abc import Iterable, Mapping

import msgspec

COMMAND_KEYS = ("command", "cmd", "script", "code", "commands", "keystrokes", "CommandLine", "input")
PATH_KEYS = (
    "file_path",
    "path",
    "notebook_path",
    "filePath",
    "filepath",
    "file",
    "target_file",
    "absolute_path",
    "relative_path",
    "TargetFile",
    "AbsolutePath",
    "dir_path",
    "directory",
)
QUERY_KEYS = ("pattern", "query", "glob", "regex", "url")


def mapping(arguments: object) -> Mapping[str, object]:
    """The arguments as a mapping: JSON text is decoded, anything else stands under `input`."""
    if isinstance(arguments, str):
        try:
            decoded = msgspec.json.decode(arguments)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return {"input": arguments}
        return decoded if isinstance(decoded, dict) else {"input": arguments}
    return arguments if isinstance(arguments, dict) else {"input": arguments}


def command(arguments: object) -> str | None:
    """The command line in the arguments: text, or an argv, of which `bash -lc X` is X."""
    given = mapping(arguments)
    action = given.get("action")
    values = [given.get(key) for key in COMMAND_KEYS] + ([action.get("command")] if isinstance(action, dict) else [])
    for value in values:
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value:
            return _argv([part if isinstance(part, str) else str(part) for part in value])
    return None


def _argv(argv: list[str]) -> str:
    if len(argv) == 3 and argv[0].rsplit("/", 1)[-1] in {"bash", "sh", "zsh"} and argv[1].startswith("-") and "c" in argv[1]:
        return argv[2]
    if argv[0] == "apply_patch" and len(argv) == 2:
        return f"apply_patch <<'EOF'\n{argv[1]}\nEOF"
    return " ".join(part if re.fullmatch(r"[\w@%+=:,./-]+", part) else "'" + part.replace("'", "'\\''") + "'" for part in argv)


def first(given: Mapping[str, object], keys: Iterable[str]) -> str | None:
    """The first of these keys that holds text, or a list of texts, of which it is the first."""
    for key in keys:
        if isinstance(value := given.get(key), str):
            return value
        if isinstance(value, list) and value and isinstance(value[0], str):
            return value[0]
    return None
