"""R4 clause by clause: what falsifies, and everything that must not."""

import pytest
from tests.distill.story import GATE, GREEN, Story, red, three_tries

from ruledout.distill.judge import judge
from ruledout.distill.seen import Judged


def judged(story: Story) -> Judged:
    return judge(story.log.transcript())


def verdicts(story: Story) -> list[str]:
    return [attempt.verdict.value for attempt in judged(story).attempts]


def test_R4_two_dead_ends_a_partial_step_and_the_fix() -> None:
    assert verdicts(three_tries()) == ["falsified", "falsified", "partial", "held"]


def test_R4_the_symptom_is_not_a_branch() -> None:
    story = Story()
    ref = story.fails()
    story.edit("    return 1", "    return 2")
    story.passes()
    found = judged(story)
    assert found.symptom is not None
    assert found.symptom.ref == ref
    assert [a.verdict.value for a in found.attempts] == ["held"]


def test_R4_what_survives_is_partial_however_often_it_failed() -> None:
    story = Story()
    story.fails()
    story.edit("    x = 1", "    x = compute(1)")
    story.fails("TypeError: x")
    story.edit("    y = 1", "    y = compute(2)")
    story.passes()
    assert verdicts(story) == ["partial", "held"]


def test_R4_reformatting_a_line_does_not_kill_it() -> None:
    story = Story()
    story.fails()
    story.edit("    rows = data", "    rows = [...data].sort(byName).map(toRow)")
    story.fails("Error: format")
    story.edit("    rows = [...data].sort(byName).map(toRow)", "    rows = [...data]\n        .sort(byName)\n        .map(toRow)")
    story.passes()
    assert verdicts(story) == ["partial", "held"]


def test_R4_a_change_that_was_taken_out_and_came_back_is_not_falsified() -> None:
    story = Story()
    story.fails()
    story.edit("    return total - 1", "    return int(total)")
    story.fails("NameError: name 'total' is not defined")
    story.edit("    return int(total)", "    return total - 1")
    story.edit("    pass", "    total = a + b")
    story.fails()
    story.edit("    return total - 1", "    return int(total)")
    story.passes()
    assert "falsified" not in verdicts(story)


@pytest.mark.parametrize("command", ["git checkout -- src/a.py", "git stash", "git reset --hard"])
def test_R4_going_back_takes_a_change_out(command: str) -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return stream(a)")
    story.fails("TypeError: 'int' object is not iterable")
    story.log.ran(command, "", 0)
    story.edit("    return a", "    return a + b")
    story.passes()
    assert verdicts(story)[0] == "falsified"


def test_R4_what_was_stashed_and_popped_is_still_there_and_runs_between_judge_nothing() -> None:
    story = Story()
    story.edit("    return a", "    return stream(a)")
    story.log.ran("git stash", "Saved working directory", 0)
    story.fails()
    story.log.ran("git stash pop", "Dropped refs/stash", 0)
    story.passes()
    assert verdicts(story) == ["held"]


def test_R4_committed_work_survives_a_checkout() -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return stream(a)")
    story.fails("TypeError: x")
    story.log.ran("git commit -qam wip", "[main 1234567] wip", 0)
    story.log.ran("git checkout -- .", "", 0)
    story.edit("    return c", "    return d")
    story.passes()
    assert verdicts(story) == ["partial", "held"]


def test_R4_a_test_written_first_is_no_branch() -> None:
    story = Story()
    story.edit("", "def test_sum():\n    assert add(1, 2) == 4", "tests/test_a.py")
    story.fails()
    story.edit("def test_sum():\n    assert add(1, 2) == 4", "def test_sum():\n    assert add(1, 2) == 3", "tests/test_a.py")
    story.passes()
    assert "falsified" not in verdicts(story)


def test_R4_a_scratch_script_is_no_branch() -> None:
    story = Story()
    story.log.wrote("reproduce_issue.py", "from a import add\nassert add(1, 2) == 3\n")
    story.log.ran("python reproduce_issue.py", 'Traceback (most recent call last):\n  File "reproduce_issue.py", line 2, in <module>\nAssertionError\n', 1)
    story.log.ran("rm reproduce_issue.py", "", 0)
    assert "falsified" not in verdicts(story)


def test_R4_a_script_that_makes_the_edit_is_no_branch() -> None:
    story = Story()
    story.fails()
    story.log.wrote("modify_client.py", "text = open('src/a.py').read()\nopen('src/a.py', 'w').write(text.replace('total - 1', 'total'))\n")
    story.log.ran("python3 modify_client.py", "", 0)
    story.fails("AssertionError: assert 2 == 4")
    story.log.ran("rm modify_client.py", "", 0)
    story.passes()
    assert "falsified" not in verdicts(story)


def test_R4_taking_a_line_out_is_not_undone_by_the_same_line_elsewhere() -> None:
    story = Story()
    story.fails()
    story.edit("use std::io::Write;\nuse std::fs::File;", "use std::fs::File;", "src/logs.rs")
    story.fails("error: no method `flush`")
    story.edit("mod tests {\n    use super::*;", "mod tests {\n    use super::*;\n    use std::io::Write;", "src/logs.rs")
    story.passes()
    assert verdicts(story) == ["partial", "held"]


def test_R4_output_for_looking_is_no_branch() -> None:
    story = Story()
    story.fails()
    story.edit("    total = a + b", "    total = a + b\n    print('total', total)")
    story.fails("AssertionError: assert 3 == 9")
    story.edit("    total = a + b\n    print('total', total)", "    total = a + b")
    story.edit("    return total - 1", "    return total")
    story.passes()
    assert "falsified" not in verdicts(story)


def test_R4_breaking_it_on_purpose_is_no_branch() -> None:
    story = Story()
    story.passes()
    story.edit("    return a + b", "    return a - b")
    story.fails()
    story.edit("    return a - b", "    return a + b")
    story.passes()
    assert "falsified" not in verdicts(story)


def test_R4_a_flaky_run_falsifies_nothing() -> None:
    story = Story()
    story.edit("    return a", "    return stream(a)")
    story.fails("TimeoutError: slow")
    story.passes()
    story.edit("    return stream(a)", "    return a + 0 + b")
    story.passes()
    assert "falsified" not in verdicts(story)


@pytest.mark.parametrize(
    ("output", "exit_"),
    [
        ("bash: pytest: command not found", 127),
        ("curl: (6) Could not resolve host: example.invalid", 6),
        ("", 137),
    ],
    ids=["missing binary", "network", "killed"],
)
def test_R4_the_environment_falsifies_nothing(output: str, exit_: int) -> None:
    story = Story()
    story.edit("    return a", "    return stream(a)")
    story.log.ran(GATE, output, exit_)
    story.edit("    return stream(a)", "    return a + b")
    story.passes()
    assert "falsified" not in verdicts(story)


def test_R4_given_up_without_a_run_is_abandoned() -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return stream(a)")
    story.log.ran("git checkout -- src/a.py", "", 0)
    assert verdicts(story) == ["abandoned"]


def test_R4_what_the_session_does_not_show_is_not_falsified() -> None:
    story = Story()
    story.fails()
    story.log.ran("sed -i 's/total - 1/total - 2/' src/a.py", "", 0)
    story.fails("AssertionError: assert 2 == 4")
    story.edit("    return other", "    return total")
    story.passes()
    assert "falsified" not in verdicts(story)


def test_R4_a_dead_file_beside_a_living_one_is_an_attempt_of_its_own() -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return keep_this(a)", "src/a.py")
    story.edit("    render(b)", "    render_raw(b)", "src/view.py")
    story.fails("TypeError: cannot splice")
    story.edit("    render_raw(b)", "    render_escaped(b)", "src/view.py")
    story.passes()
    found = [(attempt.verdict.value, attempt.files) for attempt in judged(story).attempts]
    assert found == [("partial", ("src/a.py",)), ("falsified", ("src/view.py",)), ("held", ("src/view.py",))]


def test_R4_a_try_refuted_by_a_test_written_later() -> None:
    story = Story()
    story.fails()
    story.edit("    return total - 1", "    seen_blank_line = True\n    return seen_blank_line")
    story.passes()
    story.edit("", "def test_more():\n    assert add(2, 2) == 4", "tests/test_a.py")
    refuting = story.fails("AssertionError: extra blank line", "tests/test_a.py::test_more")
    story.edit("    seen_blank_line = True\n    return seen_blank_line", "    return whole_block_above(line)")
    story.passes()
    first = judged(story).attempts[0]
    assert (first.verdict.value, first.to_ref) == ("falsified", refuting)


def test_R4_what_was_green_before_a_refactoring_replaced_it_is_no_dead_end() -> None:
    story = Story()
    story.fails()
    story.edit("    text = strip(body)", "    text = sanitize(body)")
    story.fails("AssertionError: another fault")
    story.edit("    other = 1", "    other = 2", "src/b.py")
    story.passes()
    story.edit("    text = sanitize(body)", "    return read_error(body)")
    story.passes()
    assert verdicts(story) == ["partial", "held", "held"]


def test_the_hypothesis_is_the_assistants_sentence_and_never_a_tools_output() -> None:
    story = Story()
    story.fails()
    story.edit("    return a", "    return b")
    story.fails()
    said = story.said("Let me look. The cache is stale because the key leaves out the locale. I'll fix it.")
    story.edit("    key = a", "    key = a, locale")
    story.passes()
    first, second = judged(story).attempts
    assert first.hypothesis is None
    assert second.hypothesis == "The cache is stale because the key leaves out the locale."
    assert second.hypothesis_ref == said


def test_the_gate_is_the_command_that_failed_before_and_passed_after() -> None:
    found = judged(three_tries())
    assert found.gate is not None
    assert (found.gate.command, found.ending) == (GATE, "resolved")


def test_a_session_that_ends_red_is_unresolved() -> None:
    story = three_tries()
    story.edit("    return total", "    return total + 9")
    story.fails()
    assert judged(story).ending == "unresolved"


def test_equal_transcripts_are_judged_equally() -> None:
    assert judged(three_tries()) == judged(three_tries())


def test_a_masked_red_is_read_from_its_text() -> None:
    story = Story()
    story.edit("    return a", "    return b")
    story.log.ran(f"{GATE} | tail -3", red(), 0)
    story.edit("    return b", "    return a + b")
    story.log.ran(f"{GATE} | tail -3", GREEN, 0)
    assert verdicts(story) == ["falsified", "held"]


def test_what_was_said_before_a_dead_end_is_no_candidate_for_the_cause() -> None:
    found = judged(three_tries())
    assert [c.text for c in found.candidates if "rounds its arguments" in c.text or "operands are swapped" in c.text] == []
    assert any("subtracts one from every total" in c.text for c in found.candidates)
