"""One run read: how it ended, what its report says, and whether the two agree (the table of `docs/signatures.md`)."""

import re
from collections.abc import Collection, Mapping
from enum import StrEnum

from msgspec import Struct

from ruledout import redact, text
from ruledout.model.gate import GateRun, ReportSource, TestResult, TestStatus
from ruledout.model.outcome import Outcome, Result
from ruledout.observe import outcome as observed
from ruledout.prove.process import Ended, How
from ruledout.prove.report import Report

_TAIL = 2000
_KEPT_TESTS = 200
_CRASHES = frozenset(("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"))
_NOTHING_RAN = re.compile(
    r"no tests ran|collected 0 items|ERROR: not found|Ran 0 tests|no tests? (?:files? )?found|No test files found|NO TESTS RAN|no tests to run", re.IGNORECASE
)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


class State(StrEnum):
    """What one run comes to. Only `green` is a pass; `red`, `unbuilt` and `crashed` are failures of the code."""

    GREEN = "green"
    RED = "red"
    UNBUILT = "unbuilt"
    """it failed before its tests could run: an import, a compiler"""
    CRASHED = "crashed"
    """it died of itself: a segmentation fault, an exit in the middle of the tests"""
    NO_IDENTITY = "no_test_identity"
    NOT_RUN = "not_run"
    SKIPPED = "skipped"
    MISMATCH = "report_mismatch"
    TIMEOUT = "timeout"
    NOT_STARTED = "not_started"
    INFRA = "infra"


FAILED = (TestStatus.FAILED, TestStatus.ERROR)
RED = (State.RED, State.UNBUILT, State.CRASHED)
CANNOT = (State.TIMEOUT, State.NOT_STARTED, State.INFRA)


class Seen(Struct, frozen=True, kw_only=True):
    """One run: what was run, how it ended, what its report says."""

    tree: str
    state: State
    ended: Ended
    report: Report | None
    output: str
    outcome: Outcome
    facts: tuple[str, ...]

    @property
    def tests(self) -> Mapping[str, TestStatus]:
        """Tests by id; none where nothing told of any."""
        return self.report.tests if self.report is not None else {}

    @property
    def shape(self) -> tuple[object, ...]:
        """What must be equal in every run on one tree; addresses in ids differ from run to run and do not count."""
        if self.state in (State.UNBUILT, State.CRASHED):
            return (State.UNBUILT,)
        return (self.state, tuple(sorted((_ADDRESS.sub("0x", name), status) for name, status in self.tests.items())))


def read(command: str, tree: str, ended: Ended, report: Report | None, *, known_runner: bool, facts: tuple[str, ...]) -> Seen:
    """Weigh a run. `known_runner` says that the argv calls a runner which always tells of its tests."""
    output = ended.output.decode("utf-8", "replace")
    exit_status = ended.exit if ended.how is How.EXITED else None
    outcome = observed.observe(command, output, exit_status)
    state = _ended_badly(ended) or _state(report, exit_status or 0, output, outcome, known_runner=known_runner)
    return Seen(tree=tree, state=state, ended=ended, report=report, output=output, outcome=outcome, facts=facts)


def _ended_badly(ended: Ended) -> State | None:
    """The endings that decide by themselves."""
    if ended.how is How.TIMEOUT:
        return State.TIMEOUT
    if ended.how is How.NOT_STARTED:
        return State.NOT_STARTED
    if ended.how is How.SIGNAL:
        return State.CRASHED if ended.signal in _CRASHES else State.INFRA
    return None


def _state(report: Report | None, status: int, output: str, outcome: Outcome, *, known_runner: bool) -> State:
    """The table: exit status and report must agree, and the tests must have run."""
    if report is None or not report.tests:
        return _without_tests(report, status, output, outcome, known_runner=known_runner)
    failing = [name for name, result in report.tests.items() if result in FAILED]
    passing = [name for name, result in report.tests.items() if result is TestStatus.PASSED]
    if not report.complete:
        return State.CRASHED if status else State.NOT_RUN
    if status == 0 and not failing and not report.unbuilt:
        return State.GREEN if passing else State.SKIPPED
    if status == 0 or not (failing or report.unbuilt):
        return State.MISMATCH
    return State.RED if failing else State.UNBUILT


def _without_tests(report: Report | None, status: int, output: str, outcome: Outcome, *, known_runner: bool) -> State:
    """No test told of itself."""
    if status == 0:
        unnamed = report is None or (report.source is ReportSource.NONE and not report.unbuilt)  # it may tell of tests, and name none
        return State.NO_IDENTITY if unnamed and not known_runner and not _NOTHING_RAN.search(output) else State.NOT_RUN
    if status in (126, 127, 137, 143) and not (report is not None and report.unbuilt):
        return State.INFRA if status > 127 else State.NOT_STARTED
    if report is not None and not report.unbuilt and (report.complete or _NOTHING_RAN.search(output)):
        return State.NOT_RUN
    return State.INFRA if outcome.result is Result.INFRA else State.UNBUILT


def gate_run(seen: Seen, keep: Collection[str]) -> GateRun:
    """The run as a receipt keeps it: the named tests and whatever did not pass, the end of the output cleaned and redacted (R13)."""
    told = [TestResult(text.clean(name), status) for name, status in sorted(seen.tests.items()) if name in keep or status is not TestStatus.PASSED]
    extra = (f"tests={len(seen.tests)}",) if len(seen.tests) != len(told) or len(told) > _KEPT_TESTS else ()
    ended = {How.EXITED: "exited", How.SIGNAL: f"signal:{seen.ended.signal}", How.TIMEOUT: "timeout", How.NOT_STARTED: "not_started"}[seen.ended.how]
    notes = seen.report.notes if seen.report is not None else ()
    return GateRun(
        exit=seen.ended.exit if seen.ended.how is How.EXITED else None,
        outcome=_result(seen.state),
        tests=tuple(told[:_KEPT_TESTS]),
        source=seen.report.source if seen.report is not None else ReportSource.NONE,
        signature=seen.outcome.signature if seen.state in RED else None,
        seconds=round(seen.ended.seconds, 3),
        tree=seen.tree,
        ended=ended,
        facts=(f"state={seen.state}", *seen.facts, *extra, *(text.cap(text.clean(note), 200) for note in notes[:5])),
        tail=redact.redact(text.clean(seen.ended.why or seen.output))[-_TAIL:],
    )


def _result(state: State) -> Result:
    if state is State.GREEN:
        return Result.PASS
    if state in RED:
        return Result.FAIL
    return Result.INFRA if state in CANNOT else Result.UNKNOWN
