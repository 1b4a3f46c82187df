"""The names of known programs and sub-commands, by what their results say. Tables only."""

from enum import StrEnum


class Role(StrEnum):
    """What the result of a program says."""

    TEST = "test"
    BUILD = "build"
    LINT = "lint"
    SCRIPT = "script"
    """a task of a runner (`npm run x`, `make x`, `mise run x`): whatever stands behind it"""
    RUN = "run"
    """the program itself, or a reproduction script"""
    HOOKED = "hooked"
    """`git commit` and `git push`: they check something only where hooks run"""
    NONE = "none"


TESTS = frozenset({
    "pytest", "py.test", "unittest", "nose", "nose2", "nosetests", "tox", "nox", "trial", "green", "stestr", "behave", "doctest", "ward", "pytest-xdist",
    "jest", "vitest", "mocha", "ava", "tap", "jasmine", "karma", "cypress", "playwright", "vscode-test", "c8", "nyc", "uvu", "wtr", "web-test-runner",
    "qunit", "gotestsum", "ginkgo", "ctest", "rspec", "minitest", "cucumber", "phpunit", "pest", "paratest", "busted", "bats", "prove", "runtests.py",
    "testthat",
})  # fmt: skip
BUILDS = frozenset({
    "tsc", "vue-tsc", "tsup", "esbuild", "webpack", "rollup", "vite", "next", "nuxt", "astro", "swc", "babel", "parcel", "ng", "gatsby", "rspack",
    "rsbuild", "tspc", "ngc", "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "rustc", "javac", "kotlinc", "scalac", "ghc", "swiftc", "xcodebuild",
    "ninja", "meson", "bazel", "bazelisk", "buck2", "ant", "sbt", "lein", "py_compile", "compileall", "cython", "latexmk", "pdflatex", "mkdocs",
    "sphinx-build", "nvcc", "zig", "wasm-pack", "trunk", "maturin", "build", "orval", "protoc", "buf", "wrangler", "vsce", "electron-builder", "gradle",
    "gradlew", "mvn", "mvnw", "sam", "hugo", "elm", "crystal", "nim", "dune", "solc", "forge",
})  # fmt: skip
LINTS = frozenset({
    "eslint", "biome", "tslint", "stylelint", "oxlint", "standard", "xo", "ultracite", "knip", "depcheck", "markdownlint", "markdownlint-cli2",
    "svelte-check", "publint", "attw", "ruff", "flake8", "pylint", "mypy", "pyright", "basedpyright", "pyre", "pytype", "ty", "pyflakes", "pycodestyle",
    "pydocstyle", "bandit", "vulture", "lint-imports", "dmypy", "golangci-lint", "staticcheck", "govulncheck", "revive", "shellcheck", "hadolint",
    "yamllint", "actionlint", "rubocop", "standardrb", "brakeman", "phpstan", "psalm", "phpcs", "clang-tidy", "cppcheck", "cpplint", "ktlint", "detekt",
    "swiftlint", "checkstyle", "pre-commit", "lefthook", "lint-staged", "semgrep", "typos", "codespell", "sqlfluff", "luacheck", "tflint", "tfsec",
    "ansible-lint", "vale", "cspell", "commitlint", "spectral", "redocly", "kubeconform", "credo", "dialyzer", "pyrefly", "deptry", "interrogate",
    "nilaway",
})  # fmt: skip
FORMATTERS = frozenset({
    "black", "prettier", "isort", "rustfmt", "gofmt", "goimports", "yapf", "autopep8", "shfmt", "clang-format", "dprint", "taplo",
})  # fmt: skip
PACKAGE_VALUED = frozenset({
    "--filter", "-F", "-w", "--workspace", "--prefix", "-C", "--dir", "--cwd", "--scope", "-p",
})  # fmt: skip
"""options of package managers that take a value"""
PACKAGE_BUILTINS = frozenset({
    "install", "i", "ci", "add", "remove", "rm", "uninstall", "update", "up", "upgrade", "outdated", "list", "ls", "why", "link", "unlink", "publish",
    "pack", "init", "create", "config", "info", "view", "show", "login", "logout", "whoami", "cache", "store", "prune", "dedupe", "rebuild", "root",
    "bin", "import", "patch", "set", "dlx", "pm", "repl", "fund", "explain", "search", "help", "version", "self-update", "env", "workspaces",
    "approve-builds",
})  # fmt: skip
"""their own sub-commands, which are no scripts of the project"""
NO_WRAPPERS = frozenset({
    "which", "type", "whereis", "where", "man", "info", "brew", "apt", "apt-get", "apk", "yum", "dnf", "pip", "pip3", "pipx", "gem", "grep", "rg",
    "ag", "ls", "cat", "echo", "printf", "cd", "ps", "pgrep", "pkill", "kill", "killall", "export", "alias", "touch", "rm", "cp", "mv", "mkdir",
    "head", "tail", "less", "file", "stat", "gh", "sed", "awk", "find", "fd", "wc", "sort", "test", "[", "for", "source", ".", "tee", "jq", "curl",
    "wget", "open", "code", "vim", "nano", "chmod", "ln", "tree",
})  # fmt: skip
"""unknown to the tables, and yet no wrappers of what stands behind them"""

CARGO = {
    **dict.fromkeys(("build", "b", "check", "c", "doc", "rustc", "install", "package"), Role.BUILD),
    **dict.fromkeys(("test", "t", "nextest", "bench", "miri", "llvm-cov", "tarpaulin", "insta"), Role.TEST),
    **dict.fromkeys(("clippy", "deny", "audit", "machete", "udeps", "hack"), Role.LINT),
    **dict.fromkeys(("run", "r", "xtask"), Role.RUN),
}
GO = {"test": Role.TEST, "build": Role.BUILD, "install": Role.BUILD, "vet": Role.LINT, "run": Role.RUN, "generate": Role.BUILD}
DOTNET = {"test": Role.TEST, "build": Role.BUILD, "run": Role.RUN, "publish": Role.BUILD, "format": Role.LINT}
SWIFT = {"test": Role.TEST, "build": Role.BUILD, "run": Role.RUN, "package": Role.NONE}
MIX = {"test": Role.TEST, "compile": Role.BUILD, "credo": Role.LINT, "dialyzer": Role.LINT, "format": Role.LINT}
DENO = {"test": Role.TEST, "check": Role.LINT, "lint": Role.LINT, "run": Role.RUN, "compile": Role.BUILD, "task": Role.SCRIPT}
FLUTTER = {"test": Role.TEST, "analyze": Role.LINT, "build": Role.BUILD, "run": Role.RUN}
DOCKER = {"build": Role.BUILD, "buildx": Role.BUILD}
