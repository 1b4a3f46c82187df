"""What was done: a tool call as one of four actions, whatever the agent calls its tools."""

from enum import StrEnum

from msgspec import Struct


class Ending(StrEnum):
    """How a tool call ended, as far as the session tells. Only `done` and `timed_out` say anything about the code."""

    DONE = "done"
    REFUSED = "refused"
    """the user said no"""
    INTERRUPTED = "interrupted"
    MALFORMED = "malformed"
    """the harness rejected the call: text to replace not found, file not read yet, bad arguments, patch does not apply"""
    TIMED_OUT = "timed_out"
    RUNNING = "running"
    """put into the background; its result never came"""
    MISSING = "missing"
    """no result in the file: a torn or live session"""


class Via(StrEnum):
    """Whether an edit was made with an edit tool or read out of a shell command."""

    TOOL = "tool"
    SHELL = "shell"


class EditKind(StrEnum):
    """How much an edit tells about the file afterwards."""

    REPLACE = "replace"
    """hunks: what went and what came, as text"""
    WRITE = "write"
    """the whole file: one hunk, `added` is the new content; `removed` is the old one where the session shows it"""
    APPEND = "append"
    """one hunk, only `added`, at the end of the file"""
    PATTERN = "pattern"
    """`sed -i` and the like: one hunk of the pattern and its replacement, not of whole lines"""
    DELETE = "delete"
    RESTORE = "restore"
    """the file went back to an earlier state: `git checkout`, `git restore`, `git stash`, a backup copied over it. Path `*` means every file"""
    OPAQUE = "opaque"
    """a script or formatter changed the file; the session does not show how"""


class Hunk(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lines out, lines in, without line ends. Context lines that stand on both sides may be kept on both."""

    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class Run(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="run"):
    """A command and what is known of how it ended.

    `at` is the index of its call in `Transcript.turns`; `exit` is None where the session does not tell; `output` is redacted, cleaned, capped
    head and tail. `result_ref` is the later call that delivered the result of a command still running when its own call returned.
    """

    ref: str
    at: int
    command: str
    output: str = ""
    exit: int | None = None
    ending: Ending = Ending.DONE
    cwd: str | None = None
    result_ref: str | None = None


class Edit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="edit"):
    """A change of one file. `path` as the agent wrote it, with `/`, relative to the session's cwd where it lies below it."""

    ref: str
    at: int
    path: str
    kind: EditKind
    hunks: tuple[Hunk, ...] = ()
    ending: Ending = Ending.DONE
    via: Via = Via.TOOL


class Read(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="read"):
    """A look at a file or a search."""

    ref: str
    at: int
    path: str
    ending: Ending = Ending.DONE


class Other(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="other"):
    """Any other tool call: plans, web, sub-agents."""

    ref: str
    at: int
    name: str
    ending: Ending = Ending.DONE


Action = Run | Edit | Read | Other
