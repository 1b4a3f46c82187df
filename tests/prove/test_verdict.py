"""From runs to reasons, without running: each state on each side."""

import pytest

from ruledout.model.gate import Isolation, ProofVerdict, ReportSource, TestStatus
from ruledout.model.outcome import Outcome, Result
from ruledout.prove import refusals, verdict
from ruledout.prove.process import Ended, How
from ruledout.prove.reading import Seen, State
from ruledout.prove.report import Report


def seen(state: State, tests: dict[str, str] | None = None, unbuilt: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> Seen:
    report = Report(tests={name: TestStatus(status) for name, status in (tests or {}).items()}, source=ReportSource.REPORT, unbuilt=unbuilt, notes=notes)
    return Seen(tree="0" * 40, state=state, ended=Ended(how=How.EXITED, exit=0), report=report, output="", outcome=Outcome(result=Result.UNKNOWN), facts=())


GREEN = seen(State.GREEN, {"a": "passed", "b": "passed"})


@pytest.mark.parametrize(
    ("red", "named"),
    [
        (seen(State.RED, {"a": "failed", "b": "passed"}), ("a",)),
        (seen(State.RED, {"a": "error", "b": "failed"}), ("a", "b")),
        (seen(State.RED, {"a": "failed"}), ("a",)),
        (seen(State.RED, {"a": "skipped", "b": "failed"}), ("b",)),
        (seen(State.UNBUILT, {"b": "passed"}, unbuilt=("a",)), ("a",)),
        (seen(State.UNBUILT, unbuilt=("",)), ("a", "b")),
        (seen(State.UNBUILT), ("a", "b")),
        (seen(State.CRASHED, {"b": "passed"}), ("a",)),
        (seen(State.GREEN, {"b": "passed"}), ()),
        (seen(State.MISMATCH, {"a": "failed", "b": "passed"}), ()),
        (seen(State.NOT_RUN), ()),
        (seen(State.TIMEOUT), ()),
    ],
)
def test_the_fail_to_pass_set_holds_what_was_red_or_could_not_be_loaded(red: Seen, named: tuple[str, ...]) -> None:
    assert verdict.fail_to_pass([red], [GREEN]) == named
    assert verdict.fail_to_pass([red, GREEN], [GREEN]) == ()
    assert verdict.fail_to_pass([], [GREEN]) == ()
    assert verdict.fail_to_pass([red], []) == ()


def test_what_passes_only_sometimes_is_in_no_fail_to_pass_set() -> None:
    red = seen(State.RED, {"a": "failed", "b": "failed"})

    assert verdict.fail_to_pass([red], [GREEN, seen(State.GREEN, {"a": "passed", "b": "skipped"})]) == ("a",)


@pytest.mark.parametrize(
    ("red", "code"),
    [
        (seen(State.GREEN, {"a": "passed"}), "not_fail_to_pass"),
        (seen(State.GREEN, {"a": "passed"}, notes=("imports_original_tree=/r/a.py",)), "imports_original_tree"),
        (seen(State.RED, {"c": "failed"}), "not_run"),
        (seen(State.NOT_RUN), "not_run"),
        (seen(State.SKIPPED, {"a": "skipped"}), "skipped"),
        (seen(State.MISMATCH, {"a": "failed"}), "report_mismatch"),
        (seen(State.NO_IDENTITY), "no_test_identity"),
    ],
)
def test_a_red_side_that_does_not_speak_for_the_fix_says_why(red: Seen, code: str) -> None:
    assert [reason.code for reason in verdict.red([red], [GREEN], Isolation.BUBBLEWRAP)] == [code]


def test_a_green_revert_has_a_reason_of_its_own() -> None:
    reasons = verdict.red([seen(State.GREEN, {"a": "passed"})], [GREEN], Isolation.BUBBLEWRAP, code="green_on_revert", where="with the fix taken out again")

    assert [reason.code for reason in reasons] == ["green_on_revert"]


def test_runs_that_differ_only_in_addresses_are_equal() -> None:
    runs = [seen(State.GREEN, {"t[<object at 0x7f3a00112233>]": "passed"}), seen(State.GREEN, {"t[<object at 0x7f3a99887766>]": "passed"})]

    assert verdict.flaky("here", runs) == ()
    assert [reason.code for reason in verdict.flaky("here", [GREEN, seen(State.GREEN, {"a": "passed", "b": "skipped"})])] == ["flaky"]
    assert [reason.code for reason in verdict.flaky("here", [GREEN, seen(State.RED, {"a": "failed"})])] == ["flaky"]
    assert [reason.code for reason in verdict.flaky("here", [seen(State.GREEN, {"a": "passed"}, notes=("retried=a",))])] == ["flaky"]


def test_every_reason_has_a_rule_and_a_mend_and_only_none_is_a_proof() -> None:
    for code, refusal in refusals.REFUSALS.items():
        assert refusal.mend
        assert refusal.rule.startswith("R")
        assert refusals.verdict((refusals.reason(code, "x"),)) is refusal.verdict is not ProofVerdict.PROVED
    assert refusals.verdict(()) is ProofVerdict.PROVED
    assert refusals.verdict((refusals.reason("timeout", "x"), refusals.reason("flaky", "x"))) is ProofVerdict.REFUSED


def test_every_state_but_green_has_a_verdict_that_is_no_proof() -> None:
    for state in State:
        one = seen(state, {"a": "passed"} if state is State.GREEN else {})
        reasons = (*verdict.cannot([one]), *verdict.green([one]))
        assert (reasons == ()) == (state is State.GREEN), state
