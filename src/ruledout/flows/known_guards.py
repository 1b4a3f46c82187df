"""The guards that are known in a repository, from the store and from what it publishes, and how one is shown. Reads; runs nothing (R12)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ruledout.errors import RuledoutError
from ruledout.model import wire
from ruledout.model.attempt import Guard
from ruledout.model.gate import GateRun, TestStatus
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual, EvidenceGrade
from ruledout.ports import Store
from ruledout.recall.anchor import Place
from ruledout.recall.fate import where

_ID = 12


class Known(Struct, frozen=True, kw_only=True):
    """A guard as a record has it: `id` names it (the first 12 hex digits of its digest), `at` is when that record was kept, empty for a published one."""

    id: str
    record: str
    at: str
    source: str
    guard: Guard
    residual: DebugResidual

    @property
    def proved(self) -> bool:
        """Did we see the gate go red without it."""
        return self.guard.ablation is not None and self.residual.provenance.evidence is EvidenceGrade.WITNESSED


class Kept(Struct, frozen=True, kw_only=True):
    """All guards that are known here, and how many published files could not be read (R14)."""

    guards: tuple[Known, ...]
    unreadable: int


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
    """A guard for a reader. `lines` are where it stands now, or null when it is lost; `state` is `here`, `moved` or `lost`; `proof` is `ablated` or `named`.

    `source` is `kept` (in the store) or `published` (in `.ruledout/`).
    """

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
    source: str
    without_it: Returns | None
    gate: tuple[str, ...]


def guards(store: Store, published: Sequence[str] = ()) -> Kept:
    """Every guard that is kept or published, each once: of equal ones a proved one before a named one, then the newest, ours before published ones."""
    at = {one.digest: one.at for one in store.listed()}
    found: dict[str, Known] = {}
    unreadable = 0
    for text in published:
        try:
            record = wire.record(wire.decode(text.encode()))
        except RuledoutError:
            unreadable += 1
            continue
        found |= _better(found, record, "", "published")
    for record in store.records():
        found |= _better(found, record, at.get(record.digest, ""), "kept")
    return Kept(guards=tuple(found.values()), unreadable=unreadable)


def _better(found: Mapping[str, Known], record: Record, at: str, source: str) -> dict[str, Known]:
    """The guards of a record that say more than those found before."""
    outcome = record.outcome
    if not isinstance(outcome, DebugResidual):
        return {}
    made = [Known(id=_id(one), record=record.digest, at=at, source=source, guard=one, residual=outcome) for one in outcome.required_defensive_guards]
    return {one.id: one for one in made if one.id not in found or one.proved or not found[one.id].proved}


def published_in(files: Mapping[str, str]) -> tuple[str, ...]:
    """The texts of the records that a repository publishes: `.ruledout/*.json`."""
    names = sorted(path for path in files if path.startswith(".ruledout/") and path.endswith(".json") and path.count("/") == 1)
    return tuple(files[path] for path in names if path in files)


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
        source=one.source,
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
