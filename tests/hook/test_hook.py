"""At the moment of the act: what is said before an edit or a command and after a failure, once, exact, and never of what proved right."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hook.ground import BAD, GOOD, OLD, SOURCE, Session, cart, dead_end, git, keep, repository

from ruledout import fingerprint
from ruledout.model.residual import EvidenceGrade
from ruledout.testing import samples

RED = "FAILED tests/test_cart.py::test_total - AssertionError: assert 1190 == 1191\n1 failed in 0.10s\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return repository(tmp_path)


def test_R15_nothing_known_is_silence(session: Session) -> None:
    assert (session.edit(OLD, BAD), session.run("pytest -q"), session.event("SessionStart", source="startup"), session.event("PreCompact")) == ("", "", "", "")
    assert not (session.root / ".git/ruledout").exists()


def test_R15_a_dead_end_is_told_once_a_session_and_again_after_a_compaction(session: Session) -> None:
    keep(session, cart())
    said = [session.edit(OLD, BAD), session.edit(OLD, BAD)]
    session.event("PreCompact", trigger="auto")
    said.append(session.edit(OLD, BAD))
    assert [text.count("ruled out") for text in said] == [1, 0, 1]
    assert Session(session.root, session.env, name="s-2").edit(OLD, BAD) == said[0]


def test_R4_the_winning_edit_is_never_spoken_of(session: Session) -> None:
    keep(session, cart())
    assert [
        session.edit(OLD, GOOD),
        session.edit(OLD.strip(), GOOD.strip()),
        session.before("Write", {"file_path": str(session.root / "src/cart.py"), "content": SOURCE.replace(OLD, GOOD)}),
    ] == ["", "", ""]


def test_R4_a_dead_end_that_won_elsewhere_is_not_spoken_of_however_it_is_expressed(session: Session) -> None:
    keep(session, cart())
    won = samples.residual("The tax multiplies.", branches=[], survived=[fingerprint.edit("src/cart.py", [OLD], [BAD])])
    keep(session, won)
    assert [how(session) for how in SAME.values()] == [""] * len(SAME)


def test_R4_a_part_of_a_line_that_won_elsewhere_acquits_the_whole_line(session: Session) -> None:
    old, new = "sum(items) - tax", "sum(items) * tax"
    keep(session, cart(dead_end(("src/cart.py", old, new))))
    told = session.edit(OLD, BAD)
    keep(session, samples.residual("The tax multiplies.", branches=[], survived=[fingerprint.edit("src/cart.py", [old], [new])]))
    assert ("ruled out" in told, session._replace(name="s-2").edit(OLD, BAD)) == (True, "")


def test_a_file_that_is_written_as_it_stands_is_no_edit_made_again(session: Session) -> None:
    given = {"file_path": str(session.root / "src/cart.py"), "content": SOURCE.replace(OLD, BAD)}
    (session.root / "src/cart.py").write_text(given["content"])
    session.wrote("Write", given)
    session.failed("pytest -q", RED)
    assert session.before("Write", given) == ""


def test_R15_who_names_no_session_is_told_once_as_well(session: Session) -> None:
    keep(session, cart())
    nameless = session._replace(name="")
    assert [bool(nameless.edit(OLD, BAD)), bool(nameless.edit(OLD, BAD))] == [True, False]


SAME: dict[str, Callable[[Session], str]] = {
    "a part of the line": lambda s: s.edit("sum(items) - tax", "sum(items) * tax"),
    "more context": lambda s: s.edit(f"def total(items):\n{OLD}\n", f"def total(items):\n{BAD}\n"),
    "the whole file": lambda s: s.before("Write", {"file_path": str(s.root / "src/cart.py"), "content": SOURCE.replace(OLD, BAD)}),
    "from a folder below": lambda s: s._said(
        {**s._event("PreToolUse", "Edit", {"file_path": "cart.py", "old_string": OLD, "new_string": BAD}), "cwd": str(s.root / "src")}
    ),
    "by sed": lambda s: s.run("sed -i 's/    return sum(items) - tax/    return sum(items) * tax/' src/cart.py"),
    "by a here-document": lambda s: s.run(f"cat > src/cart.py <<'EOF'\n{SOURCE.replace(OLD, BAD)}EOF"),
    "by a patch in the shell": lambda s: s.run(
        f"git apply <<'EOF'\n--- a/src/cart.py\n+++ b/src/cart.py\n@@ -1,2 +1,2 @@\n def total(items):\n-{OLD}\n+{BAD}\nEOF"
    ),
    "in a call of several edits": lambda s: s.before(
        "MultiEdit", {"file_path": str(s.root / "src/cart.py"), "edits": [{"old_string": OLD, "new_string": BAD}]}
    ),
}


@pytest.mark.parametrize("how", SAME.values(), ids=SAME)
def test_the_same_state_of_the_file_is_the_same_edit_however_it_is_expressed(session: Session, how: Callable[[Session], str]) -> None:
    keep(session, cart())
    assert "ruled out" in how(session)


OTHER: dict[str, Callable[[Session], str]] = {
    "another file": lambda s: s.edit("RATE = 1", "RATE = 2", "src/tax.py"),
    "another line": lambda s: s.edit("    return items[1:]", "    return items[2:]"),
    "the same place, another text": lambda s: s.edit(OLD, "    return sum(items) // tax"),
    "more than the dead end": lambda s: s.edit(f"{OLD}\n\n\ndef rest", f"{BAD}\n\n\ndef tail"),
    "the way back": lambda s: s.edit(BAD, OLD),
}


@pytest.mark.parametrize("how", OTHER.values(), ids=OTHER)
def test_R4_what_is_not_the_dead_end_itself_is_silence(session: Session, how: Callable[[Session], str]) -> None:
    keep(session, cart())
    assert how(session) == ""


def test_an_attempt_of_several_hunks_counts_with_the_last_of_them(session: Session) -> None:
    keep(session, cart(dead_end(("src/cart.py", OLD, BAD), ("src/tax.py", "RATE = 1", "RATE = 0"))))
    assert [bool(session.make(OLD, BAD)), bool(session.make("RATE = 1", "RATE = 0", "src/tax.py"))] == [False, True]


def test_R4_an_attempt_whose_first_hunk_was_taken_back_or_has_company_does_not_count(session: Session) -> None:
    keep(session, cart(dead_end(("src/cart.py", OLD, BAD), ("src/tax.py", "RATE = 1", "RATE = 0"))))
    session.make(OLD, BAD)
    session.make(BAD, OLD)
    back = session.make("RATE = 1", "RATE = 0", "src/tax.py")
    other = Session(session.root, session.env, name="s-2")
    other.make(OLD, BAD)
    other.make("    return items[1:]", "    return items[2:]")
    (session.root / "src/tax.py").write_text("RATE = 1\n")
    assert (back, other.make("RATE = 1", "RATE = 0", "src/tax.py")) == ("", "")


def test_R10_another_commit_than_it_was_tried_on_is_said(session: Session) -> None:
    commit = git(session.root, "rev-parse", "HEAD")
    keep(session, cart(dead_end(("src/cart.py", OLD, BAD), commit=commit)))
    before = session.edit(OLD, BAD)
    git(session.root, "commit", "-q", "--allow-empty", "-m", "on")
    after = Session(session.root, session.env, name="s-2").edit(OLD, BAD)
    assert ("reopened" in before, "reopened: ruled out, but the commit is another now" in after) == (False, True)


def test_R13_an_observed_dead_end_is_a_fact_seen(session: Session) -> None:
    keep(session, cart(evidence=EvidenceGrade.OBSERVED))
    said = session.edit(OLD, BAD)
    assert ("seen to fail before" in said, "ruled out" in said, "assert 1190" in said, "rounded" in said) == (True, False, False, False)


def test_R6_taking_out_a_guard_is_told(session: Session) -> None:
    guarded = cart()
    guard = samples.residual().required_defensive_guards[0]
    import msgspec

    kept = msgspec.structs.replace(guard, location="src/cart.py:6", snippet="    if not items:\n        raise ValueError(items)")
    keep(session, msgspec.structs.replace(guarded, required_defensive_guards=(kept,)))
    moved = session.edit("    return items[1:]", "    return list(items[1:])")
    assert (moved, "takes out a guard at src/cart.py:6" in session.edit("    if not items:\n        raise ValueError(items)\n", "")) == ("", True)


def test_the_same_command_with_nothing_changed_is_a_repeat_and_the_first_run_of_a_session_never(session: Session) -> None:
    session.transcript.write_text("")
    first = session.run("pytest -q")
    session.failed("pytest -q", RED)
    session.wrote("Bash", {"command": "git diff"})
    again = session.run("pytest  -q")
    other = Session(session.root, session.env, name="s-2").run("pytest -q")
    assert (first, "nothing changed since this command failed" in again, other) == ("", True, "")


CHANGES: dict[str, Callable[[Session], object]] = {
    "an edit in the session": lambda s: s.wrote("Edit", {"file_path": str(s.root / "src/cart.py"), "old_string": OLD, "new_string": GOOD}),
    "a command that may write": lambda s: s.wrote("Bash", {"command": "make clean"}),
    "someone else's edit": lambda s: os.utime(s.root / "src/cart.py", (4e9, 4e9)),
    "a torn line": lambda s: s.transcript.write_text('{"a": \n'),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_R4_a_command_after_a_change_is_no_repeat(session: Session, change: Callable[[Session], object]) -> None:
    session.transcript.write_text("")
    session.failed("pytest -q", RED)
    change(session)
    assert session.run("pytest -q") == ""


AMBIGUOUS = "FAILED tests/t.py::test_x - ConnectionRefusedError: [Errno 111] Connection refused\n1 failed in 0.10s\n"


@pytest.mark.parametrize(
    "output",
    [
        "bash: pytest: command not found",
        "Connection refused by host\n",
        "",
        AMBIGUOUS,
        "FAILED tests/t.py::test_x - Failed: Timeout >1.0s\n1 failed in 0.10s\n",
    ],
    ids=["no program", "no network", "nothing", "a test without network", "a time-out"],
)
def test_R4_a_failure_that_says_nothing_of_the_code_is_not_held_against_a_command(session: Session, output: str) -> None:
    session.transcript.write_text("")
    session.failed("pytest -q", output, 127)
    assert session.run("pytest -q") == ""


def test_an_edit_made_failed_and_taken_back_in_this_session_is_told_when_it_is_made_again(session: Session) -> None:
    given = {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD}
    session.make(OLD, BAD)
    session.wrote("Edit", given)
    session.failed("pytest -q", RED)
    back = session.make(BAD, OLD)
    session.wrote("Edit", {**given, "old_string": BAD, "new_string": OLD})
    session.failed("pytest -q", RED)
    again = session.make(OLD, BAD)
    session.wrote("Edit", given)
    assert (back, "this edit was made in this session, failed, and was taken back" in again, session.make(BAD, OLD)) == ("", True, "")


def test_R4_an_edit_tried_again_beside_another_change_is_another_state(session: Session) -> None:
    session.make(OLD, BAD)
    session.wrote("Edit", {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD})
    session.failed("pytest -q", RED)
    session.make(BAD, OLD)
    session.make("    return items[1:]", "    return items[2:]")
    assert session.edit(OLD, BAD) == ""


def test_a_failure_that_was_cured_before_is_told_by_its_signature(session: Session) -> None:
    from ruledout.observe.outcome import observe

    keep(session, samples.residual(branches=[], symptom=observe("pytest -q", RED, 1).signature))
    said = session.failed("pytest -q", RED.replace("1190 == 1191", "7 == 8"))
    assert ("met before, and cured" in said, "rounded per item" in said, session.failed("pytest -q", RED)) == (True, True, "")


def test_R15_a_failure_of_another_kind_is_silence(session: Session) -> None:
    keep(session, samples.residual(branches=[]))
    assert session.failed("cargo test", "error[E0308]: mismatched types\n --> src/main.rs:3:5\n") == ""


def test_a_session_that_starts_on_the_branch_of_an_open_handoff_is_told_of_it(session: Session) -> None:
    keep(session, samples.handoff(), "main")
    git(session.root, "checkout", "-q", "-b", "else")
    silent = session.event("SessionStart", source="startup")
    git(session.root, "checkout", "-q", "main")
    assert (silent, "ended unresolved" in session.event("SessionStart", source="startup")) == ("", True)


BLOCKING = {
    "nobody asks": ({}, "", [None, None]),
    "the environment": ({"RULEDOUT_BLOCK": "1"}, "", ["deny", None]),
    "the user's settings": ({}, "[hook]\nblock = true # exact repeats\n", ["deny", None]),
    "the environment against the settings": ({"RULEDOUT_BLOCK": "0"}, "block = true", [None, None]),
}


@pytest.mark.parametrize(("env", "settings", "wanted"), BLOCKING.values(), ids=BLOCKING)
def test_R15_blocking_is_asked_for_exact_and_lets_the_second_try_pass(session: Session, env: dict[str, str], settings: str, wanted: list[str | None]) -> None:
    keep(session, cart())
    folder = Path(session.env["HOME"]) / ".config/ruledout"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(settings)
    asking = session._replace(env={**session.env, **env})
    given = asking._event("PreToolUse", "Edit", {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD})
    found = [asking.ask(given).get("hookSpecificOutput", {}) for _ in range(2)]
    assert [one.get("permissionDecision") for one in found if isinstance(one, dict)] == wanted


def test_R15_a_reopened_dead_end_is_never_blocked(session: Session) -> None:
    keep(session, cart(dead_end(("src/cart.py", OLD, BAD), commit="a" * 40)))
    asking = session._replace(env={**session.env, "RULEDOUT_BLOCK": "1"})
    given = asking._event("PreToolUse", "Edit", {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD})
    assert "permissionDecision" not in json.dumps(asking.ask(given))


@pytest.mark.parametrize("mute", ["all", "rule:edit", "repo", "item", "record"])
def test_R15_what_is_muted_is_not_said(session: Session, mute: str) -> None:
    record = keep(session, cart())
    named = {"repo": f"repo:{session.root}", "item": f"item:{record.digest}/b1", "record": f"item:{record.digest}"}
    folder = Path(session.env["XDG_STATE_HOME"]) / "ruledout"
    folder.mkdir(parents=True)
    (folder / "mute.json").write_text(json.dumps([named.get(mute, mute)]))
    assert session.edit(OLD, BAD) == ""


def test_the_ledger_tells_what_was_shown_and_what_became_of_it(session: Session) -> None:
    keep(session, cart())
    session.edit(OLD, BAD)
    session.edit(OLD, GOOD)
    other = Session(session.root, session.env, name="s-2")
    other.edit(OLD, BAD)
    other.ask(
        {**other._event("PostToolUse", "Edit", {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD}), "tool_response": {}}
    )
    lines = [json.loads(line)["what"] for line in (session.root / ".git/ruledout/ledger.jsonl").read_text().splitlines()]
    assert lines == ["shown", "acted_on", "shown", "ignored"]


def test_a_session_s_memory_is_gone_after_seven_days(session: Session) -> None:
    keep(session, cart())
    session.edit(OLD, BAD)
    folder = Path(session.env["XDG_STATE_HOME"]) / "ruledout/sessions"
    (old,) = folder.iterdir()
    os.utime(old, (1e9, 1e9))
    Session(session.root, session.env, name="s-2").edit(OLD, BAD)
    assert old not in set(folder.iterdir())


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"null", b"[1]", b'"x"', b"\xff\xfe", b'{"tool_input": 7}', b'{"cwd": "\\u0000", "hook_event_name": "PreToolUse"}', b"[" * 100_000]
)
def test_R15_whatever_comes_in_is_answered_with_silence(session: Session, raw: bytes) -> None:
    from ruledout.doors import hook, hook_reading

    keep(session, cart())
    assert [
        hook.attended(agent, raw, session.env, hook_reading.answer)
        for agent in ("claude", "codex", "gemini", "copilot", "opencode", "cursor", "openhands", "nobody")
    ] == [""] * 8


@pytest.mark.parametrize("spoilt", ["hot.idx", "state", "store"])
def test_R15_what_is_damaged_is_silence(session: Session, spoilt: str) -> None:
    keep(session, cart())
    if spoilt == "state":
        Path(session.env["XDG_STATE_HOME"]).write_text("a file where a folder should be")
    elif spoilt == "store":
        (session.root / ".git/ruledout/ruledout.db").write_bytes(b"no database")
    else:
        (session.root / ".git/ruledout/hot.idx").write_bytes(b"ruledout-hot 1\t1\ni\t\x00\xff{")
    assert bool(session.edit(OLD, BAD)) is (spoilt == "store")


LATE: dict[str, tuple[dict[str, object], dict[str, object], str]] = {
    "gemini": (
        {"hook_event_name": "BeforeTool", "tool_name": "replace"},
        {"hook_event_name": "AfterTool", "tool_name": "replace", "tool_response": {"llmContent": "Successfully modified file"}},
        "tool_input",
    ),
    "opencode": ({"ev": "pre", "tool": "edit"}, {"ev": "post", "tool": "edit", "output": "Edit applied"}, "args"),
    "cursor": ({"hook_event_name": "preToolUse", "tool_name": "Edit"}, {"hook_event_name": "postToolUse", "tool_name": "Edit"}, "tool_input"),
}


@pytest.mark.parametrize("agent", LATE)
def test_R15_an_agent_that_takes_no_advice_before_an_act_is_told_right_after_it_once(session: Session, agent: str) -> None:
    keep(session, cart())
    asked = session._replace(agent=agent)
    before, after, key = LATE[agent]
    common: dict[str, object] = {
        "session_id": "s",
        "cwd": str(session.root),
        key: {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD},
    }
    said = [asked.ask({**common, **event}) for event in (before, after, before, after)]
    assert [said[0], "ruled out" in json.dumps(said[1]), *said[2:]] == [{}, True, {}, {}]


@pytest.mark.parametrize("agent", ["codex", "copilot", "openhands"])
def test_an_agent_that_takes_advice_before_an_act_is_told_before_it(session: Session, agent: str) -> None:
    keep(session, cart())
    name = {"openhands": "event_type"}.get(agent, "hook_event_name")
    given = {"file_path": str(session.root / "src/cart.py"), "old_string": OLD, "new_string": BAD}
    said = session._replace(agent=agent).ask({"session_id": "s", "cwd": str(session.root), name: "PreToolUse", "tool_name": "edit", "tool_input": given})
    assert "ruled out" in json.dumps(said)


def test_codex_is_told_of_a_patch_in_its_own_envelope(session: Session) -> None:
    keep(session, cart())
    source = f"*** Begin Patch\n*** Update File: src/cart.py\n@@\n def total(items):\n-{OLD}\n+{BAD}\n*** End Patch"
    assert "ruled out" in session._replace(agent="codex").before("apply_patch", {"command": source})


def test_R13_a_secret_in_an_edit_hides_it_in_the_record_and_not_from_the_match(session: Session) -> None:
    from ruledout import fingerprint, redact

    key = "ghp_" + "a1B2" * 9
    old, new = "TOKEN = None", f'TOKEN = "{key}"'
    kept = samples.branch(fingerprints=[fingerprint.edit("src/tax.py", [old], [redact.redact(new)])], files=["src/tax.py"])
    (session.root / "src/tax.py").write_text(f"{old}\n")
    keep(session, cart(kept))
    said = session.edit(old, new, "src/tax.py")
    state = "".join(file.read_text() for file in Path(session.env["XDG_STATE_HOME"]).rglob("*") if file.is_file())
    assert ("ruled out" in said, key in said, key in state) == (True, False, False)
