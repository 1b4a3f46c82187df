"""Is everything that is kept what it was when it was kept (R11). Mends nothing."""

from enum import StrEnum

from msgspec import Struct

from ruledout.errors import CannotRun
from ruledout.ports import AuditFinding, Store


class Soundness(StrEnum):
    """What an audit comes to."""

    SOUND = "sound"
    BROKEN = "broken"


class Audited(Struct, frozen=True, kw_only=True):
    """`records` counts those that can be listed; `findings` is empty exactly when all is sound."""

    verdict: Soundness
    records: int
    findings: tuple[AuditFinding, ...]


def audit(store: Store) -> Audited:
    """Derive every digest and the chain of rows again. Raises what the store raises when it cannot be read at all."""
    findings = store.audit()
    try:
        records = len(store.listed())
    except CannotRun:
        if not findings:
            raise
        records = 0
    return Audited(verdict=Soundness.BROKEN if findings else Soundness.SOUND, records=records, findings=findings)
