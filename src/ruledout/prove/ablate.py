"""Ablation: each piece of a proved patch taken out alone, on the whole tree; what the gate says without it (R6).

A piece is load-bearing when the gate goes red without it, twice and equally. It is unproven when the gate stays green. All else is unresolved, with the reason:
a cut that breaks the syntax, a build that fails before the named tests run, a run over its deadline, a budget that is spent (R14).
"""

import os
import time
from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from ruledout import digest, redact, text
from ruledout.model.gate import Anchor, Depth, Minimal, Need, Piece, TestStatus
from ruledout.ports import Claim, DepthRequest
from ruledout.prove import minimise, pieces, reading
from ruledout.prove.lab import Lab
from ruledout.prove.pieces import Part, Side
from ruledout.prove.process import How
from ruledout.prove.reading import CANNOT, FAILED, RED, Seen, State
from ruledout.prove.tries import Spent, Tries
from ruledout.recall import anchor

_SNIPPET = 4000
_TESTS = 20

Told = Callable[[str, int, int], None]
"""what is done, how many of how many"""


class Base(Struct, frozen=True, kw_only=True):
    """What the ablation is measured against: the named tests, the runs without the fix, the seconds of a green run."""

    named: tuple[str, ...]
    red: tuple[Seen, ...]
    green_s: float


def look(lab: Lab, base: Base, wanted: DepthRequest, told: Told | None = None) -> Depth:
    """Look into a proved patch as far as was asked. Single runs get a shorter deadline than the lab's own, since a cut can make a loop endless."""
    began = time.monotonic()
    request = lab.request
    lab.request = structs.replace(request, deadline_s=min(request.deadline_s, max(10.0, 10 * base.green_s)))
    try:
        tries = Tries(lab, frozenset(base.named), began + wanted.budget_s)
        known = pieces.sides(lab.repository, lab.patch)
        found = _Ablation(tries, known, base, told).pieces(wanted.claims) if wanted.ablate else ()
        minimal: Minimal | None = minimise.minimal(tries, known, told) if wanted.minimise else None
    finally:
        lab.request = request
    return Depth(pieces=found, minimal=minimal, runs=tries.runs, seconds=round(time.monotonic() - began, 3))


class _Ablation:
    """The walk over the pieces: hunks first, what is in them where a hunk is load-bearing."""

    def __init__(self, tries: Tries, known: dict[str, Side], base: Base, told: Told | None) -> None:
        self._tries = tries
        self._known = known
        self._base = base
        self._told = told or (lambda *_: None)
        self._done = self._all = 0

    def pieces(self, claims: Sequence[Claim]) -> tuple[Piece, ...]:
        """Every piece with what became of it, in the order of the files; claims that are no piece by themselves are pieces too."""
        top = [part for side in self._known.values() for part in pieces.hunks(side)]
        found = self._judged(top)
        whole = [part for part in top if found[part].need is Need.LOAD_BEARING]
        while whole:
            finer = {part: pieces.finer(self._known[part.path], part) for part in whole}
            judged = self._judged([one for part in whole for one in finer[part] if one not in found])
            found |= judged
            for part in whole:
                if pieces.is_split(self._known[part.path], part) and any(found[one].need is Need.LOAD_BEARING for one in finer[part]):
                    found.pop(part)  # its own statements say it more exactly
            whole = [part for part in judged if judged[part].need is Need.LOAD_BEARING]
        self._claimed(claims, found)
        return tuple(found[part] for part in sorted(found, key=lambda part: (part.path, part.start, -part.end)))

    def _claimed(self, claims: Sequence[Claim], found: dict[Part, Piece]) -> None:
        """R6: each claimed guard, as the very lines that are claimed."""
        parts = {claim: self._claim(claim, found) for claim in claims}
        found |= self._judged([part for part in dict.fromkeys(parts.values()) if part is not None and part not in found])
        for claim, part in parts.items():
            if part is None:
                path = claim.location.split(":", 1)[0]
                lost = Part(path=path, start=0, end=0, whole=f"claimed at {claim.location}")
                said = _piece("", lost, "", *self._lost(path))
                found[lost] = structs.replace(said, claimed=(*(found[lost].claimed if lost in found else ()), claim.location))
            else:
                found[part] = structs.replace(found[part], claimed=(*found[part].claimed, claim.location))

    def _claim(self, claim: Claim, found: dict[Part, Piece]) -> Part | None:
        path, _, line = claim.location.partition(":")
        side = self._side(path)
        if side is None:
            return None
        near = int(line) if line.isdigit() else 0
        places = anchor.places(side.path, side.text, claim.snippet)
        place = min(places, key=lambda place: abs(place.first - near), default=None)
        if place is None:
            return None
        same = [part for part in found if part.path == side.path and not part.whole and _core(side, part) == (place.first - 1, place.last)]
        return same[0] if same else Part(path=side.path, start=place.first - 1, end=place.last)

    def _lost(self, path: str) -> tuple[Need, str]:
        """What is said of a claim whose lines no product file holds: on the test side, or in a file that the patch leaves alone, the gate cannot tell."""
        if self._side(path) is None and any(_same(path, name) for name in self._tries.files):
            return Need.UNRESOLVED, "its file is not on the product side of the patch"
        return Need.UNPROVEN, "the whole patch's tree does not hold these lines"

    def _side(self, path: str) -> Side | None:
        """The product file of a claim; a session may name it with folders before it."""
        near = [side for name, side in self._known.items() if side.lines and _same(path, name)]
        return near[0] if near else None

    def _judged(self, parts: Sequence[Part]) -> dict[Part, Piece]:
        self._all += len(parts)
        return dict(zip(parts, self._tries.map(self._judge, parts), strict=True))

    def _judge(self, part: Part) -> Piece:
        piece = self._weigh(part)
        self._done += 1
        self._told("ablating", self._done, self._all)
        return piece

    def _weigh(self, part: Part) -> Piece:
        """One piece, taken out alone."""
        side = self._known[part.path]
        if pieces.idle(side, part):
            return self._say(part, Need.UNPROVEN, "comments or layout: there is no code in it to take out")
        tree = self._tries.tree(self._known, (part,))
        if tree is None:
            return self._say(part, Need.UNRESOLVED, "the file does not parse without it alone: that is no evidence")
        try:
            seen = self._tries.twice(tree)
        except Spent:
            return self._say(part, Need.UNRESOLVED, "not run: the time budget was spent before it")
        return self._read(part, seen)

    def _read(self, part: Part, seen: tuple[Seen, ...]) -> Piece:
        first = seen[0]
        if first.state is State.GREEN:
            missing = sorted(name for name in self._base.named if first.tests.get(name) is not TestStatus.PASSED)
            if missing:
                return self._say(part, Need.UNRESOLVED, f"{missing[0]} did not run without it", seen)
            return self._say(part, Need.UNPROVEN, "the gate stays green without it", seen)
        if first.state not in RED and not _missing(first):
            why = "could not be run" if first.state in CANNOT else "did not come to its end"
            return self._say(part, Need.UNRESOLVED, f"without it the gate {why}: {first.state}", seen)
        if len({one.shape for one in seen}) > 1:
            return self._say(part, Need.UNRESOLVED, "two runs without it were not equal", seen)
        if first.state is State.UNBUILT and not part.path.endswith((".py", ".pyi")):
            return self._say(part, Need.UNRESOLVED, "without it nothing can be built, so no test could tell", seen)
        return self._say(part, Need.LOAD_BEARING, "the gate goes red without it", seen)

    def _say(self, part: Part, need: Need, why: str, seen: Sequence[Seen] = ()) -> Piece:
        side = self._known[part.path]
        piece = _piece(side.text, part, pieces.shown(side, part) if side.lines else "", need, why)
        if not seen:
            return piece
        failing = tuple(name for name, status in sorted(seen[0].tests.items()) if status in FAILED)
        piece = structs.replace(piece, runs=tuple(reading.gate_run(one, self._base.named) for one in seen), failing=failing[:_TESTS])
        if need is not Need.LOAD_BEARING:
            return piece
        return structs.replace(piece, signature=seen[0].outcome.signature, slipped=_slipped(seen[0], self._base.red))


def _same(path: str, name: str) -> bool:
    """Is a path as a session has it the file of this name in the repository."""
    return name == path or path.endswith("/" + name) or name.endswith("/" + path)


def _missing(seen: Seen) -> bool:
    """A module that is not there. Elsewhere that is the machine's fault; here the whole tree has just loaded it, on the same machine."""
    return seen.state is State.INFRA and seen.ended.how is How.EXITED and seen.outcome.error_class in ("ModuleNotFoundError", "ImportError")


def _core(side: Side, part: Part) -> tuple[int, int]:
    """The lines of a part without blank lines and comments at its ends."""
    rows = [bool(row.strip()) and not row.lstrip().startswith(("#", "//")) for row in side.new[part.start : part.end]]
    if not any(rows):
        return part.start, part.end
    return part.start + rows.index(True), part.end - rows[::-1].index(True)


def _piece(whole: str, part: Part, lines: str, need: Need, why: str) -> Piece:
    """A piece of which nothing has been run yet; `whole` is the file's text, `lines` those of the part."""
    skip = len(lines) - len(lines.lstrip("\n"))
    first = part.start + skip + 1
    lines = lines.strip("\n")
    count = lines.count("\n") + 1 if lines else 0
    return Piece(
        location=f"{_shown(part.path)}:{first}",
        lines=count,
        snippet=_snippet(lines),
        digest=digest.tagged("guard", {"path": _shown(part.path), "snippet": text.clean(lines)}),
        need=need,
        why=f"{why} ({part.whole})" if part.whole else why,
        anchor=_anchor(part.path, whole, first, count) if count else Anchor(),
    )


def _anchor(path: str, whole: str, first: int, count: int) -> Anchor:
    """What stands around the piece, redacted (R13): a neighbour that held a secret is not known again, which costs nothing but a little certainty."""
    found = anchor.anchor(path, whole, first, first + count - 1)
    before, after = (tuple(redact.redact(text.clean(row)) for row in rows) for rows in (found.before, found.after))
    return structs.replace(found, before=before, after=after)


def _shown(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


def _snippet(lines: str) -> str:
    """The lines as they may be kept (R13): whole lines up to the cap, so that they can be found again."""
    kept = redact.redact(text.clean(lines))
    if len(kept) <= _SNIPPET:
        return kept
    return kept[:_SNIPPET].rpartition("\n")[0]


def _slipped(seen: Seen, red: Sequence[Seen]) -> str:
    """The failure, where it is another one than without the whole fix: another class, or a test that did not fail there. Empty where it is the same."""
    signature, known = seen.outcome.signature, [one.outcome.signature for one in red if one.outcome.signature is not None]
    if signature is None or any(signature.normalised == one.normalised for one in known):
        return ""
    failing = {name for name, status in seen.tests.items() if status in FAILED}
    before = {name for one in red for name, status in one.tests.items() if status in FAILED}
    if failing <= before and any(signature.classes == one.classes for one in known):
        return ""
    return text.cap(redact.redact(text.clean(signature.message or "; ".join(signature.classes) or seen.state.value)), 200)
