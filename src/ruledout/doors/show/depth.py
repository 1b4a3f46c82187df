"""What an ablation found, as JSON rows and as text; and how far long work has come, on a terminal."""

import sys
from collections.abc import Callable

from msgspec import Struct

from ruledout.doors.show.session import line
from ruledout.model.gate import Depth, GateRun, Minimal, Need, Piece

SAY = {Need.LOAD_BEARING: "needed", Need.UNPROVEN: "unproven", Need.UNRESOLVED: "unresolved"}


class GuardRow(Struct, frozen=True, kw_only=True):
    """One piece of the patch. `load_bearing` is null where the gate could not tell (R14)."""

    location: str
    lines: int
    snippet: str
    load_bearing: bool | None
    why: str
    failing: tuple[str, ...]
    signature: str | None
    slipped: str | None
    """the failure, where it is another one than without the whole fix"""
    symbol: str
    digest: str
    runs: tuple[GateRun, ...]


def guard_rows(depth: Depth | None) -> tuple[GuardRow, ...]:
    """The pieces in the order of the files; none where no ablation was asked for."""
    return tuple(_row(piece) for piece in depth.pieces) if depth is not None else ()


def _row(piece: Piece) -> GuardRow:
    return GuardRow(
        location=piece.location,
        lines=piece.lines,
        snippet=piece.snippet,
        load_bearing={Need.LOAD_BEARING: True, Need.UNPROVEN: False, Need.UNRESOLVED: None}[piece.need],
        why=piece.why,
        failing=piece.failing,
        signature=piece.signature.normalised if piece.signature else None,
        slipped=piece.slipped or None,
        symbol=piece.anchor.symbol,
        digest=piece.digest,
        runs=piece.runs,
    )


def depth_text(depth: Depth | None) -> list[str]:
    """A line or two a piece: what it is, what fails without it; then the smallest patch."""
    if depth is None:
        return []
    rows = [f"  taken out alone, {depth.runs} runs in {depth.seconds:.1f} s:"] if depth.pieces else []
    for piece in depth.pieces:
        rows.append(f"    {SAY[piece.need]:<10} {piece.location}  {line(piece.snippet, 90) or '(lines taken out)'}")
        said = piece.slipped or (piece.signature.message if piece.signature else "")
        failing = f": {', '.join(line(test, 80) for test in piece.failing[:2])}" if piece.failing else ""
        rows.append(f"               {line(piece.why, 120)}{failing if piece.need is Need.LOAD_BEARING else ''}")
        if piece.need is Need.LOAD_BEARING and said:
            rows.append(f"               {'another failure than the base: ' if piece.slipped else ''}{line(said, 110)}")
    return rows + (minimal_text(depth.minimal) if depth.minimal is not None else [])


def minimal_text(found: Minimal) -> list[str]:
    """The smallest sufficient patch, and what it does without."""
    state = f"{found.open} of them not tried: the time budget was spent" if found.open else "none of them can go"
    rows = [f"  smallest patch that does: {len(found.kept)} of {len(found.kept) + len(found.left_out)} pieces, {state}"]
    rows += [f"    not needed with the rest: {', '.join(found.left_out[:8])}"] if found.left_out else []
    return [*rows, *(f"    {row}" for row in found.patch.rstrip("\n").split("\n"))]


def teller() -> Callable[[str, int, int], None] | None:
    """Shows progress on standard error where it is a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        return None

    def told(what: str, done: int, total: int) -> None:
        bar = "#" * (20 * done // max(total, 1))
        sys.stderr.write(f"\r{what} [{bar:<20}] {done} of {total} " + ("\r\033[K" if done >= total else ""))
        sys.stderr.flush()

    return told
