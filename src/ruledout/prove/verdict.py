"""From runs to reasons: red before, green after, red again on revert, and the same each time. Pure; it starts nothing.

The fail-to-pass set is what carries the proof: tests that passed in every run of the whole patch, and in every run without its product side failed, or could
not even be loaded there.
"""

import re
from collections.abc import Callable, Sequence

from ruledout.model.gate import Isolation, Reason, TestStatus
from ruledout.prove.process import How
from ruledout.prove.reading import CANNOT, FAILED, RED, Seen, State
from ruledout.prove.refusals import reason

_NETWORK = re.compile(
    r"Name or service not known|Temporary failure in name resolution|Network is unreachable|Connection refused|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH"
    r"|ENOTCACHED|getaddrinfo failed|Could not resolve host|dial tcp|network is unreachable"
)
_QUOTA = re.compile(
    r"No space left on device|ENOSPC|Disk quota exceeded|File too large|[Cc]annot allocate memory|BlockingIOError: \[Errno 11\]|can't start new thread"
)
_MEND_NETWORK = "name tests that need no network or service, or allow the host's network in your own settings"


def fail_to_pass(red: Sequence[Seen], green: Sequence[Seen]) -> tuple[str, ...]:
    """Ids that passed in all green runs and were red in all red ones, sorted; empty without runs on either side."""
    if not red or not green:
        return ()
    passed = [{name for name, status in seen.tests.items() if status is TestStatus.PASSED} for seen in green]
    return tuple(sorted(name for name in set.intersection(*passed) if all(_was_red(seen, name) for seen in red)))


def _was_red(seen: Seen, name: str) -> bool:
    """A test failed in this run, or is absent because what holds it could not be loaded, compiled or brought to its end."""
    status = seen.tests.get(name)
    if status is not None:
        return status in FAILED and seen.state in RED
    if seen.state is State.CRASHED:
        return True
    if seen.state not in RED:
        return False
    unbuilt = seen.report.unbuilt if seen.report is not None else ("",)
    return any(_holds(start, name) for start in unbuilt) or (seen.state is State.UNBUILT and not unbuilt)


def _holds(start: str, name: str) -> bool:
    """Is a test id inside this file, module or package."""
    return name.startswith(start) or start == name.partition("::")[0]


def cannot(runs: Sequence[Seen]) -> tuple[Reason, ...]:
    """Runs that neither speak for nor against: over the deadline, not started, killed from outside."""
    for seen in runs:
        if seen.state in CANNOT:
            return (reason(seen.state.value, _how_it_ended(seen)),)
    return ()


def _how_it_ended(seen: Seen) -> str:
    ended = seen.ended
    if ended.how is How.TIMEOUT:
        return f"the gate ran over its deadline and was killed after {ended.seconds:.1f} s"
    if ended.how is How.SIGNAL:
        return f"the gate was killed by {ended.signal} (out of memory, or from outside)"
    if ended.how is How.NOT_STARTED:
        return f"the gate could not be started: {ended.why}"
    return f"the gate ended with {ended.exit} before any test ran: {_last_line(seen)}"


def _last_line(seen: Seen) -> str:
    lines = [line.strip() for line in seen.output.splitlines() if line.strip()]
    return (seen.outcome.message or (lines[-1] if lines else "no output"))[:200]


def flaky(named: str, runs: Sequence[Seen]) -> tuple[Reason, ...]:
    """Runs on one tree that are not equal (R9)."""
    for seen in runs:
        retried = [note.partition("=")[2] for note in (seen.report.notes if seen.report is not None else ()) if note.startswith("retried=")]
        if retried:
            return (reason("flaky", f"{retried[0]} was run again after it had failed"),)
    if len({seen.shape for seen in runs}) <= 1:
        return ()
    states = [seen.state.value for seen in runs]
    if len(set(states)) > 1:
        return (reason("flaky", f"{len(runs)} runs {named} were not equal: {', '.join(states)}"),)
    ids = sorted({name for seen in runs for name in seen.tests if len({other.tests.get(name) for other in runs}) > 1})
    return (reason("flaky", f"{len(runs)} runs {named} were not equal in {', '.join(ids[:3])}"),)


def green(runs: Sequence[Seen]) -> tuple[Reason, ...]:
    """Why the whole patch is not green."""
    seen = runs[0]
    if seen.state is State.GREEN:
        return ()
    say: dict[State, Callable[[], str]] = {
        State.NO_IDENTITY: lambda: "the gate passed, but its output names no test",
        State.NOT_RUN: lambda: f"with the whole patch no test came to its end (exit {seen.ended.exit})",
        State.SKIPPED: lambda: f"with the whole patch nothing passed: {_listed(seen, (TestStatus.SKIPPED, TestStatus.XFAILED, TestStatus.XPASSED))}",
        State.MISMATCH: lambda: f"exit {seen.ended.exit}, but the report tells of {_listed(seen, FAILED) or 'no failing test'}",
    }
    if seen.state in say:
        return (reason(seen.state.value, say[seen.state]()),)
    if "network=off" in seen.facts and (wanted := _NETWORK.search(seen.output)) is not None:
        return (reason("infra", f"with the whole patch the gate is red and speaks of the network, which runs here do not have: {wanted[0]}", _MEND_NETWORK),)
    if (used := _QUOTA.search(seen.output)) is not None:
        return (reason("quota", f"with the whole patch the gate is red and speaks of something that was used up: {used[0]}"),)
    return (reason("still_red", f"with the whole patch the gate is {seen.state}: {_listed(seen, FAILED) or _last_line(seen)}"),)


def red(
    runs: Sequence[Seen], whole: Sequence[Seen], isolation: Isolation, *, code: str = "not_fail_to_pass", where: str = "without the fix"
) -> tuple[Reason, ...]:
    """Why the tree without the product side is not red in a way that speaks for the fix. `whole` are the runs of the whole patch."""
    seen = runs[0]
    original = [note for note in (seen.report.notes if seen.report is not None else ()) if note.startswith("imports_original_tree=")]
    if seen.state is State.GREEN:
        if original:
            return (reason("imports_original_tree", f"{where} the gate passed, but it had loaded {original[0].partition('=')[2]} from the original tree"),)
        weaker = "; the run was in a private copy, and an installed package may have led back to the original tree" if isolation is Isolation.WORK_TREE else ""
        return (reason(code, f"{where} the gate passes as well{weaker}"),)
    if seen.state in RED:
        return _carried_over(seen, whole, fail_to_pass(runs, whole), where)
    say = {
        State.MISMATCH: f"{where} exit {seen.ended.exit}, but the report tells of {_listed(seen, FAILED) or 'no failing test'}",
        State.SKIPPED: f"{where} nothing ran but {_listed(seen, (TestStatus.SKIPPED, TestStatus.XFAILED, TestStatus.XPASSED))}",
        State.NO_IDENTITY: f"{where} the gate passed, and its output names no test",
    }
    return (reason(seen.state.value, say.get(seen.state, f"{where} no test came to its end (exit {seen.ended.exit})")),)


def _carried_over(seen: Seen, whole: Sequence[Seen], proved: Sequence[str], where: str) -> tuple[Reason, ...]:
    """It is red; but do the tests that fail there pass with the whole patch."""
    if proved:
        return ()
    now = whole[0].tests
    failing = [name for name, status in seen.tests.items() if status in FAILED]
    skipped = [name for name in failing if now.get(name) in (TestStatus.SKIPPED, TestStatus.XFAILED, TestStatus.XPASSED)]
    if skipped:
        return (reason("skipped", f"{skipped[0]} fails {where}, and with the whole patch it is {now[skipped[0]]}"),)
    absent = [name for name in failing if name not in now]
    if absent:
        return (reason("not_run", f"{absent[0]} fails {where}, and with the whole patch it does not run"),)
    return (reason("not_fail_to_pass", f"{where} the gate is {seen.state}, but no test of it passes with the whole patch: {_last_line(seen)}"),)


def _listed(seen: Seen, statuses: Sequence[TestStatus]) -> str:
    found = [f"{name} {status}" for name, status in seen.tests.items() if status in statuses]
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
