import pytest

from ruledout.model.outcome import Diagnostic, Frame, Kind, Signal
from ruledout.observe.nosignal import tier
from ruledout.observe.reading import Reading

TRACEBACK = 'Traceback (most recent call last):\n  File "/home/ada/shop/cart.py", line 3, in total\n    x\n'


@pytest.mark.parametrize(
    ("command", "exit", "output", "signal", "name"),
    [
        ("gti status", 127, "bash: gti: command not found", Signal.NO, "missing_binary"),
        ("./run", 126, "bash: ./run: Permission denied", Signal.NO, "permission"),
        ("cat /root/x", 1, "cat: /root/x: Permission denied", Signal.NO, "permission"),
        ("python nope.py", 2, "python: can't open file '/w/nope.py': [Errno 2] No such file or directory", Signal.NO, "wrong_cwd"),
        ("cd nope", 1, "bash: cd: nope: No such file or directory", Signal.NO, "wrong_cwd"),
        ("python -c 'x ='", 1, '  File "<string>", line 1\n    x =\n       ^\nSyntaxError: invalid syntax', Signal.NO, "agent_syntax"),
        ("python app.py", 1, '  File "/w/app.py", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax', Signal.NO, "agent_syntax"),
        ("node a.js", 1, "Error: listen EADDRINUSE 127.0.0.1:8080\n    at listen (net.js:1286:10)", Signal.NO, "port_or_lock"),
        ("echo 'a", 2, "bash: -c: line 1: unexpected EOF while looking for matching `''", Signal.NO, "agent_syntax"),
        ("pytest --nope", 4, "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nope", Signal.NO, "agent_syntax"),
        ("git apply p", 1, "error: patch failed: f:1\nerror: f: patch does not apply", Signal.NO, "malformed_call"),
        ("pip install x", 1, "Could not resolve host: pypi.example", Signal.NO, "network"),
        ("psql", 2, "connection to server at 127.0.0.1 failed: Connection refused", Signal.AMBIGUOUS, "network"),
        ("make", 137, "Killed", Signal.NO, "oom"),
        ("dd", 1, "dd: error writing 'x': No space left on device", Signal.NO, "disk"),
        ("pytest", 124, "", Signal.AMBIGUOUS, "timeout"),
        ("pytest", 130, "^C", Signal.NO, "interrupted"),
        ("node a.js", 1, "Error: Cannot find module 'left-pad'", Signal.AMBIGUOUS, "missing_module"),
        ("pytest", 5, "no tests ran in 0.01s", Signal.AMBIGUOUS, "no_tests"),
        ("docker ps", 1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", Signal.NO, "environment"),
        ("node s.js", 1, "Error: listen EADDRINUSE: address already in use :::8080", Signal.NO, "port_or_lock"),
        ("git commit", 128, "fatal: Unable to create '/r/.git/index.lock': File exists.", Signal.NO, "port_or_lock"),
        ("terraform plan", 1, 'Error: please run "terraform init"', Signal.AMBIGUOUS, "setup_missing"),
        ("./a", 1, "", Signal.AMBIGUOUS, None),
        ("./a", 139, "", Signal.YES, None),
        ("./a", -11, "", Signal.YES, None),
    ],
)
def test_the_class_of_a_failure_that_says_nothing_about_the_code(command: str, exit: int, output: str, signal: Signal, name: str | None) -> None:  # noqa: A002  # a table
    assert tier(command, exit, output, None) == (signal, name)


@pytest.mark.parametrize(
    ("case", "output"),
    [
        ("an exception in own code", TRACEBACK + "ValueError: bad"),
        ("a missing file met in own code", TRACEBACK + "FileNotFoundError: [Errno 2] No such file or directory: 'x'"),
        ("a permission met in own code", TRACEBACK + "PermissionError: [Errno 13] Permission denied: 'x'"),
        ("a compiler error", "src/a.c:3:5: error: unknown type name 'x'"),
        ("a borrow error", "error[E0382]: use of moved value: `v`\n --> src/main.rs:10:10"),
        ("a type error", "a.ts(1,2): error TS2322: Type 'a' is not assignable"),
        ("a failing assertion", "E       AssertionError: assert 1 == 2"),
        ("a failing test that speaks of a command", "E       AssertionError: command not found\nFAILED t.py::x"),
        ("a go test", "--- FAIL: TestX (0.00s)\n    x_test.go:3: connection refused"),
        ("a panic", "thread 'main' panicked at src/main.rs:4:5:\nboom"),
        ("a sanitizer", "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6"),
        ("a constraint", "sqlite3: UNIQUE constraint failed: users.name"),
        ("a linker error", "a.o: undefined reference to `foo'"),
    ],
)
def test_what_arises_in_the_code_is_never_called_environment(case: str, output: str) -> None:
    assert tier("make check", 1, output, None) == (Signal.YES, None), case


def test_a_reading_with_failing_tests_or_errors_is_a_matter_of_the_code_whatever_else_the_text_says() -> None:
    noise = "bash: x: command not found\nNo space left on device"
    assert tier("", 1, noise, Reading(tool="pytest", failing=("t.py::x",))) == (Signal.YES, None)
    assert tier("", 1, noise, Reading(tool="gcc", diagnostics=(Diagnostic(file="a.c", line=1, severity="error"),))) == (Signal.YES, None)
    assert tier("", 127, noise, Reading(tool="pytest", failing=("t.py::x",))) == (Signal.YES, None)


@pytest.mark.parametrize(
    ("error", "bare", "in_app"),
    [
        ("ModuleNotFoundError", (Signal.AMBIGUOUS, "missing_module"), (Signal.AMBIGUOUS, "missing_module")),
        ("MemoryError", (Signal.NO, "oom"), (Signal.AMBIGUOUS, "oom")),
        ("socket.gaierror", (Signal.NO, "network"), (Signal.AMBIGUOUS, "network")),
        ("KeyboardInterrupt", (Signal.NO, "interrupted"), (Signal.NO, "interrupted")),
        ("ValueError", (Signal.AMBIGUOUS, None), (Signal.YES, None)),
    ],
)
def test_an_error_of_the_machine_is_ambiguous_where_own_code_met_it(error: str, bare: tuple[Signal, str], in_app: tuple[Signal, str]) -> None:
    assert tier("", 1, "", Reading(tool="python", kind=Kind.EXCEPTION, classes=(error,))) == bare
    assert tier("", 1, "", Reading(tool="python", kind=Kind.EXCEPTION, classes=(error,), frames=(Frame("f", "shop/a.py", 1),))) == in_app


def test_a_package_that_node_does_not_find_is_ambiguous_and_a_module_of_the_project_is_code() -> None:
    def missing(name: str) -> tuple[Signal, str | None]:
        frames = (Frame("f", "/w/a.js", 1),)
        return tier(
            "node a.js", 1, "", Reading(tool="node", kind=Kind.EXCEPTION, classes=("Error",), message=f"Error: Cannot find module '{name}'", frames=frames)
        )

    assert missing("left-pad") == (Signal.AMBIGUOUS, "missing_module")
    assert missing("./cart") == (Signal.YES, None)


def test_an_interrupted_run_says_nothing_even_with_a_failing_test() -> None:
    assert tier("pytest", 130, "FAILED t.py::x", Reading(tool="pytest", failing=("t.py::x",))) == (Signal.NO, "interrupted")
