"""Kept fixes re-checked and dead ends replayed, on real small repositories with real gates; the record is never rewritten."""

import os
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
from tests.prove.corpus.repo import UNITTEST, Repo

from ruledout import fingerprint
from ruledout.errors import BadInput, Refused
from ruledout.flows import trust
from ruledout.flows.check_action import check
from ruledout.flows.list_records import listed, standings_of
from ruledout.flows.recheck import Asked, RecordStands, Report, Watch, exit_of, recheck
from ruledout.flows.replay_branch import BranchReplayed, replay_branch
from ruledout.flows.stored_gate import branch_gate, gate_of
from ruledout.model import wire
from ruledout.model.attempt import BranchEdit, Conditions, FalsifiedBranch
from ruledout.model.gate import Proof, ProofVerdict
from ruledout.model.outcome import ErrorSignature
from ruledout.model.record import Record, Replayed, Standing
from ruledout.ports import NewStanding, ProofRequest
from ruledout.prove.rerunner import Rerunner
from ruledout.recall.question import AskedEdit, Question
from ruledout.rerun import Presence, ReplayRequest
from ruledout.store.grants import Folder
from ruledout.testing import samples
from ruledout.testing.clock import StillClock
from ruledout.testing.memory import MemoryStore

BUG = "def total(items):\n    return sum(items) - 1\n"
FIX = "def total(items):\n    return sum(items)\n"
OTHER = "\n\ndef count(items):\n    return len(items)\n"
TEST = """\
import unittest
from cart import total

class Cart(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
"""
GATE = (*UNITTEST, "test_cart")
DEAD_END = BranchEdit(path="cart.py", removed=("    return sum(items) - 1",), added=("    return sum(items) - 2",))
RIGHT = msgspec.structs.replace(DEAD_END, added=("    return sum(items)",))
RUNS = Rerunner(dict(os.environ))


class Place:
    """A repository with a proved fix, and a store that keeps it."""

    proof: ClassVar[Proof | None] = None
    """one for all: dates and bytes are the same in every such repository"""

    def __init__(self, folder: Path) -> None:
        self.repo = Repo(folder / "repo")
        self.base = self.repo.commit({"cart.py": BUG, "README": "a cart\n"})
        self.repo.write({"cart.py": FIX, "test_cart.py": TEST})
        self.store = MemoryStore(StillClock())
        self.grants = Folder(str(folder / "state" / "trust"), StillClock())
        Place.proof = Place.proof or RUNS.prove(ProofRequest(root=str(self.repo.root), argv=GATE, runs=1, deadline_s=30.0))
        assert Place.proof.verdict is ProofVerdict.PROVED, Place.proof.reasons

    def keep(self, *edits: BranchEdit, commit: str | None = None, failure: ErrorSignature | None = None, before: tuple[BranchEdit, ...] = ()) -> Record:
        made = fingerprint.edit("cart.py", ["x"], ["y"])
        branch = samples.branch(conditions=Conditions(commit=commit or self.base, gate=None), failure=failure, files=["cart.py"], fingerprints=[made])
        branches: list[FalsifiedBranch] = [msgspec.structs.replace(branch, edits=edits, before=before)]
        assert self.proof is not None
        assert self.proof.patch is not None
        outcome = msgspec.structs.replace(
            samples.residual(branches=branches), verified_patch_receipt=self.proof.patch, regression_gate_signature=self.proof.gate, receipts=self.proof.receipt
        )
        record = wire.record(outcome)
        self.store.keep(record, None)
        return record

    def allow(self, record: Record) -> None:
        trust.allow(RUNS, self.grants, gate_of(record, str(self.repo.root), 1))

    def recheck(self, *ids: str, since: str | None = None, budget: float | None = None, runs: int = 1) -> Report:
        asked = Asked(root=str(self.repo.root), ids=ids, changed_since=since, budget_s=budget, runs=runs)
        return recheck(self.store, RUNS, self.grants, asked, Watch(lambda: 0.0))

    def one(self, **options: object) -> RecordStands:
        (found,) = self.recheck(**options).records  # type: ignore[arg-type]  # a request's fields
        return found

    def replay(self, record: Record, on: str | None = None) -> BranchReplayed:
        gate = branch_gate(record, "b1", str(self.repo.root), 1, on)
        trust.allow(RUNS, self.grants, gate)
        return replay_branch(self.store, RUNS, self.grants, gate)

    def failure_of(self, *edits: BranchEdit) -> ErrorSignature:
        """How this dead end really fails here."""
        gate = ProofRequest(root=str(self.repo.root), argv=GATE, base=self.base, runs=1, deadline_s=30.0)
        found = RUNS.replay(ReplayRequest(gate=gate, edits=edits, before=(), expected=samples.signature()))
        assert found.runs[0].signature is not None
        return found.runs[0].signature


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# --- re-check ---


def test_R12_a_fix_is_not_rechecked_without_leave_and_the_argv_is_shown(place: Place) -> None:
    record = place.keep()
    report = place.recheck()
    (found,) = report.records
    assert (found.finding, found.by, found.presence, exit_of(report)) == (Standing.UNCHECKED, "needs-trust", Presence.PRESENT, 1)
    assert trust.argv_text(GATE) in found.why
    assert found.mend == f"allow it: `ruledout trust {record.digest[10:22]}`"
    assert place.store.standings() == ()


def test_a_fix_that_holds_is_run_once_and_then_known(place: Place) -> None:
    record = place.keep()
    place.allow(record)
    assert [(one.finding, one.by, one.presence) for one in (place.one(), place.one())] == [
        (Standing.HOLDS, "run", Presence.PRESENT),
        (Standing.HOLDS, "cached", Presence.PRESENT),
    ]
    assert [stood.finding for stood in place.store.standings()] == ["holds"]
    place.repo.write({"README": "another cart\n"})
    assert place.one().by == "run", "another tree is another question"


def test_a_bug_that_is_back_is_broken_and_the_standing_is_appended(place: Place) -> None:
    record = place.keep()
    place.allow(record)
    place.one()
    place.repo.write({"cart.py": BUG + OTHER})
    report = place.recheck()
    assert (report.records[0].finding, report.records[0].presence, exit_of(report)) == (Standing.BROKEN, Presence.CHANGED, 1)
    assert "test_cart.Cart.test_total fails again" in report.records[0].why
    assert [stood.finding for stood in place.store.standings()] == ["broken", "holds"]
    assert place.store.get(record.digest) == record
    assert [stood.finding for stood in listed(place.store).standings] == ["broken"]


PRESENCE = {
    "as it was": ({}, Presence.PRESENT),
    "another file changed": ({"README": "x\n"}, Presence.PRESENT),
    "taken out": ({"cart.py": BUG}, Presence.GONE),
    "built upon": ({"cart.py": FIX + OTHER}, Presence.CHANGED),
}


@pytest.mark.parametrize(("files", "presence"), PRESENCE.values(), ids=PRESENCE)
def test_whether_a_patch_is_there_is_seen_without_a_run(place: Place, files: dict[str, str], presence: Presence) -> None:
    place.keep()
    place.repo.write(files)
    assert place.one().presence is presence
    place.repo.commit({})
    assert place.one().presence is presence, "committed or not makes no difference"


STANDS = {
    "the test was taken out": ({"test_cart.py": TEST.replace("test_total", "test_sum")}, Standing.CANNOT_RUN),
    "the test is skipped": ({"test_cart.py": TEST.replace("    def test_total", "    @unittest.skip('x')\n    def test_total")}, Standing.CANNOT_RUN),
    "another test fails": ({"test_cart.py": TEST + "\n    def test_other(self):\n        self.fail('other')\n"}, Standing.HOLDS),
    "the module does not compile": ({"cart.py": "def total(:\n"}, Standing.BROKEN),
    "the module is gone, or was never installed": ({"cart.py": None}, Standing.CANNOT_RUN),
    "the test is flaky": (
        {"test_cart.py": TEST.replace("total([1, 2])", "total([1, 2]) - int(__import__('os').environ['PYTHONHASHSEED']) % 2")},
        Standing.FLAKY,
    ),
}


@pytest.mark.parametrize(("files", "finding"), STANDS.values(), ids=STANDS)
def test_what_a_gate_shows_today_is_told_apart(place: Place, files: dict[str, str | None], finding: Standing) -> None:
    record = place.keep()
    place.repo.write(files)
    place.allow(record)
    report = place.recheck(runs=2)
    assert report.records[0].finding is finding, report.records[0].why
    assert exit_of(report) == {Standing.HOLDS: 0, Standing.BROKEN: 1}.get(finding, 3)


def test_a_test_that_was_made_weaker_does_not_let_a_broken_fix_pass(place: Place) -> None:
    record = place.keep()
    place.repo.commit({}, "the fix")
    place.repo.write({"cart.py": BUG, "test_cart.py": TEST.replace("total([1, 2]), 3", "total([1, 2]), 2")})
    place.allow(record)
    found = place.one()
    assert (found.finding, "as they were proved" in found.why) == (Standing.BROKEN, True)
    place.repo.write({"cart.py": FIX, "test_cart.py": TEST + "\n    def test_more(self):\n        self.assertEqual(total([]), 0)\n"})
    place.allow(record)
    assert place.one().finding is Standing.HOLDS, "a test that says more is no weaker one"


def test_only_what_changed_is_asked_and_a_spent_budget_starts_nothing(place: Place) -> None:
    record = place.keep()
    place.allow(record)
    done = place.repo.commit({})
    place.repo.write({"README": "x\n"})
    assert (place.one(since=done).by, place.one(budget=0.0).by) == ("unchanged", "budget")
    place.repo.write({"cart.py": FIX + OTHER})
    assert place.one(since=done).by == "run"
    with pytest.raises(BadInput, match="no commit"):
        place.recheck(since="nowhere")


def test_a_record_of_another_repository_is_told_to_be_foreign(place: Place, tmp_path: Path) -> None:
    place.keep()
    other = Repo(tmp_path / "other")
    other.commit({"README": "x\n"})
    (found,) = recheck(place.store, RUNS, place.grants, Asked(root=str(other.root)), Watch(lambda: 0.0)).records
    assert (found.by, found.presence, f"foreign: {place.base[:12]}" in found.why) == ("needs-trust", Presence.UNKNOWN, True)


def test_a_record_that_cannot_be_run_stops_no_other(place: Place) -> None:
    assert place.proof is not None
    for name, changes in (("bad", {"env": ("LD_PRELOAD",)}), ("worse", {"cwd": "../.."}), ("good", {})):
        gate = msgspec.structs.replace(place.proof.gate, **changes)
        outcome = msgspec.structs.replace(samples.residual(f"The {name} one.", branches=[]), regression_gate_signature=gate)
        record = wire.record(outcome)
        place.store.keep(record, None)
        place.allow(record)
    assert [(one.title, one.finding, one.by) for one in place.recheck().records] == [
        ("The bad one.", Standing.CANNOT_RUN, "forbidden-variable"),
        ("The worse one.", Standing.CANNOT_RUN, "bad-cwd"),
        ("The good one.", Standing.HOLDS, "run"),
    ]


def test_a_handoff_has_no_gate_and_is_counted(place: Place) -> None:
    handoff = wire.record(samples.handoff())
    place.store.keep(handoff, None)
    assert (place.recheck().records, place.recheck().without_gate) == ((), 1)
    with pytest.raises(BadInput, match="handoff"):
        gate_of(handoff, str(place.repo.root), 1)


# --- replay ---


def test_R12_a_dead_end_is_not_replayed_without_leave(place: Place) -> None:
    record = place.keep(DEAD_END)
    place.allow(record)
    with pytest.raises(Refused) as caught:
        replay_branch(place.store, RUNS, place.grants, branch_gate(record, "b1", str(place.repo.root), 1, None))
    assert caught.value.slug == "needs-trust"


def test_R12_what_is_run_is_made_of_the_bytes_that_leave_was_given_for(place: Place) -> None:
    record = place.keep(DEAD_END)
    gate = branch_gate(record, "b1", str(place.repo.root), 1, None)
    allowed = trust.allow(RUNS, place.grants, gate).grant.facts.files
    assert [name for name, _ in allowed if not name.startswith("/")] == ["test_cart.py"]
    place.repo.write({"test_cart.py": "import os\n" + TEST})  # between the question and the run
    request = ReplayRequest(gate=gate.request, edits=(DEAD_END,), before=(), expected=samples.signature(), reached=allowed)
    with pytest.raises(Refused, match=r"test_cart\.py was changed"):
        RUNS.replay(request)


def test_R10_a_dead_end_that_still_fails_so_stays_ruled_out(place: Place) -> None:
    record = place.keep(DEAD_END, failure=place.failure_of(DEAD_END))
    before = place.repo.state()
    found = place.replay(record)
    assert (found.replay.finding, found.standing and found.standing.finding) == (Replayed.STILL_FAILS_SO, "still_fails_so")
    assert place.repo.state() == before
    assert verdict(place) == "ruled_out"


def test_R10_a_dead_end_that_fails_otherwise_is_told_so_and_stays_ruled_out(place: Place) -> None:
    record = place.keep(DEAD_END, failure=samples.signature("KeyError"))
    assert place.replay(record).replay.finding is Replayed.FAILS_OTHERWISE
    assert verdict(place) == "ruled_out"


def test_R10_a_dead_end_that_passes_is_overturned_by_an_appended_standing(place: Place) -> None:
    record = place.keep(RIGHT, failure=samples.signature())
    assert verdict(place) == "ruled_out"
    found = place.replay(record)
    assert found.replay.finding is Replayed.PASSES, found.replay.why
    assert [run.outcome.value for run in (*found.replay.control, *found.replay.runs)] == ["fail", "pass"]
    assert verdict(place) == "reopened"
    assert (place.store.get(record.digest), wire.encode(record.outcome)) == (record, record.body)
    assert [(stood.branch, stood.finding) for stood in standings_of(place.store, record.digest)] == [("b1", "passes")]


def test_R10_a_later_replay_that_fails_rules_out_again_and_a_flaky_one_changes_nothing(place: Place) -> None:
    record = place.keep(RIGHT, failure=samples.signature())
    place.replay(record)
    for finding, expected in ((Replayed.FLAKY, "reopened"), (Replayed.CANNOT_RUN, "reopened"), (Replayed.STILL_FAILS_SO, "ruled_out")):
        place.store.stand(NewStanding(digest=record.digest, branch="b1", finding=finding.value, evidence=""))
        assert verdict(place) == expected


def test_a_pass_that_needs_no_edit_says_nothing_about_it(place: Place) -> None:
    added = BranchEdit(path="cart.py", removed=("def total(items):",), added=("def total(items):  # adds up",))
    found = place.replay(place.keep(added), on="today")
    assert found.replay.finding is Replayed.PASSES_ANYWAY
    assert verdict(place) == "ruled_out"


def test_a_dead_end_that_was_built_on_another_is_replayed_on_top_of_it(place: Place) -> None:
    second = BranchEdit(path="cart.py", removed=("    return sum(items) - 2",), added=("    return sum(items)",))
    assert place.replay(place.keep(second, before=(DEAD_END,))).replay.finding is Replayed.PASSES


def test_what_does_not_fit_todays_tree_does_not_apply_and_leaves_no_standing(place: Place) -> None:
    found = place.replay(place.keep(DEAD_END), on="today")
    assert (found.replay.finding, found.standing, found.replay.why) == (Replayed.DOES_NOT_APPLY, None, "cart.py: its lines do not stand there")


def test_a_dead_end_of_another_repository_does_not_apply(place: Place) -> None:
    assert place.replay(place.keep(DEAD_END, commit="d" * 40)).replay.finding is Replayed.DOES_NOT_APPLY


def test_a_dead_end_whose_edits_are_not_known_does_not_apply(place: Place) -> None:
    assert "does not tell all" in place.replay(place.keep()).replay.why


def verdict(place: Place) -> str:
    """What `check` says of the dead end that every record here holds."""
    return check(place.store, Question(edit=AskedEdit(path="cart.py", removed=("x",), added=("y",)))).verdict.value
