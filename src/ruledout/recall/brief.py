"""What an agent is told unasked: at most 300 tokens, quoted as data with its origin (R13), in neutral grammar.

What does not fit is counted, never cut in the middle of a fact (R14). What may be said of which record stands in `say`.
"""

import math
from collections.abc import Sequence

from ruledout import text
from ruledout.model.record import Record
from ruledout.recall.say import facts

BUDGET = 300
"""Tokens."""

_BYTES_A_TOKEN = 3.3


def tokens(shown: str) -> int:
    """Tokens of a text, counted high: bytes divided by 3.3, rounded up."""
    return math.ceil(len(shown.encode("utf-8", "replace")) / _BYTES_A_TOKEN)


def brief(records: Sequence[Record], budget: int = BUDGET) -> str:
    """The records' facts as one quoted block within the budget, best record first, each one's most telling facts first; empty when there are none."""
    lines = [fact for record in records for fact in facts(record)]
    taken: list[str] = []
    for fact in lines:
        if tokens(_block([*taken, fact], len(lines) - len(taken) - 1)) > budget:
            break
        taken.append(fact)
    return _block(taken, len(lines) - len(taken)) if taken else ""


def _block(taken: Sequence[str], left: int) -> str:
    more = (f"({left} more facts not shown)",) if left else ()
    return text.quote_block("\n".join((*taken, *more)), "ruledout")
