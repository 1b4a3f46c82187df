"""Guards meet ablation (R6): a claimed guard is proved or refuted by what the gate shows without it, and what nobody claimed becomes a guard by the same proof.

A piece whose loss only leaves a name without its definition is needed by the code, not against a failure: it is no guard unless someone claims it.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from ruledout.distill.ledger import Ledger
from ruledout.distill.seen import Judged
from ruledout.model.attempt import Ablation, FalsifiedBranch, Guard
from ruledout.model.gate import Need, Piece, Proof, Reason

_TAIL = 600
"""characters of a run's end that a guard keeps: the whole proof has more"""
_DANGLING = frozenset(("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError", "ReferenceError", "SyntaxError", "IndentationError"))
_MEND = "leave the guard out of the proposal, or add a test that fails without it; where two guards cover for each other, `ruledout prove --minimise` tells"


def weigh(ledger: Ledger, judged: Judged, proof: Proof | None) -> Ledger:
    """The ledger with its guards as the ablation leaves them; as it is where none was made.

    Claimed guards that are load-bearing get their receipt and the lines as they stand in the tree; those that the gate does not need become objections.
    """
    pieces = proof.depth.pieces if proof is not None and proof.depth is not None else ()
    if not pieces:
        return ledger
    tests = proof.gate.tests if proof is not None else ()
    guards, refuted = [], []
    for guard in ledger.guards:
        piece = next((piece for piece in pieces if guard.location in piece.claimed), None)
        if piece is None or piece.need is Need.UNRESOLVED:
            guards.append(guard)
        elif piece.need is Need.UNPROVEN:
            refuted.append(Reason("R6", "guard_not_needed", f"the guard at {guard.location} was taken out: {piece.why}", _MEND))
        else:
            reasons = dict.fromkeys((*_still(guard, piece, ledger.branches), *_links(piece, ledger.branches, judged, tests)))
            guards.append(_guard(piece, tuple(reasons) or guard.neutralizes))
    found = list(_unclaimed(pieces, ledger.branches, judged, tests))
    return structs.replace(ledger, guards=(*guards, *found), objections=(*ledger.objections, *refuted))


def _unclaimed(pieces: Sequence[Piece], branches: Sequence[FalsifiedBranch], judged: Judged, tests: Sequence[str]) -> Iterator[Guard]:
    for piece in pieces:
        if piece.need is Need.LOAD_BEARING and piece.snippet.strip() and not piece.claimed and not _dangling(piece):
            reasons = _links(piece, branches, judged, tests)
            if reasons:
                yield _guard(piece, reasons)


def _guard(piece: Piece, reasons: tuple[str, ...]) -> Guard:
    runs = tuple(structs.replace(run, tail=run.tail[-_TAIL:]) for run in piece.runs)
    return Guard(
        location=piece.location,
        snippet_digest=piece.digest,
        neutralizes=reasons,
        ablation=Ablation(runs=runs, signature=piece.signature),
        snippet=piece.snippet,
        anchor=piece.anchor,
    )


def _links(piece: Piece, branches: Sequence[FalsifiedBranch], judged: Judged, tests: Sequence[str]) -> tuple[str, ...]:
    """What a piece neutralises: the branches and the symptom with the same normalised signature; else those with the same failing tests; else the symptom.

    The symptom counts where a test of it fails, or, where the session names none, a test that the proof rests on.
    """
    symptom = judged.symptom.signature if judged.symptom is not None else None
    known = [(branch.rejected_hypothesis_id, branch.terminal_error_signature) for branch in branches]
    known += [("symptom", symptom)] if symptom is not None else []
    same = tuple(name for name, one in known if piece.signature is not None and one.normalised == piece.signature.normalised)
    if same:
        return same
    failing = {_test(name) for name in piece.failing}
    equal = tuple(name for name, one in known if failing and {_test(test) for test in one.tests} == failing)
    if equal:
        return equal
    of_symptom = {_test(test) for test in (symptom.tests if symptom is not None and symptom.tests else tests)}
    return ("symptom",) if judged.symptom is not None and failing & of_symptom else ()


def _still(guard: Guard, piece: Piece, branches: Sequence[FalsifiedBranch]) -> list[str]:
    """The claimed reasons that the ablation bears out: without the guard nothing fails that did not fail in that branch."""
    tests = {branch.rejected_hypothesis_id: {_test(test) for test in branch.terminal_error_signature.tests} for branch in branches}
    failing = {_test(name) for name in piece.failing}
    return [name for name in guard.neutralizes if name == "symptom" or not tests.get(name) or failing <= tests[name]]


def _test(name: str) -> str:
    """One spelling of a test id: unittest prints `test_a (package.module.Case.test_a)`, or without the last part."""
    told = re.fullmatch(r"(\S+) \(([\w.]+)\)", name.strip())
    if told is None:
        return name.strip()
    return told[2] if told[2].endswith("." + told[1]) else f"{told[2]}.{told[1]}"


def _dangling(piece: Piece) -> bool:
    """Does taking it out only leave a name without what it names."""
    classes = piece.signature.classes if piece.signature is not None else ()
    if not piece.slipped or not classes:
        return False
    missing = re.search(r"has no attribute '(\w+)'", piece.slipped)
    return classes[-1] in _DANGLING or (missing is not None and re.search(rf"\b{missing[1]}\b", piece.snippet) is not None)
