"""What all agents' hooks have in common: an event, the changes that an edit would make, a careful look into untrusted JSON. Never raises."""

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

BEFORE, AFTER, START, END, COMPACT, PROMPT, OTHER = "before", "after", "start", "end", "compact", "prompt", "other"
REPLACE, WRITE, INSERT, DELETE = "replace", "write", "insert", "delete"

RUNS = frozenset(("bash", "shell", "terminal", "execute_bash", "run_shell_command", "exec_command", "powershell", "local_shell"))
EDITS = frozenset(
    (
        "edit",
        "multiedit",
        "write",
        "create",
        "replace",
        "write_file",
        "str_replace_editor",
        "file_editor",
        "str_replace",
        "str_replace_based_edit_tool",
        "edit_file",
    )
)
LOOKS = frozenset(
    (
        "read",
        "grep",
        "glob",
        "ls",
        "view",
        "read_file",
        "list_directory",
        "search_file_content",
        "websearch",
        "webfetch",
        "todowrite",
        "todoread",
        "task_tracker",
        "think",
    )
)
_PATHS = ("file_path", "path", "filePath", "filepath", "target_file")
_OLD = ("old_string", "old_str", "oldString", "old_text")
_NEW = ("new_string", "new_str", "newString", "new_text", "insert_text")
_WHOLE = ("content", "file_text", "contents")


class Change:
    """A change of one file about to be made: `old` and `new` as they were given, for a whole file `new` alone. `every`: at every place of `old`."""

    __slots__ = ("every", "kind", "new", "old", "path")

    def __init__(self, path: str, kind: str, old: str, new: str, *, every: bool = False) -> None:
        """Put it together."""
        self.path, self.kind, self.old, self.new, self.every = path, kind, old, new, every


class Event:
    """One hook event. `name` is the agent's own word for it; `exit` is None where it does not tell; `failed` is its word that the call failed."""

    __slots__ = ("call", "changes", "command", "cwd", "exit", "failed", "kind", "name", "output", "session", "source", "tool", "transcript")

    def __init__(self, kind: str, name: str, given: "dict[str, object]") -> None:
        """An event with what nearly all agents call the same."""
        self.kind, self.name = kind, name
        self.session = text(given, "session_id", "sessionId", "conversation_id", "session", "sessionID")
        self.transcript = text(given, "transcript_path", "transcriptPath")
        self.cwd = text(given, "cwd", "working_dir", "directory")
        self.source = text(given, "source", "trigger")
        self.call = text(given, "tool_use_id", "call", "callID")
        self.tool = ""
        self.command = self.output = ""
        self.exit: int | None = None
        self.failed = False
        self.changes: tuple[Change, ...] = ()

    def act(self, tool: str, arguments: object) -> None:
        """Take what the tool is about to do, or did."""
        self.tool = tool.rpartition(".")[2].lower()
        given = arguments if isinstance(arguments, dict) else {}
        if self.tool in RUNS:
            self.command = command(given)
        elif self.tool in ("apply_patch", "patch"):
            self.changes = tuple(patched(text(given, "command", "input", "patch", "patchText")))
        elif self.tool in EDITS:
            self.changes = tuple(edits(given))


def text(given: object, *keys: str) -> str:
    """The first of these keys that holds text."""
    for key in keys:
        value = given.get(key) if isinstance(given, dict) else None
        if isinstance(value, str):
            return value
    return ""


def command(given: "dict[str, object]") -> str:
    """A command line, of an argv `bash -lc X` the X."""
    value = given.get("command", given.get("cmd"))
    if isinstance(value, list) and len(value) == 3 and value[0] in ("bash", "sh", "zsh", "/bin/bash", "/bin/sh"):
        value = value[2]
    return value if isinstance(value, str) else ""


def edits(given: "dict[str, object]") -> "Iterator[Change]":
    """The changes of an edit tool, told by the keys of its arguments."""
    path, verb = text(given, *_PATHS), text(given, "command")
    if not path or verb in ("view", "undo_edit"):
        return
    many = given.get("edits")
    for one in many if isinstance(many, list) else [given]:
        old, new = text(one, *_OLD), text(one, *_NEW)
        whole = text(one, *_WHOLE)
        if verb == "insert" or (not old and any(key in one for key in ("insert_line", "insert_text"))):
            yield Change(path, INSERT, "", new)
        elif old or new or any(key in one for key in (*_OLD, *_NEW)):
            yield Change(path, REPLACE, old, new, every=one.get("replace_all") is True or one.get("replaceAll") is True)
        elif whole or any(key in one for key in _WHOLE):
            yield Change(path, WRITE, "", whole)


def patched(source: str) -> "Iterator[Change]":
    """The hunks of an `apply_patch` envelope, context kept on both sides."""
    path, kind = "", ""
    old: list[str] = []
    new: list[str] = []
    for row in [*source.split("\n"), "*** End Patch"]:
        line = row.removesuffix("\r")
        if line.startswith(("*** ", "@@")):
            if path and (old != new or kind == WRITE):
                yield Change(path, kind, "" if kind == WRITE else "\n".join(old), "\n".join(new))
            old, new = [], []
            for head, what in (("*** Update File: ", REPLACE), ("*** Add File: ", WRITE), ("*** Move to: ", REPLACE)):
                if line.startswith(head):
                    path, kind = line[len(head) :].strip(), what
            if line.startswith(("*** Delete File: ", "*** End Patch")) or (kind == WRITE and line.startswith("@@")):
                path = ""
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith("-"):
            old.append(line[1:])
        elif not line.startswith("\\"):
            old.append(line[1:])
            new.append(line[1:])


def rows(value: str) -> "list[str]":
    """Lines without ends, as readers have them: a line end at the end makes no empty last line."""
    return [row.removesuffix("\r") for row in value.removesuffix("\n").split("\n")] if value else []


def kind_of(name: str, names: "Mapping[str, Iterable[str]]") -> str:
    """The kind of an event by the agent's own word for it."""
    return next((kind for kind, words in names.items() if name in words), OTHER)


def number_behind(output: str, sign: str, end: str = "\n") -> "int | None":
    """The whole number that stands behind the last `sign`, up to `end`."""
    at = output.rfind(sign)
    digits = output[at + len(sign) :].partition(end)[0].strip() if at >= 0 else ""
    return int(digits) if digits.isascii() and digits.lstrip("-").isdigit() and len(digits) < 12 else None
