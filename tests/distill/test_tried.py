"""What a dead end changed is kept with it: all of it or nothing, redacted, and what stood besides."""

from tests.distill.story import Story, three_tries

from ruledout.distill.judge import judge
from ruledout.distill.ledger import settle
from ruledout.distill.tried import LIMIT
from ruledout.model.attempt import BranchEdit, FalsifiedBranch


def branches(story: Story) -> tuple[FalsifiedBranch, ...]:
    transcript = story.log.transcript()
    return settle(transcript, judge(transcript), None).branches


def test_R10_every_branch_has_its_own_edits_and_what_stood_before_them() -> None:
    one, two = branches(three_tries())
    first = BranchEdit(path="src/a.py", removed=("    return a + b - 1",), added=("    return round(a) + round(b) - 1",))
    second = BranchEdit(path="src/a.py", removed=("    return round(a) + round(b) - 1",), added=("    return b - a - 1",))
    assert (one.edits, one.before) == ((first,), ())
    assert (two.edits, two.before) == ((second,), (first,))


def tried(*acts: tuple[str, str, str]) -> tuple[FalsifiedBranch, ...]:
    """A dead end made of these edits (path, removed, added), then the fix."""
    story = Story()
    story.fails()
    story.said("Rounding loses the last digit.")
    for path, removed, added in acts:
        story.edit(removed, added, path)
    story.fails("AssertionError: assert 3 == 5")
    for path, removed, added in reversed(acts):
        story.edit(added, removed, path)
    story.edit("    return a", "    return a + b")
    story.passes()
    return branches(story)


def test_a_dead_end_of_two_files_keeps_both_and_no_tests() -> None:
    (found,) = tried(("src/a.py", "x = 1", "x = 2"), ("src/b.py", "y = 1", "y = 2"))
    assert [edit.path for edit in found.edits] == ["src/a.py", "src/b.py"]


def test_R13_a_secret_in_a_dead_end_is_not_kept() -> None:
    secret = "ghp_" + "a1B2" * 9
    (found,) = tried(("src/a.py", "token = None", f"token = '{secret}'"))
    assert secret not in str(found)
    assert "<secret:" in found.edits[0].added[0]


def test_a_dead_end_that_is_too_long_is_not_kept_in_part() -> None:
    (found,) = tried(("src/a.py", "x = 1", "\n".join(f"line_{n} = {n}" for n in range(LIMIT // 10))))
    assert (found.edits, found.before) == ((), ())
