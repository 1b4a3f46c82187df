"""Guards as text, and findings in the forms that code review and test reports read: SARIF 2.1.0 and JUnit XML."""

from collections.abc import Sequence

from ruledout import __version__
from ruledout.doors.show.record import short
from ruledout.doors.show.session import line
from ruledout.flows.known_guards import GuardView
from ruledout.flows.protect_guards import Finding, Guarded, Why
from ruledout.text import clean

SAY = {
    "removed": "takes a proved guard out",
    "changed": "changes a proved guard",
    "disabled": "keeps a proved guard's words, but it can no longer run",
}
RULE = "guard-lost"


def why_text(answer: Why) -> str:
    """Each guard with its lines, what it is against, and the proof; then those that lost their lines."""
    place = f"{answer.file}:{answer.line}" if answer.line is not None else answer.file
    parts: list[str] = []
    for view in answer.guards:
        parts += _view(view)
    if answer.lost:
        parts += ["lost: kept as guards of this file, and no longer there (not guessed at)"]
        parts += [f"  {view.id}  was {view.location}  {line(view.snippet, 90)}" for view in answer.lost]
    return "\n".join(parts) if parts else f"no guard is kept for {place}"


def _view(view: GuardView) -> list[str]:
    spot = f"{view.lines[0]}-{view.lines[1]}" if view.lines and view.lines[0] != view.lines[1] else str(view.lines[0]) if view.lines else "lost"
    moved = "  (moved since)" if view.state == "moved" else ""
    parts = [f"{spot:>7}  {line(view.snippet, 100)}{moved}"]
    for one in view.neutralizes:
        said = f"the symptom: {line(one.failure, 110)}" if one.id == "symptom" else f"{one.id}, a dead end: {line(one.tried, 60)} -> {line(one.failure, 110)}"
        parts.append(f"         against {said}")
        parts += [f'           "{line(one.hypothesis, 120)}"'] if one.hypothesis else []
    parts.append(f"         {_proof(view)}")
    return parts


def _proof(view: GuardView) -> str:
    origin = f"{short(view.record)}{f' of {view.at[:10]}' if view.at else ', published'}, guard {view.id}"
    if view.proof != "ablated" or view.without_it is None:
        return f"named, not ablated: {origin}"
    tests = f", in {', '.join(line(test, 80) for test in view.without_it.tests[:2])}" if view.without_it.tests else ""
    return f"without it: {line(view.without_it.message, 110)}{tests} ({view.without_it.runs} runs; {origin})"


def guarded_text(answer: Guarded) -> str:
    """What the change does to proved guards: the failure that would come back, and how to let it pass."""
    parts: list[str] = []
    for finding in answer.findings:
        parts += _finding(finding)
    for row in answer.passed:
        if row.verdict == "allowed":
            parts.append(f"allowed: {row.was} {line(row.guard.snippet, 80)}: {line(row.because, 160)}")
        elif row.verdict == "stale":
            parts.append(f"stale: {row.guard.location}: guard {row.guard.id} is neither in the old version nor in the new one")
        elif row.verdict == "replaced":
            parts.append(f"replaced: {row.was} {line(row.guard.snippet, 80)}: the gate {line(row.gate, 200)}")
        elif row.verdict == "moved":
            parts.append(f"moved: {row.was} is now {row.now}  {line(row.guard.snippet, 80)}")
    if not answer.findings:
        held = sum(row.verdict in ("kept", "moved") for row in answer.passed)
        known = f"{held} proved guards in them still stand ({answer.known} known)" if answer.known else "no proved guard is known here"
        parts.append(f"clear: {answer.change}: {answer.files} files changed, {known}")
    if answer.unreadable:
        parts.append(f"{answer.unreadable} published records could not be read, so their guards are not known here")
    return "\n".join(parts)


def _finding(finding: Finding) -> list[str]:
    view = finding.guard
    parts = [f"{finding.was}: this change {SAY[finding.verdict]}", *(f"    {row}" for row in clean(view.snippet).split("\n")[:8])]
    parts += [f"  {line(finding.why, 200)}"] if finding.why else []
    for one in view.neutralizes:
        parts.append(f"  it stands against {'the symptom' if one.id == 'symptom' else one.id}: {line(one.failure, 140)}")
    if view.without_it is not None:
        tests = ", ".join(line(test, 90) for test in view.without_it.tests[:3])
        parts.append(f"  without it: {line(view.without_it.message, 140)}{f' in {tests}' if tests else ''}")
    parts += [f"  its gate, run now: {line(finding.gate, 300)}"] if finding.gate else []
    origin = f"{short(view.record)}{f' of {view.at[:10]}' if view.at else ', published'}"
    parts.append(f"  ablated in {origin}; to let it go: ruledout guard --allow {view.id} --because '...'")
    return parts


def message(finding: Finding) -> str:
    """A finding in one sentence."""
    view = finding.guard
    back = f" Without it: {line(view.without_it.message, 200)}" if view.without_it is not None else ""
    tests = f" (in {line(view.without_it.tests[0], 120)})." if view.without_it is not None and view.without_it.tests else "."
    return f"This change {SAY.get(finding.verdict, 'allows the loss of a proved guard')}: {line(view.snippet, 120)}.{back}{tests}"


def sarif(answer: Guarded) -> dict[str, object]:
    """SARIF 2.1.0: a result for every finding; what was allowed is there, suppressed, with its reason."""
    rule = {
        "id": RULE,
        "name": "GuardLost",
        "shortDescription": {"text": "A proved guard is removed, changed or disabled"},
        "fullDescription": {"text": "Our own runs showed that the gate goes red without these lines. See `ruledout why FILE:LINE`."},
        "defaultConfiguration": {"level": "error"},
    }
    driver = {"name": "ruledout", "version": __version__, "rules": [rule]}
    rows = [*answer.findings, *(row for row in answer.passed if row.verdict == "allowed")]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [_result(row) for row in rows]}],
    }


def _result(finding: Finding) -> dict[str, object]:
    from urllib.parse import quote

    path, _, number = (finding.was or finding.guard.location).rpartition(":")
    place = {"artifactLocation": {"uri": quote(path), "uriBaseId": "%SRCROOT%"}, "region": {"startLine": max(int(number), 1)}}
    result: dict[str, object] = {
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": message(finding)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"guard/v1": finding.guard.id},
        "properties": {"record": finding.guard.record, "verdict": finding.verdict},
    }
    if finding.because is not None:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": finding.because}]
    return result


def junit(answer: Guarded) -> str:
    """JUnit XML: a case for each proved guard in the changed files; what had lost its lines before is skipped."""
    rows = [*answer.findings, *answer.passed]
    skipped = sum(row.verdict in ("stale", "allowed") for row in rows)
    head = f'<testsuite name="ruledout guard" tests="{len(rows)}" failures="{len(answer.findings)}" errors="0" skipped="{skipped}">'
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *_cases(rows), "</testsuite>", ""])


def _cases(rows: Sequence[Finding]) -> list[str]:
    from xml.sax.saxutils import escape, quoteattr

    cases = []
    for row in rows:
        name = quoteattr(f"{row.was or row.guard.location} {line(row.guard.snippet, 80)}")
        head = f'  <testcase classname="ruledout.guard" name={name}'
        if row.verdict in SAY:
            cases.append(f"{head}><failure type={quoteattr(row.verdict)} message={quoteattr(message(row))}>{escape(line(row.why, 300))}</failure></testcase>")
        elif row.verdict in ("stale", "allowed"):
            cases.append(f"{head}><skipped message={quoteattr(row.because or row.verdict)}/></testcase>")
        else:
            cases.append(f"{head}/>")
    return cases
