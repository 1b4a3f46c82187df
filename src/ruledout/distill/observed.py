"""The session's own red and green as a gate and a receipt, graded `observed`: one run each, as the session shows them, nothing of ours."""

import shlex

from ruledout.digest import tagged
from ruledout.distill.gates import bare
from ruledout.distill.seen import GateSeen, SeenRun
from ruledout.model.gate import GateRun, Isolation, Receipt, RegressionGate, ReportSource, TestResult, TestStatus
from ruledout.model.outcome import Evidence

DEADLINE_S = 300.0
_SHELL = frozenset("|&;<>`\n")


def argv_of(command: str) -> tuple[str, ...] | None:
    """A command without its plumbing as an argv; None where it needs a shell (R9)."""
    plain = bare(command)
    try:
        argv = tuple(shlex.split(plain))
    except ValueError:
        return None
    return None if not argv or _SHELL & set(plain) or "$" in plain or "=" in argv[0] else argv


def gate_of(seen: GateSeen) -> RegressionGate | None:
    """The command as an argv; None where it needs a shell (R9). The tests are those that failed before and no longer do."""
    argv = argv_of(seen.command)
    if argv is None:
        return None
    still = set(seen.green.outcome.failing)
    turned = [test for test in seen.red.outcome.failing if test not in still and not test.endswith(" failed]")]
    tests = tuple(turned or seen.green.outcome.passing)  # a build that failed names packages, not tests: then those that ran and passed
    facts: dict[str, object] = {"argv": list(argv), "cwd": ".", "env": [], "deadline_s": DEADLINE_S, "tests": list(tests)}
    return RegressionGate(argv=argv, cwd=".", env=(), deadline_s=DEADLINE_S, tests=tests, digest=tagged("gate", facts))


def receipt_of(seen: GateSeen) -> Receipt:
    """Red and green as the session shows them. Nobody took the fix out again: there is no red on revert."""
    return Receipt(red=(_run(seen.red),), green=(_run(seen.green),), red_on_revert=(), isolation=Isolation.NONE)


def _run(seen: SeenRun) -> GateRun:
    outcome = seen.outcome
    tests = [TestResult(test, TestStatus.FAILED) for test in outcome.failing] + [TestResult(test, TestStatus.PASSED) for test in outcome.passing]
    return GateRun(
        exit=seen.run.exit,
        outcome=outcome.result,
        tests=tuple(tests),
        source=ReportSource.TEXT if outcome.evidence is Evidence.RAN else ReportSource.NONE,
        signature=outcome.signature,
        seconds=0.0,
        tree=seen.run.ref,
        facts=(f"exit_seen={outcome.sight.value}",),
    )
