# ruff: noqa: PTH102, PTH103, PTH106, PTH108, PTH110, PTH112, PTH120, PTH211  # bare system calls: this file starts in milliseconds
"""The new root of a run: mounts by the system's own calls. Loaded by the supervisor beside it; standard library only."""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False  # `typing` itself would cost three milliseconds of every run
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE, MS_REMOUNT = 1, 2, 4, 4096, 16384, 1 << 18, 32
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def check(result: int, what: str) -> None:
    """Raise the system's own error when a call of the C library failed."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount, as the system call of this name does."""
    arguments = [os.fsencode(text) if text is not None else None for text in (source, target, kind)]
    check(LIBC.mount(*arguments, ctypes.c_ulong(flags), os.fsencode(data) if data is not None else None), f"mount {kind or 'bind'} {source} on {target}")


def read_only(target: str) -> None:
    """Make a mount and all below it read-only (mount_setattr, Linux 5.12); on older systems the top mount only."""
    attributes = (ctypes.c_uint64 * 4)(MS_RDONLY | MS_NOSUID, 0, 0, 0)
    if LIBC.syscall(442, -100, os.fsencode(target), 0x8000, ctypes.byref(attributes), 32) != 0:
        mount("none", target, None, MS_REMOUNT | MS_BIND | MS_RDONLY)


def place(target: str, *, folder: bool) -> None:
    """Make a mount point."""
    if folder:
        os.makedirs(target, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))


def devices(target: str) -> None:
    """A small /dev: the harmless devices, terminals of its own, shared memory of its own."""
    place(target, folder=True)
    mount("tmpfs", target, "tmpfs", MS_NOSUID, "mode=755")
    for name in DEVICES:
        if os.path.exists("/dev/" + name):
            place(target + "/" + name, folder=False)
            mount("/dev/" + name, target + "/" + name, None, MS_BIND)
    for name, where in (
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
        ("ptmx", "pts/ptmx"),
    ):
        os.symlink(where, target + "/" + name)
    for name, kind, data in (("pts", "devpts", "newinstance,ptmxmode=0666,mode=620"), ("shm", "tmpfs", "mode=1777,size=1g")):
        os.mkdir(target + "/" + name)
        mount(kind, target + "/" + name, kind, MS_NOSUID, data)


def remove(target: str) -> None:
    """Take a file away, and the folders that it leaves empty."""
    try:
        os.unlink(target)
        while True:
            target = os.path.dirname(target)
            os.rmdir(target)
    except OSError:
        return


def operate(root: str, operation: Sequence[str]) -> None:
    """One step of the plan. Sources are paths of the outside, targets of the inside."""
    kind, target = operation[0], root + operation[1]
    if (os.path.realpath(os.path.dirname(target)) + "/").startswith(root + "/"):  # a link of the tree may lead outside: nothing is made there
        STEPS[kind](target, *operation[2:])


def fresh(target: str, options: str) -> None:
    """A new empty file system in memory."""
    place(target, folder=True)
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, options)


def link(target: str, aim: str) -> None:
    """A symbolic link."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.symlink(aim, target)


def bound(target: str, source: str) -> None:
    """A folder or file of the outside, as it is."""
    place(target, folder=os.path.isdir(source))
    mount(source, target, None, MS_BIND | MS_REC)


def bound_read_only(target: str, source: str) -> None:
    """The same, not to be written to."""
    bound(target, source)
    read_only(target)


def overlaid(target: str, lower: str, upper: str, work: str) -> None:
    """Folders of the outside, the uppermost first, with a place for what is written."""
    place(target, folder=True)
    mount("overlay", target, "overlay", MS_NOSUID, f"lowerdir={lower},upperdir={upper},workdir={work},userxattr")


def processes(target: str) -> None:
    """The namespace's own /proc."""
    place(target, folder=True)
    mount("proc", target, "proc", MS_NOSUID | MS_NODEV)


STEPS: dict[str, Callable[..., None]] = {
    "tmpfs": fresh,
    "folder": lambda target: place(target, folder=True),
    "link": link,
    "rw": bound,
    "ro": bound_read_only,
    "overlay": overlaid,
    "remove": remove,
    "proc": processes,
    "dev": devices,
}


def build(plan: dict[str, Any]) -> None:
    """The new root, and into it."""
    root = plan["root"]
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", root, "tmpfs", MS_NOSUID, "mode=755,size=64m")
    for operation in plan["mounts"]:
        operate(root, operation)
    old = root + "/.old"
    os.mkdir(old)
    check(LIBC.syscall({"x86_64": 155}.get(os.uname().machine, 41), os.fsencode(root), os.fsencode(old)), "pivot_root")
    os.chdir("/")
    check(LIBC.umount2(b"/.old", 2), "umount of the old root")
    os.rmdir("/.old")
