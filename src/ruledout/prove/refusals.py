"""Every reason for which a fix is not held for proved: one table, from which the documentation is made.

`refused`: the runs, or the gate itself, speak against it. `inconclusive`: it could not be run well enough to say (R14).
"""

from msgspec import Struct

from ruledout.model.gate import ProofVerdict, Reason


class Refusal(Struct, frozen=True):
    """The rule that is not met, the verdict it leads to, and what to do about it."""

    rule: str
    verdict: ProofVerdict
    mend: str


_NO, _UNKNOWN = ProofVerdict.REFUSED, ProofVerdict.INCONCLUSIVE

REFUSALS: dict[str, Refusal] = {
    "shell_gate": Refusal("R9", _NO, "give the test command itself, without a shell: no `sh -c`, no pipe, no `||`, no redirection"),
    "vacuous_gate": Refusal("R9", _NO, "give a command that runs a test which can fail"),
    "empty_patch": Refusal("R1", _NO, "make the fix in the work tree, or give the revision before it with --base"),
    "no_product_change": Refusal(
        "R1", _NO, "change the code under test, not only its tests; where a path is taken for a test by mistake, name the test side with --test-paths"
    ),
    "not_fail_to_pass": Refusal("R1", _NO, "write a test that fails without the fix, and put it into the patch or name it in the gate"),
    "still_red": Refusal("R1", _NO, "the fix does not hold; where other tests fail that have nothing to do with it, name the tests of the fix in the gate"),
    "green_on_revert": Refusal("R1", _NO, "find what else turned the test green: it passes without the product side of the patch"),
    "no_test_identity": Refusal(
        "R9",
        _NO,
        "use a test runner whose report names its tests (pytest, unittest, go test, cargo test, jest, vitest, node --test),"
        " let it name its tests (`-v`), or print TAP",
    ),
    "not_run": Refusal("R9", _NO, "see that the test is collected: no deselection, no ignored folder, no early exit"),
    "skipped": Refusal("R9", _NO, "take the skip or expected-failure mark off the test"),
    "flaky": Refusal("R9", _NO, "make the test deterministic, and take retries away"),
    "report_mismatch": Refusal("R9", _NO, "give a command whose exit status and test report agree"),
    "dead_assertion": Refusal("R9", _NO, "make the assertion decide the test: it stays green although the expected value was changed"),
    "imports_original_tree": Refusal("R14", _UNKNOWN, "install bubblewrap or allow user namespaces, or install the package from the tree under test"),
    "timeout": Refusal("R14", _UNKNOWN, "give a longer deadline, or a test with a time limit of its own that fails"),
    "not_started": Refusal("R14", _UNKNOWN, "install the program, or give its path"),
    "quota": Refusal("R14", _UNKNOWN, "let the test use less (a run has 2 GiB of /tmp and 8192 processes), or make room on the disk"),
    "infra": Refusal("R14", _UNKNOWN, "mend the environment (memory, network, missing packages) and run it again"),
}


def reason(code: str, message: str, mend: str = "") -> Reason:
    """A typed reason: what was seen, under the rule of its code."""
    known = REFUSALS[code]
    return Reason(rule=known.rule, code=code, message=message, mend=mend or known.mend)


def verdict(reasons: tuple[Reason, ...]) -> ProofVerdict:
    """Proved without reasons; inconclusive where nothing speaks against it but something could not be found out."""
    if not reasons:
        return ProofVerdict.PROVED
    verdicts = {REFUSALS[one.code].verdict for one in reasons}
    return ProofVerdict.REFUSED if ProofVerdict.REFUSED in verdicts else ProofVerdict.INCONCLUSIVE
