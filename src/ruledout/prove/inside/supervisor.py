# ruff: noqa: PTH100, PTH120, PTH123, PTH208, S606  # bare system calls: this file starts in milliseconds, and becomes the program that it runs
"""Runs one program so that nothing of it survives, inside namespaces of its own where the plan says so.

Started as `python -I -S supervisor.py PLAN ARGV...` with a clean environment. The plan is a file of `marshal`'s (the parent is the same Python):
`namespaces` (false: only watch over descendants), `network` (`off` or `host`), `root` (an empty folder for the new root), `mounts` (operations, in order),
`cwd`, `status` (a file that is written only when the set-up fails).
It ends as the program ended: same exit status, or by the same signal. Docs: `docs/decisions/0031-sandbox-levels.md`.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import signal
import sys

TYPE_CHECKING = False  # `typing` itself would cost three milliseconds of every run
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # `-I` leaves it out

from mounts import LIBC, build, check  # type: ignore[import-not-found]  # noqa: E402  # beside this file

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
SET_PDEATHSIG, SET_SUBREAPER, CAP_DROP, NO_NEW_PRIVS = 1, 36, 24, 38
PROCESSES = 8192
"""processes and threads at a time"""
KEPT_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 10}
"""chown, dac_override, fowner, fsetid, kill, setgid, setuid, net_bind_service: what tests of a root user need within their own namespace"""


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


def bound(*, inside: bool) -> None:
    """What a program may not use up: no core files, no file beyond 16 GiB, no more processes than a busy test suite; memory that runs out takes it first.

    Root is above RLIMIT_NPROC; there the namespace's own `pid_max` holds (Linux 6.14).
    """
    import resource

    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 16 << 30), *([(resource.RLIMIT_NPROC, PROCESSES)] if inside else [])):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most, most) if hard == resource.RLIM_INFINITY or most < hard else (hard, hard))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        return


def few_processes() -> None:
    """Bound the process numbers of the new namespace, where the system lets it."""
    try:
        with open("/proc/sys/kernel/pid_max", "r+") as file:
            now = int(file.read())
            if now > PROCESSES:
                file.seek(0)
                file.write(str(PROCESSES))
    except (OSError, ValueError):
        return


def die_with(parent: int, number: int) -> None:
    """Get a signal when the parent dies, however it dies: its deadline dies with it."""
    LIBC.prctl(SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def start(argv: Sequence[str], cwd: str, failed: int, *, inside: bool) -> int:
    """Fork and become the program in the child; what goes wrong before is written to `failed`."""
    child = os.fork()
    if child:
        return child
    try:
        os.chdir(cwd)
        bound(inside=inside)
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


def watch(plan: dict[str, Any], argv: Sequence[str], failed: int, parent: int) -> None:
    """Without namespaces: become the reaper of all orphans, and leave none."""
    LIBC.prctl(SET_SUBREAPER, 1, 0, 0, 0)

    def stop(*_: object) -> None:
        take_down()
        os._exit(143)

    signal.signal(signal.SIGTERM, stop)
    die_with(parent, signal.SIGTERM)
    status = wait(start(argv, plan["cwd"], failed, inside=False))
    take_down()
    end_as(status)


def first(plan: dict[str, Any], argv: Sequence[str], failed: int, told: int) -> None:
    """The first process of the namespace: builds the root, runs the program, reaps; when it ends the kernel kills the rest."""
    LIBC.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    try:
        build(plan)
        few_processes()
    except BaseException as error:  # noqa: BLE001  # told outside, then over
        os.write(failed, f"sandbox: {error}".encode())
        os._exit(125)
    status = wait(start(argv, plan["cwd"], failed, inside=True))
    os.write(told, status.to_bytes(4, sys.byteorder))
    os._exit(0)


def main() -> None:
    """Set up, run, end as the program ended."""
    parent = os.getppid()
    with open(sys.argv[1], "rb") as file:
        plan = marshal.load(file)  # noqa: S302  # written by the parent for this one run
    argv = sys.argv[2:]
    failed = os.open(plan["status"], os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    if not plan["namespaces"]:
        watch(plan, argv, failed, parent)
    try:
        enter(plan)
        die_with(parent, signal.SIGKILL)  # after the change of credentials, which takes it away
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
