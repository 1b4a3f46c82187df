"""The one list of toolchains: each is a module that fits `reading.Toolchain`, and knows no other. Adding one touches its own file and this list."""

from typing import cast

from ruledout.observe.reading import Toolchain
from ruledout.observe.tools import (
    biome,
    cargo,
    cc,
    crash,
    docker,
    eslint,
    events,
    git,
    go,
    golangci,
    gtest,
    jest,
    jsonlint,
    jvm,
    lines,
    mocha,
    msbuild,
    node,
    phpunit,
    pylint_,
    pytest_,
    python,
    reports,
    rspec,
    sarif,
    shell,
    sql,
    stacks,
    summaries,
    terraform,
    tsc,
    unittest_,
    valgrind,
    vitest,
    wrappers,
)

TOOLCHAINS: dict[str, Toolchain] = {
    module.NAME: cast("Toolchain", module)
    for module in (
        *(crash, valgrind, phpunit, reports, events, pytest_, unittest_, vitest, jest, mocha, golangci, go, cargo, rspec, gtest, summaries),
        *(tsc, biome, eslint, pylint_, jvm, msbuild, cc, terraform, git, node, python, sql, docker, shell, wrappers, sarif, jsonlint, lines, stacks),
    )
}
"""All toolchains, those whose words weigh most first: of two that fail, the earlier one speaks."""
