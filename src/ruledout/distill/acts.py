"""What a shell command does to work already done, beyond the edits that can be read off it: it commits, puts a copy away, brings something back.

Reads commands as text. Where a command may do so, it is taken to: that only ever speaks against calling a change gone (R4).
"""

import re
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from ruledout.observe.late import Late

EVERYTHING = "*"
_GIT = r"\bgit(?:\s+-[cC]\s+\S+|\s+--?[\w-]+=?\S*)*+\s+"  # possessive: its words can be read in more than one way
_OTHERS = r"\b(?:gt\s+(?:create|modify|commit)|jj\s+(?:commit|new|describe)|hg\s+commit|sl\s+commit)\b"
_COMMITS = Late(rf"{_GIT}(?:commit|am|commit-tree)\b(?!.*--dry-run)|{_OTHERS}")
_SAVES = Late(rf"{_GIT}diff\b[^|;&\n]*(?:(?<![\d&])>(?!&|\s*/dev/null)|--output|\|\s*tee\b)|{_GIT}(?:format-patch|bundle|stash\s+(?:create|store))\b")
_COPY = r"(?:(?:cp|rsync|install|tar|zip|unzip|ln|scp)\s|cat\s+(?!>|<<)[^|;&\n<>]+>)"
_SAVING = (">", "--output", "tee", "format-patch", "bundle", "stash")
_RETURNING = ("cherry-pick", "merge", "rebase", "pull", "am", "switch", "checkout", "revert", "reset", "bisect", "read-tree", "apply")
_COPYING = ("cp", "rsync", "install", "tar", "zip", "ln", "cat")
"""one of these stands in whatever `_SAVES`, `_RETURNS`, `_COPIES` find"""
_COPIES = Late(rf"(?:^|[;&|\n(]\s*|\bsudo\s+){_COPY}")
_RETURNS = Late(rf"{_GIT}(?:cherry-pick|merge|rebase|pull|am|switch|checkout|revert|reset|bisect|read-tree|apply)\b")
_TAKEN_BACK = Late(r"\bstash\s+(?:pop|apply|branch)\b|stash@\{|refs/stash|\bstash\s+show\b[^;&\n]*(?:\||>)")
_BY_GIT = Late(rf"{_GIT}(?:checkout|restore|reset|stash)\b")
_BY_COPY = Late(rf"(?:^|[;&|\n(]\s*)(?:sudo\s+)?(?:(?:mv|patch)\s|{_COPY})|\bgit\s+apply\b")
_BY_PIECES = Late(rf"{_GIT}(?:checkout|restore|reset|stash)\b[^;&|\n]*\s(?:-p|--patch|-i|-k|--keep-index|-S|--staged)(?=\s|$)")
_STASH_SOME = Late(
    rf"{_GIT}stash(?:\s+push|\s+save)?(?:\s+(?:-m|--message)(?:\s+|=)(?:\"[^\"]*\"|'[^']*'|\S+)|\s+-[-\w]+)*\s+(?!(?:drop|list|show|clear|pop|apply|branch|create|store)\b)(?![-\d;&|<>])\S"
)
_FORMATS = Late(
    r"\b(?:gofmt|goimports|gofumpt|go\s+fmt|cargo\s+(?:fmt|clippy|fix)|rustfmt|prettier|biome|eslint|black|isort|ruff|autopep8|yapf|clang-format|golangci-lint|dprint"
    r"|terraform\s+fmt|swiftformat|ktlint|rubocop|stylelint|git\s+clean|format\b|lint(?:\b|:))"
)
_FOLDER = Late(r"(?:^|[;&|\n(]\s*)cd\s+[\"']?([^\s;&|\"')]+)|\bgit\s+-C\s+[\"']?([^\s\"']+)")
_MOVES = Late(r"(?:^|[;&|\n(]\s*|\bgit\s+|\bsudo\s+)mv\s|\brename\b|Move to:")


class Act(StrEnum):
    """What happens to work already done."""

    COMMIT = "commit"
    SAVE = "save"
    """a copy was put away: what git then takes back may still be wanted"""
    RETURN = "return"
    """commits come in or another one is checked out: what was once committed may be back"""
    HAZE = "haze"
    """something unseen wrote to these files"""


class Happening(Struct, frozen=True, kw_only=True):
    """An act and the files it is about; `*` stands for every file."""

    act: Act
    paths: tuple[str, ...] = (EVERYTHING,)


@lru_cache(maxsize=256)  # asked for a call and for its run
def happenings(command: str, files: frozenset[str], *, popped: bool = False) -> tuple[Happening, ...]:
    """What a command does to work already done. `files` are the paths that the session has edited; `popped`: what was stashed was taken back some time."""
    found = []
    if commits(command):
        found.append(Happening(act=Act.COMMIT))
    if popped and stashes(command):
        found.append(Happening(act=Act.SAVE))
    if "git" in command and any(word in command for word in _SAVING) and _SAVES.search(command):
        found.append(Happening(act=Act.SAVE))
    if any(word in command for word in _COPYING) and _COPIES.search(command):
        words = frozenset(re.split(r"[\s'\"=:;&|<>()]+", command))
        names = {word.rpartition("/")[2] for word in words}
        if copied := tuple(path for path in files if path.rpartition("/")[2] in names):
            found.append(Happening(act=Act.SAVE, paths=copied))
    if "git" in command and any(word in command for word in _RETURNING) and _RETURNS.search(command):
        found.append(Happening(act=Act.RETURN))
    return tuple(found)


def commits(command: str) -> bool:
    """Does it commit."""
    return any(word in command for word in ("commit", " am", "gt ", "jj ")) and bool(_COMMITS.search(command))


def takes_stash_back(command: str) -> bool:
    """Does it bring back what was stashed, in whatever spelling."""
    return "stash" in command and bool(_TAKEN_BACK.search(command))


def formats(command: str) -> bool:
    """Does it only rewrite the form of what stands there, so that nothing gone comes back by it."""
    return bool(_FORMATS.search(command)) and not _BY_COPY.search(command) and not _TAKEN_BACK.search(command)


def moves(command: str) -> bool:
    """Does it give files other names: what was in them lives on elsewhere."""
    return bool(_MOVES.search(command))


def stashes(command: str) -> bool:
    """Does it put work away with `git stash`."""
    return "stash" in command


def goes_back_for_sure(command: str) -> bool:
    """True where git put back the named files whole: no backup of unknown content, no choice of pieces or of some files of a stash."""
    if not _BY_GIT.search(command) or _BY_COPY.search(command) or _BY_PIECES.search(command):
        return False
    return not (stashes(command) and _STASH_SOME.search(command))


def folder(command: str) -> str | None:
    """The folder that a command goes to first (`cd X`, `git -C X`), or None."""
    found = _FOLDER.search(command)
    return (found[1] or found[2]).rstrip("/") or "/" if found else None
