"""Problem matchers: GitHub's form, bounds, loops, and that they can find a failure and never a pass."""

import re
from pathlib import Path

import pytest

from ruledout import wiring
from ruledout.config import from_own, from_pyproject
from ruledout.errors import BadInput
from ruledout.model.outcome import Diagnostic, Result
from ruledout.observe import matchers, runaway
from ruledout.observe.outcome import observe

ONE_LINE = {
    "owner": "frob",
    "pattern": [{"regexp": r"^(.+)@(\d+)\.(\d+) (error|warning) \[(\w+)\] (.*)$", "file": 1, "line": 2, "column": 3, "severity": 4, "code": 5, "message": 6}],
}
STYLISH = {
    "owner": "stylish",
    "pattern": [
        {"regexp": r"^([^\s].*)$", "file": 1},
        {"regexp": r"^\s+(\d+):(\d+)\s+(error|warning)\s+(.*)\s\s+(.*)$", "line": 1, "column": 2, "severity": 3, "message": 4, "code": 5, "loop": True},
    ],
}
LINTED = "src/a.frob\n  3:5  error    odd name  naming\n  9:1  warning  old call  legacy\n\nsrc/b.frob\n  1:1  error  no end  syntax\n"


def test_one_line_gives_place_code_and_grade() -> None:
    found = matchers.read(matchers.parse([ONE_LINE]), "noise\nsrc\\a.frob@3.5 error [F01] odd name\nsrc/b.frob@4.1 warning [F02] old call\n")
    assert found is not None
    assert found.diagnostics == (
        Diagnostic(file="src/a.frob", line=3, column=5, severity="error", code="F01", message="odd name"),
        Diagnostic(file="src/b.frob", line=4, column=1, severity="warning", code="F02", message="old call"),
    )
    assert (found.tool, found.says, found.code, found.message) == ("frob", "fail", "F01", "src/a.frob:3: odd name")


def test_a_loop_reads_every_line_below_one_file() -> None:
    found = matchers.read(matchers.parse({"problemMatcher": [STYLISH]}), LINTED)
    assert found is not None
    assert [(each.file, each.line, each.code, each.severity) for each in found.diagnostics] == [
        ("src/a.frob", 3, "naming", "error"),
        ("src/a.frob", 9, "legacy", "warning"),
        ("src/b.frob", 1, "syntax", "error"),
    ]


def test_a_tool_nobody_knows_fails_by_its_matcher() -> None:
    text = "src/a.frob@3.5 error [F01] odd name\n"
    assert observe("frob check", text).result is Result.UNKNOWN
    seen = observe("frob check", text, matchers=matchers.parse([ONE_LINE]))
    assert (seen.result, seen.tool, seen.error_class, seen.diagnostics[0].line) == (Result.FAIL, "frob", "F01", 3)


def test_R12_a_matcher_of_a_repository_never_makes_a_pass() -> None:
    only_notes = matchers.parse([{**ONE_LINE, "severity": "notice", "pattern": [{"regexp": r"^FAILED (\S+)", "file": 1}]}])
    failing = "FAILED t/test_a.py::test_x - assert 1 == 2\n===== 1 failed in 0.1s =====\n"
    plain, matched = observe("pytest", failing, 1), observe("pytest", failing, 1, matchers=only_notes)
    assert (plain.result, matched.result) == (Result.FAIL, Result.FAIL)
    reading = matchers.read(only_notes, failing)
    assert reading is not None
    assert reading.says is None


def test_the_example_of_the_documentation_reads_what_it_says(request: pytest.FixtureRequest) -> None:
    page = (request.config.rootpath / "docs" / "outcomes.md").read_text(encoding="utf-8")
    settings, output = re.findall(r"```(?:toml|text)\n(.*?)```", page[page.index("## Problem matchers") :], flags=re.DOTALL)[:2]
    found = matchers.read(from_pyproject(settings).matchers, output)
    assert found is not None
    assert [(each.file, each.line, each.code, each.severity) for each in found.diagnostics] == [("ports/serial.frob", 12, "F012", "error")]


def test_settings_refuse_a_matcher_that_is_not_sound() -> None:
    with pytest.raises(BadInput) as caught:
        from_own('[[matchers]]\nowner = "x"\npattern = [{ regexp = "(a+)+$", message = 1 }]\n')
    assert (caught.value.slug, "repeated group" in caught.value.message) == ("bad-matcher", True)


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ([{"owner": "x", "pattern": []}], "0 patterns"),
        ([{"owner": "x y", "pattern": [{"regexp": "^a"}]}], "owner"),
        ([{"owner": "x", "severity": "loud", "pattern": [{"regexp": "^a"}]}], "severity"),
        ([{"owner": "x", "pattern": [{"regexp": "^(a)", "file": 2}]}], "group 2"),
        ([{"owner": "x", "pattern": [{"regexp": "^(a)", "file": 0}]}], "group 0"),
        ([{"owner": "x", "pattern": [{"regexp": "^(a", "file": 1}]}], "brackets"),
        ([{"owner": "x", "pattern": [{"regexp": "^[z-a]", "file": 1}]}], "pattern"),
        ([{"owner": "x", "pattern": [{"regexp": "a" * 501}]}], "501 characters"),
        ([{"owner": "x", "pattern": [{"regexp": "^(a)", "loop": True, "file": 1}]}], "loops"),
        ([{"owner": "x", "pattern": [{"regexp": "^(a)"}] * 11}], "11 patterns"),
        ([{"owner": "x", "pattern": [{"regexp": "^(a)"}], "colour": 1}], "colour"),
        ([{"owner": "x", "pattern": [{"regexp": 3}]}], "regexp"),
        ([ONE_LINE] * 51, "51 problem matchers"),
        ("x", "expected"),
        ({"problemMatcher": None}, "expected"),
    ],
)
def test_a_matcher_that_is_not_sound_is_refused(value: object, seen: str) -> None:
    with pytest.raises(BadInput) as caught:
        matchers.parse(value)
    assert caught.value.slug == "bad-matcher"
    assert seen.lower() in caught.value.message.lower()


@pytest.mark.parametrize(
    "regexp",
    [
        r"^(a+)+$",
        r"(a|a)*b",
        r"^.*.*.*.*x",
        r"^\s*\s*\s*\s*\s*x",
        r"^(x)\1",
        r"^(?=a)b",
        "^" + "a?" * 13 + "a",
        "^" + "[a-z]{1,20}" * 4 + "x",
        r"^(a{1,9}){1,9}$",
    ],
)
def test_a_pattern_that_may_run_away_is_known_before_it_is_compiled(regexp: str) -> None:
    assert runaway.reason(regexp) is not None


@pytest.mark.parametrize(
    "regexp",
    [
        r"^(.*):(\d+):(\d+):\s+(warning|error):\s+(.*)$",
        r"^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.*)\s\s+(.*)$",
        r"^([^\s].*)[\(:](\d+)[,:](\d+)(?:\):\s+|\s+-\s+)(error|warning|info)\s+TS(\d+)\s*:\s*(.*)$",
        r"(.+?)\((\d+),(\d+)\): error (CS\d+): (.*)$",
    ],
)
def test_the_patterns_that_people_write_are_taken(regexp: str) -> None:
    assert runaway.reason(regexp) is None


def test_the_program_takes_them_from_the_repository_it_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    assert wiring.matchers() == ()
    (tmp_path / "pyproject.toml").write_text('[tool.other]\nmatchers = 1\n[project]\nname = "tool.ruledout"\n', encoding="utf-8")
    assert wiring.matchers() == ()
    (tmp_path / "pyproject.toml").write_text("[[tool.ruledout.matchers]]\nowner = 'frob'\npattern = [{ regexp = '^(x+)', message = 1 }]\n", encoding="utf-8")
    assert [each.owner for each in wiring.matchers()] == ["frob"]
    (tmp_path / ".ruledout.toml").write_text("[[matchers]]\nowner = 'own'\npattern = [{ regexp = '^(x+)', message = 1 }]\n", encoding="utf-8")
    assert [each.owner for each in wiring.matchers()] == ["own"]
