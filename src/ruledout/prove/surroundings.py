# ruff: noqa: PTH112, PTH117, PTH118  # paths of another root are text here: `pathlib` would resolve them against ours
"""The environment of a run: an allow-list, spelled out. What the caller's shell holds beyond it does not reach a gate, so that verdicts do not hang on it."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruledout.errors import BadInput
from ruledout.prove.sandbox import Place

_PASSED = frozenset(
    [
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "CONDA_DEFAULT_ENV",
        "GOPATH",
        "GOROOT",
        "GOMODCACHE",
        "GOCACHE",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "NVM_DIR",
        "VOLTA_HOME",
        "ASDF_DIR",
        "ASDF_DATA_DIR",
        "JAVA_HOME",
        "GEM_HOME",
        "GEM_PATH",
        "DOTNET_ROOT",
        "UV_CACHE_DIR",
        "LD_LIBRARY_PATH",
        "SYSTEMROOT",
        "COMSPEC",
        "PATHEXT",
    ]
)
_FORBIDDEN = frozenset(
    [
        "PYTEST_ADDOPTS",
        "PYTEST_PLUGINS",
        "PYTHONOPTIMIZE",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "PYTHONINSPECT",
        "PYTHONBREAKPOINT",
        "PYTHONWARNINGS",
        "MAKEFLAGS",
        "MAKEOVERRIDES",
        "MFLAGS",
        "GNUMAKEFLAGS",
        "NODE_OPTIONS",
        "NODE_PATH",
        "BASH_ENV",
        "ENV",
        "SHELLOPTS",
        "PERL5OPT",
        "RUBYOPT",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "RUSTFLAGS",
        "GOFLAGS",
        "LD_PRELOAD",
        "LD_AUDIT",
        "PATH",
        "HOME",
        "TMPDIR",
        "PYTHONHASHSEED",
    ]
)
_HOMES = {"PYENV_ROOT": ".pyenv", "CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup", "GOPATH": "go", "UV_CACHE_DIR": ".cache/uv"}
"""tools that look below the home folder, which is a new one in every run: they are told where they live"""
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of variables that the caller lets through. Raises `BadInput` for one that can change what a test runner does behind its argv."""
    for name in names:
        if name.upper() in _FORBIDDEN or name.upper().startswith(("GIT_", "LD_", "DYLD_")) or not name.replace("_", "a").isalnum():
            raise BadInput(
                "forbidden-variable",
                f"the variable {name!r} may not reach a gate",
                "put what it says into the gate's own arguments (`env PYTHONPATH=src python -m pytest`)",
            )
    return tuple(names)


def search_path(environment: Mapping[str, str], root: Path, carried: Sequence[str]) -> str:
    """PATH without relative entries and without folders of the work tree, save ignored ones that are carried over (`.venv/bin`, `node_modules/.bin`)."""
    kept = []
    for entry in environment.get("PATH", _DEFAULT_PATH).split(os.pathsep):
        if not os.path.isabs(entry):
            continue
        inside = os.path.relpath(os.path.realpath(entry), root)
        outside = inside == ".." or inside.startswith("../")
        if outside or any(inside == path or inside.startswith(path + "/") for path in carried):
            kept.append(entry)
    return os.pathsep.join(dict.fromkeys(kept)) or _DEFAULT_PATH


def variables(environment: Mapping[str, str], names: Sequence[str], path: str, place: Place, seed: int) -> dict[str, str]:
    """The whole environment of one run. `seed` fixes Python's string hashes: another one for each round, the same for all trees of a round."""
    real_home = environment.get("HOME", "")
    found = {name: environment[name] for name in sorted(_PASSED | set(names)) if name in environment}
    for name, folder in _HOMES.items():
        where = os.path.join(real_home, folder)
        if name not in found and real_home and os.path.isdir(where):
            found[name] = where
    return {
        **found,
        "PATH": path,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "HOME": place.home,
        "TMPDIR": place.tmp,
        "USER": "user",
        "LOGNAME": "user",
        "PYTHONHASHSEED": str(seed),
        "UV_OFFLINE": "1",
        "PIP_NO_INDEX": "1",
        "npm_config_offline": "true",
        "CARGO_NET_OFFLINE": "true",
        "CARGO_TERM_COLOR": "never",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GOCACHE": found.get("GOCACHE", str(place.out.parent.parent / "go-cache")),
    }
