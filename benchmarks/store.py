"""How the store grows: keeping one record, finding one by exact keys and by words, at 20,000 records, to the same at 1,000. And in milliseconds.

The records are handoffs with two dead ends each, all different. Medians: a single slow write of the disk is no news.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from _measure import options, report, skip

if TYPE_CHECKING:
    from ruledout.model.record import Record

FEW, MANY, LOOKS = 1_000, int(os.environ.get("RECORDS", "20000")), 300


class Wall:
    """A clock that stands still: the time costs nothing here."""

    def now(self) -> str:
        """Always the same moment."""
        return "2026-11-30T12:00:00Z"


def edit_of(number: int, branch: int) -> tuple[str, list[str], list[str]]:
    """The edit that a dead end consists of."""
    return f"app/part_{number % 97}.py", [f"    limit = {number}"], [f"    limit = {number} + {branch}"]


def made(number: int) -> "Record":
    """The record with this number."""
    from ruledout import digest, fingerprint
    from ruledout.model import attempt, outcome, residual, wire

    def failure(branch: int) -> outcome.ErrorSignature:
        own = f"{number * 10 + branch:032x}"
        return outcome.ErrorSignature(
            exact=f"dbs1:e:{own}",
            normalised=f"dbs1:n:{own}",
            coarse=f"dbs1:c:{number % 50:032x}",
            kind=outcome.Kind.EXCEPTION,
            tool="pytest",
            classes=("AssertionError",),
            message=f"limit of part {branch}",
            tests=(f"tests/test_part_{number % 97}.py::test_limit_{number}",),
        )

    def dead_end(branch: int) -> attempt.FalsifiedBranch:
        return attempt.FalsifiedBranch(
            rejected_hypothesis_id=f"b{branch}",
            hypothesis=f"The limit of part {number} is one too low at step {branch}.",
            candidate_strategy=f"edit app/part_{number % 97}.py (+1 -1)",
            observed_failure_class="AssertionError",
            terminal_error_signature=failure(branch),
            refuting_counterexample=f"assert {number} == {number + branch}",
            refuting_evidence_digest=digest.of_bytes("evidence", f"{number} {branch}".encode()),
            failure_boundary=None,
            conditions=attempt.Conditions(),
            count=1,
            files=(f"app/part_{number % 97}.py",),
            fingerprints=(fingerprint.edit(*edit_of(number, branch)),),
            refs=(f"step:{branch}",),
        )

    return wire.record(
        residual.UnresolvedHandoff(
            unmet_rules=(),
            symptom=None,
            open_hypotheses=(),
            ruled_out=(dead_end(1), dead_end(2)),
            last_red=None,
            working_commands=(),
            diff_so_far="",
            corroboration=residual.Corroboration(grade=residual.Grade.HARDENED, falsified=2, distinct_signatures=2),
            provenance=residual.Provenance(
                agent="bench",
                format="bench",
                session=str(number),
                session_digest=digest.of_bytes("session", str(number).encode()),
                tool_version="0",
                evidence=residual.EvidenceGrade.OBSERVED,
            ),
        )
    )


def median_ms(act: Callable[[int], object], numbers: range) -> float:
    """The median time of an act over these numbers."""
    times = []
    for number in numbers:
        start = time.perf_counter()
        act(number)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def measure(folder: Path) -> None:
    """Fill a store, and look at it when it is small and when it is big."""
    from ruledout import fingerprint
    from ruledout.ports import Key
    from ruledout.store.sqlite import SqliteStore

    store = SqliteStore(folder / "store" / "bench.db", Wall())
    size, spread = 0, 1

    def keep(number: int) -> object:
        return store.keep(records[number], None)

    def find(number: int) -> object:
        hits = store.find([Key("edit", fingerprint.edit(*edit_of(number * spread % size, 1)))])
        assert hits
        return hits

    def search(number: int) -> object:
        return store.search(["limit", "part", str(number * spread % size), "low"], 5)

    acts = {"keep": keep, "find": find, "search": search}
    seen: list[dict[str, float]] = []
    for size, spread in ((FEW, 1), (MANY, 61)):  # noqa: B007  # find and search look at these
        first = len(seen) and FEW + LOOKS
        records = {number: made(number) for number in range(first, size + LOOKS)}
        median_ms(keep, range(first, size))
        seen.append({name: median_ms(act, range(size, size + LOOKS) if name == "keep" else range(LOOKS)) for name, act in acts.items()})
    for name in acts:
        few, many = (at[name] for at in seen)
        report(f"store_{name}", many / few, None, unit=f"x the same at {FEW} records", records=MANY, ms=round(many, 3), ms_at_few=round(few, 3))
    store.close()


def main() -> None:
    """Measure with the program's own interpreter."""
    asked = options(__doc__ or "", best_of=1)
    if Path(asked.python).absolute() != Path(sys.executable).absolute():
        os.execv(asked.python, [asked.python, *sys.argv])  # noqa: S606  # the package stands in that interpreter's environment
    try:
        import ruledout.store.sqlite
    except ImportError as error:
        return skip("store", str(error))
    del ruledout
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder))


if __name__ == "__main__":
    main()
