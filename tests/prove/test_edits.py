"""A dead end's edits laid on a tree: exactly as they were made, or not at all."""

from collections.abc import Sequence

import pytest
from tests.prove.corpus.repo import Repo

from ruledout.model.action import EditKind
from ruledout.model.attempt import BranchEdit
from ruledout.prove import git, location
from ruledout.prove.edits import DoesNotApplyError, laid

FILES = {"src/a.py": "one\ntwo\nthree\n", "src/b.py": "same\nsame\n", "win.txt": "left\r\nright\r\n", "deep/src/c.py": "only\n"}


def edit(path: str, removed: Sequence[str] = (), added: Sequence[str] = (), kind: EditKind = EditKind.REPLACE) -> BranchEdit:
    return BranchEdit(path=path, kind=kind, removed=tuple(removed), added=tuple(added))


@pytest.fixture
def made(repo: Repo) -> tuple[git.Repository, str]:
    repo.commit(FILES)
    (repo.root / "link").symlink_to("src/a.py")
    repo.commit({})
    found = git.Repository(location.site(str(repo.root)), repo.root.parent / "own", "/usr/local/bin:/usr/bin:/bin")
    return found, found.resolve("HEAD")[1]


APPLIES = {
    "lines are replaced": ([edit("src/a.py", ["two"], ["2", "zwei"])], {"src/a.py": "one\n2\nzwei\nthree\n"}),
    "with context on both sides": ([edit("src/a.py", ["one", "two"], ["one", "2"])], {"src/a.py": "one\n2\nthree\n"}),
    "one edit after the other": ([edit("src/a.py", ["two"], ["2"]), edit("src/a.py", ["2"], ["zwei"])], {"src/a.py": "one\nzwei\nthree\n"}),
    "part of a line": ([edit("src/a.py", ["hre"], ["HRE"])], {"src/a.py": "one\ntwo\ntHREe\n"}),
    "a file is written": ([edit("src/new.py", [], ["x = 1"], EditKind.WRITE)], {"src/new.py": "x = 1\n"}),
    "a file is written over": ([edit("src/a.py", [], ["x"], EditKind.WRITE)], {"src/a.py": "x\n"}),
    "lines are appended": ([edit("src/a.py", [], ["four"], EditKind.APPEND)], {"src/a.py": "one\ntwo\nthree\nfour\n"}),
    "a file is deleted": ([edit("src/a.py", kind=EditKind.DELETE)], {"src/a.py": None}),
    "line ends stay": ([edit("win.txt", ["left"], ["LEFT", "middle"])], {"win.txt": "LEFT\r\nmiddle\r\nright\r\n"}),
    "the session worked in a folder": ([edit("c.py", ["only"], ["more"])], {"deep/src/c.py": "more\n"}),
    "the session told the whole path": ([edit("/home/x/shop/deep/src/c.py", ["only"], ["more"])], {"deep/src/c.py": "more\n"}),
}


@pytest.mark.parametrize(("edits", "changed"), APPLIES.values(), ids=APPLIES)
def test_edits_change_what_they_changed_and_nothing_else(made: tuple[git.Repository, str], edits: list[BranchEdit], changed: dict[str, str | None]) -> None:
    repository, tree = made
    before, after = (repository.entries(one) for one in (tree, laid(repository, tree, edits)))
    texts = repository.blobs(entry.oid for entry in after.values())
    differ = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert {path: texts[after[path].oid].decode() if path in after else None for path in differ} == changed


DOES_NOT = {
    "no edits are known": ([], "does not tell"),
    "the lines are not there": ([edit("src/a.py", ["zwei"], ["2"])], "do not stand there"),
    "the lines stand twice": ([edit("src/b.py", ["same"], ["other"])], "2 times"),
    "there is no such file": ([edit("src/z.py", ["x"], ["y"])], "no such file"),
    "nobody knows where": ([edit("src/a.py", [], ["y"])], "where its lines go"),
    "a secret was taken out": ([edit("src/a.py", ["one"], ["key = <secret:github>"])], "secret"),
    "a pattern": ([edit("src/a.py", ["one"], ["1"], EditKind.PATTERN)], "does not show"),
    "a link": ([edit("link", ["src"], ["etc"])], "link"),
    "up and out": ([edit("../x", [], ["y"], EditKind.WRITE)], "out of the tree"),
    "into git's folder": ([edit(".git/hooks/pre-commit", [], ["y"], EditKind.WRITE)], "out of the tree"),
    "another machine's file": ([edit("/etc/passwd", [], ["y"], EditKind.WRITE)], "no one file"),
    "nothing changes": ([edit("src/a.py", ["one"], ["one"])], "change nothing"),
    "the second does not fit": ([edit("src/a.py", ["one"], ["1"]), edit("src/a.py", ["one"], ["2"])], "do not stand there"),
}


@pytest.mark.parametrize(("edits", "why"), DOES_NOT.values(), ids=DOES_NOT)
def test_what_does_not_fit_exactly_does_not_apply(made: tuple[git.Repository, str], edits: list[BranchEdit], why: str) -> None:
    with pytest.raises(DoesNotApplyError, match=why):
        laid(*made, edits)
