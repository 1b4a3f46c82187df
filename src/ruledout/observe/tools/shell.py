"""What the shell, the task runners and the harness say before any tool has run: not found, wrong folder, no such task, refused."""

from ruledout.model.outcome import Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short

NAME = "shell"
PROGRAMS = frozenset(("sh", "bash", "zsh"))
_SHELL = r"(?:\S{0,200}(?:ba|z|da|k|fi)?sh|\(eval\)|\S{1,200}\.(?:sh|bash|zsh)|/bin/\w{1,40}): (?:line \d+: |\d+: |\w+:\d+: )?"
_CLASSES: tuple[tuple[str, str], ...] = (
    (
        "refused",
        (
            r"The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user|Sibling tool call errored"
            r"|user (?:rejected|denied|cancelled)|Permission to use .* has been denied"
        ),
    ),
    (
        "missing binary",
        (
            rf"(?m)^(?:{_SHELL})?.*(?:command not found(?:: \S+)?|not recognized as an internal or external command)$"
            rf"|^{_SHELL}[\w./-]+: not found$|^{_SHELL}(?:/|\./)\S+: No such file or directory$"
            rf"|^(?:env|xargs|nohup|timeout|sudo): .*(?:No such file or directory|command not found)"
        ),
    ),
    (
        "missing binary",
        (r"(?m)^(?:error|ERROR)?:? ?(?:spawn \S+ ENOENT|Failed to spawn: .*|executable file not found.*|Cannot find command.*|Command \"\S+\" not found.*)"),
    ),
    (
        "wrong cwd",
        (
            rf"(?m)^{_SHELL}.{{0,400}}\S: (?:No such file or directory|Not a directory)$|^(?:cd|chdir): .*(?:no such file or directory|No such file).*$"
            r"|^\(eval\):(?:\d+|cd:\d+): no such file or directory: \S+$"
        ),
    ),
    (
        "wrong cwd",
        (
            r"(?m)^.*(?:could not find `Cargo\.toml`|ENOENT.*package\.json|No package\.json|Could not read package\.json"
            r"|ERR_PNPM_NO_IMPORTER_MANIFEST|not a git repository|go\.mod file not found|Are you in a project directory"
            r"|No makefile found|No rule to make target '\S+'\.  Stop).*$"
        ),
    ),
    (
        "unknown task",
        (
            r"(?m)^.*(?:Missing script: |Error: no test specified|error: Script not found|ERR_PNPM_NO_SCRIPT|Command \"\S+\" not found|no tasks? (?:defined"
            r"|named|found)|Justfile does not contain|unrecognized subcommand|unknown command|error: unexpected argument|error: invalid (?:value|option)).*$"
        ),
    ),
    ("pathspec", r"(?m)^(?:fatal|error): pathspec .*$|^The following paths are ignored by one of your \.gitignore files.*$"),
    ("patch does not apply", r"(?m)^error: (?:patch failed|\S+: patch does not apply|corrupt patch|No valid patches).*$"),
    ("shell syntax", rf"(?m)^{_SHELL}.*(?:syntax error|unexpected EOF|parse error|unmatched|no matches found|bad substitution|event not found).*$"),
    ("unbound_variable", rf"(?m)^{_SHELL}.*unbound variable$"),
    ("permission denied", rf"(?m)^{_SHELL}.*Permission denied$"),
)


def claims(output: str) -> bool:
    """Short outputs of the shell's own kind, or a complaint near the end."""
    marks = (
        "not found",
        "No such file",
        "no such file",
        "unrecognized",
        "unknown command",
        "syntax error",
        "Permission denied",
        "doesn't want to",
        "errored",
        "ERROR",
        "ERR_PNPM",
        "Missing script",
        "no test specified",
    )
    return any(mark in output for mark in marks) or any(
        mark in output for mark in ("unbound variable", "pathspec", "does not apply", "Not a directory", "interrupted", "not recognized", "ignored by one")
    )


def read(output: str) -> Reading | None:
    """The first complaint, with its class."""
    for name, pattern in _CLASSES:
        if found := rx(pattern).search(output):
            kind = Kind.GATE_INVALID if name != "unbound_variable" else Kind.EXCEPTION
            return Reading(tool=NAME, kind=kind, says="fail", classes=(name,), message=short(found[0].strip()), span=found[0])
    return None
