"""The prover: red without the fix, green with it, red again when only the fix is taken out, each several times (R1, R2, R9)."""

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import structs

from ruledout import digest
from ruledout.model.gate import GateRun, Isolation, Proof, Reason, Receipt, RegressionGate
from ruledout.ports import ProofRequest
from ruledout.prove import ablate, argv, judges, patch, reading, scrutiny, verdict
from ruledout.prove.ablate import Base
from ruledout.prove.lab import Lab
from ruledout.prove.patch import Patch
from ruledout.prove.process import How
from ruledout.prove.reading import CANNOT, RED, Seen, State
from ruledout.prove.refusals import reason
from ruledout.prove.refusals import verdict as verdict_of

_MISSING = re.compile(r"ModuleNotFoundError|ImportError|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|Failed to resolve import")
_SIDES = ("green", "red", "revert")
"""The order within a round: the whole patch first, so that nothing which an earlier run left behind can help it."""


class Runner:
    """Implements `ports.GateRunner`. `environment` is the caller's; only an allow-list of it reaches a run.

    From the user's own settings: `wanted` fixes the level of isolation, `network` is `off` or `host`, `shown` are hidden folders that runs may read.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        wanted: Isolation | None = None,
        network: str = "off",
        shown: Sequence[str] = (),
        told: Callable[[str, int, int], None] | None = None,
    ) -> None:
        """Keep what wiring hands in; `told` hears how far long work has come."""
        self._told = told
        self._environment = environment
        self._wanted = wanted
        self._network = network
        self._shown = tuple(shown)

    def lab(self, request: ProofRequest) -> Lab:
        """The place where this request's runs are made; ablation, boundaries and replays use it too."""
        return Lab(self._environment, request, wanted=self._wanted, network=self._network, shown=self._shown)

    def prove(self, request: ProofRequest) -> Proof:
        """See `ports.GateRunner`."""
        with self.lab(request) as lab:
            against = (*argv.objections(request.argv), *_objections(lab.patch))
            if against:
                return _proof(request, lab, against, {side: [] for side in _SIDES}, ())
            runs = _run_all(lab)
            reasons, named = _weigh(runs, lab.level.isolation)
            moved = judges.misplaced(lab, runs["green"]) if reasons else ()
            if moved:  # tests in a place that no name tells of
                lab.take_for_tests(moved)
                runs = _run_all(lab)
                reasons, named = _weigh(runs, lab.level.isolation)
            facts: tuple[str, ...] = ()
            if not reasons:
                reasons, named, facts = scrutiny.look(lab, named)
            proof = _proof(request, lab, reasons, runs, named, facts)
            if request.depth is None or reasons:
                return proof
            base = Base(named=named, red=tuple(runs["red"]), green_s=max(seen.ended.seconds for seen in runs["green"]))
            return structs.replace(proof, depth=ablate.look(lab, base, request.depth, self._told))


def _objections(found: Patch) -> tuple[Reason, ...]:
    """What can be said against the patch before anything is run."""
    if not found.changes:
        return (reason("empty_patch", f"the work tree is the same as {found.commit[:12]}"),)
    if not found.product:
        return (
            reason(
                "no_product_change",
                f"the patch touches {len(found.changes)} paths, none of them with a change of the code under test (space and comments are none)",
            ),
        )
    return ()


def _run_all(lab: Lab) -> dict[str, list[Seen]]:
    """The rounds. Stops early where it cannot be run; where a side already contradicts the proof, only that side is repeated, to tell flaky from wrong."""
    whole, without = lab.patch.after, lab.patch.red
    trees = {"green": whole, "red": without, "revert": without}
    runs: dict[str, list[Seen]] = {side: [] for side in _SIDES}
    against = ""
    for seed in range(lab.request.runs):
        if against:
            seen = lab.run(trees[against], seed)
            runs[against].append(seen if against == "green" else _without_a_part(seen))
        elif seed and lab.level.isolation is Isolation.WORK_TREE:
            against = _mixed(lab, trees, runs, seed)
        else:
            runs["green"].append(lab.run(whole, seed))
            against = _speaks_against("green", runs["green"][-1])
            for side, seen in () if against else zip(_SIDES[1:], lab.run_both((without, without), seed), strict=True):
                runs[side].append(_without_a_part(seen))
                against = against or _speaks_against(side, runs[side][-1])
        if any(seen.state in CANNOT for side in _SIDES for seen in runs[side][-1:]):
            break
    return runs


def _without_a_part(seen: Seen) -> Seen:
    """A module that is missing where the whole patch, in the same surroundings, has passed: it is the fix that brings it, not the machine that lacks it."""
    missing = seen.state is State.INFRA and seen.ended.how is How.EXITED and _MISSING.search(seen.output) is not None
    return structs.replace(seen, state=State.UNBUILT) if missing else seen


def _speaks_against(side: str, seen: Seen) -> str:
    """The side, if this run of it contradicts the proof."""
    return "" if (seen.state is State.GREEN if side == "green" else seen.state in RED) else side


def _mixed(lab: Lab, trees: Mapping[str, str], runs: Mapping[str, list[Seen]], seed: int) -> str:
    """A later round in an order that nobody can know: where runs share folders of the machine, a test could count them."""
    import secrets

    for side in secrets.SystemRandom().sample(_SIDES, len(_SIDES)):
        seen = lab.run(trees[side], seed)
        runs[side].append(seen if side == "green" else _without_a_part(seen))
        if _speaks_against(side, runs[side][-1]):
            return side
    return ""


def _weigh(runs: Mapping[str, Sequence[Seen]], isolation: Isolation) -> tuple[tuple[Reason, ...], tuple[str, ...]]:
    """The reasons against the proof, and the fail-to-pass set."""
    green, red, revert = (runs[side] for side in _SIDES)
    unable = verdict.cannot([*green, *red, *revert])
    if unable:
        return unable, ()
    uneven = (*verdict.flaky("with the whole patch", green), *verdict.flaky("without the fix", red), *verdict.flaky("with the fix taken out again", revert))
    if uneven:
        return uneven, ()
    reasons = verdict.green(green) if green else ()
    if not reasons and red:
        reasons = verdict.red(red, green, isolation)
    if not reasons and revert:
        reasons = verdict.red(revert, green, isolation, code="green_on_revert", where="with the fix taken out again")
    named = verdict.fail_to_pass([*red, *revert], green)
    if not reasons and not named:
        reasons = (reason("not_fail_to_pass", "no test is red in every run without the fix and green in every run with it"),)
    return reasons, named if not reasons else ()


def _proof(
    request: ProofRequest, lab: Lab, reasons: tuple[Reason, ...], runs: Mapping[str, Sequence[Seen]], named: tuple[str, ...], facts: tuple[str, ...] = ()
) -> Proof:
    keep = frozenset(named)
    receipts = {side: tuple(reading.gate_run(seen, keep) for seen in runs[side]) for side in _SIDES}
    if any(path for path in lab.patch.submodules):
        facts = (*facts, f"submodules={len(lab.patch.submodules)}")
    green = tuple(_with_facts(run, facts) for run in receipts["green"])
    return Proof(
        verdict=verdict_of(reasons),
        reasons=reasons,
        gate=regression_gate(request, named if not reasons else ()),
        patch=patch.receipt(lab.patch) if lab.patch.changes else None,
        receipt=Receipt(red=receipts["red"], green=green, red_on_revert=receipts["revert"], isolation=lab.level.isolation),
    )


def _with_facts(run: GateRun, facts: tuple[str, ...]) -> GateRun:
    return structs.replace(run, facts=(*run.facts, *facts))


def regression_gate(request: ProofRequest, tests: tuple[str, ...]) -> RegressionGate:
    """The gate as it is kept, with the digest over everything else in it (R11)."""
    body = {"argv": list(request.argv), "cwd": request.cwd, "env": list(request.env), "deadline_s": request.deadline_s, "tests": list(tests)}
    return RegressionGate(argv=request.argv, cwd=request.cwd, env=request.env, deadline_s=request.deadline_s, tests=tests, digest=digest.tagged("gate", body))
