"""What the hot index holds of a record: exact keys, and for each what is said when it is met, as a ready block. Pure; `hot` reads what is written here.

R13: what is said is one quoted block of at most 600 bytes; of records that are only observed it tells facts, without free text and without a prohibition.
"""

from collections.abc import Iterable, Iterator, Sequence

from ruledout import fingerprint, text
from ruledout.model.attempt import FalsifiedBranch, Guard
from ruledout.model.outcome import ErrorSignature
from ruledout.model.record import Record, Standing
from ruledout.model.residual import DebugResidual, UnresolvedHandoff
from ruledout.plainjson import dumps
from ruledout.ports import Stood
from ruledout.recall import say
from ruledout.recall.index import branches, survived
from ruledout.recall.stands import last_of, overturned

MOST = 600
"""bytes of one block"""
_MOST_EDITS = 20_000
_PLAIN = 8
"""Characters of a guarded line below which it tells nothing."""


def lines(record: Record, stood: Sequence[Stood] = (), branch: str | None = None) -> Iterator[str]:
    """The lines of one record. `stood` are its standings, newest first; `branch` is the git branch it was kept on."""
    outcome = record.outcome
    right = survived(outcome)
    yield from (f"s\t{key}\t" for key in right if _plain(key))
    for dead in branches(outcome):
        yield from _dead_end(record, dead, right, stood)
    yield from _symptom(record)
    if isinstance(outcome, DebugResidual):
        for guard in outcome.required_defensive_guards:
            yield from _guard(record, guard)
    elif branch is not None:
        yield f"h\t{dumps(branch)}\t{dumps({'said': _handoff(record, outcome)})}"


def words(record: Record) -> Iterator[str]:
    """Plain texts, one of which stands in every call that can matter: file names, names of tests, classes of errors."""
    outcome = record.outcome
    for dead in branches(outcome):
        yield from (path.rpartition("/")[2] for path in dead.files)
        yield from _tokens(dead.terminal_error_signature)
    if outcome.symptom and isinstance(outcome, DebugResidual):
        yield from _tokens(outcome.symptom.signature)
    if isinstance(outcome, DebugResidual):
        yield from (_place(guard).rpartition("/")[2] for guard in outcome.required_defensive_guards)
    else:
        yield from ("SessionStart", "sessionStart", '"session.created')


def _tokens(signature: ErrorSignature | None) -> Iterator[str]:
    if signature is None:
        return
    for test in signature.tests:
        yield test.rpartition("::")[2].partition("[")[0].rpartition("/")[2].split(" ")[-1]
    yield from (name.rpartition(".")[2] for name in signature.classes)
    if signature.code:
        yield signature.code
    if not signature.tests and not signature.classes:
        yield max(signature.message.split() or [""], key=len)


def _dead_end(record: Record, dead: FalsifiedBranch, right: frozenset[str], stood: Sequence[Stood]) -> Iterator[str]:
    name = f"{record.digest}/{dead.rejected_hypothesis_id}"
    yield f"i\t{name}\t{dumps(_item(record, dead, name, stood))}"
    signature = dead.terminal_error_signature
    keys = [print_ for print_ in dead.fingerprints if print_ not in right]  # R4: the winning change is never a key of a dead end
    yield from (f"k\t{key}\t{name}" for key in (*keys, signature.normalised) if _plain(key))
    yield from (f"f\t{dumps(path)}\t{name}" for path in dead.files)


def _item(record: Record, dead: FalsifiedBranch, name: str, stood: Sequence[Stood]) -> dict[str, object]:
    standing, stale = _standing(stood, dead.rejected_hypothesis_id), _stale(stood)
    edits = [[edit.path, edit.kind.value, list(edit.removed), list(edit.added)] for edit in dead.edits]
    conditions = dead.conditions
    return {
        "id": name,
        "record": record.digest,
        "branch": dead.rejected_hypothesis_id,
        "grade": record.outcome.provenance.evidence.value,
        "commit": conditions.commit or "",
        "standing": standing,
        "prints": list(dead.fingerprints),
        "judged": [fingerprint.command(conditions.gate)] if conditions.gate else [],
        "own": sorted(_own(record)),
        "files": list(dead.files),
        "edits": edits if len(str(edits)) <= _MOST_EDITS else [],
        "said": _said(record, dead, standing, stale),
        "moved": _said(record, dead, standing or "the commit is another now", stale),
    }


def _own(record: Record) -> Iterator[str]:
    """The symptom's own signature is what every failed attempt ends with (`recall.match`)."""
    outcome = record.outcome
    if outcome.symptom and outcome.symptom.signature:
        yield outcome.symptom.signature.normalised
    if isinstance(outcome, UnresolvedHandoff) and outcome.last_red and outcome.last_red.signature:
        yield outcome.last_red.signature.normalised


def _symptom(record: Record) -> Iterator[str]:
    """The failure that a residual cured, to be known when it comes again."""
    outcome = record.outcome
    signature = outcome.symptom.signature if outcome.symptom else None
    if not isinstance(outcome, DebugResidual) or signature is None:
        return
    name = f"{record.digest}/"
    told = ["this failure was met before, and cured", say.instead(record) or ""]
    near = ["near a failure that was met before, and cured: the same kind, not the same one", say.instead(record) or ""]
    given = {"id": name, "record": record.digest, "grade": outcome.provenance.evidence.value, "said": block(record, told), "moved": block(record, near)}
    yield f"i\t{name}\t{dumps(given)}"
    yield from (f"k\t{key}\t{name}" for key in (signature.normalised, signature.coarse) if _plain(key))


def _standing(stood: Sequence[Stood], branch: str) -> str:
    """Why a dead end is reopened, by what was found of it; empty where nothing speaks against it (R10)."""
    return "a replay passed" if any(name == branch for _, name in overturned(stood)) else ""


def _stale(stood: Sequence[Stood]) -> str:
    """Why the whole record may hold no longer."""
    return "the record's gate is broken now" if any(one.finding == Standing.BROKEN for one in last_of(stood).values()) else ""


def _said(record: Record, dead: FalsifiedBranch, why: str, stale: str) -> str:
    sure = "ruled out" if say.witnessed(record) else "seen to fail before"
    told = [
        f"reopened: {sure}, but {why}" if why else f"{sure}; stale: {stale}" if stale else sure,
        f"tried: {say.line(dead.candidate_strategy)}{f' ({dead.count} times)' if dead.count > 1 else ''}",
        f"came to: {say.line(dead.observed_failure_class)}{_failing(dead.terminal_error_signature)}{_at(dead)}",
    ]
    if say.witnessed(record) and dead.refuting_counterexample:
        told.append(say.line(dead.refuting_counterexample))
    held = say.instead(record)
    return block(record, [*told, f"instead: {held}" if held else ""])


def _failing(signature: ErrorSignature) -> str:
    return f", failing {say.listed(signature.tests, 1)}" if signature.tests else ""


def _at(dead: FalsifiedBranch) -> str:
    return f", at commit {dead.conditions.commit[:12]}" if dead.conditions.commit else ""


def _guard(record: Record, guard: Guard) -> Iterator[str]:
    rows = [row.strip() for row in guard.snippet.splitlines() if len(row.strip()) >= _PLAIN]
    if not rows:
        return
    path, proof = _place(guard), guard.ablation
    why = f"without it: {say.listed(proof.signature.tests or proof.signature.classes, 1)}" if proof and proof.signature else ""
    told = [f"this takes out a guard at {say.line(guard.location)}", f"it stands against {say.listed(guard.neutralizes)}", why]
    given = {"id": f"{record.digest}/guard:{path}:{rows[0][:40]}", "path": path, "lines": rows, "said": block(record, told)}
    yield f"g\t{dumps(path)}\t{dumps(given)}"


def _place(guard: Guard) -> str:
    return guard.location.rpartition(":")[0] or guard.location


def _handoff(record: Record, handoff: UnresolvedHandoff) -> str:
    red = handoff.last_red
    told = ["a session on this branch ended unresolved"]
    if red:
        told.append(f"last red: {say.line(red.command)}{f', failing {say.listed(red.failing, 1)}' if red.failing else ''}")
    told.append(f"{len(handoff.ruled_out)} dead ends, {len(handoff.open_hypotheses)} open: `ruledout handoff`")
    return block(record, told)


def block(record: Record, told: Iterable[str]) -> str:
    """One quoted block of at most 600 bytes: the longest line is cut until it fits; how to see more is its last line."""
    name = record.digest.removeprefix("r1:sha256:")[:12]
    rows = [row for row in told if row]
    more = f"more: ruledout show {name}"
    limit = 240
    while True:
        shown = text.quote_block("\n".join([*(text.cap(row, limit) for row in rows), more]), f"ruledout {name}")
        if len(shown.encode()) <= MOST or limit <= 20:
            return shown
        limit -= 10


def _plain(key: str) -> bool:
    return bool(key) and not any(letter in key for letter in "\t\n\r\0")
