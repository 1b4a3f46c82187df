"""What a shell command runs, what hides its exit, and whether it checks anything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.observe.command import is_check, shape
from ruledout.observe.pipeline import steps

WRAPPED = {
    "nothing around it": ("pytest -q", "pytest"),
    "assignment, folder, module, pipe": ("cd x && FOO=1 python -m pytest -q | tail -3", "pytest"),
    "timeout with options": ("timeout -k 5 60s pytest -q", "pytest"),
    "env with assignments": ("env -u A B=2 nice -n 5 cargo test", "cargo"),
    "uv run with an option": ("uv run --with hypothesis pytest", "pytest"),
    "poetry run python": ("poetry run python3.12 -X dev -m unittest", "unittest"),
    "npx with a package option": ("npx --yes -p typescript tsc --noEmit", "tsc"),
    "pnpm exec": ("pnpm --filter web exec vitest run", "vitest"),
    "coverage": ("coverage run -m pytest tests", "pytest"),
    "bundle exec": ("bundle exec rspec spec/a_spec.rb", "rspec"),
    "docker exec": ("docker exec -it api pytest", "pytest"),
    "a shell inside": ("bash -lc 'cd /src && go test ./...'", "go"),
    "a display": ("xvfb-run -a npm test", "npm"),
    "an unknown wrapper": ("rtk bun run test", "bun"),
    "cargo with a toolchain": ("cargo +nightly test", "cargo"),
    "a file written first": ("cat > t.py <<'EOF'\nprint('a | b && c')\nEOF\npython t.py", "python"),
}


@pytest.mark.parametrize(("command", "tool"), WRAPPED.values(), ids=WRAPPED)
def test_the_tool_is_found_under_its_wrappers(command: str, tool: str) -> None:
    assert shape(command).tool == tool


HIDDEN = {
    "a pipe": ("pytest | tail -5", "| tail"),
    "a pipe and stderr": ("pytest 2>&1 | head", "| head"),
    "a filter": ("cargo build 2>&1 | grep -E 'error|warning'", "| grep"),
    "pipefail shows it again": ("set -o pipefail; pytest | tail", None),
    "all strict flags": ("set -euo pipefail\npytest | tail\necho done", None),
    "an alternative": ("pytest || true", "|| true"),
    "an alternative that exits": ("pytest || exit 1", None),
    "a later command": ("pytest; echo done", "; echo"),
    "a later line": ("pytest\nls", "; ls"),
    "strict later line": ("set -e\npytest\nls", None),
    "the background": ("npm test &", "&"),
    "a group into a pipe": ("(cd a && pytest) | tail", "| tail"),
    "a condition": ("if pytest; then echo fine; fi", "if"),
    "a following success": ("pytest && echo fine", None),
    "nothing": ("cd a && pytest -q 2>&1", None),
    "a pipe in front of it": ("echo y | npm test", None),
    "a quoted pipe": ("pytest -k 'a | b'", None),
}


@pytest.mark.parametrize(("command", "hides"), HIDDEN.values(), ids=HIDDEN)
def test_what_hides_the_exit_is_named(command: str, hides: str | None) -> None:
    assert shape(command).hides_exit == hides


CHECKS = (
    *("pytest", "python -m unittest -v", "python reproduce.py", "python manage.py test app", "./tests/runtests.py a.b", "cargo clippy -- -D warnings"),
    *(
        "go build ./...",
        "go vet ./...",
        "pnpm api:generate",
        "bun run lint:fix",
        "yarn tsc",
        "make",
        "make test",
        "mise run lint",
        "just check",
        "ruff check .",
    ),
    *(
        "ruff format --check .",
        "black --check src",
        "git diff --check",
        "gcc -c a.c",
        "mvn -q test",
        "./gradlew build",
        "docker build .",
        "node --test",
        "node app.js",
    ),
    *(
        "python -c 'import shop; assert shop.price(1) == 2'",
        "python - <<'E'\nimport shop\nprint(shop.price(1))\nE",
        "bash test.sh",
        "export A=1 && ./check.sh verify",
    ),
    *("tsc --noEmit", "pre-commit run -a", "python -m shop.tests.test_price", "cd a && npm run build:prod", "deno test", "dotnet build", "terraform validate"),
)
NO_CHECKS = (
    *("", "ls -la", "cat test_a.py", "git status", "cd tests", "sed -n 1,9p a.py", "find . -name test", "grep -rn pytest .", "git diff", "git log --oneline"),
    *(
        "pip install pytest",
        "npm install",
        "npm ci",
        "pnpm add -D vitest",
        "cargo add serde",
        "cargo fmt",
        "pytest --version",
        "which pytest",
        "node --version",
    ),
    *("make clean", "mise run fmt", "npm run dev", "python fix_schema.py", "python update_test.py", "python -m pip list", "gh pr create --title test"),
    *(
        "python -c \"open('a','w').write('x')\"",
        "curl -s x | python -c 'import sys; print(sys.stdin.read())'",
        "cat a.json | python -m json.tool",
        "mkdir -p tests",
    ),
    *(
        "cat > fix_it.py <<'E'\nopen('a.py', 'w').write('x')\nE\npython fix_it.py",
        "./harness.sh setup-repo",
        "go mod tidy",
        "git push",
        "git commit -m 'run tests'",
    ),
)


@pytest.mark.parametrize("command", CHECKS)
def test_a_command_whose_result_tells_something_is_a_check(command: str) -> None:
    assert is_check(shape(command), command)


@pytest.mark.parametrize("command", NO_CHECKS)
def test_looking_installing_and_editing_are_no_checks(command: str) -> None:
    assert not is_check(shape(command), command)


HOOKS = {
    "eslint ran": ("[STARTED] eslint --fix\n[COMPLETED] eslint --fix\n[main 1a2b3c4] Fix\n 1 file changed", 0, True),
    "cargo ran before the push": ("Running cargo build to check\nBuild check passed\nTo github.com:a/b.git", 0, True),
    "a hook refused": ("husky - pre-commit script failed (code 1)\n\nfix it", 1, True),
    "nothing ran": ("[main 1a2b3c4] Add eslint to the tests\n 1 file changed, 2 insertions(+)", 0, False),
    "a plain push": ("To github.com:a/b.git\n   1a2b..3c4d  main -> main", 0, False),
    "nothing to commit": ("On branch main\nnothing to commit, working tree clean", 1, False),
}


@pytest.mark.parametrize(("output", "exit_", "checks"), HOOKS.values(), ids=HOOKS)
def test_a_commit_checks_only_where_hooks_ran(output: str, exit_: int, checks: bool) -> None:  # noqa: FBT001  # a column of the table
    command = "git add a && git commit -m x"
    assert is_check(shape(command), command, output, exit_) is checks


def test_a_test_run_is_wanted_before_the_commit_behind_it() -> None:
    assert shape("pytest && git commit -m x").tool == "pytest"


def test_heredocs_are_bodies_and_no_commands() -> None:
    found = steps("cat > a.py <<'EOF'\nif a && b; then | rm\nEOF\npython a.py")
    assert [(step.words, step.body, step.writes) for step in found] == [
        (("cat",), "if a && b; then | rm", ("a.py",)),
        (("python", "a.py"), "", ()),
    ]


def test_a_substitution_with_a_heredoc_is_one_word() -> None:
    command = 'git commit -m "$(cat <<\'EOF\'\nIt\'s (a "test")\nEOF\n)" && pytest'
    assert [step.words[0] for step in steps(command)] == ["git", "pytest"]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab '\"\\$()`{}<>|&;\n#-=EOF", max_size=80))
def test_any_text_has_a_shape(command: str) -> None:
    assert shape(command).tool is None or isinstance(shape(command).tool, str)


def test_brackets_nested_without_end_are_read() -> None:
    assert shape("$(" * 20_000 + "(" * 20_000).tool is None
