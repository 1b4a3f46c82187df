# ruff: noqa: PTH112, PTH113, PTH114, PTH115, PTH118, PTH208  # paths of another root are text here: `pathlib` would resolve them against ours
"""Where a gate runs: how far it is kept from the machine, and what of the machine it may see.

Three levels, best first: bubblewrap, our own namespaces (`inside/supervisor.py`), a private copy. In the first two the tree stands at the repository's own
path, the home folder, other work trees and the git folder are not there, everything outside the tree is read-only, `/tmp` is new for each run, and there is no
network. The third is weaker, and every receipt says so. Docs: `docs/decisions/0031-sandbox-levels.md`.
"""

import functools
import marshal
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ruledout.model.gate import Isolation
from ruledout.prove import machine, process
from ruledout.prove.location import Site

SUPERVISOR = str(Path(__file__).parent / "inside" / "supervisor.py")
_ENVIRONMENTS = frozenset((".venv", "venv", "env", ".env", "node_modules", "vendor", ".tox", ".nox"))
_BUILT = frozenset(("target", ".gradle", ".next", ".nuxt", ".turbo", ".parcel-cache", ".svelte-kit"))
_ROOM = 2 << 30
"""bytes that a run may keep in its `/tmp`, which is memory"""
_REPLACED = frozenset(("proc", "dev", "tmp", "run", "sys", "lost+found"))


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


class Tree(Struct, frozen=True, kw_only=True):
    """A tree on the disk: folders laid over each other, the uppermost first, and paths that are to be taken away again."""

    layers: tuple[Path, ...]
    removed: tuple[str, ...] = ()


class Box(Struct, frozen=True, kw_only=True):
    """How to run in one repository. `shown` and `hidden` are folders of the machine (`machine.view`); `network` is `off` or `host`."""

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
        _identity(folder / "home", ".gitconfig")
        return Place(folder=folder, out=out, home=str(folder / "home"), tmp=str(folder / "tmp"))

    def wrap(self, argv: Sequence[str], cwd: str, tree: Tree, carried: Sequence[str], place: Place) -> tuple[tuple[str, ...], bool]:
        """The argv that runs `argv` in the box, and whether what it starts is a supervisor. `cwd` is relative to the tree's root."""
        if self.level.isolation is Isolation.WORK_TREE:
            return self._copied(argv, cwd, tree.layers[0], carried, place)
        steps = [*self._machine(place), *self._tree(tree, carried, place), ["rw", str(place.out), str(place.out)], ["folder", place.home]]
        steps.append(["ro", f"{place.home}/.gitconfig", str(_identity(place.folder))])
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
        return _supervised(plan, place, argv), True

    def _copied(self, argv: Sequence[str], cwd: str, tree: Path, carried: Sequence[str], place: Place) -> tuple[tuple[str, ...], bool]:
        for path in carried:
            if not os.path.lexists(tree / path):
                _lend(self.site.root / path, tree / path)
        if not sys.platform.startswith("linux"):
            return tuple(argv), False
        plan = {"namespaces": False, "cwd": os.path.normpath(tree / cwd), "status": str(place.folder / "status")}
        return _supervised(plan, place, argv), True

    def _machine(self, place: Place) -> list[list[str]]:
        """The machine read-only, without what is hidden, with what is shown again: tools keep caches, so they may write to overlays of their own folders."""
        steps: list[list[str]] = []
        for name in sorted(os.listdir("/")):
            path = "/" + name
            if os.path.islink(path):
                steps.append(["link", path, os.readlink(path)])
            elif name not in _REPLACED and path not in self.hidden:
                steps.append(["ro", path, path])
        steps += [["ro", "/sys", "/sys"], ["proc", "/proc"], ["dev", "/dev"], ["tmpfs", "/run", "mode=755"]]
        steps += [["tmpfs", path, f"mode=1777,size={_ROOM}"] for path in ("/tmp", "/var/tmp")]  # noqa: S108  # the sandbox's own
        steps += [["tmpfs", path, "mode=755"] for path in self.hidden if os.path.isdir(path)]
        steps += [self._over(path, path, place, f"shown-{number}") for number, path in enumerate(self.shown)]
        secret = [os.path.join(home, name) for home in self.hidden for name in machine.SECRET_FILES]
        return steps + [["ro", path, os.devnull] for path in secret if os.path.isfile(path)]

    def _tree(self, tree: Tree, carried: Sequence[str], place: Place) -> list[list[str]]:
        """The tree at the repository's own path, with ignored folders of the user's over it; what a run writes to either is thrown away."""
        root = str(self.site.root)
        steps = [self._over(root, ":".join(map(str, tree.layers)), place, "tree") if self.level.overlay else ["rw", root, str(tree.layers[0])]]
        steps += [["remove", f"{root}/{path}"] for path in tree.removed]
        for number, path in enumerate(carried):
            source, target = str(self.site.root / path), f"{root}/{path}"
            if os.path.islink(source):
                aim = os.path.realpath(source)
                if os.path.isdir(aim) and not machine.below(aim, root):
                    steps.append(self._over(aim, aim, place, f"aim-{number}"))
                steps.append(["link", target, os.readlink(source)])
            elif os.path.isdir(source):
                steps.append(self._over(target, source, place, f"carried-{number}"))
            elif os.path.isfile(source):
                steps.append(["ro", target, source])
        return steps

    def _over(self, target: str, lower: str, place: Place, name: str) -> list[str]:
        """An overlay where it can be had, else the folder itself, read-only. Folders of a tree are joined by `:`; any other path with such a mark cannot be."""
        if not self.level.overlay or set(lower) & set(",\\" if name == "tree" else ":,\\"):
            return ["ro", target, lower]
        upper, work = place.folder / f"{name}-upper", place.folder / f"{name}-work"
        upper.mkdir()
        work.mkdir()
        shutil.copymode(lower.rpartition(":")[2], upper)
        return ["overlay", target, lower, str(upper), str(work)]


def _lend(source: Path, target: Path) -> None:
    """An ignored path for a private copy: environments by a link, since they are large and read; what a build makes is made anew; the rest is copied."""
    if source.name in _BUILT:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink() or source.name in _ENVIRONMENTS:
        target.symlink_to(source)
    elif source.is_dir():
        shutil.copytree(source, target, symlinks=True, ignore_dangling_symlinks=True)
    elif source.is_file():
        shutil.copy2(source, target)


def _identity(folder: Path, name: str = "gitconfig") -> Path:
    """A git configuration for the run's own home: tests that make commits need somebody who makes them."""
    path = folder / name
    path.write_text("[user]\n\tname = user\n\temail = user@localhost\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n")
    return path


def _supervised(plan: dict[str, Any], place: Place, argv: Sequence[str]) -> tuple[str, ...]:
    """The supervisor's own argv. The plan goes by a file: it can be longer than a word of an argv may be."""
    path = place.folder / "plan"
    path.write_bytes(marshal.dumps(plan))
    return (sys.executable or "python3", "-I", "-S", SUPERVISOR, str(path), *argv)


def _bwrap_options(steps: Iterable[Sequence[str]], network: str) -> list[str]:
    """The same plan in bubblewrap's words."""
    options = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    options += ["--unshare-net"] if network == "off" else []
    for step in steps:
        kind, target = step[0], step[1]
        if kind == "tmpfs":
            asked = dict(word.split("=") for word in step[2].split(","))
            options += ["--perms", asked["mode"].rjust(4, "0"), *(("--size", asked["size"]) if "size" in asked else ()), "--tmpfs", target]
        elif kind == "link":
            options += ["--symlink", step[2], target]
        elif kind == "folder":
            options += ["--dir", target]
        elif kind in ("proc", "dev"):
            options += [f"--{kind}", target]
        elif kind == "overlay":
            options += [word for lower in reversed(step[2].split(":")) for word in ("--overlay-src", lower)]
            options += ["--overlay", step[3], step[4], target]
        else:
            options += ["--bind" if kind == "rw" else "--ro-bind", step[2], target]
    return options


@functools.cache
def level(path: str, scratch: str, wanted: Isolation | None = None) -> Level:
    """The best level that really works here, found by trying each once; `wanted` takes one of them or none (then `WORK_TREE`).

    An older bubblewrap has no overlays, and a build that cannot write to its own folder would be called red: then our own namespaces go first.
    """
    bwrap = process.find("bwrap", path) or ""
    order = [Level(isolation=isolation, overlay=overlay, bwrap=bwrap) for overlay in (True, False) for isolation in (Isolation.BUBBLEWRAP, Isolation.NAMESPACE)]
    for tried in order if sys.platform.startswith("linux") else ():
        if wanted in (None, tried.isolation) and _works(tried, path, scratch):
            return tried
    return Level(isolation=Isolation.WORK_TREE)


def _works(tried: Level, path: str, scratch: str) -> bool:
    """Run a harmless program at this level."""
    if tried.isolation is Isolation.BUBBLEWRAP and not tried.bwrap:
        return False
    with tempfile.TemporaryDirectory(prefix=f"ruledout-run-{os.getpid()}-probe-", dir=scratch) as name:  # a name that the next start sweeps
        folder = Path(name)
        (folder / "tree").mkdir()
        probe = Box(site=Site(root=folder / "tree", gitdir=folder, common=folder), level=tried, shown=(), hidden=())
        argv, supervised = probe.wrap(("/bin/sh", "-c", ": > written"), ".", Tree(layers=(folder / "tree",)), (), probe.place(folder / "run"))
        command = process.Command(argv=argv, cwd="/", env={"PATH": path}, deadline_s=10.0, supervised=supervised)
        return process.run(command).exit == 0
