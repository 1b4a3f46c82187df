"""A proof as JSON and as text."""

from msgspec import Struct

from ruledout.digest import tagged
from ruledout.doors.show.depth import GuardRow, depth_text, guard_rows
from ruledout.doors.show.session import line
from ruledout.model.gate import GateRun, Minimal, Proof, Reason


class PatchSides(Struct, frozen=True, kw_only=True):
    """The files of a patch by side."""

    product: tuple[str, ...]
    tests: tuple[str, ...]


class ProofAnswer(Struct, frozen=True, kw_only=True):
    """The answer of `prove`."""

    verdict: str
    grade: str
    reasons: tuple[Reason, ...]
    tests: tuple[str, ...]
    red: tuple[GateRun, ...]
    green: tuple[GateRun, ...]
    red_on_revert: tuple[GateRun, ...]
    patch: PatchSides
    guards: tuple[GuardRow, ...]
    isolation: str
    digest: str
    minimal: Minimal | None = None


def proof_answer(proof: Proof) -> ProofAnswer:
    """The contract's JSON of a proof; `digest` is over all of it."""
    from msgspec import to_builtins

    return ProofAnswer(
        verdict=proof.verdict.value,
        grade="witnessed" if proof.verdict.value == "proved" else "asserted",
        reasons=proof.reasons,
        tests=proof.gate.tests,
        red=proof.receipt.red,
        green=proof.receipt.green,
        red_on_revert=proof.receipt.red_on_revert,
        patch=PatchSides(product=proof.patch.product if proof.patch else (), tests=proof.patch.tests if proof.patch else ()),
        guards=guard_rows(proof.depth),
        isolation=proof.receipt.isolation.value,
        digest=tagged("proof", to_builtins(proof)),
        minimal=proof.depth.minimal if proof.depth else None,
    )


def proof_text(proof: Proof) -> str:
    """A proof in a few lines: the verdict, the three runs, why not."""
    parts = [f"{proof.verdict.value}: {line(' '.join(proof.gate.argv), 100)}"]
    parts += [
        runs_line("red without the patch", proof.receipt.red),
        runs_line("green with it", proof.receipt.green),
        runs_line("red on revert", proof.receipt.red_on_revert),
    ]
    if proof.patch:
        parts.append(f"  patch: {', '.join(proof.patch.product[:5]) or 'no product file'}; tests: {', '.join(proof.patch.tests[:5]) or 'none changed'}")
    parts += [f"  proves: {line(test, 120)}" for test in proof.gate.tests[:5]]
    parts.append(f"  isolation: {proof.receipt.isolation.value}")
    parts += reasons(proof.reasons) + depth_text(proof.depth)
    return "\n".join(part for part in parts if part)


def runs_line(name: str, runs: tuple[GateRun, ...]) -> str:
    """`red without the patch  3 of 3  AssertionError: ...`, or nothing where there were no runs."""
    if not runs:
        return ""
    outcomes = [run.outcome.value for run in runs]
    shown = outcomes[0] if len(set(outcomes)) == 1 else "/".join(outcomes)
    said = next((line(run.signature.message, 80) for run in runs if run.signature), "")
    return f"  {name:<22} {shown:<5} {len(runs)}x  {sum(run.seconds for run in runs) / len(runs):.2f} s each  {said}".rstrip()


def reasons(items: tuple[Reason, ...]) -> list[str]:
    """Each reason with its mend."""
    return [f"  {r.rule} {r.code}: {line(r.message, 300)}\n     mend: {line(r.mend, 200)}" for r in items]
