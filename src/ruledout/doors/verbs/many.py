"""What `distill` does with sessions that it finds itself: the last one of this repository, or all of them. Many at once run no command, whatever they show."""

import sys
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ruledout import wiring
from ruledout.doors.show.plain import as_json, as_line, out
from ruledout.errors import BadInput, CannotRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ruledout.flows.distill_session import OpenSession
    from ruledout.flows.distill_sessions import Home, Step
    from ruledout.model.transcript import Skipped

COULD_NOT_RUN = 3


def add_options(parser: ArgumentParser) -> None:
    """The options that stand in place of a session's name."""
    parser.add_argument("--last", action="store_true", help="the newest session of this repository, wherever its agent keeps it")
    parser.add_argument("--all", action="store_true", help="every session of this machine, each kept for its own repository; with --repo only that one's")
    parser.add_argument("--agent", metavar="NAME", help="with --last or --all: only this agent's sessions (claude-code, codex-cli, ...)")
    parser.add_argument("--since", metavar="SPAN", help="with --last or --all: only sessions changed since (30m, 12h, 7d, 2w, or a day as 2026-11-01)")
    parser.add_argument("--jsonl", action="store_true", help="with --all: one JSON object a session")


def require_one(options: Namespace) -> None:
    """Raises `BadInput` (`bad-options`) for options that do not go together."""
    if (options.session is not None) + options.last + options.all != 1:
        raise BadInput("bad-options", "distill takes one session, or --last, or --all", "give exactly one of them")
    ours = [name for name in ("agent", "since") if getattr(options, name) is not None]
    if options.session is not None and ours:
        raise BadInput("bad-options", f"--{ours[0]} goes with --last or --all alone", "leave it out, or the session")
    alone = [
        word
        for word, given in (
            ("--proposal", options.proposal),
            ("--prove", options.prove),
            ("--ablate", options.ablate),
            ("--no-keep", options.no_keep),
            ("--", options.rest),
        )
        if given
    ]
    if options.all and alone:
        raise BadInput("bad-options", f"{alone[0]} is for one session: nothing is run or proposed for many at once", "leave it out, or name one session")
    if options.jsonl and not options.all:
        raise BadInput("bad-options", "--jsonl goes with --all", "give --json for one session")


def last(options: Namespace) -> "OpenSession":
    """The newest session of the repository, opened. Raises `BadInput` (`no-sessions`) when there is none, `CannotRun` outside of a repository."""
    from ruledout.flows.distill_session import open_session
    from ruledout.flows.list_sessions import newest, shown

    source = wiring.sessions(options.repo)
    session = newest(source, options.agent, _after(options), of_repository(str(wiring.require_repository(options.repo))))
    return open_session(source.read(session), shown(session.path))


def of_repository(repo: str) -> "Callable[[str | None], bool]":
    """Whether a folder that a session worked in is of this repository: of this work tree, or of another one of it."""
    ours = wiring.repository_of(repo)
    return lambda folder: ours is not None and wiring.repository_of(folder) == ours


def run(options: Namespace) -> int:
    """Distil all that are found: exit 0 when it was done, whatever came of each; 3 when a store could not keep."""
    from ruledout.flows.distill_sessions import distill_sessions

    if options.repo is not None:
        options.repo = str(wiring.require_repository(options.repo))
    source = wiring.sessions(options.repo)
    found = source.found(options.agent, _after(options))
    steps: list[Step] = []
    with ExitStack() as stores:
        progress = _Progress(len(found.sessions))
        for step in distill_sessions(source, found.sessions, _homes(options.repo, stores), only=options.repo is not None):
            steps.append(step)
            if options.jsonl and step.result != "elsewhere":
                sys.stdout.write(as_line(step))
            progress.step(step.path)
        progress.end()
    _tell(options, steps, found.skipped)
    return COULD_NOT_RUN if any(step.could_not_keep for step in steps) else 0


def _after(options: Namespace) -> str | None:
    from ruledout.flows.list_sessions import since

    return None if options.since is None else since(wiring.clock().now(), options.since)


def _homes(repo: str | None, stores: ExitStack) -> "Callable[[str | None], Home | None]":
    """Each repository's store, opened once, and only when there is something to keep in it. One that cannot be opened is not waited for again."""
    from ruledout.flows.distill_sessions import Home, home

    belongs = of_repository(repo) if repo is not None else None
    known: dict[Path, Home | CannotRun] = {}

    def home_of(folder: str | None) -> Home | None:
        place = wiring.repository_of(folder)
        if place is None or (belongs is not None and not belongs(folder)):
            return None
        if place not in known:
            try:
                known[place] = home(stores.enter_context(wiring.store(folder, make=True)))
            except CannotRun as error:
                known[place] = error
        found = known[place]
        if isinstance(found, CannotRun):
            raise found
        return found

    return home_of


class _Progress:
    """`n/m` on one line of a terminal, written over; nothing where standard error is no terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._count = total, 0
        self._shown = sys.stderr.isatty()

    def step(self, path: str) -> None:
        self._count += 1
        if self._shown:
            from ruledout.doors.show.session import line

            sys.stderr.write(f"\r\x1b[K{self._count}/{self._total} {line(path[-60:], 60)}")
            sys.stderr.flush()

    def end(self) -> None:
        if self._shown and self._count:
            sys.stderr.write("\r\x1b[K")


def _tell(options: Namespace, steps: "list[Step]", skipped: "tuple[Skipped, ...]") -> None:
    """The summary: on standard output, or beside the lines of `--jsonl` on standard error."""
    from ruledout.doors.show.found import summary, summed

    told = summed(steps, skipped)
    if options.jsonl:
        sys.stderr.write(summary(told) + "\n")
    elif options.json:
        out(as_json({"counts": told.counts, "skipped": told.skipped, "sessions": [step for step in steps if step.result != "elsewhere"]}))
    else:
        out(summary(told))
