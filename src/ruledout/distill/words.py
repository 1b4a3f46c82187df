"""What the assistant said: the hypothesis before an act, the sentences that may state a root cause, and the judgement of R3 on such a sentence.

Only the assistant's words are read here, never a tool's output, never the user's.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from ruledout.distill.seen import Candidate
from ruledout.model.gate import Reason
from ruledout.model.turn import DebugTurn, Role, Track
from ruledout.observe.late import Late
from ruledout.text import cap, folded, one_sentence

HYPOTHESIS_LIMIT = 200
CAUSE_LIMIT = 300
MOST_CANDIDATES = 5
STATED = 6.0
"""the weight of what is called the root cause in so many words"""
PLAINLY = 3.0
"""from this weight on, a sentence calls itself the statement of the fault"""
_LOOK_BACK = 6


_SENTENCE = Late(r"(?<=[.!?:])\s+(?=[A-Z`\"'(*\-\d])|\n+")
_FENCE = Late(r"```.*?(```|\Z)|<[a-z_]+>.*?</[a-z_]+>", re.DOTALL)
_MARKUP = Late(r"^[\s>*#\-+•✅❌⏺]+|\*\*|^\d+[.)]\s+|^(?:THOUGHT|DISCUSSION|Thought|Analysis)\s*:\s*")
_CAUSE = Late(
    r"\b(root cause|(?:the|real|actual|main|underlying) (?:problem|issue|bug|cause|culprit|error|failure|reason)\b"
    r".{0,60}?\b(?:is|was|are|comes?|lies)\b|caused by|is because|because|due to|fails? (?:since|when|because)"
    r"|never (?:calls?|sets?|checks?|reads?)|does(?:n't| not) (?:handle|check|account|call)"
    r"|instead of|rather than|the (?:bug|fix) is)\b",
    re.IGNORECASE,
)
_CUES = ("cause", "problem", "issue", "bug", "culprit", "error", "fail", "reason", "due to", "never ", "does", "instead of", "rather than", "fix is")
"""one of these stands in whatever `_CAUSE` finds"""
_NAMED = Late(r"\b(root cause|(?:the|real|actual|underlying) (?:problem|issue|bug|cause|culprit)\b.{0,60}?\b(?:is|was)\b|caused by)\b", re.IGNORECASE)
"""finds nothing where `_CAUSE` does not"""
_STATED = Late(r"\broot cause\W{0,4}(?:is(?: that)?|was(?: that)?|:)\W{0,3}\s+([^\n]{20,300}?[.!])(?=\s|\Z)", re.IGNORECASE)
_BECAUSE = Late(r"\b(because|due to|caused by|since)\b", re.IGNORECASE)
_PLAN = Late(r"^(now |next|let me|let's|i'll|i will|i need|i should|good|great|perfect|ok|okay|done|all |running|run )", re.IGNORECASE)
_THINK = Late(r"\b(should|need|must|fix|because|instead|change|replace|use|add|remove|move|handle|problem|issue|missing|wrong|fails?)\b", re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a prose text, without code blocks and markdown marks."""
    for part in _SENTENCE.split(_FENCE.sub("\n", text) if "`" in text or "<" in text else text):
        bare = _plain(part).strip()
        if len(bare) > 15 and " " in bare:
            yield bare


def _plain(part: str) -> str:
    """Without markup. Where no `**` stands, there is some at the beginning or nowhere, and the rest need not be searched."""
    if "**" in part:
        return _MARKUP.sub("", part)
    begin = _MARKUP.match(part)
    return part[begin.end() :] if begin else part


def hypothesis(turns: Sequence[DebugTurn], at: int) -> tuple[str | None, str | None]:
    """What the assistant said just before the act at `turns[at]`, as one sentence, and its ref; (None, None) when it said nothing."""
    for index in range(at - 1, max(-1, at - 1 - _LOOK_BACK), -1):
        turn = turns[index]
        if turn.role in (Role.USER, Role.SYSTEM):
            break
        if turn.role is Role.ASSISTANT and (best := _most_telling(turn.text)):
            return one_sentence(best, HYPOTHESIS_LIMIT), turn.ref
    return None, None


def _most_telling(text: str) -> str | None:
    """The sentence that says what is thought to be wrong or what should help; the last of equals stands nearest to the act."""
    best, most = None, -1
    for sentence in sentences(text[-4000:]):
        weight = (2 + 3 * bool(_NAMED.search(sentence)) if _sounds(sentence) else 0) + bool(_THINK.search(sentence))
        if weight >= most:
            best, most = sentence, weight
    return best


def candidates(turns: Sequence[DebugTurn], before_fix: Collection[str], window: tuple[int, int], turned: str | None) -> tuple[Candidate, ...]:
    """Sentences of the assistant that may state the root cause, the likeliest first, quoted, with their refs.

    `before_fix` are the refs of what was said just before a change that held; `window` are the turns between the gate's red and its green. What was
    said there weighs more than the same words elsewhere. `turned` is the ref of what was said before the change that turned the gate.
    """
    found = []
    total = max(1, len(turns))
    for index, turn in enumerate(turns):
        if turn.role is not Role.ASSISTANT or turn.track is not Track.LIVE:
            continue
        near = 2.0 * (turn.ref in before_fix) + 1.5 * (window[0] <= index <= window[1])
        told = sentences(turn.text) if _cued(turn.text.replace("**", "")) else ()
        scored = [(score, sentence) for sentence in told if (score := _cause_score(sentence)) > 0]
        scored += [(STATED, match[1].strip()) for match in _STATED.finditer(turn.text)] if _cued(turn.text) else []
        if not scored and turn.ref in before_fix and (best := _most_telling(turn.text)):
            scored = [(0.5, best)]
        if scored:
            score, sentence = max(scored, key=lambda pair: pair[0])
            at_fix = score >= PLAINLY and (turn.ref == turned or 0 < window[1] < index)
            found.append((score + near + index / total, Candidate(text=cap(sentence, CAUSE_LIMIT), ref=turn.ref, near_fix=at_fix)))
    ranked = sorted(found, key=lambda pair: pair[0], reverse=True)[:MOST_CANDIDATES]
    return tuple(candidate for _, candidate in ranked)


def _cued(text: str) -> bool:
    """May `_CAUSE` find something here: a look at its words, which costs much less."""
    low = folded(text)
    return any(cue in low for cue in _CUES)


def _sounds(sentence: str) -> bool:
    """Does a sentence speak of a cause."""
    return _cued(sentence) and _CAUSE.search(sentence) is not None


def _cause_score(sentence: str) -> float:
    """How much a sentence sounds like the statement of a mechanism; 0 for none."""
    if sentence.endswith(("?", ":")) or not _sounds(sentence):
        return 0.0
    named = 2.0 * bool(_NAMED.search(sentence))
    return named + 1.0 + bool(_BECAUSE.search(sentence)) + 0.5 * ("`" in sentence) - 2.0 * bool(_PLAN.search(sentence)) - bool(narrative(sentence))


# R3, as a table: what a word of this kind says about a sentence that wants to be one invariant. Words that also name things of a program (`I/O`, the
# first row, a finally block, 500 us, a fixed buffer, keys that are looked up) count only where they tell of the work.
_R3 = (
    (
        "first_person",
        (
            r"(?-i:\bI\b(?!/|\.\w))|(?-i:\bi\b(?= (?:think|tried|found|fixed|changed|was|am|had|have|will|see|saw|noticed|believe|guess)\b))|\bi'(?:m"
            r"|ve|ll|d)\b"
            r"|\b(?:we|we're|we've|let's|let me|ourselves|myself)\b|\b(?:my|our)\b(?![.\-]\w)|(?<![.\-/])\bme\b(?![.\-]\w)"
            r"|(?-i:\b(?:for|to|gives?|gave|told|tells?|lets?|by|from|with|makes?|made|shows?|showed|led|leads) us\b(?!-))|\bthe (?:agent|assistant"
            r"|developer)\b"
        ),
        "speaks of who worked on it",
        "say what holds in the code, not who did what",
    ),
    (
        "hedge",
        (
            r"\b(?:maybe|perhaps|probably|presumably|apparently|supposedly|seemingly|arguably|possibly(?!-)|likely(?![(-])|seems?|seemed"
            r"|appears? to(?! the)|looks? like"
            r"|i think|i believe|suspect(?:ed)?|somehow|sometimes|unclear|not sure|unsure|guess(?:ed|es)?|(?:may|might|could|must) have(?: been)?)\b"
            r"|(?<!that )(?<!which )\b(?:might|could be|may be)\b"
        ),
        "is not sure",
        "state the mechanism that the gate proves, or leave the session unresolved",
    ),
    (
        "sequence",
        (
            r"(?:^|[.;,:]\s+|\band )(?:first|second|next|later|last)(?:,|\s+(?:i|we|it|they|the|this|that)\b)|\bat first\b|\b(?:firstly|secondly"
            r"|thirdly|subsequently)\b"
            r"|\blater on\b|(?:^|[.;,]\s+)(?:afterwards?|later|eventually|initially,)|\beventually (?:i|we|it was|found|\w+ed)\b|\bafter (?:that|this"
            r"|trying|changing|fixing)\b"
            r"|(?<!the )(?<!a )(?<!in )(?<!its )(?<!every )\bfinally\b(?!\s+(?:block|clause|branch|handler|statement|callback))|\bturn(?:s|ed) out\b"
            r"|\bstep \d|\bin the end\b"
            r"|^(?!.*\b(?:if|when|whenever|once|unless|until|while|for)\b.*\bthen\b).*?\b(?P<then>then)\b(?!\(|-)"
        ),
        "tells a sequence of events",
        "say what always holds, not what happened when",
    ),
    (
        "story",
        (
            r"(?<!is )(?<!are )(?<!be )(?<!being )(?<!gets )(?<!never )\b(?:tried|noticed|reali[sz]ed|discovered|attempted|decided)\b"
            r"|\b(?:investigated|debugged)\b"
            r"|\blooked\b(?! up)|(?<![.\w])\bnow\b(?!\()|\bjust\b(?![- ]in[- ]time)|^(?:fixed|changed|added|removed|replaced|updated)\b(?![- ](?:size"
            r"|width|length|point|offset|buffer|\w+s\b))"
            r"|\b(?:i|we|commit|patch|pr|change|session|agent|and) (?:fixed|changed|added|removed|replaced|updated)\b|\b(?:is|was|are|were|been"
            r"|got) fixed (?:by|in|with)\b"
            r"|\b(?:bug|issue|problem|error|tests?|it) (?:(?:is|was|are|were|got|has been|have been) )?(?:fixed|solved|resolved)\b|\b(?:fixed|solved"
            r"|resolved) (?:it|this|that|the)\b"
            r"|\b(?:the fix|the solution|this (?:commit|session|patch|pr|change|fix)|worked around|ended up|managed to|had to|was able to|came across"
            r"|it was found)\b"
            r"|\b(?:tests?|suite|it|everything|all) (?:passed|worked|succeeded|works? (?:again|fine))\b|\b(?:previous|earlier|last) (?:attempt|try"
            r"|approach)\b"
        ),
        "tells the story of the work",
        "name the mechanism of the fault, not the work on it",
    ),
    (
        "alternatives",
        (
            r"\b(?:alternatively|and/or|or else|one of these|one of (?:two|several|the following)|or (?:because|that|maybe|perhaps))\b"
            r"|^(?!.*\b(?:if|when|whenever|unless|where|for|with|without|whether|until|on|no|neither)\b.*\b(?:or"
            r"|either)\b).*?\b(?P<or>either\b(?! (?:side|end|of|one|operand|way))"
            r"|or (?:it|the|a|an)\b)"
        ),
        "offers alternatives",
        "choose the one that the gate proves",
    ),
    ("question", r"\?\s*(?:$|[A-Z\n])", "asks", "state it"),
)


def _offending(hit: re.Match[str]) -> str:
    """The word itself, where the pattern had to look at what stands before it."""
    return next((word for word in hit.groupdict().values() if word), hit.group(0)).strip(" ,.;:")


@cache
def _r3() -> tuple[tuple[str, Late, str, str], ...]:
    return tuple((code, Late(pattern, re.IGNORECASE), says, mend) for code, pattern, says, mend in _R3)


def narrative(sentence: str) -> str | None:
    """The first word that makes a sentence a story, or None."""
    plain = _unquoted(sentence)
    return next((_offending(m) for _, pattern, _, _ in _r3() if (m := pattern.search(plain))), None)


_QUOTED = Late(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")


def _unquoted(sentence: str) -> str:
    """Names in quotes or back ticks are code, not words of the sentence."""
    return _QUOTED.sub("``", sentence)


_SEVERAL = Late(
    r"(?<=[\w`)\]\"'][\w`)\]\"'][.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\bapprox\.)(?<!\bincl\.)(?<!\bresp\.)\s+(?=\S)"
    r"|\n\s*(?:[-*+]|\d+[.)])\s"
)
"""an end of a sentence with more behind it, abbreviations apart; or a list"""


def not_isolated(cause: str | None) -> tuple[Reason, ...]:
    """R3: every reason why this text is not one invariant; empty when it is. Each names the offending word."""
    if cause is None or not cause.strip():
        mend = "propose one sentence that names the mechanism: `--proposal FILE` (docs/formats.md), or `propose_residual` over MCP"
        return (Reason("R3", "NOT_ISOLATED", "no root cause was stated", mend),)
    text, reasons = cause.strip(), []
    if len(text) > CAUSE_LIMIT:
        reasons.append(Reason("R3", "NOT_ISOLATED", f"{len(text)} characters, at most {CAUSE_LIMIT} hold one invariant", "cut it to the mechanism"))
    if len(re.findall(r"[^\W\d_]{2,}", text)) < 4:  # subject, verb and object need as many words
        reasons.append(
            Reason("R3", "NOT_ISOLATED", f"{cap(text, 40)!r} is no statement", "write one declarative sentence: what, under which condition, does what")
        )
    text = text[: 2 * CAUSE_LIMIT]  # what is longer is refused as it is; the patterns need not read it
    if _SEVERAL.search(_unquoted(text)):
        reasons.append(Reason("R3", "NOT_ISOLATED", "more than one sentence", "keep the one that states the mechanism"))
    for _, pattern, says, mend in _r3():
        if word := pattern.search(_unquoted(text)):
            reasons.append(Reason("R3", "NOT_ISOLATED", f"the word {_offending(word)!r} {says}", mend))
    return tuple(reasons)
