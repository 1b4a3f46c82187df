"""The one door to processes: everything that this program starts, git included, starts here.

argv only, never a shell. A private session, a deadline, an environment that the caller spells out in full, output read without blocking and capped.
When the program has ended, what it left behind is killed. It refuses to judge: a value says how the program ended, no more.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from ruledout.prove.capture import Kept

GRACE = 0.5
"""seconds for which output is still read after the program itself has ended (a background child may hold the pipe for ever)"""
PATIENCE = 1.5
"""seconds that a supervisor gets to take its descendants down before it is killed itself"""
_PIECE = 1 << 16


class How(StrEnum):
    """How a program ended."""

    EXITED = "exited"
    SIGNAL = "signal"
    TIMEOUT = "timeout"
    NOT_STARTED = "not_started"


class Command(Struct, frozen=True, kw_only=True):
    """What to start. `env` is the whole environment. `cap` bounds the kept output in bytes, head and tail; None keeps all of it.

    `merged` puts standard error into the output, in order. `supervised` says that the program takes its own descendants down on SIGTERM.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    deadline_s: float
    stdin: bytes = b""
    cap: int | None = 4 << 20
    merged: bool = True
    supervised: bool = False


class Ended(Struct, frozen=True, kw_only=True):
    """How it ended. `exit` only for `exited`, `signal` (`SIGSEGV`) only for `signal`; `why` only for `not_started`; `lost` counts bytes beyond the cap."""

    how: How
    exit: int | None = None
    signal: str | None = None
    output: bytes = b""
    errors: bytes = b""
    lost: int = 0
    seconds: float = 0.0
    why: str = ""


def run(command: Command) -> Ended:
    """Start, read, wait, clean up. Never raises for what the program does; a program that cannot be started is `not_started` with the reason."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as stdin:
        stdin.write(command.stdin)
        stdin.seek(0)
        try:
            child = subprocess.Popen(  # noqa: S603  # the door: argv as given, no shell, environment spelled out
                list(command.argv),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if command.merged else subprocess.PIPE,
                cwd=command.cwd,
                env=dict(command.env),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Ended(how=How.NOT_STARTED, why=f"{command.argv[0] if command.argv else '(nothing)'}: {error}", seconds=time.monotonic() - began)
    kept = (Kept(command.cap), Kept(command.cap))
    try:
        late = _follow(child, kept, began + command.deadline_s)
        if late:
            _take_down(child, supervised=command.supervised)
    except BaseException:
        _take_down(child, supervised=command.supervised)
        raise
    finally:
        _sweep(child)
        _close(child)
    return _ended(child, kept, late=late, seconds=time.monotonic() - began)


def _ended(child: "subprocess.Popen[bytes]", kept: tuple[Kept, Kept], *, late: bool, seconds: float) -> Ended:
    code = child.returncode
    how = How.TIMEOUT if late else How.SIGNAL if code < 0 else How.EXITED
    return Ended(
        how=how,
        exit=code if how is How.EXITED else None,
        signal=signal_name(-code) if how is How.SIGNAL else None,
        output=kept[0].value(),
        errors=kept[1].value(),
        lost=kept[0].lost + kept[1].lost,
        seconds=seconds,
    )


def signal_name(number: int) -> str:
    """`SIGSEGV` for 11; `SIG35` for one without a name here."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _follow(child: "subprocess.Popen[bytes]", kept: tuple[Kept, Kept], deadline: float) -> bool:
    """Read until the program has ended and its pipes are empty or the grace is over; True when the deadline passed first."""
    if sys.platform == "win32":
        return _follow_by_threads(child, kept, deadline)
    import selectors

    with selectors.DefaultSelector() as selector:
        for pipe, store in ((child.stdout, kept[0]), (child.stderr, kept[1])):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe.fileno(), selectors.EVENT_READ, store)
        end = _watch_exit(child, selector)
        until = deadline
        try:
            while True:
                over = child.poll() is not None
                if over:
                    until = min(until, time.monotonic() + GRACE) if until == deadline else until
                    if not any(key.data is not None for key in selector.get_map().values()):
                        return False
                left = until - time.monotonic()
                if left <= 0:
                    return not over
                for key, _ in selector.select(min(left, 0.2 if end is not None else 0.01)):
                    _read(selector, key)
        finally:
            if end is not None:
                os.close(end)


def _watch_exit(child: "subprocess.Popen[bytes]", selector: object) -> int | None:
    """A descriptor that becomes readable when the program ends, where the system has one: no polling, no delay."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        end: int = os.pidfd_open(child.pid)
    except OSError:
        return None
    selector.register(end, 1, None)  # type: ignore[attr-defined]  # a selector; the module is imported late
    return end


def _read(selector: object, key: object) -> None:
    """Take one piece; at the end of a stream, or when the program has ended, stop watching that descriptor."""
    store, descriptor = key.data, key.fd  # type: ignore[attr-defined]  # a SelectorKey; the module is imported late
    if store is None:
        selector.unregister(descriptor)  # type: ignore[attr-defined]  # a selector
        return
    try:
        data = os.read(descriptor, _PIECE)
    except BlockingIOError:
        return
    if data:
        store.add(data)
    else:
        selector.unregister(descriptor)  # type: ignore[attr-defined]  # a selector


def _follow_by_threads(child: "subprocess.Popen[bytes]", kept: tuple[Kept, Kept], deadline: float) -> bool:
    """The same where pipes cannot be selected on (Windows): daemon threads read, so that a held pipe cannot hold us."""
    import threading

    def drain(pipe: object, store: Kept) -> None:
        while data := os.read(pipe.fileno(), _PIECE):  # type: ignore[attr-defined]  # a pipe
            store.add(data)

    readers = [threading.Thread(target=drain, args=(pipe, store), daemon=True) for pipe, store in zip((child.stdout, child.stderr), kept, strict=True) if pipe]
    for reader in readers:
        reader.start()
    try:
        child.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return True
    for reader in readers:
        reader.join(GRACE)
    return False


def _take_down(child: "subprocess.Popen[bytes]", *, supervised: bool) -> None:
    """Kill the program and its group; a supervisor is first asked to take its descendants down, which it does at once."""
    if supervised and child.poll() is None:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(PATIENCE)
    _sweep(child)
    child.kill()
    child.wait()


def _sweep(child: "subprocess.Popen[bytes]") -> None:
    """Kill whatever is left in the program's own process group."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return


def _close(child: "subprocess.Popen[bytes]") -> None:
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def find(program: str, path: str) -> str | None:
    """The absolute path of a program on a search path given as one string, or None."""
    import shutil

    return shutil.which(program, path=path)


def quiet(argv: Sequence[str], cwd: str, env: Mapping[str, str], stdin: bytes = b"", deadline_s: float = 120.0) -> Ended:
    """Run a helper of ours (git) and keep all of its output, errors apart."""
    return run(Command(argv=tuple(argv), cwd=cwd, env=env, deadline_s=deadline_s, stdin=stdin, cap=None, merged=False))
