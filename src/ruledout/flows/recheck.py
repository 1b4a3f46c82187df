"""Do the kept fixes still hold: first by bytes, then, with leave, by their own gates.

What was found is appended, never written over, and nothing is run twice on the same inputs.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from ruledout.errors import BadInput, CannotRun, Refused, RuledoutError
from ruledout.flows import trust
from ruledout.flows.stored_gate import StoredGate, gate_of
from ruledout.model.record import Record, Standing
from ruledout.model.residual import DebugResidual
from ruledout.ports import NewStanding, Stood, Store
from ruledout.recall.index import title
from ruledout.recall.stands import last_of
from ruledout.rerun import Grants, Look, Presence, RecheckRequest, Rerunner, Today, TrustFacts

NEEDS_TRUST = "needs-trust"


class Asked(Struct, frozen=True, kw_only=True):
    """What to re-check: these records or all, those whose files changed since a revision, within so many seconds."""

    root: str
    ids: tuple[str, ...] = ()
    changed_since: str | None = None
    budget_s: float | None = None
    runs: int = 3


class RecordStands(Struct, frozen=True, kw_only=True):
    """One record: what was found, by what (`run`, `cached`, or a reason why nothing was run), whether its patch is in the tree, and the mend."""

    record: str
    title: str
    finding: Standing
    by: str
    why: str
    presence: Presence = Presence.UNKNOWN
    mend: str = ""


class Report(Struct, frozen=True, kw_only=True):
    """All records that were asked about, the broken first; `without_gate` counts handoffs."""

    records: tuple[RecordStands, ...]
    without_gate: int
    counts: dict[str, int]


class Watch(Struct, frozen=True):
    """Handed in: `now` counts seconds, `told` hears how far it has come."""

    now: Callable[[], float]
    told: Callable[[str, int, int], None] | None = None


def recheck(store: Store, rerunner: Rerunner, grants: Grants, asked: Asked, watch: Watch) -> Report:
    """Re-check. Raises `BadInput` for an unknown record or revision, `CannotRun` where nothing can be run at all."""
    records = [store.get(name) for name in asked.ids] or list(store.records())
    fixes = [record for record in records if isinstance(record.outcome, DebugResidual)]
    last = last_of(store.standings([record.digest for record in fixes]))
    end = watch.now() + asked.budget_s if asked.budget_s is not None else None
    with rerunner.look(asked.root) as look:
        work = _Work(store, rerunner, grants, last, look, lambda: end is None or watch.now() < end)
        changed = look.changed(asked.changed_since) if asked.changed_since is not None else None
        found = []
        for number, record in enumerate(_longest_ago(fixes, last), 1):
            found.append(work.stands(gate_of(record, asked.root, asked.runs), changed))
            if watch.told is not None:
                watch.told("re-checking", number, len(fixes))
    found.sort(key=_order)
    counts = {finding.value: sum(one.finding is finding for one in found) for finding in Standing}
    return Report(records=tuple(found), without_gate=len(records) - len(fixes), counts=counts)


def exit_of(report: Report) -> int:
    """1 where a bug is back or leave is missing, 3 where something could not be found out, else 0."""
    if any(one.finding is Standing.BROKEN or one.by == NEEDS_TRUST for one in report.records):
        return 1
    return 3 if any(one.finding in (Standing.CANNOT_RUN, Standing.FLAKY) for one in report.records) else 0


class _Work:
    """One re-check of many records."""

    def __init__(self, store: Store, rerunner: Rerunner, grants: Grants, last: dict[str, Stood], look: Look, in_time: Callable[[], bool]) -> None:
        self._store, self._rerunner, self._grants = store, rerunner, grants
        self._last, self._look, self._in_time = last, look, in_time

    def stands(self, gate: StoredGate, changed: frozenset[str] | None) -> RecordStands:
        """One record, the cheapest answer first. `changed` are the files that it must reach to be asked at all, or None."""
        before = self._last.get(gate.record.digest)
        try:
            facts = trust.facts_of(self._rerunner, gate)
        except Refused as error:
            return _row(gate, Standing.UNCHECKED, error.slug, error.message, mend=error.mend)
        if changed is not None and not changed & _reached(gate, facts):
            return _row(gate, _known(before), "unchanged", "none of its files changed since then")
        try:
            today = self._look.today(_request(gate))
        except (BadInput, CannotRun) as error:  # of this record alone: the next may well be checked
            return _row(gate, Standing.CANNOT_RUN, error.slug, error.message, mend=error.mend)
        if before is not None and before.inputs == today.inputs and before.finding in (Standing.HOLDS, Standing.BROKEN):
            return _row(gate, Standing(before.finding), "cached", before.evidence, today)
        if not self._in_time():
            return _row(gate, Standing.UNCHECKED, "budget", "the time for this re-check was used up", today)
        return self._run(gate, today)

    def _run(self, gate: StoredGate, today: Today) -> RecordStands:
        try:
            facts = trust.require(self._rerunner, self._grants, gate)  # R12
        except Refused as error:
            return _row(gate, Standing.UNCHECKED, error.slug, error.message, today, error.mend)
        try:
            found = self._rerunner.recheck(msgspec.structs.replace(_request(gate), reached=facts.files))
        except RuledoutError as error:
            finding = Standing.UNCHECKED if isinstance(error, Refused) else Standing.CANNOT_RUN
            return _row(gate, finding, error.slug, error.message, today, error.mend)
        told = f"; its tests are not as they were proved: {', '.join(today.retested[:3])}" if today.retested else ""
        evidence = f"{found.why}{told}; patch {today.presence.value}, {found.isolation.value}"
        tree = found.runs[0].tree if found.runs else ""
        inputs = today.inputs if tree == today.tree else ""  # the tree that was run is another where somebody went on working, and for tests as they were
        self._store.stand(
            NewStanding(digest=gate.record.digest, branch=None, finding=found.finding.value, evidence=f"{evidence}, tree {tree[:12]}"[:2000], inputs=inputs)
        )
        return _row(gate, found.finding, "run", evidence, today)


def _request(gate: StoredGate) -> RecheckRequest:
    outcome = gate.record.outcome
    assert isinstance(outcome, DebugResidual)  # noqa: S101  # `stored_gate.gate_of` refuses others
    kept = outcome.regression_gate_signature
    return RecheckRequest(gate=gate.request, digest=kept.digest, patch=outcome.verified_patch_receipt, tests=kept.tests)


def _reached(gate: StoredGate, facts: TrustFacts) -> frozenset[str]:
    """Files of the patch, and those that the gate reaches."""
    return frozenset((*_request(gate).patch.files, *(name for name, _ in facts.files)))


def _row(gate: StoredGate, finding: Standing, by: str, why: str, today: Today | None = None, mend: str = "") -> RecordStands:
    foreign = f" (foreign: {today.foreign[:12]} is no commit of this repository)" if today is not None and today.foreign else ""
    return RecordStands(
        record=gate.record.digest,
        title=title(gate.record.outcome),
        finding=finding,
        by=by,
        why=why + foreign,
        presence=today.presence if today is not None else Presence.UNKNOWN,
        mend=mend,
    )


def _known(before: Stood | None) -> Standing:
    return Standing(before.finding) if before is not None else Standing.UNCHECKED


def _longest_ago(records: Sequence[Record], last: dict[str, Stood]) -> Iterator[Record]:
    """Never checked first, then the one that was checked longest ago: a budget goes round."""
    return iter(sorted(records, key=lambda record: last[record.digest].seq if record.digest in last else 0))


def _order(one: RecordStands) -> int:
    return (Standing.BROKEN, Standing.FLAKY, Standing.CANNOT_RUN, Standing.UNCHECKED, Standing.HOLDS).index(one.finding)
