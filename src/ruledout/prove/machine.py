# ruff: noqa: PTH111, PTH112, PTH117, PTH118, PTH119, PTH120, PTH123  # paths of the machine are compared as text
"""What of the machine a gate may see: the system and its tools, and nothing that is the user's own.

Hidden are the home folder, the repository's other work trees and its git folder. Shown again are the folders of tools that lie in hidden places, and what an
interpreter's path files lead to (editable installs of neighbours).
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ruledout.prove.location import Site

_TOOL_FOLDERS = """
.pyenv .cargo .rustup .nvm .fnm .asdf .volta .deno .bun .sdkman .rbenv .rvm .gem .jenv .goenv .local/bin .local/lib .local/pipx
.local/share/uv .local/share/mise .local/share/pipx .local/share/pnpm .local/share/fnm .local/share/virtualenvs .virtualenvs .cache/uv
.cache/go-build .cache/pypoetry go .go .m2 .gradle .ivy2 .sbt .npm .nuget .dotnet .conda miniconda3 anaconda3 miniforge3 .julia .opam
.stack .ghcup .cabal .elan .mix .hex .composer .nimble
"""
"""below the home folder: where tools live. Nothing else of the home folder is shown"""
SECRET_FILES = (".cargo/credentials", ".cargo/credentials.toml", ".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials", ".composer/auth.json")
"""below a tool's folder: shown empty"""
_TOOL_VARIABLES = (
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "GOPATH",
    "GOROOT",
    "GOMODCACHE",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "NVM_DIR",
    "JAVA_HOME",
    "VOLTA_HOME",
)
_FRESH = ("/tmp", "/var/tmp", "/run")  # noqa: S108  # places that are new in every run
_KEPT = frozenset(("/", "/usr", "/var", "/etc", "/opt", "/bin", "/lib"))
_MAPPED = re.compile(r"""['"]: ?['"](/[^'"]+)['"]""")


class View(Struct, frozen=True, kw_only=True):
    """Folders that are hidden, and those that are shown again."""

    hidden: tuple[str, ...]
    shown: tuple[str, ...]


def view(site: Site, environment: Mapping[str, str], path: str, named: Iterable[str], asked: Iterable[str] = ()) -> View:
    """What runs in this repository may see. `path` is their search path, `named` the programs that the gate names by path.

    `asked` is what the user's settings show besides.
    """
    home = os.path.realpath(environment.get("HOME") or os.path.expanduser("~"))
    hidden = {str(folder) for folder in _other_trees(site)}
    if home not in _KEPT and os.path.isdir(home):
        hidden.add(home)
    tools = [os.path.join(home, name) for name in _TOOL_FOLDERS.split()]
    told = [environment.get(name, "") for name in _TOOL_VARIABLES]
    programs = [*path.split(os.pathsep), *map(os.path.dirname, named), str(site.root / ".venv/bin"), str(site.root / "venv/bin")]
    wanted = [*tools, *told, *asked, *programs, *(found for folder in programs for found in _behind(folder))]
    return View(hidden=tuple(sorted(hidden)), shown=_shown(wanted, hidden, site))


def led_inside(site: Site, path: str, named: Iterable[str]) -> tuple[str, ...]:
    """Folders of the repository, relative to it, that path files of the virtual environments in use lead to: what an editable install shows."""
    folders = [*path.split(os.pathsep), *map(os.path.dirname, named), str(site.root / ".venv/bin"), str(site.root / "venv/bin")]
    found = [os.path.realpath(led) for folder in folders for led in _led_to(Path(os.path.dirname(folder)))]
    return tuple(dict.fromkeys(os.path.relpath(led, site.root) for led in found if below(led, str(site.root)) and os.path.isdir(led)))


def _shown(wanted: Iterable[str], hidden: set[str], site: Site) -> tuple[str, ...]:
    """Of these folders, those that lie in a hidden place: outermost only, never a hidden place itself, never the repository."""
    found: list[str] = []
    masked = (*hidden, *_FRESH)
    for path in wanted:
        for each in dict.fromkeys((path, os.path.realpath(path))) if os.path.isabs(path) else ():
            safe = each not in masked and not any(below(top, each) for top in masked) and not below(each, str(site.root)) and not below(str(site.root), each)
            if safe and os.path.isdir(each) and any(below(each, top) for top in masked):
                found.append(os.path.normpath(each))
    return tuple(sorted(path for path in dict.fromkeys(found) if not any(path != other and below(path, other) for other in found)))


def _behind(folder: str) -> Iterator[str]:
    """What a folder of programs needs beside it: its whole installation, the interpreter behind a virtual environment, and what path files lead to."""
    if os.path.basename(folder) not in ("bin", "Scripts"):
        return
    top = os.path.dirname(folder)
    if os.path.isdir(os.path.join(top, "lib")) and os.path.basename(top) != ".local":
        yield top
    try:
        with open(os.path.join(top, "pyvenv.cfg"), encoding="utf-8") as file:
            told = [line.partition("=")[2].strip() for line in file if line.startswith("home")]
    except OSError:
        return
    yield from (os.path.dirname(home) for home in told)
    yield from _led_to(Path(top))


def _led_to(environment: Path) -> Iterator[str]:
    """Folders that path files and editable finders of a virtual environment name."""
    for packages in environment.glob("lib/python*/site-packages"):
        for file in packages.glob("*.pth"):
            yield from (line.strip() for line in _lines(file) if line.startswith("/"))
        for file in packages.glob("__editable___*.py"):
            yield from (os.path.dirname(found) for line in _lines(file) for found in _MAPPED.findall(line))


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def _other_trees(site: Site) -> list[Path]:
    """The repository's other work trees and its git folder: nothing of them is a gate's business."""
    trees = [Path(where.read_text().strip()).parent for where in site.common.glob("worktrees/*/gitdir")]
    trees.append(site.common.parent if site.common.name == ".git" else site.common)
    real = [Path(os.path.realpath(tree)) for tree in trees]
    return [tree for tree in real if tree != site.root and tree.is_dir() and len(tree.parts) > 2]


def below(path: str, top: str) -> bool:
    """Is a path a folder or in it."""
    return path == top or path.startswith(top.rstrip("/") + "/")
