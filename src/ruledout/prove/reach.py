# ruff: noqa: PTH110, PTH112, PTH113, PTH117, PTH118, PTH119, PTH120, PTH123, PTH207  # paths of another root are text here: `pathlib` would resolve them against ours
"""What leave to run a stored command hangs on (R12): the repository, the argv, the files of the repository that it reaches, and the programs that it finds.

Read from files alone; starts no process. It follows what an argv names, the files that known runners read first, and names in scripts and build files. What
those load in turn (a module that a test imports) is the repository's own code, which is not followed: the sandbox holds for it.
"""

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import to_builtins

from ruledout import digest
from ruledout.model.attempt import BranchEdit
from ruledout.ports import ProofRequest
from ruledout.prove import location, process
from ruledout.rerun import TrustFacts

_WRAPPERS = frozenset("env nice ionice stdbuf timeout uv poetry pdm hatch pipenv rye run npx pnpx bunx exec bundle coverage xvfb-run".split())  # noqa: SIM905  # a list of words
_PYTHON = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "conftest.py", "sitecustomize.py", "usercustomize.py", ".python-version", ".tool-versions")
_NODE = ("package.json", ".npmrc", ".nvmrc", "jest.config.*", "vitest.config.*", "vite.config.*", "babel.config.*")
_READS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), files)
    for pattern, files in (
        (
            r"py\.?test|python[\d.]*|pypy3?|unittest|coverage|hatch|poetry|pdm|uv|tox|nox|nose2?",
            (*_PYTHON, "noxfile.py", "test/conftest.py", "tests/conftest.py"),
        ),
        (r"[gb]?make|ninja|cmake|ctest", ("GNUmakefile", "makefile", "Makefile", "CMakeLists.txt", "build.ninja")),
        (r"npm|npx|pnpm|yarn|bun|bunx|node|jest|vitest|mocha|deno", _NODE),
        (r"cargo", ("Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml")),
        (r"go", ("go.mod", "go.work")),
        (r"just|task|rake|bundle|rspec", ("justfile", "Justfile", "Taskfile.yml", "Rakefile", "Gemfile", ".rspec")),
        (r"mvn|mvnw|gradle|gradlew|sbt", ("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "build.sbt")),
        (r"composer|php|phpunit", ("composer.json", "phpunit.xml", "phpunit.xml.dist")),
    )
)
_FOLLOWED = re.compile(r"(?:^|/)(?:GNUmakefile|[Mm]akefile|package\.json|[Jj]ustfile|Taskfile\.yml|tox\.ini|Rakefile|[^/.]+|[^/]+\.(?:sh|bash|mk|bat|ps1))$")
_NAME = re.compile(r"[\w@+.-]+(?:/[\w@+.-]+)*")
_MOST_READ = 200_000
_MOST_FILES = 300


def facts(environment: Mapping[str, str], gate: ProofRequest, edits: Sequence[BranchEdit] = ()) -> TrustFacts:
    """Everything that leave to run this gate hangs on. Raises `BadInput` for a folder that is no repository's top."""
    site = location.site(gate.root)
    root = str(site.root)
    with_base = {"base": gate.base, "edits": to_builtins(edits)}
    return TrustFacts(
        repository=f"{site.common} {_origin(str(site.common))}".strip(),
        root=root,
        argv=gate.argv,
        cwd=gate.cwd,
        env=tuple(sorted(gate.env)),
        files=tuple((name, _digest(path)) for name, path in sorted(_files(root, gate).items())),
        toolchain=tuple(_programs(environment, root, gate)),
        applies=digest.tagged("replay", with_base) if edits or gate.base else "",
    )


def _origin(common: str) -> str:
    """The address of `origin`, read from the configuration's text."""
    try:
        with open(os.path.join(common, "config"), encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return ""
    section = re.search(r'(?ms)^\s*\[remote "origin"\](.*?)(?=^\s*\[|\Z)', text)
    url = re.search(r"(?m)^\s*url\s*=\s*(.+?)\s*$", section[1]) if section else None
    return url[1] if url else ""


def _files(root: str, gate: ProofRequest) -> dict[str, str]:
    """Files that the argv reaches, by the name they are shown with: relative to the root where they lie in it."""
    here = os.path.normpath(os.path.join(root, gate.cwd))
    found: dict[str, str] = {}
    waiting = [path for word in gate.argv for path in _named(here, word)]
    waiting += [path for folder in dict.fromkeys((here, root)) for path in _read_first(folder, gate.argv)]
    waiting += [path for word in gate.argv for path in _beside(root, here, word)]
    while waiting and len(found) < _MOST_FILES:
        path = waiting.pop(0)
        name = _shown(root, path)
        if name in found or not os.path.isfile(path):
            continue
        found[name] = path
        if _FOLLOWED.search(path) and _below(os.path.realpath(path), root):
            waiting += _names_in(path, (os.path.dirname(path), here, root), root)
    return found


def _named(here: str, word: str) -> Iterator[str]:
    """Files that a word of the argv names: a path, a path before `::`, the value of an option, a module of the tree."""
    for part in dict.fromkeys((word, word.partition("::")[0], word.partition("=")[2])):
        if part and "\0" not in part:
            path = os.path.normpath(os.path.join(here, part))
            if os.path.isfile(path):
                yield path
            elif os.path.isdir(path):
                yield from glob.glob(os.path.join(glob.escape(path), "**", "conftest.py"), recursive=True)
    if re.fullmatch(r"[A-Za-z_]\w*(?:\.\w+)*", word):
        steps = word.split(".")
        for length in range(len(steps), 0, -1):  # a dotted test name: package.module.Class.test
            top = os.path.join(here, *steps[:length])
            yield from (path for path in (f"{top}.py", os.path.join(top, "__main__.py"), os.path.join(top, "__init__.py")) if os.path.isfile(path))


def _read_first(folder: str, argv: Sequence[str]) -> Iterator[str]:
    """Files that the runners which the argv names read of themselves."""
    names = [os.path.basename(word).removesuffix(".exe").removesuffix(".cmd") for word in argv]
    for pattern, files in _READS:
        if any(pattern.fullmatch(name) for name in names):
            for file in files:
                yield from sorted(glob.glob(os.path.join(glob.escape(folder), file)))


def _beside(root: str, here: str, word: str) -> Iterator[str]:
    """`conftest.py` in every folder from the root down to what a word names."""
    path = os.path.normpath(os.path.join(here, word.partition("::")[0]))
    while word and os.path.exists(path) and _below(path, root) and path != root:
        path = os.path.dirname(path)
        yield os.path.join(path, "conftest.py")


def _names_in(path: str, folders: Iterable[str], root: str) -> Iterator[str]:
    """Files of the tree whose names stand in a script or a build file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        names = dict.fromkeys(found.group() for found in _NAME.finditer(file.read(_MOST_READ)))
    for name in names:
        for folder in dict.fromkeys(folders):
            candidate = os.path.normpath(os.path.join(folder, name))
            if _below(candidate, root) and candidate != path and os.path.isfile(candidate):
                yield candidate


def _programs(environment: Mapping[str, str], root: str, gate: ProofRequest) -> Iterator[str]:
    """The programs at the head of the argv, wrappers and what they wrap: as they are found, and what the links lead to."""
    search = os.pathsep.join(entry for entry in environment.get("PATH", "").split(os.pathsep) if os.path.isabs(entry))
    here = os.path.normpath(os.path.join(root, gate.cwd))
    for word in gate.argv:
        if word.startswith("-") or "=" in word:
            continue
        path = os.path.join(here, word) if "/" in word else process.find(word, search)
        real = os.path.realpath(path) if path else "not found"
        yield f"{word}={path or ''}" + (f" -> {real}" if real != path else "")
        if os.path.basename(word) not in _WRAPPERS:
            return


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"


def _shown(root: str, path: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/") if _below(path, root) else path


def _below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")
