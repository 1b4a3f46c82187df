"""Edits read out of command lines."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.read import shell
from ruledout.read.shell.words import commands

Seen = tuple[str, str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]


def seen(command: str) -> list[Seen]:
    return [(change.kind.value, change.path, tuple((hunk.removed, hunk.added) for hunk in change.hunks)) for change in shell.edits(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("cat > a.py <<'EOF'\nit's = 1\n$x\nEOF\npytest -q", [("write", "a.py", (((), ("it's = 1", "$x")),))], id="heredoc"),
        pytest.param("cat <<EOF >> notes.md\nhi\nEOF", [("append", "notes.md", (((), ("hi",)),))], id="heredoc-append"),
        pytest.param("cat <<-'E' | tee -a b.txt > /dev/null\n\thi\n\tE", [("append", "b.txt", (((), ("hi",)),))], id="tee"),
        pytest.param(
            "echo 'x = 1' > a.py && printf '%s\\n' one two > b",
            [("write", "a.py", (((), ("x = 1",)),)), ("write", "b", (((), ("one", "two")),))],
            id="echo-printf",
        ),
        pytest.param("sed -i 's/a/b/; s|c/d|e|g' x.py", [("pattern", "x.py", ((("a",), ("b",)), (("c/d",), ("e",))))], id="sed"),
        pytest.param("sed -i '' -e 's/a/b/' x.py y.py", [("pattern", "x.py", ((("a",), ("b",)),)), ("pattern", "y.py", ((("a",), ("b",)),))], id="sed-bsd"),
        pytest.param("sed -n '1,20p' x.py", [], id="sed-looks"),
        pytest.param("perl -pi -e 's/a/b/g' x.pl", [("pattern", "x.pl", ((("a",), ("b",)),))], id="perl"),
        pytest.param("rm -f a.py && git rm b.py", [("delete", "a.py", ()), ("delete", "b.py", ())], id="rm"),
        pytest.param("mv a.py b.py", [("delete", "a.py", ()), ("opaque", "b.py", ())], id="mv"),
        pytest.param("cp a.py a.py.bak", [], id="backup-made"),
        pytest.param("cp a.py.bak a.py; mv /tmp/b.py src/b.py", [("restore", "a.py", ()), ("restore", "src/b.py", ())], id="backup-back"),
        pytest.param("git checkout -- a.py b/c.py", [("restore", "a.py", ()), ("restore", "b/c.py", ())], id="checkout"),
        pytest.param("git checkout HEAD~1 -- a.py", [("restore", "a.py", ())], id="checkout-rev"),
        pytest.param("git checkout HEAD -- Makefile", [("restore", "Makefile", ())], id="checkout-no-extension"),
        pytest.param("git checkout .", [("restore", "*", ())], id="checkout-all"),
        pytest.param("git checkout main && git checkout -b fix/a.b", [], id="branches"),
        pytest.param("git checkout stash@{0} -- a.py", [("opaque", "a.py", ())], id="out-of-a-stash"),
        pytest.param("git restore --staged a.py", [], id="unstage"),
        pytest.param("git restore --source HEAD a.py", [("restore", "a.py", ())], id="restore"),
        pytest.param("git stash -u", [("restore", "*", ())], id="stash"),
        pytest.param("git stash list", [], id="stash-list"),
        pytest.param("git -C web reset --hard", [("restore", "*", ())], id="reset"),
        pytest.param(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\nEOF",
            [("replace", "a.py", ((("x",), ("y",)),))],
            id="apply-patch",
        ),
        pytest.param("git apply <<'EOF'\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\nEOF", [("replace", "x.py", ((("a",), ("b",)),))], id="git-apply"),
        pytest.param("patch -p1 < fix.patch", [("opaque", "*", ())], id="patch-file"),
        pytest.param("git apply --check x.patch", [], id="patch-check"),
        pytest.param("npx prettier --write src/a.ts", [("opaque", "src/a.ts", ())], id="prettier"),
        pytest.param("gofmt -l . && black --check . && ruff check .", [], id="formatters-look"),
        pytest.param("gofmt -w . && cargo fmt && ruff check --fix src", [("opaque", "*", ()), ("opaque", "*", ()), ("opaque", "src", ())], id="formatters"),
        pytest.param("python - <<'E'\np = 'src/a.py'\nt = open(p).read()\nopen(p, 'w').write(t)\nE", [("opaque", "src/a.py", ())], id="python-heredoc"),
        pytest.param("python3 -c \"from pathlib import Path; Path('x.py').write_text('')\"", [("opaque", "x.py", ())], id="python-c"),
        pytest.param("python -c \"print(open('x.py').read())\"", [], id="python-reads"),
        pytest.param("cd web && cat > a.js <<E\nx\nE", [("write", "web/a.js", (((), ("x",)),))], id="cd"),
        pytest.param("bash -lc 'rm x.py'", [("delete", "x.py", ())], id="shell-in-shell"),
        pytest.param("pytest -q 2>&1 | tee /tmp/out.log | tail -3; make > /dev/null 2> err.txt", [], id="logs"),
        pytest.param("git commit -m \"$(cat <<'EOF'\nIt's > x; rm y\nEOF\n)\"", [], id="commit-message"),
        pytest.param("grep -rn '> b.txt' . # rm a", [], id="quotes-and-comments"),
        pytest.param("cat > /tmp/repro.py <<'E'\nx\nE", [("write", "/tmp/repro.py", (((), ("x",)),))], id="tmp-is-a-path-too"),
    ],
)
def test_what_a_command_line_does_to_files(command: str, expected: list[Seen]) -> None:
    assert seen(command) == expected


def test_a_command_line_comes_apart_into_words() -> None:
    parts = commands("FOO=1 a 'b c' \"d \\\"e\\\" $(f 'g)')\" h\\ i | j >>k 2>&1 <<< l && m\nn")
    assert [part.words for part in parts] == [["FOO=1", "a", "b c", "d \"e\" $(f 'g)')", "h i"], ["j"], ["m"], ["n"]]
    assert (parts[1].piped, parts[1].writes, parts[1].heredoc) == (True, [(">>", "k"), ("2>&", "1")], "l\n")


@given(st.text(alphabet="abc '\"\\$`(){}<>|&;#\n\tEOF-=/.~sedcatrmpython", max_size=200))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    shell.edits(text)
    shell.inner(text)
    shell.stashes(text)


@pytest.mark.parametrize("text", ['"$(' * 5000, "cat > a <<E\n" * 5000, "$(cat <<E " * 5000, "'" * 9999, "a > b;" * 20000, "sed -i 's/" + "a" * 50000 + "' f"])
def test_hostile_command_lines_end(text: str) -> None:
    assert isinstance(shell.edits(text), tuple)


@pytest.mark.parametrize("program", ["s/a/b", " " * 20_000, "s|a s!b s#c s%d ", "\n" * 20_000, "3,5", "/x"])
def test_hostile_sed_programs_end(program: str) -> None:
    assert shell.edits(f"sed -i '{program * (20_000 // len(program))}' f")


def test_a_sed_program_may_have_addresses() -> None:
    assert seen("sed -i -e '3,5s/a/b/' -e '/x/ s/c\\/d/e/g;7d' f") == [("pattern", "f", ((("a",), ("b",)), (("c\\/d",), ("e",)), ((), ())))]
