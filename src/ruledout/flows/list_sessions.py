"""The sessions of this machine, newest first, each with what it takes to know it again. Reads as little as that needs, keeps nothing."""

import re
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct

from ruledout.distill.judge import judge
from ruledout.errors import BadInput, RuledoutError
from ruledout.model.transcript import Skipped, Transcript
from ruledout.model.turn import Role
from ruledout.ports import FoundSession, SessionSource
from ruledout.read.detect import read
from ruledout.text import cap

HEAD = 64 * 1024
"""Bytes that tell where a session worked and what was asked first, nearly always."""
LONG_HEAD = 16 * HEAD
BUDGET = 32 * 1024 * 1024
"""Bytes read whole in one listing, the newest sessions first; of the others turns and ending stay unknown."""
PROMPT = 200
"""Characters of the first prompt."""
_SPAN = re.compile(r"(\d{1,4})([mhdw])")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}


class SessionRow(Struct, frozen=True, kw_only=True):
    """One session. What was not found out is None, or `unknown` (R14); `whole` tells whether it was read to its end."""

    agent: str
    format: str
    path: str
    session: str | None
    bytes: int
    turns: int | None
    repository: str | None
    prompt: str | None
    modified: str
    looks: str
    whole: bool


class Sessions(Struct, frozen=True, kw_only=True):
    """The answer of `sessions`. `elsewhere` counts those of other repositories, when one was asked for."""

    sessions: tuple[SessionRow, ...]
    elsewhere: int
    skipped: tuple[Skipped, ...]


def since(now: str, span: str) -> str:
    """The moment `span` before `now` (`30m`, `12h`, `2d`, `1w`), or a day as it stands (`2026-11-01`). Raises `BadInput` (`bad-span`)."""
    from datetime import datetime, timedelta

    if found := _SPAN.fullmatch(span):
        moment = datetime.fromisoformat(now) - timedelta(seconds=int(found[1]) * _SECONDS[found[2]])
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    if _DAY.fullmatch(span):
        with suppress(ValueError):
            return f"{datetime.fromisoformat(span):%Y-%m-%dT%H:%M:%SZ}"
    raise BadInput("bad-span", f"{span[:40]!a} is no span of time", "give minutes, hours, days or weeks, as 30m, 12h, 2d or 1w, or a day, as 2026-11-01")


def list_sessions(source: SessionSource, agent: str | None, after: str | None, belongs: Callable[[str | None], bool] | None, budget: int = BUDGET) -> Sessions:
    """What `source` has of an agent since `after`. `belongs` tells whether a folder is of the repository asked for; None takes all.

    A session that cannot be read is counted with its reason and stops no other. Raises `BadInput` (`unknown-agent`).
    """
    found = source.found(agent, after)
    rows: list[SessionRow] = []
    passed: dict[str, tuple[int, str]] = {}
    elsewhere = 0
    for session in found.sessions:
        try:
            row, budget = _row(source, session, belongs, budget)
        except Exception as error:  # noqa: BLE001  # one bad file must not stop the rest; it is counted
            count, first = passed.get(why(error), (0, session.path))
            passed[why(error)] = (count + 1, first)
            continue
        elsewhere += row is None
        rows += [row] if row is not None else []
    unread = tuple(Skipped(reason=reason, count=count, first=shown(first)) for reason, (count, first) in sorted(passed.items()))
    return Sessions(sessions=tuple(rows), elsewhere=elsewhere, skipped=(*found.skipped, *unread))


def newest(source: SessionSource, agent: str | None, after: str | None, belongs: Callable[[str | None], bool]) -> FoundSession:
    """The session changed last whose folder `belongs`. Raises `BadInput`: `no-sessions` where there is none, `unknown-agent`."""
    found = source.found(agent, after)
    for session in found.sessions:
        try:
            if belongs(session.repository or glimpse(source, session).cwd):
                return session
        except BadInput:  # no session that can be read
            continue
    if not found.sessions:
        raise BadInput("no-sessions", "no sessions were found", "name the session's file")
    raise BadInput("no-sessions", f"none of the {len(found.sessions)} sessions found is of this repository", "see `ruledout sessions`, or name the file")


def glimpse(source: SessionSource, session: FoundSession) -> Transcript:
    """The session as its head tells it, or a longer head where that does not tell the folder. Where a head gives nothing, the whole is read."""
    known: Transcript | None = None
    for limit in (HEAD, LONG_HEAD):
        if session.bytes <= limit:
            break
        try:
            known = read(source.read(session, limit), shown(session.path))
        except BadInput:  # the head ends inside the first record, or the file is one document
            continue
        if known.cwd or session.repository:
            return known
    lines = session.path.endswith(".jsonl") and session.bytes > LONG_HEAD
    return known if known is not None and lines else read(source.read(session), shown(session.path))


def why(error: Exception) -> str:
    """The reason for passing over a session, in a few words that many can share."""
    return error.slug.replace("-", " ") if isinstance(error, RuledoutError) else f"a defect of ours: {type(error).__name__}"


def shown(path: str) -> str:
    """A path that can be printed and written: file names may hold bytes that are no text."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _row(source: SessionSource, session: FoundSession, belongs: Callable[[str | None], bool] | None, budget: int) -> tuple[SessionRow | None, int]:
    """The row of a session and what is left of the budget; no row for one of another repository."""
    within = session.bytes <= budget
    transcript: Transcript | None = None
    if belongs is not None or not within:
        transcript = glimpse(source, session)
        if belongs is not None and not belongs(session.repository or transcript.cwd):
            return None, budget
    whole = within or session.bytes <= HEAD
    if transcript is None or (whole and session.bytes > HEAD):
        transcript = read(source.read(session), shown(session.path))
    prompt = next((turn.text for turn in transcript.turns if turn.role is Role.USER and turn.text.strip()), None)
    row = SessionRow(
        agent=session.agent,
        format=transcript.format,
        path=shown(session.path),
        session=transcript.session,
        bytes=session.bytes,
        turns=len(transcript.turns) if whole else None,
        repository=shown(session.repository) if session.repository else transcript.cwd,
        prompt=cap(" ".join(prompt.split()), PROMPT) if prompt else None,
        modified=session.modified,
        looks=_looks(transcript) if whole else "unknown",
        whole=whole,
    )
    return row, budget - session.bytes if whole else budget


def _looks(transcript: Transcript) -> str:
    """How the session seems to have ended; unknown where no run in it decided anything."""
    judged = judge(transcript)
    return judged.ending if any(run.decided for run in judged.runs) else "unknown"
