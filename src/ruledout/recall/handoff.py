"""A handoff as a brief: the parts in the order of their use, cut at a token budget. Pure; words of the session are quoted, never ours (R13)."""

import re
from collections.abc import Iterator

from ruledout.model.attempt import FalsifiedBranch
from ruledout.model.residual import Provenance, UnresolvedHandoff
from ruledout.recall.brief import tokens
from ruledout.text import cap, quote_block


def handoff_brief(handoff: UnresolvedHandoff, budget: int) -> str:
    """The handoff in at most `budget` tokens, as one quoted block. What did not fit is counted in its last line."""
    lines = [line for part in _parts(handoff) for line in part]
    taken: list[str] = []
    for line in lines:
        if tokens("\n".join([*taken, line])) > budget - 60:  # the block's own marks and the count
            break
        taken.append(line)
    if left := len(lines) - len(taken):
        taken.append(f"({left} more lines: `ruledout handoff --json` has all)")
    return quote_block("\n".join(taken), f"handoff of session {_origin(handoff.provenance)}")


def _origin(provenance: Provenance) -> str:
    """The session's own id where it is one, else its digest: the block's first line is no place for words of a session (R13)."""
    name = provenance.session or ""
    return name if re.fullmatch(r"[\w.:@-]{1,64}", name, re.ASCII) else provenance.session_digest[:24]


def _parts(handoff: UnresolvedHandoff) -> Iterator[list[str]]:
    """What stands red, what is ruled out, what is open, which commands run here (red or green), which rules are not met, the diff."""
    if red := handoff.last_red:
        tests = [f"  failing: {_line(test, 160)}" for test in red.failing[:5]]
        yield [f"last red: {_line(red.command, 160)}", f"  {_line(red.message, 200)}", *tests]
    yield [line for branch in handoff.ruled_out for line in _branch(branch)]
    yield [f"open ({o.verdict}): {_line(o.strategy, 160)}" for o in handoff.open_hypotheses]
    yield [f"runs here: {_line(command, 160)}" for command in handoff.working_commands]
    yield [f"not met: {reason.rule} {reason.code}: {_line(reason.mend, 160)}" for reason in handoff.unmet_rules]
    yield ["diff so far:", *(f"  {cap(line, 160)}" for line in handoff.diff_so_far.split("\n"))] if handoff.diff_so_far else []


def _branch(branch: FalsifiedBranch) -> list[str]:
    times = f" ({branch.count} times)" if branch.count > 1 else ""
    return [f"ruled out{times}: {_line(branch.candidate_strategy, 160)}", f"  {branch.observed_failure_class}: {_line(branch.refuting_counterexample, 160)}"]


def _line(text: str | None, limit: int) -> str:
    return cap(" ".join((text or "").split()), limit)
