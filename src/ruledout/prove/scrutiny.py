"""What is asked of a gate that was red, green and red again before it counts: by whom it is judged, whether its assertions are alive, what it leans on."""

from collections.abc import Sequence

from ruledout.model.gate import Reason
from ruledout.prove import assertions, judges, leaning, weakness
from ruledout.prove.lab import Lab


def look(lab: Lab, named: Sequence[str]) -> tuple[tuple[Reason, ...], tuple[str, ...], tuple[str, ...]]:
    """Reasons against the proof, the tests that carry it, and facts for the receipt."""
    reasons, kept, facts = judges.sift(lab, named)
    if reasons:
        return reasons, (), ()
    reasons, told = assertions.check(lab, kept, 0)
    if reasons:
        return reasons, kept, ()
    where = tuple(dict.fromkeys(path for path in (judges.file(lab, test) for test in kept) if path))
    return (), kept, (*told, *facts, *weakness.facts(lab.repository, lab.patch, where), *leaning.facts(lab, kept))
