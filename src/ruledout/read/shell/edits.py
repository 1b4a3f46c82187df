"""The commands that write files, and what each does to which path. One function a family, listed in `_WRITERS`; adding one touches only that dict.

Programs whose effect the command line does not show (formatters, scripts) are `opaque`. Output of programs that goes into logs or under /tmp is no edit.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from ruledout.model.action import EditKind, Hunk
from ruledout.read import patch
from ruledout.read.patch import Change
from ruledout.read.shell import files, scripts
from ruledout.read.shell.words import Simple, commands

_WRAPPERS = frozenset(
    {"sudo", "env", "time", "command", "nice", "nohup", "exec", "then", "do", "else", "if", "while", "{", "!", "npx", "bunx", "pnpx", "bun", "yarn", "uvx"}
)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_PYTHONS = ("python", "pypy", "node", "ruby", "deno", "tsx")
_GIT_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
_DEPTH = 3


def edits(command: str, *, stash: bool = True) -> tuple[Change, ...]:
    """What this command line does to files, in its order. Paths as written, with `cd` before them taken into account. Never raises.

    Without `stash`, `git stash` is passed over: what is taken out again later was never undone (see `stashes`).
    """
    if not _may_write().search(command):
        return ()
    try:
        return tuple(change for change in _edits(command, "", _DEPTH) if stash or change.by != "stash")
    except RecursionError:  # substitutions nested hundreds deep: no agent writes them
        return ()


@cache
def _may_write() -> re.Pattern[str]:
    """Signs without which a command line need not be taken apart: most only look."""
    names = "|".join(re.escape(name) for name in (*_WRITERS, *_SHELLS))
    return re.compile(rf">(?!&\d|\s*/dev/null)|(?<![\w.-])(?:{names})(?![\w-])|(?:{'|'.join(_PYTHONS)})")


def stashes(command: str) -> tuple[str, ...]:
    """The `push` and `pop` of `git stash` in this command line, in order."""
    if "stash" not in command:
        return ()
    try:
        found = [_verb(unwrapped(simple.words)) for simple in commands(command)]
    except RecursionError:
        return ()
    return tuple(verb for verb in found if verb)


def _verb(words: list[str]) -> str | None:
    if not words or words[0].rsplit("/", 1)[-1] != "git":
        return None
    rest = files.behind_options(words[1:], _GIT_VALUED)
    return files.stash_verb(rest[1:]) if rest and rest[0] == "stash" else None


def inner(command: str) -> str:
    """The script of a command line that only starts a shell for it (`bash -lc 'pytest -q'`); any other command line as it is."""
    try:
        parts = commands(command)
    except RecursionError:
        return command
    if len(parts) == 1 and parts[0].words and parts[0].words[0].rsplit("/", 1)[-1] in _SHELLS:
        return _script(parts[0].words) or command
    return command


def _edits(command: str, here: str, depth: int) -> Iterator[Change]:
    given: str | None = None
    for simple in commands(command):
        words = unwrapped(simple.words)
        name = words[0].rsplit("/", 1)[-1] if words else ""
        source = simple.heredoc if simple.heredoc is not None else given if simple.piped else None
        text = _printed(name, words, source)
        if name == "cd":
            here = files.joined(here, words[1]) if len(words) > 1 and words[1] != "-" else here
        elif name in _SHELLS and depth:
            yield from _edits(_script(words) or source or "", here, depth - 1)
        else:
            for change in [*_written(simple, text), *_by_program(name, words, source)]:
                yield _moved(change, here)
        given = text


def unwrapped(words: list[str]) -> list[str]:
    """The words without what stands before the program: assignments, `sudo`, `timeout 5`, `npx`, `uv run`, `python -m`."""
    at = 0
    while at < len(words):
        word = words[at].rsplit("/", 1)[-1]
        follows = words[at + 1] if at + 1 < len(words) else ""
        if word == "timeout":
            at += 2
            while at < len(words) and (words[at].startswith("-") or words[at - 1] in {"-k", "-s"}):
                at += 1
        elif (word in {"uv", "poetry", "pdm", "hatch", "pipenv", "bundle", "pnpm", "npm"} and follows in {"run", "exec", "dlx"}) or (
            word.startswith("python") and follows == "-m"
        ):
            at += 2
        elif word in _WRAPPERS or (("=" in word and word.split("=", 1)[0].isidentifier()) and not words[at].startswith("-")):
            at += 1
            while word in _WRAPPERS and at < len(words) and words[at].startswith("-"):
                at += 1
        else:
            break
    return words[at:]


def _script(words: list[str]) -> str | None:
    """The command line given to a shell with `-c` (`-lc`)."""
    for at, word in enumerate(words[1:-1], 1):
        if word.startswith("-") and not word.startswith("--") and "c" in word:
            return words[at + 1]
    return None


def _printed(name: str, words: list[str], source: str | None) -> str | None:
    """What the command writes on its standard output, where the line itself shows it; `source` is its standard input."""
    if name == "tee" or not name:
        return source
    if name == "cat":
        return source if files.operands(words) in ([], ["-"]) else None
    if name == "echo":
        flags = words[1] if len(words) > 1 and words[1] in {"-n", "-e", "-ne", "-en"} else ""
        body = " ".join(words[2:] if flags else words[1:])
        return (scripts.escaped(body) if "e" in flags else body) + ("" if "n" in flags else "\n")
    if name == "printf" and len(words) > 1:
        return scripts.printf(words[2:] if words[1] == "--" else words[1:])
    return None


def _written(simple: Simple, text: str | None) -> Iterator[Change]:
    """Output redirections into files."""
    for sign, path in simple.writes:
        if sign.startswith("2") or sign.endswith(">&") or not files.is_file(path):
            continue
        yield from _content(path, text, append=sign.endswith(">>"), source=simple.words)


def _content(path: str, text: str | None, *, append: bool, source: list[str] | None = None) -> Iterator[Change]:
    """A file filled with a text, known or not."""
    if text is not None:
        yield Change(path=path, kind=EditKind.APPEND if append else EditKind.WRITE, hunks=(Hunk(added=patch.lines(text)),))
    elif source and source[0] == "cat" and any(files.is_backup(old, path) for old in source[1:]):
        yield Change(path=path, kind=EditKind.RESTORE)
    elif not files.is_log(path):
        yield Change(path=path, kind=EditKind.OPAQUE)


def _by_program(name: str, words: list[str], text: str | None) -> Iterable[Change]:
    if name.startswith(_PYTHONS):
        return scripts.opened(words, text)
    writer = _WRITERS.get(name)
    return writer(words, text) if writer else ()


def _tee(words: list[str], text: str | None) -> Iterator[Change]:
    append = any(word in {"-a", "--append"} for word in words)
    for path in files.operands(words):
        if files.is_file(path):
            yield from _content(path, text, append=append)


def _patch(words: list[str], text: str | None) -> tuple[Change, ...]:
    """`patch` and `git apply`: a here-document shows what changes; a patch file or a reversed patch does not."""
    if any(word in {"--check", "--stat", "--dry-run", "--numstat", "--summary"} for word in words):
        return ()
    if any(word in {"-R", "--reverse"} for word in words):
        return (Change(path="*", kind=EditKind.RESTORE, by="patch"),)
    return (patch.changes(text) if text else ()) or (Change(path="*", kind=EditKind.OPAQUE, by="patch"),)


def _apply_patch(words: list[str], text: str | None) -> tuple[Change, ...]:
    return patch.changes(text or (words[1] if len(words) > 1 else ""))


def _git(words: list[str], text: str | None) -> Iterable[Change]:
    rest = files.behind_options(words[1:], _GIT_VALUED)
    if rest and rest[0] == "apply":
        return _patch(rest, text)
    return files.git(rest)


def _moved(change: Change, here: str) -> Change:
    if not here or change.path == "*":
        return change
    return Change(path=files.joined(here, change.path), kind=change.kind, hunks=change.hunks, by=change.by)


def _on_words(writer: Callable[[list[str]], Iterable[Change]]) -> Callable[[list[str], str | None], Iterable[Change]]:
    return lambda words, _text: writer(words)


_WRITERS: dict[str, Callable[[list[str], str | None], Iterable[Change]]] = {
    "tee": _tee,
    "patch": _patch,
    "apply_patch": _apply_patch,
    "applypatch": _apply_patch,
    "git": _git,
    "sed": _on_words(scripts.sed),
    "gsed": _on_words(scripts.sed),
    "perl": _on_words(scripts.perl),
    "rm": _on_words(files.rm),
    "unlink": _on_words(files.rm),
    "mv": _on_words(files.mv),
    "cp": _on_words(files.cp),
    "install": _on_words(files.cp),
    "truncate": _on_words(files.formatted),
    **dict.fromkeys(files.FORMATTERS, _on_words(files.formatted)),
}
