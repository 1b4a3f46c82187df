"""The patch as it is read from bytes: what is in it, which side it is on, and its digest."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.prove.corpus.repo import GIT, Repo

from ruledout.errors import BadInput
from ruledout.model.gate import PatchKind
from ruledout.prove import git, location, patch, sides
from ruledout.prove.patch import Patch


def found(repo: Repo, tmp_path: Path, base: str | None = None, globs: tuple[str, ...] = (), named: tuple[str, ...] = ()) -> Patch:
    folder = tmp_path / f"git-{len(list(tmp_path.iterdir()))}"
    return patch.find(git.Repository(location.site(str(repo.root)), folder, os.environ["PATH"]), base, globs, named)


@pytest.mark.parametrize(
    "path",
    [
        "tests/data/x.json",
        "test/a.py",
        "src/test/java/A.java",
        "test_a.py",
        "pkg/test_a.py",
        "pkg/a_test.go",
        "pkg/conftest.py",
        "app/tests.py",
        "web/__tests__/a.js",
        "web/a.test.tsx",
        "web/a.spec.mjs",
        "web/__snapshots__/a.snap",
        "pkg/testdata/in.txt",
        "spec/a_spec.rb",
        "src/AppTest.java",
        "src/AppTests.cs",
        "src/FooSpec.scala",
        "e2e/login.ts",
        "jest.config.js",
        "pytest.ini",
        "tests/common/mod.rs",
        "a.feature",
    ],
)
def test_usual_names_are_on_the_test_side(path: str) -> None:
    assert sides.is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        "latest/a.py",
        "contest.py",
        "attest/a.go",
        "src/testing/fake.py",
        "protest.rb",
        "src/Testament.java",
        "pyproject.toml",
        "src/manifest.ts",
        "greatest_hits.py",
        "spectrum/a.py",
    ],
)
def test_other_names_are_product(path: str) -> None:
    assert not sides.is_test(path)


def test_a_package_named_test_is_product_and_globs_replace_the_names() -> None:
    assert sides.packages(["web/__init__.py", "web/test/client.py"]) == {"web"}
    assert not sides.is_test("web/test/client.py", packages=frozenset({"web"}))
    assert sides.is_test("web/test/client.py")
    assert sides.is_test("checks/deep/a.py", ("checks/**",))
    assert sides.is_test("checks/deep/a.py", ("checks/",))
    assert not sides.is_test("tests/a.py", ("checks",))
    with pytest.raises(BadInput):
        sides.checked_globs(["../x"])


def test_untracked_deleted_and_changed_files_are_in_and_ignored_ones_are_carried(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n", "gone.py": "1\n", "tests/old.py": "1\n", ".gitignore": "build/\n*.pyc\n.env\n_version.py\n"})
    repo.write({"a.py": "2\n", "gone.py": None, "tests/old.py": None, "new.py": "1\n", "tests/test_new.py": "1\n"})
    repo.write({"build/out": "x\n", "a.pyc": "x\n", ".env": "SECRET=1\n", "_version.py": "x\n"})

    seen = found(repo, tmp_path)

    assert (seen.product, seen.tests) == (("a.py", "gone.py", "new.py"), ("tests/old.py", "tests/test_new.py"))
    assert seen.carried == ("_version.py", "build")
    assert set(git.Repository(location.site(str(repo.root)), tmp_path / "again", os.environ["PATH"]).entries(repo.git("rev-parse", "HEAD").strip())) == {
        ".gitignore",
        "a.py",
        "gone.py",
        "tests/old.py",
    }


@pytest.mark.parametrize(
    ("named", "side"),
    [("checks/units.py", ("checks/units.py",)), ("new_check.py", ("new_check.py",)), ("main.py", ()), ("other.py", ())],
)
def test_what_the_gate_names_judges_if_it_is_new_or_a_check(repo: Repo, tmp_path: Path, named: str, side: tuple[str, ...]) -> None:
    repo.commit({"calc.py": "1\n", "main.py": "1\n", "checks/units.py": "1\n"})
    repo.write({"calc.py": "2\n", "main.py": "2\n", "checks/units.py": "2\n", "new_check.py": "1\n"})

    assert found(repo, tmp_path, named=(named,)).tests == side


def test_the_red_tree_is_the_base_with_the_test_side(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n", "gone.py": "1\n", "tests/test_a.py": "1\n", "tests/test_gone.py": "1\n"})
    repo.write({"a.py": "2\n", "gone.py": None, "new.py": "1\n", "tests/test_a.py": "2\n", "tests/test_gone.py": None})
    store = git.Repository(location.site(str(repo.root)), tmp_path / "own", os.environ["PATH"])

    seen = patch.find(store, None, ())
    blobs = store.blobs(entry.oid for entry in store.entries(seen.red).values())

    assert {path: blobs[entry.oid] for path, entry in store.entries(seen.red).items()} == {"a.py": b"1\n", "gone.py": b"1\n", "tests/test_a.py": b"2\n"}


def test_the_digest_changes_with_every_part_and_not_with_the_place(tmp_path: Path) -> None:
    digests = []
    for number, (base, fix) in enumerate(
        [
            ({"a": "1\n"}, {"a": "2\n"}),
            ({"a": "1\n"}, {"a": "2\n"}),
            ({"a": "1\n"}, {"a": "3\n"}),
            ({"a": "0\n"}, {"a": "2\n"}),
            ({"b": "1\n"}, {"b": "2\n"}),
            ({"a": "1\n"}, {"a": "2\n", "b": ""}),
        ]
    ):
        repo = Repo(tmp_path / f"repo{number}")
        repo.commit(base)
        repo.write(fix)
        digests.append(patch.receipt(found(repo, tmp_path)).patch_digest)
    (tmp_path / "repo1/a").chmod(0o755)
    digests.append(patch.receipt(found(Repo(tmp_path / "repo1"), tmp_path)).patch_digest)

    assert digests[0] == digests[1]
    assert len(set(digests)) == 6


@pytest.mark.parametrize(
    ("files", "kind"),
    [({"a.py": "2\n"}, PatchKind.GIT), ({"package-lock.json": "{}\n"}, PatchKind.DEPENDENCY), ({"conf/app.yaml": "a: 1\n"}, PatchKind.CONFIGURATION)],
)
def test_the_kind_is_told_from_the_product_side(repo: Repo, tmp_path: Path, files: dict[str, str], kind: PatchKind) -> None:
    repo.commit({"a.py": "1\n"})
    repo.write(files)

    assert patch.receipt(found(repo, tmp_path)).kind is kind


def test_a_folder_that_is_no_repository_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as raised:
        location.site(str(tmp_path))
    assert raised.value.slug == "no-repository"


@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_our_tree_ids_are_gits_own(tmp_path: Path, format_: str) -> None:
    root = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", f"--object-format={format_}", str(root)], check=True, env={**os.environ, **GIT})
    repo = Repo(root)
    repo.commit({"a/b/c": "1\n", "a.b": "2\n", "a-b": "3\n", "a/b.c": "4\n", "ab": "5\n", "a0": "6\n"})
    repo.write({"x/y/z": "1\n", "a.b": "changed\n"})
    (root / "run").write_text("#!/bin/sh\n")
    (root / "run").chmod(0o755)
    (root / "link").symlink_to("nowhere")

    seen = found(repo, tmp_path)
    repo.git("add", "-A")

    assert seen.after == repo.git("write-tree").strip()
    assert seen.base == repo.git("rev-parse", "HEAD^{tree}").strip()


NAMES = st.lists(
    st.text("ab.-0/", min_size=1, max_size=6).filter(lambda name: all(part not in ("", ".", "..") for part in name.split("/"))), min_size=1, max_size=8
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES)
def test_any_set_of_paths_gives_gits_tree(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    files = {name for name in names if not any(other != name and (other.startswith(name + "/") or name.startswith(other + "/")) for other in names)}
    root = tmp_path_factory.mktemp("any")
    repo = Repo(root / "repo")
    repo.commit({})
    repo.write({name: name for name in files})

    seen = found(repo, root)
    repo.git("add", "-A")

    assert seen.after == repo.git("write-tree").strip()


RUST = "pub fn f() -> i32 {\n    1\n}\n"
RUST_TESTS = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n        assert_eq!(super::f(), 2);\n    }\n}\n"


@pytest.mark.parametrize(
    ("base", "new", "red"),
    [
        (RUST, RUST.replace("1", "2") + "\n" + RUST_TESTS, RUST + "\n" + RUST_TESTS),
        (RUST + "\n" + RUST_TESTS, RUST.replace("1", "2") + "\n" + RUST_TESTS.replace("2", "3"), RUST + "\n" + RUST_TESTS.replace("2", "3")),
        (RUST, RUST.replace("1", "2"), None),
        (RUST, RUST_TESTS + RUST, None),
    ],
)
def test_a_rust_file_is_split_at_its_test_module(base: str, new: str, red: str | None) -> None:
    mixed = sides.inline_tests("src/lib.rs", base, new)

    assert mixed == red if red is not None else mixed is None or "#[cfg(test)]" in mixed
    assert sides.inline_tests("src/lib.py", base, new) is None
