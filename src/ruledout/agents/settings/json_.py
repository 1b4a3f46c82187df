"""Strict JSON: as `jsonc`, but a comment or a trailing comma makes it a text that the agent itself would not read, and so a refusal."""

from ruledout.agents.settings import Added, Want, jsonc


def add(text: str, wants: tuple[Want, ...]) -> Added:
    """As `Syntax.add` says."""
    return jsonc.add(text, wants, loose=False)


def missing(text: str, wants: tuple[Want, ...]) -> tuple[Want, ...]:
    """As `Syntax.missing` says."""
    return jsonc.missing(text, wants, loose=False)


def remove(text: str, mine: frozenset[str], made: tuple[str, ...] | None) -> str:
    """As `Syntax.remove` says."""
    return jsonc.remove(text, mine, made, loose=False)
