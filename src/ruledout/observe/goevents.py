"""The events of `go test -json` (test2json), one JSON object a line: unfolded to the text that they carry, and counted.

It knows no verdict; `observe.tools.go` reads the text. Lines that are no events stay as they are.
"""

from msgspec import Struct


class Events(Struct, frozen=True, kw_only=True):
    """The text inside the events, and what they tell beside it. `broken`: packages that failed without a test of theirs that ended failing."""

    text: str
    broken: tuple[str, ...]
    passed: int
    failed: int
    skipped: int
    total: int
    built: int
    """packages that did not build"""


def unfold(output: str) -> Events:
    """The plain output inside the events; test results that only stand in events are written out as lines."""
    lines: list[str] = []
    state: dict[tuple[str, str], str] = {}
    packages: dict[str, str] = {}
    built = 0
    for raw in output.split("\n"):
        event = _event(raw)
        if event is None:
            lines.append(raw)
            continue
        action, test, package = (str(event.get(key) or "") for key in ("Action", "Test", "Package"))
        if action in ("output", "build-output"):
            lines.append(str(event.get("Output", "")).rstrip("\n"))
        elif action == "build-fail":
            built += 1
        elif action in ("run", "pass", "fail", "skip") and test:
            state[package, test] = action
            lines += [] if action == "run" else [f"--- {action.upper()}: {test}"]
        elif action in ("pass", "fail"):
            packages[package] = action
            lines += [f"--- FAIL: {name}" for (where, name), word in state.items() if where == package and word == "run" and action == "fail"]
            lines.append(f"{'FAIL' if action == 'fail' else 'ok  '}\t{package}\t0s")
    return _counted("\n".join(lines), state, packages, built)


def _counted(text: str, state: dict[tuple[str, str], str], packages: dict[str, str], built: int) -> Events:
    """A test that never ended failed with its package: the package counts beside it only where it ran out of time."""
    endings = ("fail",) if "panic: test timed out" in text else ("fail", "run")
    own = {where for (where, _), word in state.items() if word in endings}
    broken = tuple(name for name, word in packages.items() if word == "fail" and name not in own)
    lost = sum(word == "run" and packages.get(where) == "fail" for (where, _), word in state.items())
    tally = {each: sum(word == each for word in state.values()) for each in ("pass", "fail", "skip")}
    failed = tally["fail"] + lost + len(broken)
    return Events(text=text, broken=broken, passed=tally["pass"], failed=failed, skipped=tally["skip"], total=len(state), built=built)


def _event(raw: str) -> dict[str, object] | None:
    if not raw.startswith("{"):
        return None
    import json

    try:
        event = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and "Action" in event else None
