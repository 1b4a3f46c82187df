"""What agents call their tools, and the words with which a harness says that a call did not do its work. Two lists for all agents."""

import re

from ruledout.model.action import Ending
from ruledout.observe.late import Late

RUN_NAMES = frozenset(
    {
        "bash", "shell", "exec_command", "shell_command", "local_shell_call", "local_shell", "container.exec", "execute_bash", "terminal",
        "run_shell_command", "execute_command", "run_command", "run_terminal_cmd", "run_terminal_command", "run_in_terminal", "run", "run_commands",
        "powershell", "developer__shell", "command", "bash_command", "execute", "cmd", "exec", "sh", "user_shell", "run_bash", "shell_exec",
        "terminal_command", "bash_exec"
    }
)  # fmt: skip
READ_NAMES = frozenset(
    {
        "read", "grep", "glob", "ls", "view", "read_file", "read_many_files", "list_dir", "list_directory", "list_files", "search_files", "grep_search",
        "file_search", "codebase_search", "glob_file_search", "search_file_content", "find", "view_image", "notebookread", "find_file", "search_dir",
        "search_file", "open", "cat", "rg", "search", "search_code", "read_multiple_files", "readfile", "viewfile", "goto", "scroll_up", "scroll_down",
        "find_by_name"
    }
)  # fmt: skip
EDIT_NAMES = frozenset(
    {
        "edit", "multiedit", "write", "notebookedit", "str_replace_editor", "str_replace_based_edit_tool", "edit_file", "replace", "write_file",
        "apply_patch", "editor", "write_to_file", "replace_in_file", "create_file", "str_replace", "text_editor", "file_editor", "search_replace",
        "applypatch", "create", "insert", "delete_file", "replace_string_in_file", "multi_edit", "developer__text_editor", "apply_diff", "patch",
        "insert_content", "append_file", "file_write", "file_edit", "file_change", "remove_file", "strreplace", "editnotebook", "delete"
    }
)  # fmt: skip

_REFUSED = (
    "The user doesn't want to ",
    "User rejected",
    "The user rejected",
    "[User rejected",
    "User cancelled",
    "User denied",
    "The user denied",
    "rejected by user",
)
_INTERRUPTED = (
    "[Request interrupted by user",
    "<tool_use_error>Sibling tool call errored",
    "[Tool call cancelled",
    "aborted by user",
    "Cancelled:",
    "Tool execution was cancelled",
)
_MALFORMED = Late(
    r"^\s*<tool_use_error>|InputValidationError|String to replace not found|File has not been read yet|File has been modified since"
    r"|No replacement was performed|did not appear verbatim|No changes to make|old_string and new_string (?:are|must)"
    r"|Found \d+ matches of the string|could not find the string to replace|0 occurrences found|Expected \d+ occurrences? but found"
    r"|apply_patch verification failed|Failed to find (?:expected lines|context)|[Ii]nvalid (?:patch|Hunk|context)|Failed to find context"
    r"|Could not find (?:the )?(?:exact match|oldText|old_string|exact text)|oldString (?:not found|found multiple)|introduced new syntax error"
    r"|SEARCH block|[Pp]atch failed|File does not exist|Missing (?:required )?param"
)
_APPLIED = Late(r"has been (?:updated|edited|created|successfully)|[Ss]uccess|File (?:created|written)|Applied")
_PATCH_FAILED = Late(
    r"apply_patch verification failed|Failed to find (?:expected lines|context)|[Ii]nvalid patch|[Ii]nvalid Hunk|patch does not apply"
    r"|error: patch failed|corrupt patch|malformed patch|can't find file to patch|No file to patch|Only garbage was found|Hunk #\d+ FAILED"
    r"|patch fragment without header|No valid patches"
)


_GIT_FAILED = Late(r"did not match any file|^fatal: |index\.lock|^error: (?:pathspec|invalid path|Entry)", re.MULTILINE)
NOTHING_CHANGED = {
    "patch": _PATCH_FAILED,
    "apply_patch": _PATCH_FAILED,
    "git": _GIT_FAILED,
    "stash": Late(r"No local changes to save|No stash entries found|^fatal: ", re.MULTILINE),
}
"""Program of a shell command -> what it prints when it changed no file."""


def plain(name: str) -> str:
    """A tool's name in lower case without its name space."""
    return name.rsplit(".", 1)[-1].lower() if name != "container.exec" else name


def is_run(name: str) -> bool:
    """Does a tool of this name run commands."""
    return plain(name) in RUN_NAMES


def is_edit(name: str) -> bool:
    """Does a tool of this name change files."""
    return plain(name) in EDIT_NAMES


def ending(output: str, name: str = "") -> Ending:
    """How a call ended, as far as its result's text tells: refused, interrupted, or (for edit tools) malformed; else done."""
    start = output[:200].lstrip()
    if start.startswith(_REFUSED):
        return Ending.REFUSED
    if start.startswith(_INTERRUPTED):
        return Ending.INTERRUPTED
    if start.startswith("<tool_use_error>") or (is_edit(name) and not _APPLIED.search(start) and _MALFORMED.search(output[:2000])):
        return Ending.MALFORMED
    return Ending.DONE
