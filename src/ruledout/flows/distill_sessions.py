"""Many sessions in, a residual or a handoff for each, kept. Runs nothing; passes over what is kept already; one bad file stops no other."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ruledout.distill.face import digest_of_session
from ruledout.errors import CannotRun
from ruledout.flows.distill_session import OpenSession, distill_session
from ruledout.flows.list_sessions import glimpse, shown, why
from ruledout.model.residual import DebugResidual
from ruledout.ports import FoundSession, SessionSource, Store
from ruledout.read.detect import read

RESIDUAL, HANDOFF, BEFORE, SKIPPED, ELSEWHERE = "residual", "handoff", "kept_before", "skipped", "elsewhere"
HOMELESS = "its repository is not on this machine"


class Step(Struct, frozen=True, kw_only=True):
    """What became of one session: `result` is `residual`, `handoff`, `kept_before`, `skipped` with its reason, or `elsewhere` (another repository's)."""

    path: str
    agent: str
    result: str
    record: str | None = None
    reason: str | None = None
    could_not_keep: str | None = None
    """the slug of an error that is not the session's but the machine's: a store that is locked, damaged or full"""


class Home(Struct, frozen=True, kw_only=True):
    """Where a session's record is kept, and the digests of the sessions that have one there already; the set grows as we go."""

    store: Store
    sessions: set[str]


def home(store: Store) -> Home:
    """A store with what it knows. Raises what the store raises."""
    return Home(store=store, sessions={record.outcome.provenance.session_digest for record in store.records()})


def distill_sessions(source: SessionSource, sessions: Sequence[FoundSession], home_of: Callable[[str | None], Home | None], *, only: bool) -> Iterator[Step]:
    """One step a session, in the order given. `home_of` takes the folder that a session worked in; None means that its repository is not here.

    `only` says that one repository was asked for: sessions of others are then `elsewhere`, and no fault.
    """
    for session in sessions:
        try:
            yield _step(source, session, home_of, only=only)
        except CannotRun as error:
            yield _passed(session, why(error), could_not_keep=error.slug)
        except Exception as error:  # noqa: BLE001  # one bad file must not stop the rest; it is counted
            yield _passed(session, why(error))


def _step(source: SessionSource, session: FoundSession, home_of: Callable[[str | None], Home | None], *, only: bool) -> Step:
    folder = session.repository or glimpse(source, session).cwd
    home = home_of(folder)
    if home is None:
        return Step(path=shown(session.path), agent=session.agent, result=ELSEWHERE) if only else _passed(session, HOMELESS)
    raw = source.read(session)
    digest = digest_of_session(raw)
    if digest in home.sessions:
        return Step(path=shown(session.path), agent=session.agent, result=BEFORE)
    distilled = distill_session(OpenSession(transcript=read(raw, shown(session.path)), digest=digest), None, None, home.store)
    home.sessions.add(digest)
    result = RESIDUAL if isinstance(distilled.record.outcome, DebugResidual) else HANDOFF
    return Step(path=shown(session.path), agent=session.agent, result=result, record=distilled.record.digest)


def _passed(session: FoundSession, reason: str, could_not_keep: str | None = None) -> Step:
    return Step(path=shown(session.path), agent=session.agent, result=SKIPPED, reason=reason, could_not_keep=could_not_keep)
