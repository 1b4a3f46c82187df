"""Has this been ruled out: the decision, made from a question, the keys that hit and the records that hold them.

Only structure may say `ruled_out`: the same edit, the same command, or the same failure under the same command. Words alone come to `near` at most (R4).
What also proved right somewhere is never held against anyone (R4); a branch whose conditions changed, or that a replay overturned, is `reopened` (R10).
Asks no store, runs nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType

from ruledout import fingerprint
from ruledout.model.attempt import Conditions, FalsifiedBranch
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual
from ruledout.ports import Key, KeyHit
from ruledout.recall import say
from ruledout.recall.index import branches
from ruledout.recall.question import Piece, Question, command_print, pieces
from ruledout.recall.words import concepts

_ENOUGH = {0: 2.0, 1: 2.0, 2: 1.0, 3: 0.6}
"""How much of the shorter text must be shared, by the number of shared concepts; one is never enough."""


class Verdict(StrEnum):
    """The answer, the strongest first."""

    RULED_OUT = "ruled_out"
    REOPENED = "reopened"
    NEAR = "near"
    CLEAR = "clear"


class Level(StrEnum):
    """What a match rests on. `part`: some hunks are the same; `signature`: the same failure; `words`: the same concepts."""

    EDIT = "edit"
    COMMAND = "command"
    SIGNATURE = "signature"
    PART = "part"
    WORDS = "words"


class Match(Struct, frozen=True, kw_only=True):
    """One branch that bears on the question. `grade` is the record's evidence grade; `instead` is what held, or None."""

    record: str
    branch: str
    level: Level
    grade: str
    evidence: str
    instead: str | None


class Answer(Struct, frozen=True, kw_only=True):
    """The answer to one question, the strongest matches first; `more` counts what was found beyond them (R14)."""

    id: str | int | UnsetType | None = UNSET
    verdict: Verdict
    matches: tuple[Match, ...]
    more: int = 0


class _Found(Struct, frozen=True):
    verdict: Verdict
    level: Level
    record: Record
    branch: FalsifiedBranch


def decide(
    question: Question, hits: Sequence[KeyHit], records: Mapping[str, Record], limit: int = 10, overturned: Mapping[tuple[str, str], str] | None = None
) -> Answer:
    """The answer. `records` holds the records of the hits, and those found by the idea's words; a hit without its record is passed over.

    `overturned` are branches that passed when they were last replayed, by record and branch, with when and how that was seen (R10).
    """
    overturned = overturned or {}
    acquitted = frozenset(hit.key.value for hit in hits if hit.key.kind == "survived")
    found: dict[tuple[str, str], _Found] = {}
    for seen in _found(question, hits, records, acquitted):
        key = (seen.record.digest, seen.branch.rejected_hypothesis_id)
        one = _Found(Verdict.REOPENED, seen.level, seen.record, seen.branch) if key in overturned and seen.verdict is Verdict.RULED_OUT else seen
        if key not in found or _rank(one) < _rank(found[key]):
            found[key] = one
    ordered = sorted(found.values(), key=_rank)
    return Answer(
        id=question.id,
        verdict=ordered[0].verdict if ordered else Verdict.CLEAR,
        matches=tuple(_match(one, question, overturned) for one in ordered[:limit]),
        more=max(0, len(ordered) - limit),
    )


def _found(question: Question, hits: Sequence[KeyHit], records: Mapping[str, Record], acquitted: frozenset[str]) -> Iterator[_Found]:
    asked = pieces(question)
    for hit in hits:
        record = records.get(hit.digest)
        branch = record and hit.branch and _branch(record, hit.branch)
        if not record or not branch or hit.key.value in acquitted:  # R4: what proved right elsewhere is no dead end
            continue
        judged = _judge(question, hit.key, asked, record, branch)
        if judged:
            verdict, level = judged
            yield _Found(_held(verdict, branch.conditions, question.now), level, record, branch)
    if question.idea:
        yield from _by_words(question.idea, records)


def _judge(question: Question, key: Key, asked: Sequence[Piece], record: Record, branch: FalsifiedBranch) -> tuple[Verdict, Level] | None:
    if key.kind == "edit":
        return _judge_edit(asked, branch)
    if key.kind == "command":
        # What was falsified with edits was falsified by them: its command alone is nothing that was ruled out.
        return None if _edits(branch) else (Verdict.RULED_OUT, Level.COMMAND)
    if key.kind == "normalised":
        return _judge_signature(question, record, branch), Level.SIGNATURE
    return None


def _judge_edit(asked: Sequence[Piece], branch: FalsifiedBranch) -> tuple[Verdict, Level]:
    """Ruled out only when the question is the branch, no hunk more and none less: a part, or a part of more, may well be right."""
    prints = _edits(branch)
    made = frozenset().union(*(piece.all() for piece in asked))
    same = prints <= made and all(piece.within(prints) for piece in asked)
    return (Verdict.RULED_OUT, Level.EDIT) if same else (Verdict.NEAR, Level.PART)


def _judge_signature(question: Question, record: Record, branch: FalsifiedBranch) -> Verdict:
    """The symptom's own signature is what every failed attempt ends with: by itself it only says that nothing changed."""
    if not question.command or question.edit or question.diff or question.signature in _own_signatures(record):
        return Verdict.NEAR  # R4: an edit that is asked about is ruled out by itself or not at all
    command = command_print(question.command)
    judged_by = branch.conditions.gate
    same = command in branch.fingerprints or bool(judged_by and fingerprint.command(judged_by) == command)
    return Verdict.RULED_OUT if same else Verdict.NEAR


def _own_signatures(record: Record) -> frozenset[str]:
    outcome = record.outcome
    seen = [outcome.symptom.signature if outcome.symptom else None]
    if not isinstance(outcome, DebugResidual):
        seen.append(outcome.last_red.signature if outcome.last_red else None)
    return frozenset(signature.normalised for signature in seen if signature)


def _by_words(idea: str, records: Mapping[str, Record]) -> Iterator[_Found]:
    """R4: likeness proposes, it never rules out."""
    asked = concepts(idea)
    if len(asked) < 2:
        return
    for record in records.values():
        for branch in branches(record.outcome):
            if alike(asked, concepts(branch.hypothesis or ""), concepts("\n".join((branch.candidate_strategy, *branch.files)))):
                yield _Found(Verdict.NEAR, Level.WORDS, record, branch)


def alike(asked: frozenset[str], hypothesis: frozenset[str], acts: frozenset[str]) -> bool:
    """Whether the concepts of an idea overlap with a branch's in earnest: two shared ones only when they are all of the shorter text."""
    core = hypothesis or acts
    shared = len(asked & core)
    return bool(shared) and shared >= _ENOUGH.get(shared, 0.5) * min(len(asked), len(core))


def _held(verdict: Verdict, then: Conditions, now: Conditions | None) -> Verdict:
    return Verdict.REOPENED if verdict is Verdict.RULED_OUT and now and changed(then, now) else verdict


def changed(then: Conditions, now: Conditions) -> tuple[str, ...]:
    """What differs between two conditions, as far as both tell (R10): `commit a1b2 -> c3d4`, `gate`, `name 1.0 -> 2.0`."""
    found: list[str] = []
    if then.commit and now.commit and not (then.commit.startswith(now.commit) or now.commit.startswith(then.commit)):
        found.append(f"commit {then.commit[:12]} -> {now.commit[:12]}")
    if then.gate and now.gate and then.gate != now.gate:
        found.append("gate")
    versions = {name: version for name, _, version in (dependency.partition("=") for dependency in now.dependencies)}
    for name, _, version in (dependency.partition("=") for dependency in then.dependencies):
        if name in versions and versions[name] != version:
            found.append(f"{name} {version.lstrip('=')} -> {versions[name].lstrip('=')}")
    return tuple(found)


def _match(one: _Found, question: Question, overturned: Mapping[tuple[str, str], str]) -> Match:
    differs = changed(one.branch.conditions, question.now) if one.verdict is Verdict.REOPENED and question.now else ()
    replayed = overturned.get((one.record.digest, one.branch.rejected_hypothesis_id))
    differs = (*differs, replayed) if replayed else differs
    return Match(
        record=one.record.digest,
        branch=one.branch.rejected_hypothesis_id,
        level=one.level,
        grade=one.record.outcome.provenance.evidence.value,
        evidence=say.evidence(one.record, one.branch, differs),
        instead=say.instead(one.record),
    )


def _rank(one: _Found) -> tuple[int, bool, int]:
    """The strongest verdict first; at equal verdicts a witnessed record before others, so that many unproved ones cannot push it out."""
    return list(Verdict).index(one.verdict), not say.witnessed(one.record), list(Level).index(one.level)


def _branch(record: Record, name: str) -> FalsifiedBranch | None:
    return next((branch for branch in branches(record.outcome) if branch.rejected_hypothesis_id == name), None)


def _edits(branch: FalsifiedBranch) -> frozenset[str]:
    return frozenset(print_ for print_ in branch.fingerprints if not print_.startswith("c"))
