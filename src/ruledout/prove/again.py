"""A stored gate run again: a dead end's edits laid on a tree (R10), or today's tree as it is. Reports what was seen; whoever calls it has asked for leave."""

import hashlib
from collections.abc import Callable, Sequence

from ruledout import redact, text
from ruledout.errors import Refused
from ruledout.model.gate import GateRun, TestStatus
from ruledout.model.record import Replayed, Standing
from ruledout.ports import ProofRequest
from ruledout.prove import edits, reading, verdict
from ruledout.prove.git import LINK
from ruledout.prove.lab import Lab
from ruledout.prove.look import test_side
from ruledout.prove.process import How
from ruledout.prove.reading import CANNOT, FAILED, RED, Seen, State
from ruledout.rerun import Rechecked, RecheckRequest, Replay, ReplayRequest

_LINE = 300


def replay(make: Callable[[ProofRequest], Lab], request: ReplayRequest) -> Replay:
    """Lay the edits on the tree, run the gate, and where it passes run it without them too: a pass that needs no edit says nothing about it."""
    with make(request.gate) as lab:
        _as_allowed(lab, request.reached)
        below = lab.patch.after if request.gate.base is None else lab.patch.red
        try:
            laid = _laid(lab, below, request)
        except edits.DoesNotApplyError as error:
            return Replay(finding=Replayed.DOES_NOT_APPLY, why=_line(str(error)), isolation=lab.level.isolation)
        tried = _runs(lab, laid)
        control = _runs(lab, below) if all(seen.state is State.GREEN for seen in tried) else []
        finding, why = _replayed(tried, control, request)
        named = verdict.fail_to_pass(control, tried)
        return Replay(finding=finding, why=why, runs=_receipts(tried, named), control=_receipts(control, named), isolation=lab.level.isolation)


def _laid(lab: Lab, below: str, request: ReplayRequest) -> str:
    """The tree as it was judged: on the base with what stood before, on today's tree without; the other way where that does not fit."""
    ways = [(*request.before, *request.edits), request.edits]
    first, second = ways if request.gate.base is not None else reversed(ways)
    try:
        return edits.laid(lab.repository, below, first if request.edits else ())
    except edits.DoesNotApplyError:
        if not request.before:
            raise
        return edits.laid(lab.repository, below, second if request.edits else ())


def recheck(make: Callable[[ProofRequest], Lab], request: RecheckRequest) -> Rechecked:
    """Run the gate on today's tree as often as the request says; a side that is not equal each time is flaky."""
    with make(request.gate) as lab:
        _as_allowed(lab, request.reached)
        runs = _runs(lab, lab.patch.after)
        finding, why = _stands(runs, request.tests)
        before = test_side(lab.repository, request.patch, lab.patch.files)
        if finding is Standing.HOLDS and before:  # a test that was made weaker since must not let a broken fix pass
            proved = _runs(lab, lab.repository.put_tree({**lab.patch.files, **before}))
            then, said = _stands(proved, request.tests)
            if then is Standing.BROKEN:
                runs, finding, why = proved, then, _line(f"it passes {', '.join(list(before)[:3])} as they are today, not as they were proved: {said}")
        return Rechecked(finding=finding, why=why, runs=_receipts(runs, request.tests), isolation=lab.level.isolation)


def _as_allowed(lab: Lab, reached: Sequence[tuple[str, str]]) -> None:
    """R12: between asking and running, nothing that leave hangs on may have become another: the snapshot that is run is held against the digests."""
    snapshot = {path: (lab.patch.files[path].oid, told) for path, told in reached if path in lab.patch.files}
    blobs = lab.repository.blobs(oid for oid, _ in snapshot.values())
    for path, (oid, told) in snapshot.items():
        if lab.patch.files[path].mode != LINK and f"sha256:{hashlib.sha256(blobs[oid]).hexdigest()}" != told:
            raise Refused("needs-trust", f"{path} was changed while leave was asked for", "run it again, and look at what changes it")


def how(seen: Seen) -> str:
    """How a run ended, in one redacted line."""
    ended = seen.ended
    if ended.how is How.TIMEOUT:
        return f"over the deadline after {ended.seconds:.1f} s"
    if ended.how is How.NOT_STARTED:
        return _line(f"could not be started: {ended.why}")
    lines = [line.strip() for line in seen.output.splitlines() if line.strip()]
    said = seen.outcome.message or (lines[-1] if lines else "no output")
    return _line(f"{ended.signal or f'exit {ended.exit}'}: {said}")


def _runs(lab: Lab, tree: str) -> list[Seen]:
    """Runs on one tree; the first that cannot be run is the last."""
    found: list[Seen] = []
    for seed in range(lab.request.runs):
        found.append(lab.run(tree, seed))
        if found[-1].state in CANNOT:
            break
    return found


def _receipts(runs: Sequence[Seen], named: Sequence[str]) -> tuple[GateRun, ...]:
    return tuple(reading.gate_run(seen, frozenset(named)) for seen in runs)


def _replayed(tried: Sequence[Seen], control: Sequence[Seen], request: ReplayRequest) -> tuple[Replayed, str]:
    """R14: what could not be run is neither; flaky runs overturn nothing and confirm nothing."""
    stuck = next((seen for seen in (*tried, *control) if seen.state in CANNOT), None)
    if stuck is not None:
        return Replayed.CANNOT_RUN, how(stuck)
    uneven = (*verdict.flaky("with the edits", tried), *verdict.flaky("without the edits", control))
    if uneven:
        return Replayed.FLAKY, _line(uneven[0].message)
    if tried[0].state in RED:
        found = {seen.outcome.signature.normalised if seen.outcome.signature else None for seen in tried}
        return (Replayed.STILL_FAILS_SO if found == {request.expected.normalised} else Replayed.FAILS_OTHERWISE), how(tried[0])
    return _passed(tried, control)


def _passed(tried: Sequence[Seen], control: Sequence[Seen]) -> tuple[Replayed, str]:
    """The gate is not red with the edits: is it green, and by them."""
    if tried[0].state is not State.GREEN:
        return Replayed.CANNOT_RUN, f"with the edits no named test passed or failed ({tried[0].state})"
    if control[0].state is State.GREEN:
        return Replayed.PASSES_ANYWAY, "the gate passes without the edits as well"
    named = verdict.fail_to_pass(control, tried)
    if not named:
        return Replayed.CANNOT_RUN, f"without the edits the gate is {control[0].state}, but no test of it passes with them"
    return Replayed.PASSES, _line(f"red without the edits, green with them, {len(tried)} times each: {', '.join(named[:3])}")


def _stands(runs: Sequence[Seen], tests: Sequence[str]) -> tuple[Standing, str]:
    """What cannot be run and what is not equal each time come first (R14, R9); then what the runs all show."""
    stuck = next((seen for seen in runs if seen.state in CANNOT), None)
    if stuck is not None:
        return Standing.CANNOT_RUN, how(stuck)
    uneven = verdict.flaky("on today's tree", runs)
    if uneven:
        return Standing.FLAKY, _line(uneven[0].message)
    return _shown(runs[0], tests, len(runs))


def _shown(seen: Seen, tests: Sequence[str], times: int) -> tuple[Standing, str]:
    """The named tests decide, where any are named: others may fail for reasons of their own, and are told (R9)."""
    failed = [name for name in tests if seen.tests.get(name) in FAILED]
    missing = [name for name in tests if seen.tests.get(name) is not TestStatus.PASSED]
    if failed or (seen.state in RED and not tests):
        return Standing.BROKEN, _line(f"{', '.join(failed[:3]) or 'the gate'} fails again: {how(seen)}")
    if missing:
        if seen.state in (State.UNBUILT, State.CRASHED):
            return Standing.BROKEN, _line(f"{missing[0]} cannot run: {how(seen)}")
        return Standing.CANNOT_RUN, _line(f"{missing[0]} did not run: the test was renamed, taken out or skipped")
    if seen.state in RED:
        return Standing.HOLDS, _line(f"its {len(tests)} tests pass; other tests of the gate fail: {how(seen)}")
    green = seen.state is State.GREEN
    return (Standing.HOLDS, f"green {times}x") if green else (Standing.CANNOT_RUN, f"no named test passed or failed ({seen.state})")


def _line(said: str) -> str:
    return text.cap(redact.redact(" ".join(text.clean(said).split())), _LINE)
