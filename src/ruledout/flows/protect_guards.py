"""What a line guards against, and does a change take a proved guard out. Reads; runs nothing (R12)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ruledout.changes import Changes, Override, Overrides, Versions
from ruledout.errors import BadInput
from ruledout.model.attempt import Guard
from ruledout.model.gate import GateRun, TestStatus
from ruledout.model.residual import DebugResidual, EvidenceGrade
from ruledout.ports import Store
from ruledout.recall.anchor import Place
from ruledout.recall.fate import LOST, Fate, State, fate, found, where

_ID = 12


class Known(Struct, frozen=True, kw_only=True):
    """A guard as the newest record with it has it: `id` names it (the first 12 hex digits of its digest), `at` is when that record was kept."""

    id: str
    record: str
    at: str
    guard: Guard
    residual: DebugResidual

    @property
    def proved(self) -> bool:
        """Did we see the gate go red without it."""
        return self.guard.ablation is not None and self.residual.provenance.evidence is EvidenceGrade.WITNESSED


class Because(Struct, frozen=True, kw_only=True):
    """What a guard neutralises: a dead end or the symptom, with its failure. The words of a hypothesis only from what we witnessed (R13)."""

    id: str
    failure: str
    tried: str | None
    hypothesis: str | None


class Returns(Struct, frozen=True, kw_only=True):
    """The failure that comes back without the guard, as our own runs showed it."""

    message: str
    signature: str | None
    tests: tuple[str, ...]
    runs: int


class GuardView(Struct, frozen=True, kw_only=True):
    """A guard for a reader. `lines` are where it stands now, or null when it is lost; `state` is `here`, `moved` or `lost`; `proof` is `ablated` or `named`."""

    id: str
    record: str
    at: str
    location: str
    state: str
    lines: tuple[int, int] | None
    symbol: str
    snippet: str
    neutralizes: tuple[Because, ...]
    proof: str
    without_it: Returns | None
    gate: tuple[str, ...]


class Why(Struct, frozen=True, kw_only=True):
    """The answer of `why`: the guards on a line or in a file, and those that were kept for the file and lost their lines."""

    file: str
    line: int | None
    guards: tuple[GuardView, ...]
    lost: tuple[GuardView, ...]


class Finding(Struct, frozen=True, kw_only=True):
    """A proved guard and what the change does to it. `verdict` is `removed`, `changed`, `disabled` (findings), `allowed`, `kept`, `moved` or `stale`."""

    verdict: str
    guard: GuardView
    was: str | None
    now: str | None
    why: str
    because: str | None = None


class Guarded(Struct, frozen=True, kw_only=True):
    """The answer of `guard`: `verdict` is `clear` or `guard_lost`; `findings` are those that refuse, `passed` the other guards in the changed files."""

    verdict: str
    change: str
    files: int
    findings: tuple[Finding, ...]
    passed: tuple[Finding, ...]
    known: int


def guards(store: Store) -> tuple[Known, ...]:
    """Every guard that is kept, each once: of equal ones the newest, a proved one before a named one."""
    kept = {one.digest: one.at for one in store.listed()}
    found: dict[str, Known] = {}
    for record in store.records():
        if not isinstance(record.outcome, DebugResidual):
            continue
        for guard in record.outcome.required_defensive_guards:
            one = Known(id=_id(guard), record=record.digest, at=kept.get(record.digest, ""), guard=guard, residual=record.outcome)
            if one.id not in found or one.proved or not found[one.id].proved:
                found[one.id] = one
    return tuple(found.values())


def why(store: Store, files: Mapping[str, str], file: str, line: int | None) -> Why:
    """What stands guard in a file, or on one of its lines. Raises `BadInput` (`no-such-file`) for a file that git does not track or that is no text."""
    if file not in files:
        raise BadInput("no-such-file", f"{file} is no text file that git tracks here", "name a file of this repository")
    here, lost = [], []
    for one in guards(store):
        home, at = where(one.guard)
        place = found(one.guard, files, file)
        if place is not None and (home == file or not _at_home(one, files)):
            if line is None or place.first <= line <= place.last:
                here.append(view(one, place))
        elif place is None and home == file and line in (None, at):
            lost.append(view(one, None))
    return Why(file=file, line=line, guards=tuple(sorted(here, key=lambda row: row.lines or (0, 0))), lost=tuple(lost))


def _at_home(one: Known, files: Mapping[str, str]) -> bool:
    home, _ = where(one.guard)
    return home in files and found(one.guard, files, home) is not None


def protect(store: Store, changes: Changes, versions: Versions, allowed: Sequence[Override]) -> Guarded:
    """Does a change take a proved guard out. What a person has allowed passes, and is said."""
    known = [one for one in guards(store) if one.proved]
    told = {one.guard: one.because for one in allowed}
    rows = list(_rows(known, changes, versions, told))
    lost = tuple(row for row in rows if row.verdict in LOST)
    return Guarded(
        verdict="guard_lost" if lost else "clear",
        change=versions.title,
        files=len({*versions.before, *versions.after}),
        findings=lost,
        passed=tuple(row for row in rows if row.verdict not in LOST),
        known=len(known),
    )


def _rows(known: Sequence[Known], changes: Changes, versions: Versions, told: Mapping[str, str]) -> Iterator[Finding]:
    files: Mapping[str, str] | None = None
    for one in known:
        seen = fate(one.guard, versions.before, versions.after)
        if seen.state is State.UNTOUCHED:
            continue
        home, _ = where(one.guard)
        if home not in versions.before:  # the same words elsewhere were changed: is the guard itself still where it was
            files = changes.files() if files is None else files
            if home not in versions.after and _at_home(one, files):
                continue
        yield _finding(one, seen, told.get(one.id))


def _finding(one: Known, seen: Fate, because: str | None) -> Finding:
    lost = seen.state in LOST
    return Finding(
        verdict="allowed" if lost and because is not None else seen.state.value,
        guard=view(one, seen.now if not lost else None),
        was=_shown(seen.was),
        now=_shown(seen.now),
        why=seen.why,
        because=because if lost else None,
    )


def _shown(place: Place | None) -> str | None:
    return f"{place.path}:{place.first}" if place is not None else None


def allow(store: Store, overrides: Overrides, asked: str, because: str, now: str) -> Override:
    """Keep a person's word that a guard may go. Raises `BadInput`: `no-such-guard` for an id that is none, `no-reason` without one."""
    if not because.strip():
        raise BadInput("no-reason", "an override needs its reason", 'say why: --because "the new check in cart.py does it"')
    ids = [one for one in guards(store) if len(asked) >= 6 and one.id.startswith(asked)]
    if len(ids) != 1:
        raise BadInput("no-such-guard", f"{asked[:40]!a} names {len(ids)} guards", "give the id that `ruledout guard` or `ruledout why` shows")
    made = Override(at=now, guard=ids[0].id, record=ids[0].record, because=" ".join(because.split())[:500])
    overrides.add(made)
    return made


def view(one: Known, place: Place | None) -> GuardView:
    """A guard as it is shown; `place` is where it stands now."""
    guard, (home, line) = one.guard, where(one.guard)
    same = place is not None and place.path == home and place.symbol == guard.anchor.symbol
    return GuardView(
        id=one.id,
        record=one.record,
        at=one.at,
        location=f"{place.path}:{place.first}" if place is not None else f"{home}:{line}",
        state="lost" if place is None else "here" if same else "moved",
        lines=(place.first, place.last) if place is not None else None,
        symbol=place.symbol if place is not None else guard.anchor.symbol,
        snippet=guard.snippet,
        neutralizes=tuple(_because(name, one) for name in guard.neutralizes),
        proof="ablated" if one.proved else "named",
        without_it=_returns(guard),
        gate=one.residual.regression_gate_signature.argv,
    )


def _because(name: str, one: Known) -> Because:
    if name == "symptom":
        symptom = one.residual.symptom
        message = (symptom.signature.message if symptom.signature else symptom.command) if symptom is not None else ""
        return Because(id=name, failure=message, tried=None, hypothesis=None)
    branch = next((branch for branch in one.residual.falsified_branches if branch.rejected_hypothesis_id == name), None)
    if branch is None:
        return Because(id=name, failure="", tried=None, hypothesis=None)
    witnessed = one.residual.provenance.evidence is EvidenceGrade.WITNESSED
    return Because(id=name, failure=branch.refuting_counterexample, tried=branch.candidate_strategy, hypothesis=branch.hypothesis if witnessed else None)


def _returns(guard: Guard) -> Returns | None:
    if guard.ablation is None or not guard.ablation.runs:
        return None
    run: GateRun = guard.ablation.runs[0]
    signature = guard.ablation.signature
    return Returns(
        message=signature.message if signature is not None else "the gate went red",
        signature=signature.normalised if signature is not None else None,
        tests=tuple(result.id for result in run.tests if result.status in (TestStatus.FAILED, TestStatus.ERROR)),
        runs=len(guard.ablation.runs),
    )


def _id(guard: Guard) -> str:
    return guard.snippet_digest.rpartition(":")[2][:_ID]
