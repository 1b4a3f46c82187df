"""R4, the worst error: a change that lives on, or was part of what won, must never come out falsified, nor be a key of a dead end, nor be ruled out by a look-up.

Each case tells a session in which something of the right fix seems to go, or seems to fail, and does not.
"""

from collections.abc import Callable

import pytest
from msgspec import structs
from tests.distill.story import GATE, Story, red

from ruledout import DebugSessionDistiller
from ruledout.distill.conclude import case_of, conclude
from ruledout.distill.face import provenance
from ruledout.distill.judge import judge
from ruledout.flows.check_action import check
from ruledout.model import wire
from ruledout.model.attempt import Verdict
from ruledout.model.residual import UnresolvedHandoff
from ruledout.recall.match import Verdict as Answered
from ruledout.recall.question import AskedEdit, Question
from ruledout.testing.clock import StillClock
from ruledout.testing.memory import MemoryStore

BAD, GOOD = "    return total - tax", "    return total - round(tax, 2)"
OTHER = "    other = compute(rates)"
BOOM = "AssertionError: assert 3 == 5"


def _falsified(story: Story) -> list[str]:
    """What is falsified, as added lines."""
    return [attempt.strategy for attempt in judge(story.log.transcript()).attempts if attempt.verdict is Verdict.FALSIFIED]


def _tried(story: Story, path: str = "src/a.py") -> None:
    """The right change, judged red because something else is still missing."""
    story.fails()
    story.edit(BAD, GOOD, path)
    story.fails(BOOM)


def _finish(story: Story) -> None:
    story.edit("    pass", OTHER, "src/b.py")
    story.passes()


def by_an_inverse_edit_and_made_again(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.edit(BAD, GOOD)


def made_again_as_a_part_of_a_line(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.edit("tax", "round(tax, 2)")


def a_part_of_a_line_made_again_as_the_whole(story: Story) -> None:
    story.fails()
    story.edit("- tax", "- round(tax, 2)")
    story.fails(BOOM)
    story.edit("- round(tax, 2)", "- tax")
    story.fails()
    story.edit(BAD, GOOD)


def made_again_under_an_absolute_name(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.edit(BAD, GOOD, "/repo/src/a.py")


def made_again_by_sed(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.log.ran("sed -i 's/- tax/- round(tax, 2)/' src/a.py", "", 0)


def made_again_by_a_heredoc_script(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.log.ran("python - <<'EOF'\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('- tax', '- round(tax, 2)'))\nEOF", "", 0)


def made_again_by_a_script_of_its_own(story: Story) -> None:
    _tried(story)
    story.log.wrote("apply_it.py", "import re\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(re.sub('- tax', '- round(tax, 2)', s))\n")
    story.edit(GOOD, BAD)
    story.fails()
    story.log.ran("python apply_it.py", "", 0)


def made_again_by_a_patch_file(story: Story) -> None:
    _tried(story)
    story.log.ran("git diff > /tmp/fix.patch && git checkout -- src/a.py", "", 0)
    story.fails()
    story.log.ran("git apply /tmp/fix.patch", "", 0)


def put_away_as_a_patch_when_the_session_broke_off(story: Story) -> None:
    _tried(story)
    story.log.ran("git diff > /tmp/fix.patch; git checkout -- src/a.py", "", 0)
    story.fails()


def in_the_stash_when_the_session_broke_off(story: Story) -> None:
    _tried(story)
    story.log.ran("git stash", "Saved working directory", 0)
    story.fails()


def taken_out_of_the_stash_by_its_name(story: Story) -> None:
    _tried(story)
    story.log.ran("git stash", "Saved working directory", 0)
    story.fails()
    story.log.ran("git checkout stash@{0} -- src/a.py", "", 0)


def while_another_file_was_stashed(story: Story) -> None:
    _tried(story)
    story.log.ran("git stash push src/b.py", "Saved working directory", 0)
    story.fails()


def under_another_name(story: Story) -> None:
    _tried(story)
    story.log.ran("git mv src/a.py src/sums.py", "", 0)


def copied_then_removed(story: Story) -> None:
    _tried(story)
    story.log.ran("cp src/a.py src/sums.py", "", 0)
    story.log.ran("rm src/a.py", "", 0)


def put_back_from_a_copy(story: Story) -> None:
    _tried(story)
    story.log.ran("cp src/a.py src/a.py.good", "", 0)
    story.edit(GOOD, BAD)
    story.fails()
    story.log.ran("cp src/a.py.good src/a.py && git diff --stat", " src/a.py | 2 +-", 0)


def committed_undone_and_checked_out_again(story: Story) -> None:
    _tried(story)
    story.log.ran("git -c user.name=x commit -qam wip", "", 0)
    story.edit(GOOD, BAD)
    story.fails()
    story.log.ran("git checkout -- src/a.py", "", 0)


def undone_in_a_commit_that_was_reverted(story: Story) -> None:
    _tried(story)
    story.log.ran("git commit -qam try", "", 0)
    story.edit(GOOD, BAD)
    story.log.ran("git commit -qam undo", "", 0)
    story.fails()
    story.log.ran("git revert --no-edit HEAD", "", 0)


def picked_from_another_branch(story: Story) -> None:
    _tried(story)
    story.log.ran("git commit -qam try", "", 0)
    story.edit(GOOD, BAD)
    story.log.ran("git commit -qam undo", "", 0)
    story.fails()
    story.log.ran("git cherry-pick HEAD~1", "", 0)


def committed_in_the_call_that_went_back(story: Story) -> None:
    _tried(story)
    story.log.ran("git commit -qam try && git checkout -- src/b.py src/a.py", "", 0)


def committed_and_reset_softly(story: Story) -> None:
    _tried(story)
    story.log.ran("git commit -qam try", "", 0)
    story.log.ran("git reset --soft HEAD~1", "", 0)


def while_another_checkout_was_reset(story: Story) -> None:
    _tried(story)
    story.log.ran("cd /other/project && git reset --hard && git checkout .", "", 0)
    story.fails(BOOM)


def while_only_some_pieces_were_taken_back(story: Story) -> None:
    _tried(story)
    story.log.ran("git checkout -p -- src/a.py", "", 0)


def while_the_same_line_was_taken_out_elsewhere_in_the_file(story: Story) -> None:
    story.fails()
    story.edit("def close(self):\n    pass", "def close(self):\n    self.cache.clear()\n    pass")
    story.fails(BOOM)
    story.edit("def reset(self):\n    self.cache.clear()\n    self.rows = []", "def reset(self):\n    self.rows = []")


def while_the_same_line_was_taken_out_of_a_file_of_the_same_name(story: Story) -> None:
    _tried(story, "packages/one/index.ts")
    story.edit(GOOD, BAD, "index.ts")


def a_removal_that_stands_while_the_file_was_written_whole(story: Story) -> None:
    story.fails()
    story.edit("def close(self):\n    self.cache.clear()\n    self.rows = []", "def close(self):\n    self.rows = []")
    story.fails(BOOM)
    story.log.wrote("src/a.py", "def reset(self):\n    self.cache.clear()\n\ndef close(self):\n    self.rows = []\n")


def a_removal_undone_and_made_again(story: Story) -> None:
    story.fails()
    story.edit("def close(self):\n    self.cache.clear()\n    self.rows = []", "def close(self):\n    self.rows = []")
    story.fails(BOOM)
    story.edit("def close(self):\n    self.rows = []", "def close(self):\n    self.cache.clear()\n    self.rows = []")
    story.fails()
    story.edit("def close(self):\n    self.cache.clear()\n    self.rows = []", "def close(self):\n    self.rows = []")


def rewritten_whole_after_a_formatter(story: Story) -> None:
    _tried(story)
    story.log.ran("prettier --write src/a.py", "src/a.py 20ms", 0)
    story.log.wrote("src/a.py", "def f(total, tax):\n    return (total\n        - round(tax, ndigits=2))\n")


def with_line_ends_of_windows(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.edit(BAD + "\r", GOOD + "\r")


def in_a_file_written_whole(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, BAD)
    story.fails()
    story.log.wrote("src/a.py", f"def f(total, tax):\n{GOOD}\n")


def moved_into_another_file(story: Story) -> None:
    _tried(story)
    story.edit(GOOD, "    return net(total, tax)")
    story.edit("", f"def net(total, tax):\n{GOOD}", "src/net.py")


def red_before_and_red_for_good_in_another_test(story: Story) -> None:
    old = ("AssertionError: assert 9 == 1", "tests/test_a.py::test_old")
    story.log.ran("pytest -q", red(old[1], old[0]), 1)
    story.fails()
    story.edit(BAD, GOOD)
    story.log.ran("pytest -q", red(old[1], old[0]), 1)
    story.edit(GOOD, "    return net(total, tax)")
    story.log.ran("pytest -q", red(old[1], old[0]), 1)


def judged_by_another_project(story: Story) -> None:
    story.fails()
    story.edit(BAD, GOOD, "/repo/src/a.py")
    story.log.ran("cd /elsewhere/site && python -m pytest -q", red("tests/test_site.py::test_page", "AssertionError: no title"), 1)
    story.edit(GOOD, "    return net(total, tax)", "/repo/src/a.py")


def green_and_then_red_in_a_linter(story: Story) -> None:
    story.fails()
    story.edit(BAD, GOOD)
    story.passes()
    story.log.ran("ruff check src", "src/b.py:9:1: F401 [*] `os` imported but unused\nFound 1 error.\n", 1)
    story.edit(GOOD, "    return net(total, tax)")


def taken_out_before_the_run_that_failed(story: Story) -> None:
    story.fails()
    story.edit(BAD, GOOD)
    story.log.ran("git checkout -- src/a.py", "", 0)
    story.fails()
    story.edit(BAD, "    return net(total, tax)")


def taken_out_on_the_users_wish(story: Story) -> None:
    _tried(story)
    story.log.asked("Please revert that, I want it done in the caller.")
    story.edit(GOOD, BAD)


def seen_to_fail_on_purpose_and_put_back_by_git(story: Story) -> None:
    story.passes()
    story.edit(GOOD, BAD)
    story.fails()
    story.log.ran("git checkout -- src/a.py", "", 0)


def a_test_inside_the_file_that_ships(story: Story) -> None:
    story.edit("", "    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }", "src/lib.rs")
    story.fails()
    story.edit("        assert_eq!(add(1, 2), 3);", "        assert_eq!(add(1, 2), 4);", "src/lib.rs")
    story.edit("    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 4);\n    }", "", "src/lib.rs")


def output_for_looking_over_several_lines(story: Story) -> None:
    story.fails()
    story.edit("    total = a + b", "    total = a + b\n    console.log(\n        'total',\n        total,\n    )")
    story.fails(BOOM)
    story.edit("    total = a + b\n    console.log(\n        'total',\n        total,\n    )", "    total = a + b")


def a_scratch_script_with_an_ordinary_name(story: Story) -> None:
    story.log.wrote("rates.py", "from src.a import f\nassert f(3, 1) == 2\n")
    story.log.ran("uv run python rates.py", 'Traceback (most recent call last):\n  File "rates.py", line 2, in <module>\nAssertionError\n', 1)
    story.log.wrote("rates.py", "print('done with it')\n")


def green_in_another_command_before_a_wider_run_that_was_never_cured(story: Story) -> None:
    story.fails()
    story.edit(BAD, GOOD)
    story.passes()
    story.log.ran("pytest -q", red("tests/test_z.py::test_net", "AssertionError: assert 7 == 8"), 1)
    story.edit(GOOD, "    return net(total, tax)")


STORIES: tuple[Callable[[Story], None], ...] = (
    by_an_inverse_edit_and_made_again,
    made_again_as_a_part_of_a_line,
    a_part_of_a_line_made_again_as_the_whole,
    made_again_under_an_absolute_name,
    made_again_by_sed,
    made_again_by_a_heredoc_script,
    made_again_by_a_script_of_its_own,
    made_again_by_a_patch_file,
    put_away_as_a_patch_when_the_session_broke_off,
    in_the_stash_when_the_session_broke_off,
    taken_out_of_the_stash_by_its_name,
    while_another_file_was_stashed,
    under_another_name,
    copied_then_removed,
    put_back_from_a_copy,
    committed_undone_and_checked_out_again,
    undone_in_a_commit_that_was_reverted,
    picked_from_another_branch,
    committed_in_the_call_that_went_back,
    committed_and_reset_softly,
    while_another_checkout_was_reset,
    while_only_some_pieces_were_taken_back,
    while_the_same_line_was_taken_out_elsewhere_in_the_file,
    while_the_same_line_was_taken_out_of_a_file_of_the_same_name,
    a_removal_that_stands_while_the_file_was_written_whole,
    a_removal_undone_and_made_again,
    rewritten_whole_after_a_formatter,
    with_line_ends_of_windows,
    in_a_file_written_whole,
    moved_into_another_file,
    red_before_and_red_for_good_in_another_test,
    judged_by_another_project,
    green_and_then_red_in_a_linter,
    taken_out_before_the_run_that_failed,
    taken_out_on_the_users_wish,
    seen_to_fail_on_purpose_and_put_back_by_git,
    a_test_inside_the_file_that_ships,
    output_for_looking_over_several_lines,
    a_scratch_script_with_an_ordinary_name,
    green_in_another_command_before_a_wider_run_that_was_never_cured,
)
BROKEN_OFF = {put_away_as_a_patch_when_the_session_broke_off, in_the_stash_when_the_session_broke_off}


@pytest.mark.parametrize("tell", STORIES, ids=lambda tell: tell.__name__)
def test_R4_the_right_change_is_not_falsified(tell: Callable[[Story], None]) -> None:
    story = Story()
    tell(story)
    if tell not in BROKEN_OFF:
        _finish(story)
    assert _falsified(story) == []


def _ask(*stories: Story) -> Answered:
    """What a look-up over these sessions' records says of the right change."""
    store = MemoryStore(StillClock())
    for story in stories:
        store.keep(wire.record(DebugSessionDistiller(story.log.transcript()).distill()), None)
    return check(store, Question(edit=AskedEdit(path="src/a.py", removed=(BAD,), added=(GOOD,)))).verdict


def _dead_end() -> Story:
    story = Story()
    _tried(story)
    story.edit(GOOD, "    return whole(total)")
    story.passes()
    return story


def test_R4_a_true_dead_end_is_ruled_out() -> None:
    assert _falsified(_dead_end()) == ["replace src/a.py (+1 -1)"]
    assert _ask(_dead_end()) is Answered.RULED_OUT


@pytest.mark.parametrize("first", [True, False], ids=["kept before", "kept after"])
@pytest.mark.parametrize("resolved", [True, False], ids=["a green end", "a red end"])
def test_R4_what_lives_on_in_one_session_is_ruled_out_by_no_other(*, first: bool, resolved: bool) -> None:
    story = Story()
    _tried(story)
    story.edit("    pass", OTHER, "src/b.py")
    (story.passes if resolved else story.fails)()
    stories = (story, _dead_end()) if first else (_dead_end(), story)
    assert _ask(*stories) is not Answered.RULED_OUT


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git checkout -- src/a.py", ""),
        ("git restore src/a.py && cat src/a.py", "def f(total, tax):"),
        ("git reset --hard", "HEAD is now at 1234567"),
        ("git stash -u", "Saved working directory"),
        ("git stash && git stash drop", "Dropped refs/stash@{0}"),
        ("cd src && git checkout -- a.py", ""),
        ("cat src/a.py; git checkout .", "def f(total, tax):"),
        ("git checkout HEAD -- src/a.py", "Updated 1 path from the index"),
    ],
)
def test_R4_a_dead_end_that_git_took_back_for_sure_stays_one(command: str, output: str) -> None:
    story = Story()
    _tried(story)
    story.log.ran(command, output, 0)
    story.edit(BAD, "    return whole(total)")
    story.passes()
    assert _falsified(story) == ["replace src/a.py (+1 -1)"]


@pytest.mark.parametrize(
    "between",
    [
        lambda story: story.log.ran("ruff format .", "1 file reformatted", 0),
        lambda story: story.log.ran("git status && git log --oneline", "", 0),
        lambda story: story.log.ran("cat src/a.py", "def f(total, tax):", 0),
        lambda story: story.log.ran("git diff", "", 0),
        lambda story: story.log.ran("git diff 2>/dev/null | head", "", 0),
        lambda story: story.log.wrote("tests/test_more.py", "def test_more():\n    assert f(3, 1) == 2\n"),
        lambda story: story.log.ran("sed -i 's/x/y/' src/z.py", "", 0),
        lambda story: story.log.asked("It still fails for me."),
    ],
)
def test_R4_a_dead_end_stays_one_whatever_harmless_is_done_beside_it(between: Callable[[Story], object]) -> None:
    story = Story()
    _tried(story)
    between(story)
    story.edit(GOOD, "    return whole(total)")
    between(story)
    story.passes()
    assert "replace src/a.py (+1 -1)" in _falsified(story)


def test_R4_a_failure_seen_before_rules_out_no_edit_that_is_asked_about_with_it() -> None:
    story = Story()
    story.fails()
    story.edit(BAD, GOOD)
    story.fails("TypeError: no stream")
    story.edit(GOOD, BAD)
    story.fails()
    story.edit(BAD, "    return whole(total)")
    story.passes()
    store = MemoryStore(StillClock())
    distiller = DebugSessionDistiller(story.log.transcript())
    store.keep(wire.record(distiller.distill()), None)
    signature = distiller.ledger.branches[0].terminal_error_signature.normalised
    edit = AskedEdit(path="src/a.py", removed=(BAD,), added=("    return quite_another(total)",))
    assert check(store, Question(command=GATE, signature=signature)).verdict is Answered.RULED_OUT
    assert check(store, Question(command=GATE, signature=signature, edit=edit)).verdict is Answered.NEAR


def test_R4_a_proved_patch_takes_its_keys_out_of_a_handoffs_dead_ends() -> None:
    distiller = DebugSessionDistiller(_dead_end().log.transcript())
    case = case_of(_dead_end().log.transcript(), distiller.judged, distiller.ledger, None)
    won = distiller.ledger.branches[0].fingerprints
    assert case.patch is not None
    case = structs.replace(case, patch=structs.replace(case.patch, fingerprints=won))
    found = conclude(case, provenance(_dead_end().log.transcript(), "r1:sha256:" + "0" * 64))
    assert isinstance(found, UnresolvedHandoff)
    assert ("R4", "winner_in_ledger") in {(reason.rule, reason.code) for reason in found.unmet_rules}
    assert [branch.fingerprints for branch in found.ruled_out] == [()]
