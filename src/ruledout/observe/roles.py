"""What the result of a program can say: a test run, a build, a lint, the program itself, or nothing.

It goes by names and arguments only; what the output says is for `outcome`.
"""

from collections.abc import Callable, Mapping

from ruledout.observe import names
from ruledout.observe.calls import SHELLS, Call, base, rx
from ruledout.observe.names import Role

_TALK = frozenset(
    ("--version", "-V", "--help", "version", "help", "-version", "--show-config", "--init", "--markers", "--fixtures", "--listTests", "--show-settings")
)
_SHORT_VERSION = frozenset(("node", "php", "ruby", "perl", "java", "npm", "pnpm", "yarn", "bun"))
_CHECKING = (
    r"(?i)test|spec|lint|check|build|compile|type|tsc|verif|valid|(?:^|[:\-_])ci(?:$|[:\-_])|e2e|cover|codegen"
    r"|generate|smoke|bench|vet|eslint|ruff|mypy|audit|assert|doctor|qa\b|all$|repro|pytest|jest|unit|integration"
)
_NOT_CHECKING = (
    r"(?i)^(?:clean|help|install|deps|setup|dev|start|serve|watch|fmt|format|migrate|seed|shell"
    r"|up|down|logs|deploy|release|publish|prepare|bootstrap|init)\b(?!.*check)|watch$"
)
_EDITING = (
    r"(?i)^(?:\d+[_-])?(?:fix|modify|update|apply|patch|edit|add|replace|insert|remove|rewrite|write"
    r"|create|generate|migrate|convert|rename|refactor|change|cleanup|clean"
    r"|setup|install|download|fetch|make|move|copy|extract|bump|sync)(?:[_\-.]|$)"
)
_PATCHING_NAME = r"(?i)(?:^|[_-])(?:fix|patch|edit|update)(?:er)?[_-]?\d*\.\w+$"
_TESTING_NAME = r"(?i)test|repro|verify|check|demo|bug|issue"
_WRITES_FILES = (
    r"open\([^)\n]{0,200}['\"][wax]b?\+?['\"]|\.write_text\(|\.write_bytes\(|writeFileSync|writeFile\(|fs\.write|\bshutil\.(?:copy|move)|json\.dump\("
)
_LOOKS_ONLY = r"\bast\.parse|json\.load|inspect\.getsource|__version__|__file__|\.read_text\(\)|open\("


def role(call: Call) -> Role:
    """What the result of this call says."""
    args = call.args
    if not call.program or any(arg in _TALK for arg in args[:3]) or args == ("-h",) or (args == ("-v",) and call.program in _SHORT_VERSION):
        return Role.NONE
    return _by_name(call.program, args) or _by_rule(call)


def _by_name(program: str, args: tuple[str, ...]) -> Role | None:
    if program in names.TESTS:
        return Role.TEST
    if program in names.BUILDS:
        return Role.BUILD if not {"clean", "install", "init", "list", "dev", "serve"} & set(args[:1]) else Role.NONE
    if program in names.LINTS:
        return Role.LINT if program != "ruff" or args[:1] != ("format",) or "--check" in args else Role.NONE
    if program in names.FORMATTERS:
        return Role.LINT if {"--check", "-c", "--check-only", "--diff", "-l", "-d", "--list-different", "check", "--dry-run"} & set(args) else Role.NONE
    return None


def _by_rule(call: Call) -> Role:
    if call.program == "manage.py":
        return _python_role(Call("python", (call.path, *call.args), call.path))
    if known := _KNOWN.get(call.program):
        return known(call)
    if "." in call.program and rx(r"(?:^|[._])tests?(?:[._]|$)").search(call.program):
        return Role.RUN  # `python -m package.tests.test_x`
    if "/" in call.path or call.program.endswith((".sh", ".py", ".js", ".rb", ".pl", ".out")):
        return _script(call.path, call.args)
    return Role.NONE if call.program in names.NO_WRAPPERS else _guess(call.args)


def _guess(args: tuple[str, ...]) -> Role:
    """An unknown program in front of a known one is a wrapper."""
    return (
        role(Call(base(args[0]), args[1:], "", ""))
        if args and (args[0] in names.TESTS or args[0] in ("cargo", "bun", "npm", "pnpm", "go", "yarn"))
        else Role.NONE
    )


def _script(path: str, args: tuple[str, ...]) -> Role:
    """A script or binary by its name: those that edit or set up are no checks."""
    name = base(path)
    if rx(_EDITING).search(name) or (rx(_PATCHING_NAME).search(name) and not rx(r"(?i)^(?:test|check|verify|repro|debug)").search(name)):
        return Role.NONE
    if args and rx(r"(?i)^(?:setup|create|cleanup|clean|teardown|reset|install|help|init|configure$)").search(args[0]):
        return Role.NONE
    if path.startswith(("/usr/", "/bin/", "/opt/", "/etc/", "~/.")) and not rx(_TESTING_NAME).search(name):
        return Role.NONE
    return Role.TEST if name in ("runtests.py", "run_tests.sh", "run-tests.sh") else Role.RUN


def _python_role(call: Call) -> Role:
    args = call.args
    if args and args[0] not in ("-c", "-"):
        name = base(args[0])
        if name == "manage.py":
            return Role.TEST if args[1:2] == ("test",) else Role.LINT if args[1:2] == ("check",) else Role.NONE
        if name == "setup.py":
            return Role.TEST if args[1:2] == ("test",) else Role.BUILD if args[1:2] in (("build",), ("build_ext",), ("check",)) else Role.NONE
        return _script(args[0], args[1:])
    return _source_role(call.source)


def writes_files(source: str) -> bool:
    """Whether a script's text writes files: an edit, not a check."""
    return rx(_WRITES_FILES).search(source) is not None


def _source_role(source: str) -> Role:
    """Source text handed over: one that writes files is an edit; one that only looks at files is no check."""
    if not source.strip():
        return Role.NONE
    tests = "assert" in source or rx(r"(?i)\btest|expect").search(source) is not None
    if writes_files(source) and not (tests and "tempfile" in source):
        return Role.NONE
    return Role.NONE if rx(_LOOKS_ONLY).search(source) and not tests else Role.RUN


def _node_role(call: Call) -> Role:
    if "--test" in call.args or any(arg.startswith("--test-") for arg in call.args):
        return Role.TEST
    if "--check" in call.args or "-c" in call.args[:1]:
        return Role.LINT
    file = next((arg for arg in call.args if not arg.startswith("-")), "")
    return _source_role(call.source) if call.source or not file else _script(file, call.args[call.args.index(file) + 1 :])


def _interpreter_role(call: Call) -> Role:
    file = next((arg for arg in call.args if not arg.startswith("-")), "")
    if call.program == "perl" and any("i" in arg for arg in call.args if rx(r"-\w*i").match(arg)):
        return Role.NONE
    if "-c" in call.args or "-l" in call.args[:1]:
        return Role.LINT
    return _source_role(call.source) if call.source or not file else _script(file, ())


def _sub(table: Mapping[str, Role]) -> Callable[[Call], Role]:
    def by_sub_command(call: Call) -> Role:
        sub = next((arg for arg in call.args if not arg.startswith("-")), "")
        return table.get(sub, Role.NONE)

    return by_sub_command


def _cargo_role(call: Call) -> Role:
    sub = next((arg for arg in call.args if not arg.startswith("-")), "")
    if sub == "fmt":
        return Role.LINT if "--check" in call.args else Role.NONE
    return names.CARGO.get(sub, Role.NONE)


def _git_role(call: Call) -> Role:
    if call.args[:1] == ("diff",) and "--check" in call.args:
        return Role.LINT
    return Role.HOOKED if call.args[:1] in (("commit",), ("push",)) else Role.NONE


def script_of(call: Call) -> str:
    """The task that a runner was asked for (`npm run lint` gives `lint`), or the empty string."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        del args[: 2 if args[0] in names.PACKAGE_VALUED else 1]
    if args[:1] in (["run"], ["run-script"], ["task"], ["workspace"], ["r"]):
        args = args[2 if args[0] == "workspace" else 1 :]
        while args and args[0].startswith("-"):
            del args[: 2 if args[0] in names.PACKAGE_VALUED else 1]
        if args[:1] == ["run"]:
            args = args[1:]
    return args[0] if args else ""


def _package_role(call: Call) -> Role:
    script = script_of(call)
    if not script or (script in names.PACKAGE_BUILTINS and "run" not in call.args):
        return Role.NONE
    if call.program == "bun" and script == "test" and "run" not in call.args:
        return Role.TEST
    if script in names.TESTS | names.BUILDS | names.LINTS:  # `pnpm vitest run`, `yarn tsc`
        return role(Call(script, call.args[call.args.index(script) + 1 :]))
    if call.program in ("bun", "deno") and script.endswith((".ts", ".js", ".tsx", ".mjs")):
        return _script(script, ())
    return _task_role(script)


def _task_role(script: str) -> Role:
    if rx(_NOT_CHECKING).search(script):
        return Role.NONE
    return Role.SCRIPT if script in ("t", "tst") or rx(_CHECKING).search(script) else Role.NONE


def _runner_role(call: Call) -> Role:
    return _task_role(script_of(call)) if script_of(call) else Role.NONE


def _make_role(call: Call) -> Role:
    targets = [arg for arg in call.args if not arg.startswith("-") and "=" not in arg and not arg.isdigit()]
    if call.args[:1] == ("-C",) and targets:
        targets = targets[1:]
    if "-n" in call.args or "--dry-run" in call.args:
        return Role.NONE
    return Role.SCRIPT if not targets or not all(rx(_NOT_CHECKING).search(target) for target in targets) else Role.NONE


_KNOWN: Mapping[str, Callable[[Call], Role]] = {
    "python": _python_role,
    "node": _node_role,
    **dict.fromkeys(("tsx", "ts-node"), _node_role),
    **dict.fromkeys(("ruby", "php", "perl", "lua", "julia", "Rscript", "java", "groovy", "elixir"), _interpreter_role),
    **dict.fromkeys(SHELLS, lambda call: _source_role(call.source)),
    "script": lambda call: _script(call.path, call.args),
    "cargo": _cargo_role,
    "cross": _cargo_role,
    "go": _sub(names.GO),
    "dotnet": _sub(names.DOTNET),
    "swift": _sub(names.SWIFT),
    "mix": _sub(names.MIX),
    "deno": _sub(names.DENO),
    **dict.fromkeys(("flutter", "dart"), _sub(names.FLUTTER)),
    **dict.fromkeys(("docker", "podman"), _sub(names.DOCKER)),
    "terraform": _sub({"validate": Role.LINT, "plan": Role.LINT}),
    "helm": _sub({"lint": Role.LINT, "template": Role.BUILD}),
    "cmake": lambda call: Role.BUILD if "-E" not in call.args else Role.NONE,
    "git": _git_role,
    **dict.fromkeys(("django", "django-admin"), _sub({"test": Role.TEST, "check": Role.LINT})),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _package_role),
    **dict.fromkeys(
        (
            "mise",
            "just",
            "task",
            "nx",
            "turbo",
            "lerna",
            "composer",
            "rake",
            "invoke",
            "inv",
            "poe",
            "hatch",
            "moon",
            "wireit",
            "grunt",
            "gulp",
            "rails",
            "pixi",
        ),
        _runner_role,
    ),
    **dict.fromkeys(("make", "gmake", "bmake", "remake"), _make_role),
}
