"""What a record can be found under: exact keys and search words, made from the record alone.

Keys of kind `edit` and `command` are of falsified branches, never of a winning change (R4): one that also survived is left out here, and what proved right
goes under `survived`, which can only acquit. Refuses nothing: whatever a record holds can be indexed.
"""

import shlex
from collections.abc import Iterable, Iterator

from ruledout import fingerprint, text
from ruledout.model.attempt import FalsifiedBranch
from ruledout.model.outcome import ErrorSignature
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual, SessionOutcome, UnresolvedHandoff
from ruledout.ports import Indexed, Key
from ruledout.recall.words import words

_MOST_WORDS = 4000
_TITLE = 300

Keyed = tuple[Key, str | None]


def indexed(record: Record) -> Indexed:
    """Title, words (joined by spaces, at most 4,000) and keys, each with the falsified branch it comes from or None; sorted, without repeats."""
    outcome = record.outcome
    found = words("\n".join(_texts(outcome)))
    keys = sorted({*_of_record(outcome), *_of_branches(outcome)}, key=lambda keyed: (keyed[0], keyed[1] or ""))
    return Indexed(
        status="RESOLVED" if isinstance(outcome, DebugResidual) else "UNRESOLVED_HANDOFF",
        title=title(outcome),
        evidence=outcome.provenance.evidence.value,
        words=" ".join(found[:_MOST_WORDS]),
        keys=tuple((key, branch) for key, branch in keys if "\0" not in key.value),  # a text column of PostgreSQL takes no NUL: the stores must agree
    )


def title(outcome: SessionOutcome) -> str:
    """One line for a list: the root cause, or for a handoff what stands open. At most 300 characters."""
    if isinstance(outcome, DebugResidual):
        return _one_line(outcome.root_cause_invariant)
    red = outcome.last_red
    signature = outcome.symptom.signature if outcome.symptom else None
    shown = (red and (red.message or red.command)) or (signature and signature.message) or (outcome.symptom and outcome.symptom.command) or "unresolved"
    return _one_line(shown)


def _one_line(free: str) -> str:
    return text.cap(" ".join(text.clean(free).split()), _TITLE)


def branches(outcome: SessionOutcome) -> tuple[FalsifiedBranch, ...]:
    """The falsified branches of either outcome."""
    return outcome.falsified_branches if isinstance(outcome, DebugResidual) else outcome.ruled_out


def survived(outcome: SessionOutcome) -> frozenset[str]:
    """Fingerprints of what proved right: the surviving edits and the gate's command, or the commands that worked; of a handoff, too."""
    if isinstance(outcome, DebugResidual):
        argv = outcome.regression_gate_signature.argv
        return frozenset({*outcome.verified_patch_receipt.fingerprints, fingerprint.command(shlex.join(argv)), fingerprint.command(" ".join(argv))})
    return frozenset({*outcome.survived, *(fingerprint.command(command) for command in outcome.working_commands)})


def _of_branches(outcome: SessionOutcome) -> Iterator[Keyed]:
    right = survived(outcome)
    for branch in branches(outcome):
        for print_ in branch.fingerprints:
            if print_ not in right:  # R4: the winning change is never a key of a dead end
                yield Key("command" if print_.startswith("c") else "edit", print_), branch.rejected_hypothesis_id
        for key in (*_of_signature(branch.terminal_error_signature), *(Key("file", path) for path in branch.files)):
            yield key, branch.rejected_hypothesis_id


def _of_record(outcome: SessionOutcome) -> Iterator[Keyed]:
    keys: list[Key] = [Key("survived", print_) for print_ in survived(outcome)]
    if outcome.symptom:
        keys += _of_signature(outcome.symptom.signature)
    if isinstance(outcome, DebugResidual):
        keys += [Key("test", test) for test in outcome.regression_gate_signature.tests]
        keys += [Key("file", path) for path in outcome.verified_patch_receipt.files]
        keys += [Key("file", guard.location.rpartition(":")[0] or guard.location) for guard in outcome.required_defensive_guards]
    elif outcome.last_red:
        keys += [*_of_signature(outcome.last_red.signature), *(Key("test", test) for test in outcome.last_red.failing)]
    return ((key, None) for key in keys)


def _of_signature(signature: ErrorSignature | None) -> list[Key]:
    if signature is None:
        return []
    return [Key("normalised", signature.normalised), Key("coarse", signature.coarse), *(Key("test", test) for test in signature.tests)]


def _texts(outcome: SessionOutcome) -> Iterator[str]:
    """Everything that someone might search for, the most telling first, because the words are capped."""
    if outcome.symptom:
        yield outcome.symptom.command
        yield from _of_error(outcome.symptom.signature)
    yield from _of_residual(outcome) if isinstance(outcome, DebugResidual) else _of_handoff(outcome)
    for branch in branches(outcome):
        yield from (branch.hypothesis or "", branch.candidate_strategy, branch.observed_failure_class, branch.refuting_counterexample, *branch.files)
        yield from _of_error(branch.terminal_error_signature)


def _of_residual(residual: DebugResidual) -> Iterator[str]:
    yield residual.root_cause_invariant
    yield from residual.verified_patch_receipt.files
    yield shlex.join(residual.regression_gate_signature.argv)
    yield from residual.regression_gate_signature.tests
    for guard in residual.required_defensive_guards:
        yield from (guard.location, guard.snippet)


def _of_handoff(handoff: UnresolvedHandoff) -> Iterator[str]:
    if handoff.last_red:
        yield from (handoff.last_red.command, handoff.last_red.message or "", *handoff.last_red.failing)
        yield from _of_error(handoff.last_red.signature)
    for tried in handoff.open_hypotheses:
        yield from (tried.hypothesis or "", tried.strategy)
    yield from handoff.working_commands


def _of_error(signature: ErrorSignature | None) -> Iterable[str]:
    if signature is None:
        return ()
    return (signature.message, *signature.classes, signature.code or "", *signature.tests, *(frame.function for frame in signature.frames))
