# ruff: noqa: PTH110, PTH111, PTH112, PTH113, PTH114, PTH115, PTH117, PTH118, PTH120, PTH123, PTH208  # paths of another root are text here: `pathlib` would resolve them against ours
"""Where a gate runs: how far it is kept from the machine, and what of the machine it may see.

Three levels, best first: bubblewrap, our own namespaces (`inside/supervisor.py`), a private copy. In the first two the tree stands at the repository's own
path, the home folder, other work trees and the git folder are not there, everything outside the tree is read-only, `/tmp` is new for each run, and there is no
network. The third is weaker, and every receipt says so. Docs: `docs/decisions/0031-sandbox-levels.md`.
"""

import functools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ruledout.model.gate import Isolation
from ruledout.prove import process
from ruledout.prove.git import Site

SUPERVISOR = str(Path(__file__).parent / "inside" / "supervisor.py")
_REPLACED = frozenset(("proc", "dev", "tmp", "run", "sys", "lost+found"))
_TOOL_FOLDERS = [
    ".pyenv",
    ".cargo",
    ".rustup",
    ".nvm",
    ".fnm",
    ".asdf",
    ".volta",
    ".deno",
    ".bun",
    ".sdkman",
    ".rbenv",
    ".rvm",
    ".gem",
    ".jenv",
    ".goenv",
    ".local/bin",
    ".local/lib",
    ".local/pipx",
    ".local/share/uv",
    ".local/share/mise",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/fnm",
    ".local/share/virtualenvs",
    ".virtualenvs",
    ".cache/uv",
    ".cache/go-build",
    ".cache/pypoetry",
    "go",
    ".go",
    ".m2",
    ".gradle",
    ".ivy2",
    ".sbt",
    ".npm",
    ".nuget",
    ".dotnet",
    ".conda",
    "miniconda3",
    "anaconda3",
    "miniforge3",
    ".julia",
    ".opam",
    ".stack",
    ".ghcup",
    ".cabal",
    ".elan",
    ".mix",
    ".hex",
    ".composer",
    ".nimble",
]
"""below the home folder: where tools live. Nothing else of the home folder is shown"""
_SECRET_FILES = (".cargo/credentials", ".cargo/credentials.toml", ".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials", ".composer/auth.json")
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


class Level(Struct, frozen=True, kw_only=True):
    """What this machine can do: the isolation, whether trees can be overlaid, and where bubblewrap is."""

    isolation: Isolation
    overlay: bool = False
    bwrap: str = ""


class Place(Struct, frozen=True, kw_only=True):
    """A run's own folders, outside: `folder` holds all of it; `out` is where reports go, the same path inside; `home` and `tmp` as the program sees them."""

    folder: Path
    out: Path
    home: str
    tmp: str


class Box(Struct, frozen=True, kw_only=True):
    """How to run in one repository. `shown` and `hidden` are folders of the machine; `network` is `off` or `host`."""

    site: Site
    level: Level
    shown: tuple[str, ...]
    hidden: tuple[str, ...]
    network: str = "off"

    def place(self, folder: Path) -> Place:
        """Make the folders of one run."""
        out = folder / "out"
        out.mkdir(parents=True)
        if self.level.isolation is not Isolation.WORK_TREE:
            return Place(folder=folder, out=out, home="/tmp/home", tmp="/tmp")  # noqa: S108  # the sandbox's own, new for each run
        for name in ("home", "tmp"):
            (folder / name).mkdir()
        return Place(folder=folder, out=out, home=str(folder / "home"), tmp=str(folder / "tmp"))

    def wrap(self, argv: Sequence[str], cwd: str, tree: Path, carried: Sequence[str], place: Place) -> tuple[tuple[str, ...], bool]:
        """The argv that runs `argv` in the box, and whether what it starts is a supervisor. `cwd` is relative to the tree's root."""
        if self.level.isolation is Isolation.WORK_TREE:
            return self._copied(argv, cwd, tree, carried, place)
        steps = [*self._machine(), *self._tree(tree, carried, place), ["rw", str(place.out), str(place.out)], ["folder", place.home]]
        inside = os.path.normpath(self.site.root / cwd)
        if self.level.isolation is Isolation.BUBBLEWRAP:
            return (self.level.bwrap, *_bwrap_options(steps, self.network), "--chdir", inside, "--", *argv), False
        (place.folder / "root").mkdir()
        plan = {
            "namespaces": True,
            "network": self.network,
            "root": str(place.folder / "root"),
            "mounts": steps,
            "cwd": inside,
            "status": str(place.folder / "status"),
        }
        return (_python(), "-I", "-S", SUPERVISOR, json.dumps(plan), *argv), True

    def _copied(self, argv: Sequence[str], cwd: str, tree: Path, carried: Sequence[str], place: Place) -> tuple[tuple[str, ...], bool]:
        for path in carried:
            target = tree / path
            if not os.path.lexists(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(self.site.root / path)
        if not sys.platform.startswith("linux"):
            return tuple(argv), False
        plan = {"namespaces": False, "cwd": os.path.normpath(tree / cwd), "status": str(place.folder / "status")}
        return (_python(), "-I", "-S", SUPERVISOR, json.dumps(plan), *argv), True

    def _machine(self) -> list[list[str]]:
        """The machine read-only, without what is hidden, with what is shown again."""
        steps: list[list[str]] = []
        for name in sorted(os.listdir("/")):
            path = "/" + name
            if os.path.islink(path):
                steps.append(["link", path, os.readlink(path)])
            elif name not in _REPLACED and path not in self.hidden:
                steps.append(["ro", path, path])
        steps += [["ro", "/sys", "/sys"], ["proc", "/proc"], ["dev", "/dev"], ["tmpfs", "/run", "mode=755"]]
        steps += [["tmpfs", path, "mode=1777"] for path in ("/tmp", "/var/tmp")]  # noqa: S108  # the sandbox's own
        steps += [["tmpfs", path, "mode=755"] for path in self.hidden if os.path.isdir(path)]
        steps += [["ro", path, path] for path in self.shown]
        secret = [os.path.join(home, name) for home in self.hidden for name in _SECRET_FILES]
        return steps + [["ro", path, os.devnull] for path in secret if os.path.isfile(path)]

    def _tree(self, tree: Path, carried: Sequence[str], place: Place) -> list[list[str]]:
        """The tree at the repository's own path, with ignored folders of the user's over it; what a run writes to either is thrown away."""
        root = str(self.site.root)
        steps = [self._over(root, str(tree), place, "tree") if self.level.overlay else ["rw", root, str(tree)]]
        for number, path in enumerate(carried):
            source, target = str(self.site.root / path), f"{root}/{path}"
            if os.path.islink(source):
                aim = os.path.realpath(source)
                steps += [["ro", aim, aim]] if os.path.exists(aim) and any(_below(aim, hidden) for hidden in self.hidden) else []
                steps.append(["link", target, os.readlink(source)])
            elif os.path.isdir(source):
                steps.append(self._over(target, source, place, f"carried-{number}"))
            elif os.path.isfile(source):
                steps.append(["ro", target, source])
        return steps

    def _over(self, target: str, lower: str, place: Place, name: str) -> list[str]:
        """An overlay where it can be had, else the folder itself, read-only."""
        if not self.level.overlay or set(lower) & set(":,\\"):
            return ["ro", target, lower]
        upper, work = place.folder / f"{name}-upper", place.folder / f"{name}-work"
        upper.mkdir()
        work.mkdir()
        shutil.copymode(lower, upper)
        return ["overlay", target, lower, str(upper), str(work)]


def box(site: Site, environment: Mapping[str, str], path: str, level: Level, network: str = "off") -> Box:
    """The box for a repository; `path` is the search path that runs will get."""
    home = os.path.realpath(environment.get("HOME", "") or os.path.expanduser("~"))
    hidden = {str(folder) for folder in _other_trees(site)}
    if home.count("/") >= 1 and home not in ("/", "/usr", "/var", "/etc", "/opt") and os.path.isdir(home):
        hidden.add(home)
    wanted = [*(os.path.join(home, name) for name in _TOOL_FOLDERS), *(environment.get(name, "") for name in _TOOL_VARIABLES), *path.split(os.pathsep)]
    return Box(site=site, level=level, shown=_shown(wanted, hidden, site), hidden=tuple(sorted(hidden)), network=network)


def _shown(wanted: Iterable[str], hidden: set[str], site: Site) -> tuple[str, ...]:
    """Folders of tools that lie below something hidden, outermost only; the interpreter behind a virtual environment with it."""
    found: list[str] = []
    for folder in wanted:
        for path in (folder, _interpreter_home(folder)):
            real = os.path.realpath(path) if path else ""
            if real and os.path.isdir(real) and real not in hidden and any(_below(real, top) for top in hidden) and not _below(real, str(site.root)):
                found += [real] if path == real or not os.path.isabs(path) else [real, path]
    outermost = [path for path in dict.fromkeys(found) if not any(path != other and _below(path, other) for other in found)]
    return tuple(sorted(outermost))


def _interpreter_home(folder: str) -> str:
    """Where the interpreter behind a virtual environment lives (`home` in `pyvenv.cfg`), for the environment itself or its `bin`."""
    for where in (folder, os.path.dirname(folder)):
        try:
            with open(os.path.join(where, "pyvenv.cfg"), encoding="utf-8") as file:
                told = [line.partition("=")[2].strip() for line in file if line.startswith("home")]
        except OSError:
            continue
        return os.path.dirname(told[0]) if told else ""
    return ""


def _other_trees(site: Site) -> list[Path]:
    """The repository's other work trees and its git folder: nothing of them is a gate's business."""
    trees = [Path(where.read_text().strip()).parent for where in site.common.glob("worktrees/*/gitdir")]
    if site.common.name == ".git":
        trees.append(site.common.parent)
    else:
        trees.append(site.common)
    real = [Path(os.path.realpath(tree)) for tree in trees]
    return [tree for tree in real if tree != site.root and tree.is_dir() and len(tree.parts) > 2]


def _below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip("/") + "/")


def _python() -> str:
    return sys.executable or "python3"


def _bwrap_options(steps: Iterable[Sequence[str]], network: str) -> list[str]:
    """The same plan in bubblewrap's words."""
    options = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    options += ["--unshare-net"] if network == "off" else []
    for step in steps:
        kind, target = step[0], step[1]
        if kind == "tmpfs":
            options += ["--perms", step[2].removeprefix("mode=").rjust(4, "0"), "--tmpfs", target]
        elif kind == "link":
            options += ["--symlink", step[2], target]
        elif kind == "folder":
            options += ["--dir", target]
        elif kind in ("proc", "dev"):
            options += [f"--{kind}", target]
        else:
            options += ["--bind" if kind == "rw" else "--ro-bind", step[2], target]
    return options


@functools.cache
def level(path: str, scratch: str, wanted: Isolation | None = None) -> Level:
    """The best level that really works here, found by trying each once; `wanted` takes one of them or none (then `WORK_TREE`)."""
    for isolation in (Isolation.BUBBLEWRAP, Isolation.NAMESPACE):
        if wanted in (None, isolation) and sys.platform.startswith("linux"):
            for overlay in (True, False) if isolation is Isolation.NAMESPACE else (False,):
                tried = Level(isolation=isolation, overlay=overlay, bwrap=process.find("bwrap", path) or "")
                if _works(tried, path, scratch):
                    return tried
    return Level(isolation=Isolation.WORK_TREE)


def _works(tried: Level, path: str, scratch: str) -> bool:
    """Run a harmless program at this level."""
    if tried.isolation is Isolation.BUBBLEWRAP and not tried.bwrap:
        return False
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        (folder / "tree").mkdir()
        probe = Box(site=Site(root=folder / "tree", gitdir=folder, common=folder), level=tried, shown=(), hidden=())
        argv, supervised = probe.wrap(("/bin/sh", "-c", ": > written"), ".", folder / "tree", (), probe.place(folder / "run"))
        command = process.Command(argv=argv, cwd="/", env={"PATH": path}, deadline_s=10.0, supervised=supervised)
        return process.run(command).exit == 0
