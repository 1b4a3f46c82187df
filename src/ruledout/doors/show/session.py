"""A session and a reading as text."""

from ruledout.flows.inspect_session import AttemptRow, Inspected, RunRow
from ruledout.flows.observe_output import Observed
from ruledout.text import cap, clean

MARK = {"pass": "green", "fail": "RED", "infra": "infra", "noise": "noise", "flaky": "flaky", "unknown": "?"}


def line(text: str | None, limit: int) -> str:
    """Text from a session on one line: cleaned, folded, capped."""
    return cap(" ".join(clean(text or "").split()), limit)


def inspected(answer: Inspected) -> str:
    """What happened, in the order of the session: runs and attempts, then what it came to."""
    parts = [f"{answer.format} session {answer.session or '(no id)'}: {answer.turns} turns, {len(answer.runs)} runs, ends {answer.outcome}", ""]
    parts += [_run(run) for run in answer.runs] or ["  no test, build or program was run"]
    if answer.attempts:
        parts += ["", "attempts:", *(_attempt(attempt) for attempt in answer.attempts)]
    parts += _facts(answer)
    return "\n".join(parts)


def _run(run: RunRow) -> str:
    hidden = " (exit hidden)" if run.masked else ""
    said = f"  {line(run.message, 90)}" if run.message and run.outcome != "pass" else ""
    return f"  {MARK[run.outcome]:<6} {line(run.command, 70)}{hidden}{said}"


def _attempt(attempt: AttemptRow) -> str:
    words = f'\n         "{line(attempt.hypothesis, 110)}"' if attempt.hypothesis else ""
    return f"  {attempt.id:<4} {attempt.verdict:<12} {line(attempt.strategy, 90)}{words}"


def _facts(answer: Inspected) -> list[str]:
    facts = ["", f"symptom: {_symptom(answer)}"]
    facts.append(f"gate:    {line(answer.gate.command, 100) if answer.gate else 'no command failed before and passed after'}")
    facts += [f"cause?   {line(candidate.text, 110)}  [{candidate.ref}]" for candidate in answer.root_cause_candidates[:3]]
    if answer.skipped.lines:
        reasons = ", ".join(f"{count} {reason}" for reason, count in answer.skipped.reasons.items())
        facts.append(f"skipped: {answer.skipped.lines} records ({reasons})")
    return facts


def _symptom(answer: Inspected) -> str:
    """The failure that the session set out to cure, and the call that showed it."""
    if answer.symptom is None:
        return "none before the first change of the product"
    ref = answer.symptom.ref
    message = next((run.message for run in answer.runs if run.ref == ref), None)
    return f"{line(message, 110)}  [{ref}]" if message else ref


def reading(answer: Observed) -> str:
    """One reading in a few lines."""
    kind = "" if answer.kind == "none" else f", {answer.kind}"
    parts = [f"{answer.outcome} ({answer.tool or 'no known tool'}{kind})"]
    parts += [f"  {answer.error_class or ''} {line(answer.message, 200)}".rstrip()] if answer.message or answer.error_class else []
    parts += [f"  failing: {line(test, 150)}" for test in answer.failing[:10]]
    parts += [f"  signature: {answer.signature.normalised}"] if answer.signature else []
    return "\n".join(parts)
