"""Settings from `[tool.ruledout]` of `pyproject.toml`, or from `.ruledout.toml`: budgets and carry-over paths.

A repository's file is written by whoever sends the pull request, so it may set nothing that decides what runs or whom we talk to: trust, sandbox
and addresses come from the user's own configuration (R12). Such a key refuses the whole file, as any unknown key does. Opens no file itself.
"""

from collections.abc import Mapping

import msgspec

from ruledout import text
from ruledout.errors import BadInput
from ruledout.observe import matchers as matching
from ruledout.observe.matchers import Matcher

_USERS_OWN = ("trust", "sandbox", "isolation", "url", "store", "server", "token", "env", "argv", "command", "gate")
"""words in a key that no repository may set"""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a repository may wish for.

    `deadline_s` is the time budget of one gate run in seconds, `runs` how often each tree is run, `brief_tokens` what a brief may cost;
    `test_paths` are globs of the test side, `carry` paths that a proof brings along (both relative to the root, with `/`). `matchers` have further
    tools' lines read as problems (docs/outcomes.md); they may find a failure and never a pass.
    """

    deadline_s: float = 300.0
    runs: int = 3
    test_paths: tuple[str, ...] = ()
    brief_tokens: int = 800
    carry: tuple[str, ...] = ()
    matchers: tuple[Matcher, ...] = ()


_BOUNDS = {"deadline_s": (1, 86_400), "runs": (1, 100), "brief_tokens": (50, 20_000)}


def from_pyproject(content: str) -> Settings:
    """The settings in `[tool.ruledout]` of a `pyproject.toml`; the defaults where there is no such table. Raises `BadInput` as `from_own` does."""
    tools = _parsed(content, "pyproject.toml").get("tool", {})
    table = tools.get("ruledout", {}) if isinstance(tools, dict) else {}
    return _settings(table, "pyproject.toml, [tool.ruledout]")


def from_own(content: str) -> Settings:
    """The settings in a `.ruledout.toml`, which has no table around them.

    Raises `BadInput`: `bad-settings` for text that is no TOML, an unknown key, a wrong type or a value out of bounds; `not-for-a-repository` for a
    key that only the user may set.
    """
    return _settings(_parsed(content, ".ruledout.toml"), ".ruledout.toml")


def _parsed(content: str, name: str) -> dict[str, object]:
    import tomllib  # only where a file is there to be read

    try:
        return tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadInput("bad-settings", f"{name} is no TOML: {error}", "mend the file") from None


def _settings(table: object, name: str) -> Settings:
    if not isinstance(table, dict):
        raise BadInput("bad-settings", f"{name} is no table", "write the settings as key = value lines")
    for key in table:
        if key not in Settings.__struct_fields__ and any(word in key.lower() for word in _USERS_OWN):
            raise BadInput(
                "not-for-a-repository", f"{name}: `{key!a}` decides what runs here", "set it in your own configuration and take it out of the repository"
            )
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise BadInput("bad-settings", f"{name}: {error}", f"known keys are {', '.join(Settings.__struct_fields__)}") from None
    _bounded(msgspec.structs.asdict(settings), name)
    matching.check(settings.matchers)
    return settings


def _bounded(values: Mapping[str, object], name: str) -> None:
    """Refuse numbers out of bounds, and paths that leave the repository or hide letters."""
    for key, (least, most) in _BOUNDS.items():
        value = values[key]
        if not isinstance(value, int | float) or not least <= value <= most:
            raise BadInput("bad-settings", f"{name}: {key} = {value} is not between {least} and {most}", "choose a value within these bounds")
    for key in ("test_paths", "carry"):
        for path in values[key] if isinstance(values[key], tuple) else ():  # type: ignore[attr-defined]  # narrowed in the same line
            if not _inside(path):
                raise BadInput("bad-settings", f"{name}: {key} has {path!a}", "give a path below the repository's root, with `/` and visible letters")


def _inside(path: str) -> bool:
    steps = path.replace("\\", "/").split("/")
    return bool(path) and text.clean(path) == path and "\n" not in path and steps[0] not in ("", "~") and ".." not in steps and ":" not in steps[0]
