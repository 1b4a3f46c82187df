"""What each tool answers: one flow, and its outcome laid out as an object. A session's words stand in a quoted block, with their origin (R13)."""

import shlex
import sys
from collections.abc import Callable

import msgspec
from msgspec import Struct

from ruledout import wiring
from ruledout.doors.mcp_server.asked import AskedHandoff, AskedIdea, AskedProposal, AskedRecall
from ruledout.doors.mcp_server.places import session_path
from ruledout.errors import BadInput
from ruledout.flows.distill_session import OpenSession, open_session
from ruledout.flows.propose_residual import Proposed, propose, safe_proposal
from ruledout.model.residual import DebugResidual
from ruledout.text import cap, clean, quote_block

Json = dict[str, object]

HANDOFF_TOKENS = 800
MOST_ATTEMPTS = 20
_SHORT, _LONG, _ID = 400, 100_000, 12
_LONGEST_GIVEN = 20_000
"""characters of a proposal in a command line: no part of a command that is to be allowed may be cut off"""


def check_idea(asked: AskedIdea, repo: str | None) -> Json:
    """Whether it was ruled out, by which records, and the evidence."""
    from ruledout.doors.show.answers import SAY
    from ruledout.flows.check_action import check

    with wiring.store(repo) as store:
        answer = check(store, wiring.relative(asked.question(), repo))
    told = [f"{match.branch}: {match.evidence}" + (f"; instead: {match.instead}" if match.instead else "") for match in answer.matches]
    return {
        "verdict": answer.verdict.value,
        "meaning": SAY[answer.verdict.value],
        "matches": [{"record": m.record, "branch": m.branch if _is_id(m.branch) else "", "level": m.level.value, "grade": m.grade} for m in answer.matches],
        "more": answer.more,
        "evidence": quote_block("\n".join(told), "ruledout") if told else "",
    }


def _is_id(name: str) -> bool:
    """R13: a record from elsewhere may put words in the place of an id; those are told in the quoted block alone."""
    return len(name) <= _ID and name.isascii() and name.isalnum()


def recall(asked: AskedRecall, repo: str | None) -> Json:
    """The records that bear on it, and their facts as one brief."""
    from ruledout.flows.recall_residuals import recall as recalled

    with wiring.store(repo) as store:
        found = recalled(store, asked.query)
    return {"hits": [{"record": hit.record, "score": hit.score, "why": cap(hit.why, _SHORT)} for hit in found.hits], "brief": found.brief}


def handoff(asked: AskedHandoff, repo: str | None) -> Json:
    """The handoff that stands open, or that there is none."""
    from ruledout.flows.hand_off import hand_off

    branch = wiring.current_branch(wiring.repository(repo))
    with wiring.store(repo) as store:
        found = hand_off(store, asked.record, branch, HANDOFF_TOKENS)
    return {"record": found.record.digest if found else None, "brief": found.brief if found else ""}


def propose_residual(asked: AskedProposal, repo: str | None) -> Json:
    """What the rules say of the proposal, and the record that was kept: a residual, or the handoff with every rule that is not met."""
    name, session = _session(asked.session, repo)
    branch = wiring.current_branch(wiring.repository(repo))
    with wiring.store(repo, make=True) as store:
        done = propose(session, asked.proposal, store, branch)
    outcome = done.record.outcome
    unmet = () if isinstance(outcome, DebugResidual) else outcome.unmet_rules
    return {
        "status": "UNRESOLVED_HANDOFF" if unmet else "RESOLVED",
        "record": done.record.digest if done.new is not None else None,
        "new": done.new is True,
        "evidence": outcome.provenance.evidence.value,
        "grade": outcome.corroboration.grade.value,
        "unmet": [{"rule": reason.rule, "code": reason.code, "mend": cap(reason.mend, _SHORT)} for reason in unmet],
        "reasons": _quoted([f"{reason.rule} {reason.code}: {cap(reason.message, _SHORT)}" for reason in unmet]),
        "needs_approval": _approval(done, asked, name, repo) if done.needs_run or not unmet else None,
        "attempts": _attempts(done),
    }


def _session(name: str | None, repo: str | None) -> tuple[str, OpenSession]:
    """The session that is meant, with its path. Raises `BadInput`: for a stream or a network path, for a session of another repository, as its reading does."""
    root = wiring.repository(repo)
    ours = wiring.repository_of(str(root)) if root is not None else None
    if name is None:
        from ruledout.flows.list_sessions import newest, shown

        wiring.require_repository(repo)
        source = wiring.sessions(repo)
        found = newest(source, None, None, lambda folder: ours is not None and wiring.repository_of(folder) == ours)
        return shown(found.path), open_session(source.read(found), shown(found.path))
    path = session_path(name, repo)
    session = open_session(wiring.session_bytes(path), path)
    theirs = wiring.repository_of(session.transcript.cwd)
    if theirs is not None and theirs != ours:
        raise BadInput("other-repository", f"{path} is a session of another repository", "propose it from there, or leave `session` out")
    return path, session


def _approval(done: Proposed, asked: AskedProposal, session: str, repo: str | None) -> Json:
    """R12: nothing is run from here. The whole command, for the user to allow; where the session shows none that we could run, CMD stands for it."""
    root = wiring.repository(repo)
    claims = {name: value for name, value in msgspec.to_builtins(safe_proposal(asked.proposal)).items() if value}
    given = shlex.quote(msgspec.json.encode(claims).decode())
    whole = len(given) <= _LONGEST_GIVEN
    place = ("--repo", str(root)) if root else ()
    words = (*_program(), "distill", session, *place, "--proposal", "-" if whole else "FILE", "--prove", "--", *(done.argv or ("CMD",)))
    notes = [*([] if done.argv else ["put a command that fails without the fix for CMD"]), *([] if whole else ["write the proposal to FILE"])]
    return {
        "why": "; ".join(("only a run of ours proves it; nothing was run; whether it may be is for the user to say", *notes)),
        "command": f"printf %s {given} | {shlex.join(words)}" if whole else shlex.join(words),
    }


def _program() -> tuple[str, ...]:
    """How this program was started, so that the command is the same program."""
    name = sys.argv[0]
    return (sys.executable, "-m", "ruledout") if name.endswith("__main__.py") else (name or "ruledout",)


def _attempts(done: Proposed) -> str:
    """The session's attempts with the ids that a proposal can name, the newest if there are many."""
    rows = [f"{a.id} {a.verdict.value}: {cap(a.strategy, 160)} ({a.why})" for a in done.attempts[-MOST_ATTEMPTS:]]
    left = len(done.attempts) - len(rows)
    return _quoted([*([f"({left} earlier ones not shown)"] if left > 0 else []), *rows])


def _quoted(rows: list[str]) -> str:
    """R13: rows that repeat words of the session or the proposal, each on one line; empty where there are none."""
    return quote_block("\n".join(" ".join(row.split()) for row in rows), "the session") if rows else ""


def safe(answer: Json) -> Json:
    """R13, on every path: no control, escape or invisible character leaves in any text, whatever was stored."""
    found = _safe(answer)
    assert isinstance(found, dict)  # noqa: S101  # an object stays one
    return found


def _safe(value: object) -> object:
    if isinstance(value, str):
        return cap(clean(value).replace("\r", " "), _LONG)
    if isinstance(value, list):
        return [_safe(one) for one in value]
    return {key: _safe(one) for key, one in value.items()} if isinstance(value, dict) else value


def _taking(kind: type[Struct], answer: Callable[..., Json]) -> Callable[[Struct, str | None], Json]:
    """An answer for arguments of its own kind, under the type that they all share."""

    def _answer(asked: Struct, repo: str | None) -> Json:
        assert isinstance(asked, kind)  # noqa: S101  # `asked.read` made it
        return answer(asked, repo)

    return _answer


ANSWERS: dict[str, Callable[[Struct, str | None], Json]] = {
    "check_idea": _taking(AskedIdea, check_idea),
    "recall": _taking(AskedRecall, recall),
    "propose_residual": _taking(AskedProposal, propose_residual),
    "handoff": _taking(AskedHandoff, handoff),
}
