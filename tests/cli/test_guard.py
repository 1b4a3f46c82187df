"""`why` and `guard` by the real program on a repository whose guard was ablated: what is caught, what is let pass, and how it is said."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ruledout.demo import lay_out
from ruledout.flows.protect_guards import protect
from ruledout.prove.changes import GitChanges
from ruledout.store.sqlite import SqliteStore
from ruledout.testing.clock import StillClock

FILE = "shares/__init__.py"
GUARD = "    if total < 0:\n        return [-share for share in split(-total, weights)]\n"
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


class Place:
    """The demo's repository with its fix committed and its session distilled, with an ablation."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def ruledout(self, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, **GIT, "HOME": str(self.root.parent)}
        return subprocess.run([sys.executable, "-m", "ruledout", *words], cwd=self.root, input=stdin, capture_output=True, text=True, check=False, env=env)

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", *words],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **GIT},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def change(self, old: str, new: str, file: str = FILE) -> None:
        text = (self.root / file).read_text()
        assert old in text
        (self.root / file).write_text(text.replace(old, new))

    def asked(self, *words: str, code: int) -> Any:  # noqa: ANN401  # JSON
        done = self.ruledout("guard", *words, "--json")
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Place:
    ground = lay_out(tmp_path_factory.mktemp("guarded") / "shares", {**os.environ, **GIT})
    place = Place(ground.root)
    gate = ("python", "-m", "unittest", "-v", "tests.test_shares")
    done = place.ruledout("distill", "session.jsonl", "--proposal", "proposal.json", "--ablate", "--", *gate)
    assert done.returncode == 0, done.stdout + done.stderr
    place.git("commit", "-qam", "Share the cents that are left over")
    return place


@pytest.fixture
def place(original: Place, tmp_path: Path) -> Place:
    shutil.copytree(original.root, tmp_path / "shares", symlinks=True)
    return Place(tmp_path / "shares")


def test_why_shows_the_guard_the_dead_end_it_stands_against_and_the_failure_without_it(place: Place) -> None:
    done = place.ruledout("why", f"{FILE}:11", "--json")
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["file"], shown["line"], shown["lost"]) == (0, FILE, 11, [])
    (guard,) = shown["guards"]
    assert (guard["lines"], guard["state"], guard["symbol"], guard["proof"]) == ([10, 11], "here", "split", "ablated")
    assert [one["id"] for one in guard["neutralizes"]] == ["b2", "symptom"]
    assert guard["without_it"]["tests"] == ["tests.test_shares.Shares.test_a_refund_adds_up_too"]
    text = place.ruledout("why", f"{FILE}:10").stdout
    assert "against b2, a dead end" in text
    assert "without it: AssertionError: Decimal('-99.99') != Decimal('-100.00')" in text
    assert place.ruledout("why", f"{FILE}:1").stdout == f"no guard is kept for {FILE}:1\n"


def test_why_follows_a_guard_and_says_when_it_is_lost(place: Place) -> None:
    place.change('CENT = Decimal("0.01")\n', 'CENT = Decimal("0.01")\nNONE = CENT - CENT\n')
    (row,) = json.loads(place.ruledout("why", f"{FILE}:11", "--json").stdout)["guards"]
    assert row["lines"] == [11, 12]
    place.change(GUARD, "")
    shown = json.loads(place.ruledout("why", FILE, "--json").stdout)
    assert ([one["location"] for one in shown["lost"]], len(shown["guards"])) == ([f"{FILE}:10"], 1)
    assert "lost: kept as guards of this file, and no longer there" in place.ruledout("why", FILE).stdout


def test_a_change_that_takes_a_proved_guard_out_is_refused_with_the_failure_that_returns(place: Place) -> None:
    place.change(GUARD, "")
    (finding,) = place.asked(code=1)["findings"]
    assert (finding["verdict"], finding["was"], finding["now"]) == ("removed", f"{FILE}:10", None)
    assert place.asked("--staged", code=0)["verdict"] == "clear"
    place.git("add", "-A")
    done = place.ruledout("guard", "--staged", FILE)
    assert done.returncode == 1
    for said in (f"{FILE}:10: this change takes a proved guard out", "without it: AssertionError: Decimal('-99.99') != Decimal('-100.00')", "--allow "):
        assert said in done.stdout
    place.git("commit", "-qm", "Simplify")
    assert place.asked("--range", "HEAD~1..HEAD", code=1)["findings"][0]["verdict"] == "removed"
    assert place.asked("--range", "HEAD~2...HEAD~1", code=0)["verdict"] == "clear"
    assert place.asked(code=0)["files"] == 0
    assert place.ruledout("guard", "--range", "HEAD").returncode == 2
    assert place.ruledout("guard", "--range", "nowhere..HEAD").returncode == 2
    place.git("checkout", "-q", "--orphan", "other")
    place.git("commit", "-qm", "Begin anew")
    assert place.ruledout("guard", "--range", "main...HEAD").returncode == 3


@pytest.mark.parametrize(
    ("verdict", "old", "new"),
    [
        ("changed", "total < 0:", "total < -1:"),
        ("disabled", GUARD, "    # if total < 0:\n    #     return [-share for share in split(-total, weights)]\n"),
        ("disabled", GUARD, "    if 0:\n        if total < 0:\n            return [-share for share in split(-total, weights)]\n"),
    ],
)
def test_a_guard_that_is_changed_or_disabled_is_refused(place: Place, verdict: str, old: str, new: str) -> None:
    place.change(old, new)
    assert [row["verdict"] for row in place.asked(code=1)["findings"]] == [verdict]


def moved(place: Place) -> None:
    """The function goes to a module of its own."""
    (place.root / "shares/cents.py").write_text((place.root / FILE).read_text())
    (place.root / FILE).write_text('"""Shares."""\n\nfrom shares.cents import split\n')


def renamed(place: Place) -> None:
    place.git("mv", "shares", "parts")


def reformatted(place: Place) -> None:
    place.change(
        GUARD,
        "    if (\n        total\n        < 0\n    ):  # a refund\n        return [\n            -share\n            for share in split(-total, weights)\n        ]\n",
    )


@pytest.mark.parametrize("how", [moved, renamed, reformatted], ids=lambda how: how.__name__)
def test_a_guard_that_is_deleted_together_with_a_move_a_rename_or_new_layout_is_caught(place: Place, how: Callable[[Place], None]) -> None:
    how(place)
    place.git("add", "-A")
    assert place.asked("--staged", code=0)["verdict"] == "clear"
    place.git("commit", "-qm", "Lay it out anew")
    file = next(path for path in place.root.glob("*/*.py") if "def split" in path.read_text())
    text = file.read_text()
    start, end = text.index("    if"), text.index("    whole")
    file.write_text(text[:start] + text[end:])
    assert place.asked(code=1)["findings"][0]["verdict"] == "removed"
    assert place.asked("--range", "HEAD~1..HEAD", code=0)["verdict"] == "clear"


def test_a_diff_is_judged_before_it_is_made_and_after(place: Place) -> None:
    place.change(GUARD, "")
    diff = place.git("diff")
    (place.root.parent / "a.diff").write_text(diff)
    assert place.asked("--diff", "../a.diff", code=1)["findings"][0]["was"] == f"{FILE}:10"
    place.git("checkout", "-q", "--", ".")
    assert place.asked("--diff", "../a.diff", code=1)["findings"][0]["was"] == f"{FILE}:10"
    assert place.ruledout("guard", "--diff", "-", stdin=diff).returncode == 1
    assert place.ruledout("guard", "--diff", "-", stdin="no diff\n").returncode == 2
    assert place.ruledout("guard", "--diff", "-", stdin=diff.replace("if total", "if sum")).returncode == 2


@pytest.mark.parametrize("how", [("-am", "Simplify"), ("-m", "Simplify", FILE)], ids=["all", "one file"])
def test_a_hook_sees_what_is_about_to_be_committed_whatever_the_index_says(place: Place, how: tuple[str, ...]) -> None:
    hook = place.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m ruledout guard --staged\n")
    hook.chmod(0o755)
    place.change(GUARD, "")
    with pytest.raises(AssertionError):
        place.git("commit", "-q", *how)
    place.git("checkout", "-q", "--", ".")
    place.change("CENT = ", "# the least\nCENT = ")
    place.git("commit", "-q", *how)


def test_an_override_lets_one_guard_go_and_is_kept_with_its_reason(place: Place) -> None:
    place.change(GUARD, "")
    name = place.asked(code=1)["findings"][0]["guard"]["id"]
    assert place.ruledout("guard", "--allow", name).returncode == 2
    assert place.ruledout("guard", "--allow", "abcdef012345", "--because", "x").returncode == 2
    done = place.ruledout("guard", "--allow", name, "--because", "refunds go another way now")
    assert (done.returncode, "allowed: " in done.stdout, "refunds go another way now" in done.stdout) == (0, True, True)
    kept = [json.loads(line) for line in (place.root / ".git/ruledout/overrides.jsonl").read_text().splitlines()]
    assert [(one["guard"], one["because"]) for one in kept] == [(name, "refunds go another way now")]
    assert place.asked(code=0)["passed"][0]["verdict"] == "allowed"
    place.change("    shares = [", "    whole += 0\n    shares = [ *")
    assert [row["verdict"] for row in place.asked(code=1)["findings"]] == ["changed"]


def test_findings_as_sarif_and_as_junit(place: Place) -> None:
    place.change(GUARD, "")
    done = place.ruledout("guard", "--sarif")
    (run,) = json.loads(done.stdout)["runs"]
    (result,) = run["results"]
    spot = result["locations"][0]["physicalLocation"]
    assert (done.returncode, spot["artifactLocation"]["uri"], spot["region"]) == (1, FILE, {"startLine": 10})
    assert (result["ruleId"], result["level"], run["tool"]["driver"]["rules"][0]["id"]) == ("guard-lost", "error", "guard-lost")
    suite = ET.fromstring(place.ruledout("guard", "--junit").stdout)  # noqa: S314  # our own output
    assert (suite.get("tests"), suite.get("failures"), [case.find("failure") is not None for case in suite]) == ("2", "1", [True, False])


def test_a_published_record_guards_where_nothing_is_kept_and_no_change_takes_its_own_judge_out(place: Place) -> None:
    record = place.ruledout("show", "--json").stdout
    (place.root / ".ruledout").mkdir()
    (place.root / ".ruledout/a.json").write_text(record.rstrip("\n"))
    (place.root / ".ruledout/b.json").write_text("{}")
    place.git("add", "-A")
    place.git("commit", "-qm", "Publish the record")
    shutil.rmtree(place.root / ".git/ruledout")
    place.change(GUARD, "")
    shutil.rmtree(place.root / ".ruledout")
    place.git("add", "-A")
    shown = place.asked("--staged", code=1)
    assert [(row["verdict"], row["guard"]["source"]) for row in shown["findings"]] == [("removed", "published")]
    assert (shown["known"], shown["unreadable"]) == (2, 1)


def test_R12_run_runs_a_gate_only_with_leave_and_a_guard_whose_gate_holds_was_replaced(place: Place) -> None:
    place.change(GUARD, "    sign = -1 if total < 0 else 1\n    total = abs(total)\n")
    place.change("return [share + CENT if place < left_over else share for", "return [sign * (share + CENT if place < left_over else share) for")
    (first, second) = place.asked("--run", code=1)["findings"]
    assert "allow it: `ruledout trust" in first["gate"]
    assert second["guard"]["record"] == first["guard"]["record"]
    assert place.ruledout("trust", first["guard"]["record"]).returncode == 0
    shown = place.asked("--run", code=0)
    assert [row["verdict"] for row in shown["passed"]] == ["replaced", "replaced"]
    place.change("total = abs(total)", "total = -abs(total)")
    shown = place.asked("--run", code=1)
    assert {row["gate"].partition(":")[0] for row in shown["findings"]} == {"broken"}
    place.git("add", "-A")
    place.change("sign = -1", "sign = -2")
    assert place.ruledout("guard", "--staged", "--run").returncode == 3


def test_without_records_everything_is_clear_and_nothing_is_made(tmp_path: Path) -> None:
    place = Place(tmp_path / "new")
    place.root.mkdir()
    place.git("init", "-q")
    (place.root / "a.py").write_text("x = 1\n")
    place.git("add", "-A")
    before = sorted(path for path in place.root.rglob("*") if path.is_file())
    assert place.asked("--staged", code=0)["known"] == 0
    assert place.ruledout("why", "a.py").returncode == 0
    assert place.ruledout("why", "b.py").returncode == 2
    assert sorted(path for path in place.root.rglob("*") if path.is_file()) == before


def test_nothing_of_the_repository_runs(place: Place) -> None:
    mark = place.root.parent / "ran"
    hook = place.root.parent / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    place.git("config", "core.fsmonitor", str(hook))
    place.git("config", "diff.external", str(hook))
    place.git("config", "filter.x.clean", str(hook))
    (place.root / ".gitattributes").write_text("*.py filter=x\n")
    place.change(GUARD, "")
    mark.unlink(missing_ok=True)
    place.asked(code=1)
    place.ruledout("why", FILE)
    assert not mark.exists()


ORDINARY: dict[str, Callable[[str, random.Random], str]] = {
    "a comment": lambda text, r: text.replace("    whole =", f"    # weights, {r.random()}\n    whole ="),
    "a comment in the guard": lambda text, r: text.replace("total < 0:", f"total < 0:  # {r.randrange(99)}"),
    "a constant": lambda text, r: text.replace("\n\n\ndef ", f"\nK{r.randrange(999)} = {r.randrange(9)}\n\n\ndef ", 1),
    "a function above": lambda text, r: text.replace(
        "\n\n\ndef ", f"\n\n\ndef f{r.randrange(999)}(x):\n    if x < 0:\n        return -x\n    return x\n\n\ndef ", 1
    ),
    "a function below": lambda text, r: text.rstrip("\n") + f"\n\n\ndef g{r.randrange(999)}(x):\n    return x + {r.randrange(9)}\n",
    "an import": lambda text, r: text.replace("\nfrom", f"\nimport {r.choice(['math', 'json', 'os'])}\nfrom", 1),
    "a docstring": lambda text, r: text.replace("in whole cents", f"in whole cents, {r.randrange(99)}", 1),
    "a renamed parameter elsewhere": lambda text, r: text.replace("def f", f"def h{r.randrange(99)}", 1),
    "blank lines": lambda text, _: text.replace("    whole", "\n    whole", 1),
    "long lines broken": lambda text, _: text.replace("split(-total, weights)]", "split(\n            -total,\n            weights,\n        )]", 1),
    "a decorator": lambda text, _: text.replace("def split", "@staticmethod\ndef split", 1) if "@static" not in text else text,
    "a log line": lambda text, r: text.replace("    whole =", f"    print({r.randrange(99)})\n    whole =", 1),
    "the symbol renamed": lambda text, r: text.replace("def split(", f"def split{r.randrange(9)}(", 1) if r.random() < 0.3 else text + "\n",
}


def test_sixty_ordinary_commits_raise_no_false_alarm_and_the_guard_is_still_known_after_them(place: Place, tmp_path: Path) -> None:
    r = random.Random(20261130)  # noqa: S311  # the same commits in every run
    file = place.root / FILE
    alarms = []
    with_store = SqliteStore(place.root / ".git/ruledout/ruledout.db", StillClock())
    for number in range(60):
        name = r.choice(sorted(ORDINARY))
        old = file.read_text()
        if number in (20, 40):
            name, new = "a rename", old
            place.git("mv", str(file.relative_to(place.root)), f"shares/part{number}.py")
            file = place.root / f"shares/part{number}.py"
        else:
            new = ORDINARY[name](old, r)
            file.write_text(new)
        (place.root / f"tests/test_{number}.py").write_text(f"X = {number}\n")
        place.git("add", "-A")
        place.git("commit", "-qm", name)
        (tmp_path / f"g{number}").mkdir()
        changes = GitChanges(str(place.root), tmp_path / f"g{number}", dict(os.environ))
        answer = protect(with_store, changes, changes.between("HEAD~1", "HEAD", forked=False), ())
        alarms += [(number, name, row.verdict, row.why) for row in answer.findings]
        assert answer.known == 2
    with_store.close()
    assert alarms == []
    text = file.read_text()
    start, end = text.index("    if total"), text.index("    whole =")
    file.write_text(text[:start] + text[end:])
    assert [row["verdict"] for row in place.asked(code=1)["findings"]] == ["removed"]
