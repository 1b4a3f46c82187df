"""The pages say what the code does, and the repository holds nothing that belongs to one machine."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MIB = 1024 * 1024
# Written so that this file does not hold them itself.
MACHINE_PATHS = ("/wor" + "k/", "/tmp/rese" + "arch", "/far" + "m/", "/opt/py" + "pi")
REGISTRIES = ("pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "registry" + ".npmjs", "deb.debian" + ".org")


def tracked() -> list[Path]:
    """Every file that git keeps here; where this is no checkout (an unpacked archive) there is nothing to ask."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[str, str]]:
    return [(path.relative_to(ROOT).as_posix(), path.read_bytes().decode("utf-8", "replace")) for path in tracked()]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_generated_parts_of_the_docs_are_current_and_every_enforced_rule_has_a_test() -> None:
    done = subprocess.run(
        [sys.executable, "docs/build.py", "--check", "--without", "demo", "--without", "questions"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_note_for_agents_stays_under_sixty_lines() -> None:
    assert len(page("AGENTS.md").splitlines()) < 60


def test_a_decision_stays_within_sixty_lines() -> None:
    long = {path.name: lines for path in (ROOT / "docs/decisions").glob("*.md") if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 60}
    assert long == {}


def test_no_two_decisions_share_a_number() -> None:
    numbers = [path.name[:4] for path in sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))]
    assert sorted(set(numbers)) == numbers


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_the_readme_names_the_two_commands_that_a_newcomer_needs(command: str) -> None:
    assert command in page("README.md")


@pytest.mark.parametrize("name", ["demo", "test", "check", "fuzz", "bench", "docs", "lock", "clean"])
def test_every_promised_target_is_in_the_makefile(name: str) -> None:
    assert re.search(rf"^{name}:", page("Makefile"), re.MULTILINE)


def test_every_link_between_pages_leads_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    dead = [
        f"{source.relative_to(ROOT)}: {target}"
        for source in pages
        for target in re.findall(r"\]\(([^)#\s]+)", source.read_text(encoding="utf-8"))
        if "://" not in target and not (source.parent / target).exists()
    ]
    assert dead == []


@pytest.mark.parametrize("word", [*MACHINE_PATHS, *REGISTRIES])
def test_no_tracked_file_names_a_path_of_one_machine_or_a_registry(word: str) -> None:
    assert [name for name, text in texts() if word in text] == []


def test_no_tracked_file_is_larger_than_one_mebibyte() -> None:
    assert [path.relative_to(ROOT).as_posix() for path in tracked() if path.stat().st_size > MIB] == []


def test_the_locked_requirements_name_what_the_project_needs_and_hold_a_hash_each() -> None:
    project = tomllib.loads(page("pyproject.toml"))
    wanted = {"run": project["project"]["dependencies"] + project["build-system"]["requires"], "dev": project["dependency-groups"]["dev"]}
    for name, needs in wanted.items():
        asked, locked = page(f"requirements/{name}.in").splitlines(), page(f"requirements/{name}.txt")
        assert [need for need in needs if need not in asked] == []
        pins = re.findall(r"^([a-z0-9-]+)==\S+(?: ;[^\\]*)? \\\n    --hash=sha256:[0-9a-f]{64}", locked, re.MULTILINE)
        assert pins == re.findall(r"^([a-z0-9-]+)", locked, re.MULTILINE)
        assert {re.split(r"[<>=~! ]", need)[0] for need in needs} <= set(pins)


def test_what_runs_is_locked_to_the_same_version_for_running_and_for_testing() -> None:
    pins = {name: dict(re.findall(r"^([a-z0-9-]+)==(\S+)", page(f"requirements/{name}.txt"), re.MULTILINE)) for name in ("run", "dev")}
    assert {name: pins["dev"].get(name) for name in pins["run"]} == pins["run"]
