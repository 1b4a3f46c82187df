"""Nothing stored is run before its user allowed exactly it: every part of what leave hangs on is changed once, and asked for again (R12)."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.prove.corpus.repo import Repo

from ruledout import config
from ruledout.errors import BadInput, CannotRun, Refused
from ruledout.flows import trust
from ruledout.flows.stored_gate import StoredGate, branch_gate, gate_of
from ruledout.model import wire
from ruledout.model.attempt import BranchEdit, Conditions
from ruledout.model.record import Record
from ruledout.model.residual import DebugResidual
from ruledout.prove.rerunner import Rerunner
from ruledout.store.grants import Folder
from ruledout.testing import samples
from ruledout.testing.clock import StillClock

FILES = {
    "check.sh": "#!/bin/sh\nexec ./tools/run_tests.sh\n",
    "tools/run_tests.sh": "#!/bin/sh\nexec python -m unittest\n",
    "Makefile": "test:\n\t./check.sh\n",
    "package.json": '{"scripts": {"test": "node scripts/t.js"}}',
    "scripts/t.js": "process.exit(0)\n",
    "conftest.py": "",
    "tests/conftest.py": "",
    "tests/test_cart.py": "def test_total(): pass\n",
    "tests/test_other.py": "def test_other(): pass\n",
    "cart/__init__.py": "",
    "cart/__main__.py": "print('ok')\n",
    "src/product.py": "x = 1\n",
    "pyproject.toml": "[project]\nname = 'shop'\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit(FILES)
    repo.git("remote", "add", "origin", "https://example.com/shop.git")
    return repo


@pytest.fixture
def grants(tmp_path: Path) -> Folder:
    return Folder(str(tmp_path / "state" / "trust"), StillClock())


RUNS = Rerunner(dict(os.environ))


def record(*argv: str, cwd: str = ".", env: tuple[str, ...] = ()) -> Record:
    outcome = samples.residual(branches=[samples.branch(conditions=Conditions(commit=None, gate=None))])
    gate = msgspec.structs.replace(outcome.regression_gate_signature, argv=argv, cwd=cwd, env=env)
    return wire.record(msgspec.structs.replace(outcome, regression_gate_signature=gate))


def gate(shop: Repo, *argv: str, cwd: str = ".", env: tuple[str, ...] = ()) -> StoredGate:
    return gate_of(record(*argv, cwd=cwd, env=env), str(shop.root), 1)


def asked(grants: Folder, wanted: StoredGate) -> str:
    """What the user is told; fails where it would just be run."""
    with pytest.raises(Refused) as caught:
        trust.require(RUNS, grants, wanted)
    assert caught.value.slug == "needs-trust"
    assert caught.value.mend == f"allow it: `{wanted.mend}`"
    return caught.value.message


def test_R12_an_unknown_gate_is_asked_for_with_its_whole_argv(shop: Repo, grants: Folder) -> None:
    long = ["python", "-c", "print(1); " * 200, "a b", "$(rm -rf /)", 'say "hi"\n']
    told = asked(grants, gate(shop, *long))
    assert json.dumps(long, separators=(",", ":")) in told
    assert "not allowed it yet" in told


def test_R12_what_was_allowed_runs_until_it_is_taken_back(shop: Repo, grants: Folder) -> None:
    wanted = gate(shop, "./check.sh")
    granted = trust.allow(RUNS, grants, wanted)
    assert trust.require(RUNS, grants, wanted) == granted.grant.facts
    assert grants.revoke(granted.grant.key[:12]) == granted.grant
    asked(grants, wanted)
    with pytest.raises(BadInput, match="no grant"):
        grants.revoke(granted.grant.key)


def test_a_forgotten_record_leaves_no_grant(shop: Repo, grants: Folder) -> None:
    kept, gone = gate(shop, "./check.sh"), gate(shop, "make", "test")
    for wanted in (kept, gone):
        trust.allow(RUNS, grants, wanted)
    assert [grant.facts.argv for grant in trust.forget(grants, gone.subject)] == [("make", "test")]
    assert [grant.subject for grant in grants.listed()] == [kept.subject]


CHANGES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "the script itself": (("./check.sh",), "check.sh", "check.sh has changed"),
    "a script that the script names": (("./check.sh",), "tools/run_tests.sh", "tools/run_tests.sh has changed"),
    "a script behind a Makefile": (("make", "test"), "tools/run_tests.sh", "tools/run_tests.sh has changed"),
    "the Makefile": (("make", "test"), "Makefile", "Makefile has changed"),
    "package.json": (("npm", "test"), "package.json", "package.json has changed"),
    "a script behind package.json": (("npm", "test"), "scripts/t.js", "scripts/t.js has changed"),
    "the named test file": (("python", "-m", "pytest", "tests/test_cart.py::test_total"), "tests/test_cart.py", "tests/test_cart.py has changed"),
    "a conftest above it": (("pytest", "tests/test_cart.py"), "conftest.py", "conftest.py has changed"),
    "a conftest beside it": (("pytest", "tests/test_cart.py"), "tests/conftest.py", "tests/conftest.py has changed"),
    "a conftest below a folder": (("pytest", "tests"), "tests/conftest.py", "tests/conftest.py has changed"),
    "a new runner's configuration": (("pytest", "tests"), "pytest.ini", "pytest.ini is new"),
    "a changed runner's configuration": (("pytest", "tests"), "pyproject.toml", "pyproject.toml has changed"),
    "a module that is started": (("python", "-m", "cart"), "cart/__main__.py", "cart/__main__.py has changed"),
    "a module of tests": (("python", "-m", "unittest", "tests.test_cart"), "tests/test_cart.py", "tests/test_cart.py has changed"),
}


@pytest.mark.parametrize(("argv", "path", "told"), CHANGES.values(), ids=CHANGES)
def test_R12_a_changed_file_that_the_argv_reaches_asks_again_and_is_named(shop: Repo, grants: Folder, argv: tuple[str, ...], path: str, told: str) -> None:
    wanted = gate(shop, *argv)
    trust.allow(RUNS, grants, wanted)
    with (shop.root / path).open("a") as file:
        file.write("\n# more\n")
    assert told in asked(grants, wanted)


def test_a_changed_file_that_the_argv_does_not_reach_asks_nothing(shop: Repo, grants: Folder) -> None:
    wanted = gate(shop, "pytest", "tests/test_cart.py")
    trust.allow(RUNS, grants, wanted)
    shop.write({"src/product.py": "x = 2\n", "tests/test_other.py": "", "Makefile": ""})
    trust.require(RUNS, grants, wanted)


OTHERS: dict[str, tuple[Callable[[Repo], StoredGate], str]] = {
    "one more word": (lambda shop: gate(shop, "./check.sh", "--fast"), "not allowed it yet"),
    "one word for two": (lambda shop: gate(shop, "./check.sh --"), "not allowed it yet"),
    "another folder": (lambda shop: gate(shop, "./check.sh", "--", cwd="src"), "cwd . -> src"),
    "one more variable": (lambda shop: gate(shop, "./check.sh", "--", env=("TOKEN",)), "variables none -> TOKEN"),
}


@pytest.mark.parametrize(("other", "told"), OTHERS.values(), ids=OTHERS)
def test_R12_another_gate_is_not_the_one_that_was_allowed(shop: Repo, grants: Folder, other: Callable[[Repo], StoredGate], told: str) -> None:
    trust.allow(RUNS, grants, gate(shop, "./check.sh", "--"))
    assert told in asked(grants, other(shop))


def test_R12_the_same_gate_in_another_repository_is_not_allowed_there(shop: Repo, grants: Folder, tmp_path: Path) -> None:
    trust.allow(RUNS, grants, gate(shop, "./check.sh"))
    other = Repo(tmp_path / "other")
    other.commit(FILES)
    assert f"repository {shop.root}/.git https://example.com/shop.git -> {other.root}/.git" in asked(grants, gate(other, "./check.sh"))


def test_R12_another_work_tree_of_the_repository_is_another_place(shop: Repo, grants: Folder, tmp_path: Path) -> None:
    trust.allow(RUNS, grants, gate(shop, "./check.sh"))
    shop.git("worktree", "add", "-q", str(tmp_path / "second"))
    second = Repo.__new__(Repo)
    second.root = tmp_path / "second"
    assert f"root {shop.root} -> {second.root}" in asked(grants, gate(second, "./check.sh"))


def test_R12_another_remote_is_another_repository(shop: Repo, grants: Folder) -> None:
    wanted = gate(shop, "./check.sh")
    trust.allow(RUNS, grants, wanted)
    shop.git("remote", "set-url", "origin", "https://example.com/fork.git")
    assert "fork.git" in asked(grants, wanted)


def test_R12_another_program_of_the_same_name_asks_again(shop: Repo, grants: Folder, tmp_path: Path) -> None:
    wanted = gate(shop, "runner", "tests")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "runner").write_text("#!/bin/sh\n")
        (tmp_path / name / "runner").chmod(0o755)
    trust.allow(Rerunner({"PATH": str(tmp_path / "one")}), grants, wanted)
    with pytest.raises(Refused, match=r"program runner=.*two/runner"):
        trust.require(Rerunner({"PATH": str(tmp_path / "two")}), grants, wanted)


def test_R12_leave_for_a_gate_is_no_leave_for_a_dead_ends_edits(shop: Repo, grants: Folder) -> None:
    found = record("./check.sh")
    assert isinstance(found.outcome, DebugResidual)
    edits = (BranchEdit(path="src/product.py", removed=("x = 1",), added=("import os; os.system('evil')",)),)
    (branch,) = found.outcome.falsified_branches
    tried = wire.record(msgspec.structs.replace(found.outcome, falsified_branches=(msgspec.structs.replace(branch, edits=edits),)))
    trust.allow(RUNS, grants, gate_of(tried, str(shop.root), 1))
    replay = branch_gate(tried, "b1", str(shop.root), 1, None)
    assert "with the edits of" in asked(grants, replay)
    trust.allow(RUNS, grants, replay)
    trust.require(RUNS, grants, replay)


@pytest.mark.parametrize("word", ["./check\u200b.sh", "\x1b[31mcheck.sh", "x\u202ey"])
def test_R12_words_that_do_not_show_can_not_be_allowed(shop: Repo, grants: Folder, word: str) -> None:
    with pytest.raises(Refused) as caught:
        trust.allow(RUNS, grants, gate(shop, "python", word))
    assert caught.value.slug == "unsafe-argv"
    assert grants.listed() == ()


def test_R12_an_argv_is_shown_as_it_is_and_moves_no_cursor(shop: Repo, grants: Folder) -> None:
    assert '["python","evil\\rgood","a\\nb"]' in asked(grants, gate(shop, "python", "evil\rgood", "a\nb"))


def test_R12_a_letter_that_looks_like_another_is_spelt_out(shop: Repo, grants: Folder) -> None:
    assert "p\\u0443test" in asked(grants, gate(shop, "p\u0443test", "tests"))


@pytest.mark.parametrize("key", ["trust", "trusted_gates", "auto_trust", "sandbox", "allow_argv", "gate_url"])
def test_R12_no_file_of_a_repository_can_grant(key: str) -> None:
    for read, text in ((config.from_own, f"{key} = true"), (config.from_pyproject, f"[tool.ruledout]\n{key} = true")):
        with pytest.raises(BadInput) as caught:
            read(text)
        assert caught.value.slug == "not-for-a-repository"


def test_R12_grants_are_the_users_alone_and_what_others_could_have_written_is_refused(shop: Repo, grants: Folder, tmp_path: Path) -> None:
    trust.allow(RUNS, grants, gate(shop, "./check.sh"))
    folder = tmp_path / "state" / "trust"
    (file,) = folder.iterdir()
    if os.name == "posix":
        assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(file.stat().st_mode)) == (0o700, 0o600)
    file.chmod(0o644)  # as a checked-out file would be
    with pytest.raises(CannotRun) as caught:
        grants.listed()
    assert caught.value.slug == "bad-trust-file"


def test_R12_a_grant_that_was_edited_grants_nothing(shop: Repo, grants: Folder, tmp_path: Path) -> None:
    trust.allow(RUNS, grants, gate(shop, "./check.sh"))
    (file,) = (tmp_path / "state" / "trust").iterdir()
    file.write_text(file.read_text().replace("./check.sh", "./other.sh"))
    with pytest.raises(CannotRun, match="not those that were granted"):
        trust.require(RUNS, grants, gate(shop, "./other.sh"))


def test_what_leave_hangs_on_is_read_without_starting_anything(shop: Repo) -> None:
    facts = Rerunner({"PATH": ""}).facts(gate(shop, "make", "test").request)
    assert [name for name, _ in facts.files] == ["Makefile", "check.sh", "tools/run_tests.sh"]
    assert facts.toolchain == ("make= -> not found",)
