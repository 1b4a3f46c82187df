"""`ruledout prove -- CMD`: red, green, red on revert, with receipts. The command after `--` is run as it is, without a shell."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out
from ruledout.errors import BadInput
from ruledout.ports import Claim, DepthRequest, ProofRequest


def add_gate_options(parser: ArgumentParser) -> None:
    """The options of every verb that runs a gate."""
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: the session's own, else this one)")
    parser.add_argument("--base", metavar="REV", help="the revision before the fix (default: HEAD, with the uncommitted work as the fix)")
    parser.add_argument("--test-paths", metavar="GLOB", nargs="+", default=[], help="what belongs to the test side of the patch (default: the usual names)")
    parser.add_argument("--runs", type=int, default=3, help="how often each tree is run; at least 3 equal runs prove (default: 3)")
    parser.add_argument("--timeout", type=float, metavar="S", default=300.0, help="time budget of one run in seconds (default: 300)")
    parser.add_argument("--env", metavar="NAME", action="append", default=[], help="let this variable of yours reach the run")


def add_depth_options(parser: ArgumentParser) -> None:
    """The options of every verb that can look into a proved patch."""
    parser.add_argument("--ablate", action="store_true", help="take each piece of the patch out alone, to see which are needed and what fails without them")
    parser.add_argument("--budget", type=float, metavar="S", default=600.0, help="time budget of --ablate and --minimise in seconds (default: 600)")


def depth_of(options: Namespace, claims: tuple[Claim, ...] = ()) -> DepthRequest | None:
    """How far to look into the patch; None where that was not asked for."""
    minimise = getattr(options, "minimise", False)
    if options.budget < 0:
        raise BadInput("bad-number", f"--budget {options.budget} is no time", "give seconds, 0 or more")
    return DepthRequest(ablate=options.ablate, minimise=minimise, claims=claims, budget_s=options.budget) if options.ablate or minimise else None


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.usage = "ruledout prove [options] -- CMD ..."
    add_gate_options(parser)
    add_depth_options(parser)
    parser.add_argument("--minimise", action="store_true", help="search the smallest part of the patch that does, and print it")
    parser.add_argument("--json", action="store_true", help="one JSON object, as docs/cli.md gives it")


def request_of(options: Namespace, argv: tuple[str, ...]) -> ProofRequest:
    """The request for the runner; the gate runs where it was asked for, inside the repository."""
    if options.runs < 1 or options.timeout <= 0:
        raise BadInput("bad-number", "--runs and --timeout take positive numbers", "give at least 1 run and a time budget above 0")
    root = wiring.require_repository(options.repo)
    start = Path(options.repo or ".").resolve()
    return ProofRequest(
        root=str(root),
        argv=argv,
        base=options.base,
        test_paths=tuple(options.test_paths),
        cwd=start.relative_to(root).as_posix(),
        env=tuple(options.env),
        runs=options.runs,
        deadline_s=options.timeout,
    )


def run(options: Namespace) -> int:
    """Prove one fix: exit 0 proved, 1 refused, 3 inconclusive."""
    from msgspec import structs

    from ruledout.doors.show.depth import teller
    from ruledout.doors.show.proof import proof_answer, proof_text
    from ruledout.flows.distill_session import prove_fix

    if not options.rest:
        raise BadInput("no-command", "there is no command to run", "put it after --: `ruledout prove -- python -m pytest tests/test_a.py`")
    request = structs.replace(request_of(options, tuple(options.rest)), depth=depth_of(options))
    proof = prove_fix(wiring.runner(teller()), request)
    out(as_json(proof_answer(proof)) if options.json else proof_text(proof))
    return {"proved": 0, "refused": 1, "inconclusive": 3}[proof.verdict.value]
