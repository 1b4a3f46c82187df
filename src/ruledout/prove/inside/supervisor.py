# ruff: noqa: PTH102, PTH103, PTH106, PTH110, PTH112, PTH120, PTH123, PTH208, PTH211, S606  # bare system calls: this file starts in milliseconds, and becomes the program that it runs
"""Runs one program so that nothing of it survives, inside namespaces of its own where the plan says so.

Started as `python -I -S supervisor.py PLAN ARGV...` with a clean environment. The plan is JSON:
`namespaces` (false: only watch over descendants), `network` (`off` or `host`), `root` (an empty folder for the new root), `mounts` (operations, in order),
`cwd`, `status` (a file that is written only when the set-up fails).
It ends as the program ended: same exit status, or by the same signal. Docs: `docs/decisions/0031-sandbox-levels.md`.
"""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE, MS_REMOUNT = 1, 2, 4, 4096, 16384, 1 << 18, 32
SET_PDEATHSIG, SET_SUBREAPER, CAP_DROP, NO_NEW_PRIVS = 1, 36, 24, 38
KEPT_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 10}
"""chown, dac_override, fowner, fsetid, kill, setgid, setuid, net_bind_service: what tests of a root user need within their own namespace"""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def check(result: int, what: str) -> None:
    """Raise the system's own error when a call of the C library failed."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount, as the system call of this name does."""
    arguments = [text.encode() if text is not None else None for text in (source, target, kind)]
    check(LIBC.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data is not None else None), f"mount {kind or 'bind'} {source} on {target}")


def read_only(target: str) -> None:
    """Make a mount and all below it read-only (mount_setattr, Linux 5.12); on older systems the top mount only."""
    attributes = (ctypes.c_uint64 * 4)(MS_RDONLY | MS_NOSUID, 0, 0, 0)
    if LIBC.syscall(442, -100, target.encode(), 0x8000, ctypes.byref(attributes), 32) != 0:
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
    for name, kind, data in (("pts", "devpts", "newinstance,ptmxmode=0666,mode=620"), ("shm", "tmpfs", "mode=1777")):
        os.mkdir(target + "/" + name)
        mount(kind, target + "/" + name, kind, MS_NOSUID, data)


def operate(root: str, operation: Sequence[str]) -> None:
    """One step of the plan. Sources are paths of the outside, targets of the inside."""
    kind, target = operation[0], root + operation[1]
    if kind == "tmpfs":
        place(target, folder=True)
        mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, operation[2])
    elif kind == "folder":
        place(target, folder=True)
    elif kind == "link":
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.symlink(operation[2], target)
    elif kind in ("ro", "rw"):
        place(target, folder=os.path.isdir(operation[2]))
        mount(operation[2], target, None, MS_BIND | MS_REC)
        if kind == "ro":
            read_only(target)
    elif kind == "overlay":
        place(target, folder=True)
        lower, upper, work = operation[2:5]
        mount("overlay", target, "overlay", MS_NOSUID, f"lowerdir={lower},upperdir={upper},workdir={work},userxattr")
    elif kind == "proc":
        place(target, folder=True)
        mount("proc", target, "proc", MS_NOSUID | MS_NODEV)
    elif kind == "dev":
        devices(target)


def build(plan: dict[str, Any]) -> None:
    """The new root, and into it."""
    root = plan["root"]
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", root, "tmpfs", MS_NOSUID, "mode=755")
    for operation in plan["mounts"]:
        operate(root, operation)
    old = root + "/.old"
    os.mkdir(old)
    check(LIBC.syscall({"x86_64": 155}.get(os.uname().machine, 41), root.encode(), old.encode()), "pivot_root")
    os.chdir("/")
    check(LIBC.umount2(b"/.old", 2), "umount of the old root")
    os.rmdir("/.old")


def loopback() -> None:
    """Bring `lo` up in the new network namespace: tests talk to themselves."""
    handle = LIBC.socket(2, 2, 0)
    request = ctypes.create_string_buffer(b"lo".ljust(16, b"\0") + (0x1 | 0x40).to_bytes(2, sys.byteorder), 40)
    LIBC.ioctl(handle, 0x8914, request)
    os.close(handle)


def enter(plan: dict[str, Any]) -> None:
    """New namespaces, the same user and group inside as outside."""
    user, group = os.geteuid(), os.getegid()
    off = plan["network"] == "off"
    check(LIBC.unshare(NEWUSER | NEWNS | NEWPID | NEWIPC | NEWUTS | (NEWNET if off else 0)), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    if off:
        loopback()


def confine() -> None:
    """What the program may not do even as root of its namespace: mount, trace, administer."""
    LIBC.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
    for number in range(64):
        if number not in KEPT_CAPABILITIES and LIBC.prctl(CAP_DROP, number, 0, 0, 0) != 0:
            break


def start(argv: Sequence[str], cwd: str, failed: int, *, inside: bool) -> int:
    """Fork and become the program in the child; what goes wrong before is written to `failed`."""
    child = os.fork()
    if child:
        return child
    try:
        os.chdir(cwd)
        if inside:
            confine()
        for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(argv[0], list(argv), os.environ)
    except BaseException as error:  # noqa: BLE001  # nothing may return from here
        os.write(failed, f"{argv[0]}: {error}".encode())
    os._exit(127)


def wait(child: int) -> int:
    """Reap everything until `child` has ended; its raw status."""
    while True:
        pid, status = os.wait()
        if pid == child:
            return status


def end_as(status: int) -> None:
    """End as the program ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.pause()
    os._exit(os.WEXITSTATUS(status))


def descendants() -> list[int]:
    """All living processes below this one, from /proc."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
    found, grown = {os.getpid()}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found and pid not in found}
        grown = bool(more)
        found |= more
    return sorted(found - {os.getpid()})


def take_down() -> None:
    """Kill every descendant, again and again until none is left: the orphans come to us, since we are their reaper."""
    for _ in range(1000):
        below = descendants()
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def watch(plan: dict[str, Any], argv: Sequence[str], failed: int) -> None:
    """Without namespaces: become the reaper of all orphans, and leave none."""
    LIBC.prctl(SET_SUBREAPER, 1, 0, 0, 0)

    def stop(*_: object) -> None:
        take_down()
        os._exit(143)

    signal.signal(signal.SIGTERM, stop)
    status = wait(start(argv, plan["cwd"], failed, inside=False))
    take_down()
    end_as(status)


def first(plan: dict[str, Any], argv: Sequence[str], failed: int, told: int) -> None:
    """The first process of the namespace: builds the root, runs the program, reaps; when it ends the kernel kills the rest."""
    LIBC.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    try:
        build(plan)
    except BaseException as error:  # noqa: BLE001  # told outside, then over
        os.write(failed, f"sandbox: {error}".encode())
        os._exit(125)
    status = wait(start(argv, plan["cwd"], failed, inside=True))
    os.write(told, status.to_bytes(4, sys.byteorder))
    os._exit(0)


def main() -> None:
    """Set up, run, end as the program ended."""
    plan, argv = json.loads(sys.argv[1]), sys.argv[2:]
    failed = os.open(plan["status"], os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    if not plan["namespaces"]:
        watch(plan, argv, failed)
    try:
        enter(plan)
    except OSError as error:
        os.write(failed, f"sandbox: {error}".encode())
        os._exit(125)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        first(plan, argv, failed, write)
    os.close(write)
    told = os.read(read, 4)
    own = wait(child)
    end_as(int.from_bytes(told, sys.byteorder) if told else own)


if __name__ == "__main__":
    main()
