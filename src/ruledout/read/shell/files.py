"""Commands that take, move, restore or reformat whole files: `rm`, `mv`, `cp`, git, formatters. What they do is read off their words."""

from collections.abc import Callable, Iterable, Iterator

from ruledout.model.action import EditKind
from ruledout.read.patch import Change

_BACKUPS = (".bak", ".orig", ".backup", ".old", ".save", ".saved", "~")
EVERYTHING = "*"


def joined(here: str, path: str) -> str:
    """A path seen from a folder: `cd web && rm ../a.py` is about `a.py`."""
    if path.startswith(("/", "~", "$")) or not here or path[1:3] in {":/", ":\\"}:
        return path
    parts = here.split("/")
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in {"", ".", ".."}:
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(part for at, part in enumerate(parts) if part or at == 0) or "."


def operands(words: list[str]) -> list[str]:
    """The words behind the program that are no options."""
    if "--" in words:
        at = words.index("--")
        return [word for word in words[1:at] if not word.startswith("-")] + words[at + 1 :]
    return [word for word in words[1:] if not word.startswith("-") or word == "-"]


def behind_options(words: list[str], valued: frozenset[str]) -> list[str]:
    """The words from the first that is no option on; `valued` options take the next word."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return words[at:]


def is_file(path: str) -> bool:
    """Does a redirection to this target write a file that can be named."""
    return bool(path) and not path.startswith(("/dev/", "&", "$(")) and not path.isdigit() and path != "-"


def is_log(path: str) -> bool:
    """A place for the output of programs rather than for code."""
    return path.startswith(("/tmp/", "/var/tmp/", "$TMP", "${TMP")) or path.endswith((".log", ".out", ".err"))  # noqa: S108 - a name in a text, nothing is written


def is_backup(old: str, path: str) -> bool:
    """Is `old` a copy that was put away of `path`: `a.py.bak`, or the same name under /tmp."""
    base, name = old.rsplit("/", 1)[-1], path.rsplit("/", 1)[-1]
    if base == name or path.endswith("/") or path == ".":
        return is_log(old) and old != path
    return (base.startswith(name) and (base.endswith(_BACKUPS) or is_log(old))) or (base.endswith(_BACKUPS) and base.startswith(name.rsplit(".", 1)[0]))


def rm(words: list[str]) -> Iterator[Change]:
    """Files taken away; a folder stands for all in it."""
    for path in operands(words):
        if is_file(path) and not path.startswith("$"):
            yield Change(path=path, kind=EditKind.DELETE)


def mv(words: list[str]) -> Iterator[Change]:
    """A file under another name: gone here, unknown there; or a backup put back."""
    *sources, target = operands(words) or [""]
    for source in sources:
        path = _into(source, target, many=len(sources) > 1)
        if is_backup(source, path):
            yield Change(path=path, kind=EditKind.RESTORE)
        else:
            yield Change(path=source, kind=EditKind.DELETE)
            yield Change(path=path, kind=EditKind.OPAQUE)


def cp(words: list[str]) -> Iterator[Change]:
    """A copy over a file; making a backup changes nothing."""
    *sources, target = operands(words) or [""]
    for source in sources:
        path = _into(source, target, many=len(sources) > 1)
        if is_backup(source, path):
            yield Change(path=path, kind=EditKind.RESTORE)
        elif not is_backup(path, source) and not is_log(path):
            yield Change(path=path, kind=EditKind.OPAQUE)


def _into(source: str, target: str, *, many: bool) -> str:
    if many or target.endswith("/") or target == ".":
        return joined(target.rstrip("/") or "/", source.rsplit("/", 1)[-1])
    return target


def git(words: list[str]) -> Iterable[Change]:
    """The verbs of git that change the work tree; `words` start with the verb. A change of branch carries edits along and is none."""
    verb, rest = (words[0], words[1:]) if words else ("", [])
    return _GIT[verb](rest) if verb in _GIT else ()


def _unless_staged(rest: list[str]) -> Iterable[Change]:
    return () if {"--staged", "-S"} & set(rest) and not {"--worktree", "-W"} & set(rest) else _restored(_paths(rest), rest)


def _cleaned(rest: list[str]) -> Iterable[Change]:
    return () if any(word.startswith("-") and "n" in word for word in rest) else (Change(path=EVERYTHING, kind=EditKind.OPAQUE),)


def _restored(paths: Iterable[str], rest: Iterable[str] = ()) -> Iterator[Change]:
    """These paths put back; taken out of a stash (`git checkout stash@{0} -- a.py`), what comes is not shown."""
    kind = EditKind.OPAQUE if any(word.startswith("stash@") for word in rest) else EditKind.RESTORE
    for path in paths:
        yield Change(path=EVERYTHING if path in {".", ":/", "./"} else path, kind=kind, by="git")


def _paths(rest: list[str]) -> list[str]:
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    words = ["", *rest]
    return [word for at, word in enumerate(words) if word and not word.startswith("-") and words[at - 1] not in {"-s", "--source"}]


def _checked_out(rest: list[str]) -> list[str]:
    """The paths that `git checkout` puts back: those behind `--`, else words that can only be paths."""
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    if any(word in {"-b", "-B", "--orphan", "-t", "--track", "--detach"} for word in rest):
        return []
    words = [word for word in rest if not word.startswith("-")]
    if any(word in {"-f", "--force"} for word in rest) and len(words) <= 1:
        return [EVERYTHING]
    if len(words) > 1:
        return words[1:] if not _is_path(words[0]) else words
    return [word for word in words if _is_path(word)]


def _is_path(word: str) -> bool:
    """A path rather than a branch: a dot, or a last part with a short extension."""
    name = word.rsplit("/", 1)[-1]
    return (
        word in {".", "./", ":/"}
        or word.endswith("/")
        or ("." in name[1:] and 1 <= len(name.rsplit(".", 1)[-1]) <= 5 and not name.rsplit(".", 1)[-1].isdigit())
    )


def _stash(rest: list[str]) -> Iterable[Change]:
    """Put away: every file goes back. Taken out again: what comes is not shown."""
    verb = stash_verb(rest)
    if verb == "push":
        paths = rest[rest.index("--") + 1 :] if "--" in rest else [EVERYTHING]
        return (Change(path=path, kind=EditKind.RESTORE, by="stash") for path in paths)
    return (Change(path=EVERYTHING, kind=EditKind.OPAQUE, by="stash"),) if verb == "pop" else ()


def stash_verb(rest: list[str]) -> str | None:
    """What `git stash` with these words does: `push`, `pop` (or `apply`), or None where it changes no file."""
    verb = rest[0] if rest and not rest[0].startswith("-") else "push"
    return {"push": "push", "save": "push", "pop": "pop", "apply": "pop", "branch": "pop"}.get(verb)


_GIT: dict[str, Callable[[list[str]], Iterable[Change]]] = {
    "rm": lambda rest: () if "--cached" in rest else rm(["rm", *rest]),
    "mv": lambda rest: mv(["mv", *rest]),
    "checkout": lambda rest: _restored(_checked_out(rest), rest),
    "restore": _unless_staged,
    "stash": _stash,
    "reset": lambda rest: _restored([EVERYTHING]) if "--hard" in rest else (),
    "revert": lambda _rest: (Change(path=EVERYTHING, kind=EditKind.OPAQUE),),
    "clean": _cleaned,
}

FORMATTERS: dict[str, tuple[str, ...]] = {
    "gofmt": ("-w",),
    "goimports": ("-w",),
    "gofumpt": ("-w",),
    "go": ("fmt", "generate"),
    "cargo": ("fmt", "fix", "--fix"),
    "rustfmt": (),
    "prettier": ("--write", "-w"),
    "biome": ("--write", "--fix", "--apply", "--apply-unsafe"),
    "eslint": ("--fix",),
    "black": (),
    "isort": (),
    "ruff": ("--fix", "--fix-only", "format"),
    "autopep8": ("-i", "--in-place"),
    "yapf": ("-i", "--in-place"),
    "clang-format": ("-i",),
    "golangci-lint": ("--fix",),
    "dprint": ("fmt",),
    "terraform": ("fmt",),
    "swiftformat": (),
    "ktlint": ("-F", "--format"),
    "rubocop": ("-a", "-A", "--autocorrect", "--autocorrect-all"),
    "stylelint": ("--fix",),
}
"""Program -> the words of which one makes it rewrite files; none needed where it always does."""
_LOOKS_ONLY = frozenset({"--check", "--diff", "--check-only", "-c", "--dry-run", "--list-different", "--version", "--help"})
_VERBS = frozenset({"check", "format", "lint", "fmt", "fix", "generate", "run", "clippy", "ci"})


def formatted(words: list[str]) -> Iterator[Change]:
    """What a formatter or generator rewrites: the paths it was given, else every file."""
    needs = FORMATTERS.get(words[0].rsplit("/", 1)[-1], ())
    if (needs and not any(word in needs for word in words[1:])) or any(word in _LOOKS_ONLY for word in words):
        return
    paths = [word for word in operands(words) if word not in _VERBS]
    for path in dict.fromkeys(EVERYTHING if path in {".", "./", "./..."} else path for path in paths or [EVERYTHING]):
        yield Change(path=path, kind=EditKind.OPAQUE)
