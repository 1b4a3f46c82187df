"""The real program in a private home: in, at work, and out again without a trace."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest
from tests.hook import ground as shop
from tests.install.ground import HOMES, Home, home

SETTINGS = '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "other"}]}]\n\t}\n}'


@pytest.fixture
def user(tmp_path: Path) -> Home:
    return home(tmp_path)


def repository(user: Home) -> Path:
    """A work tree in that home, with a known dead end."""
    session = shop.repository(user.path)
    shop.keep(session, shop.cart())
    return session.root


def fires(user: Home, root: Path, command: str, agent: str = "claude") -> str:
    """What the installed command says of the dead end, started as the agent starts it: by a shell."""
    edit = {"file_path": str(root / "src/cart.py"), "old_string": shop.OLD, "new_string": shop.BAD}
    event = {"hook_event_name": "PreToolUse", "session_id": f"s-{agent}", "cwd": str(root), "tool_name": "Edit", "tool_input": edit}
    done = subprocess.run(["/bin/sh", "-c", command], cwd=root, env=user.env(), input=json.dumps(event), capture_output=True, text=True, timeout=60, check=True)
    return done.stdout + done.stderr


def command(path: Path, event: str = "PreToolUse") -> str:
    """Our command in settings of Claude Code's shape."""
    found = [handler["command"] for group in json.loads(path.read_text())["hooks"][event] for handler in group["hooks"]]
    return str(next(one for one in found if "ruledout" in one))


def test_all_seven_agents_in_and_out_without_a_trace(user: Home) -> None:
    (user.path / ".claude/settings.json").write_text(SETTINGS)
    (user.path / ".claude/settings.json").chmod(0o640)
    (user.path / ".codex/config.toml").write_text('model = "x"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "other"\n')
    (user.path / ".gemini/settings.json").write_text('{\r\n  // mine\r\n  "theme": "dark", // so\r\n}\r\n')
    before = user.tree()
    assert user.states("init", "--dry-run") == dict.fromkeys(HOMES, "would_write")
    assert user.tree() == before
    assert user.states("init") == dict.fromkeys(HOMES, "written")
    once = user.tree()
    assert (user.states("init"), user.tree() == once, (user.path / ".claude/settings.json").stat().st_mode & 0o777) == (
        dict.fromkeys(HOMES, "there"),
        True,
        0o640,
    )
    assert (set(user.states("uninstall", "--dry-run").values()), user.tree() == once) == ({"restored", "deleted"}, True)
    assert set(user.states("uninstall").values()) == {"restored", "deleted"}
    assert user.tree() == before
    assert user.run("uninstall").stdout == "nothing of ours is installed\n"


def test_the_installed_hook_fires_and_leaves_nothing_behind(user: Home) -> None:
    root = repository(user)
    path = user.path / ".claude/settings.json"
    path.write_text(SETTINGS)
    before = {name: held for name, held in user.tree().items() if "/shop/.git/" not in name}
    user.run("init", "--agent", "claude")
    said = fires(user, root, command(path))
    assert "ruled out" in json.loads(said)["hookSpecificOutput"]["additionalContext"]
    records = (root / ".git/ruledout/ruledout.db").read_bytes()
    assert user.run("uninstall").returncode == 0
    after = {name: held for name, held in user.tree().items() if "/shop/.git/" not in name}
    assert (after, (root / ".git/ruledout/ruledout.db").read_bytes()) == (before, records)


def test_what_others_changed_since_stays(user: Home) -> None:
    path = user.path / ".claude/settings.json"
    path.write_text(SETTINGS)
    user.run("init", "--agent", "claude")
    path.write_text(path.read_text().replace('"opus"', '"sonnet"'))
    assert (user.states("uninstall"), path.read_text()) == ({"claude": "removed"}, SETTINGS.replace('"opus"', '"sonnet"'))


def test_two_installs_with_a_change_between_go_back_one_by_one(user: Home) -> None:
    path = user.path / ".claude/settings.json"
    path.write_text(SETTINGS)
    user.run("init", "--agent", "claude")
    ours = json.loads(path.read_text())
    del ours["hooks"]["PreCompact"]
    path.write_text(json.dumps(ours, indent=1))
    assert user.states("init", "--agent", "claude") == {"claude": "written"}
    user.run("uninstall")
    assert json.loads(path.read_text()) == json.loads(SETTINGS)


def test_a_lost_manifest_still_lets_our_entries_out(user: Home) -> None:
    path = user.path / ".claude/settings.json"
    path.write_text(SETTINGS)
    user.run("init")
    (user.path / ".local/state/ruledout/installed.json").write_text("{")
    assert user.run("init").returncode == 3
    assert (user.run("uninstall").returncode, json.loads(path.read_text())) == (0, json.loads(SETTINGS))


def link(path: Path) -> None:
    real = path.parent.parent / "dotfiles.json"
    real.write_text(SETTINGS)
    path.symlink_to(real)


def read_only(path: Path) -> None:
    path.write_text(SETTINGS)
    path.chmod(0o444)


def hard_link(path: Path) -> None:
    path.write_text(SETTINGS)
    os.link(path, path.parent.parent / "second.json")


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (link, "linked-settings"),
    "a link to nothing": (lambda path: path.symlink_to("/nowhere/x.json"), "linked-settings"),
    "read-only": (read_only, "read-only-settings"),
    "a second name": (hard_link, "linked-settings"),
    "a folder": (lambda path: path.mkdir(), "no-plain-file"),
    "a pipe": (os.mkfifo, "no-plain-file"),
    "invalid": (lambda path: path.write_text('{\n  "a": 1,\n}'), "bad-agent-settings"),
    "no UTF-8": (lambda path: path.write_bytes('{"a": 1}'.encode("utf-16")), "bad-agent-settings"),
}


@pytest.mark.parametrize(("make", "slug"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_not_to_be_touched_is_refused_and_stays(user: Home, make: Callable[[Path], object], slug: str) -> None:
    path = user.path / ".claude/settings.json"
    make(path)
    before = (path.lstat().st_mode, path.lstat().st_ino, str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b"")
    done = user.run("init", "--agent", "claude", "--json")
    step = json.loads(done.stdout)["writes"][0]
    after = (path.lstat().st_mode, path.lstat().st_ino, str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b"")
    assert (done.returncode, step["state"], step["slug"], bool(step["mend"]), after) == (1, "refused", slug, True, before)
    assert not user.shim.exists()


def test_a_file_that_became_a_link_since_is_not_written_through(user: Home) -> None:
    user.run("init", "--agent", "claude")
    path = user.path / ".claude/settings.json"
    path.rename(user.path / "dotfiles.json")
    path.symlink_to(user.path / "dotfiles.json")
    assert (user.states("uninstall"), path.is_symlink(), user.shim.exists()) == ({"claude": "refused"}, True, True)


def test_a_lost_manifest_lets_the_plug_in_out_too(user: Home) -> None:
    user.run("init", "--agent", "opencode")
    (user.path / ".local/state/ruledout/installed.json").unlink()
    assert (user.states("uninstall"), (user.path / ".config/opencode/plugins/ruledout.js").exists()) == ({"opencode": "deleted"}, False)


def test_one_bad_file_stops_no_other_agent(user: Home) -> None:
    (user.path / ".gemini/settings.json").write_text("{")
    found = user.json("init")["writes"]
    assert {step["agent"]: step["state"] for step in found} == dict.fromkeys(HOMES, "written") | {"gemini": "refused"}
    assert ["line 1" in step["message"] for step in found if step["agent"] == "gemini"] == [True]


def test_a_folder_of_the_project_that_is_a_link_is_not_followed(user: Home) -> None:
    root = repository(user)
    (user.path / "elsewhere").mkdir()
    (root / ".claude").symlink_to(user.path / "elsewhere")
    assert user.json("init", "--project", "--agent", "claude", cwd=root)["writes"][0]["slug"] == "linked-settings"
    assert list((user.path / "elsewhere").iterdir()) == []


def test_an_entry_of_a_project_names_nothing_of_this_machine_and_is_silent_where_the_program_is_not(user: Home) -> None:
    root = repository(user)
    assert user.states("init", "--project", "--agent", "claude", cwd=root) == {"claude": "written"}
    text = (root / ".claude/settings.json").read_text()
    told = command(root / ".claude/settings.json")
    assert (str(user.path) in text, "ruled out" in fires(user, root, told)) == (False, True)
    user.shim.unlink()
    bare = Home(user.path / "nobody")
    bare.path.mkdir()
    env = {"HOME": str(bare.path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["/bin/sh", "-c", told], cwd=root, env=env, input="{}", capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "ruled out" in fires(user, root, told, "again")  # by the program on the PATH
    assert (user.states("uninstall", "--project", cwd=root), (root / ".claude").exists()) == ({"claude": "deleted"}, False)


def test_all_seven_agents_in_a_project(user: Home) -> None:
    root = repository(user)
    before = user.tree()
    for agent in HOMES:
        assert user.states("init", "--project", "--agent", agent, cwd=root) == {agent: "written"}
    mine = [path for path in user.tree() if path not in before and "/shop/" in path and Path(path).is_file()]
    assert (len(mine), [path for path in mine if str(user.path).encode() in Path(path).read_bytes()]) == (7, [])
    assert user.states("uninstall", cwd=user.path) == dict.fromkeys(HOMES, "deleted")  # from anywhere, by the manifest
    assert user.tree() == before


def test_uninstall_of_one_agent_leaves_the_others_at_work(user: Home) -> None:
    user.run("init")
    assert (user.states("uninstall", "--agent", "codex"), user.shim.exists(), (user.path / ".claude/settings.json").exists()) == (
        {"codex": "deleted"},
        True,
        True,
    )


def test_no_agent_is_said(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    done = Home(tmp_path / "home").run("init")
    assert (done.returncode, "--agent NAME" in done.stderr) == (1, True)
    assert Home(tmp_path / "home").run("init", "--agent", "vim").returncode == 2


def test_the_command_is_the_same_after_an_upgrade(user: Home) -> None:
    user.run("init", "--agent", "codex")
    before = (user.path / ".codex/hooks.json").read_bytes()
    user.shim.write_text(user.shim.read_text().replace("python='", "python='/old"))
    assert user.run("doctor").returncode == 1
    user.run("init", "--agent", "codex")
    assert ((user.path / ".codex/hooks.json").read_bytes(), user.run("doctor").returncode) == (before, 0)


def test_a_plugin_that_was_changed_by_hand_is_left_to_its_user(user: Home) -> None:
    user.run("init", "--agent", "opencode")
    path = user.path / ".config/opencode/plugins/ruledout.js"
    path.write_text(path.read_text() + "// mine\n")
    assert (user.states("uninstall"), path.exists()) == ({"opencode": "refused"}, True)


@pytest.mark.skipif(which("node") is None, reason="opencode's plug-in runs in a JavaScript runtime")
@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_the_plug_in_speaks_behind_the_output_and_only_of_what_is_known(user: Home, scope: str) -> None:
    root = repository(user)
    user.run("init", "--agent", "claude")  # lays the front that a project's plug-in looks for
    user.run("init", "--agent", "opencode", scope, cwd=root)
    plugin = (user.path / ".config/opencode/plugins" if scope == "--user" else root / ".opencode/plugins") / "ruledout.js"
    module = user.path / "plugin.mjs"
    module.write_text(plugin.read_text())
    script = f"""
import {{ Ruledout }} from {json.dumps(str(module))};
const hooks = await Ruledout({{ directory: {json.dumps(str(root))} }});
const said = [];
for (const next of {json.dumps([shop.BAD, shop.GOOD])}) {{
  const args = {{ filePath: {json.dumps(str(root / "src/cart.py"))}, oldString: {json.dumps(shop.OLD)}, newString: next }};
  const input = {{ tool: "edit", sessionID: "s", callID: "c", args }}, output = {{ output: "done", metadata: {{}} }};
  await hooks["tool.execute.before"](input, {{ args }});
  await hooks["tool.execute.after"](input, output);
  said.push(output.output);
}}
await hooks.event({{ event: {{ type: "session.compacted", properties: {{ sessionID: "s" }} }} }});
console.log(JSON.stringify(said));
"""
    done = subprocess.run(["node", "--input-type=module", "-e", script], cwd=root, env=user.env(), capture_output=True, text=True, timeout=60, check=True)
    known, other = json.loads(done.stdout)
    assert ("ruled out" in known, known.startswith("done\n"), other) == (True, True, "done")


def test_a_home_with_a_space_in_its_name(tmp_path: Path) -> None:
    user = home(tmp_path / "a b'c", "claude")
    user.run("init")
    assert user.run("doctor").returncode == 0


def test_doctor_tries_every_installed_command(user: Home) -> None:
    user.run("init")
    before = user.tree()
    found = user.json("doctor")
    assert (found["sound"], {one["agent"]: (one["replay"]["spoke"], one["replay"]["silent"]) for one in found["installed"]}) == (
        True,
        dict.fromkeys(HOMES, (True, True)),
    )
    assert all(one["replay"]["silent_ratio"] > 0 and one["replay"]["ratio"] > 0 for one in found["installed"])
    assert user.tree() == before


BROKEN: dict[str, tuple[Callable[[Home], object], str]] = {
    "an entry is gone": (lambda user: (user.path / ".claude/settings.json").write_text("{}"), "entries are gone"),
    "the front is gone": (lambda user: user.shim.unlink(), "is gone: the hook says nothing"),
    "hooks are switched off": (
        lambda user: (path := user.path / ".claude/settings.json").write_text(path.read_text().replace("{", '{"disableAllHooks": true,', 1)),
        "disableAllHooks",
    ),
    "the settings are broken": (lambda user: (user.path / ".claude/settings.json").write_text("{"), "line 1"),
    "the manifest is broken": (lambda user: (user.path / ".local/state/ruledout/installed.json").write_text("[]"), "installed.json"),
}


@pytest.mark.parametrize(("harm", "said"), BROKEN.values(), ids=BROKEN)
def test_doctor_says_what_is_wrong_and_the_mend(user: Home, harm: Callable[[Home], object], said: str) -> None:
    user.run("init", "--agent", "claude")
    harm(user)
    done = user.run("doctor")
    assert (done.returncode, re.findall(r"(?m)^WRONG .*", done.stdout) != [], said in done.stdout) == (1, True, True)


def test_doctor_finds_a_double_install_and_a_damaged_store(user: Home) -> None:
    root = repository(user)
    user.run("init", "--agent", "claude")
    assert user.run("doctor", cwd=root).returncode == 0
    user.run("init", "--agent", "claude", "--project", cwd=root)
    double = user.run("doctor", cwd=root)
    user.run("uninstall", "--project", cwd=root)
    (root / ".git/ruledout/ruledout.db").write_bytes(b"no database" * 999)
    damaged = user.run("doctor", cwd=root)
    assert (double.returncode, "installed twice" in double.stdout, damaged.returncode, "WRONG store" in damaged.stdout) == (1, True, 1, True)


def test_installs_at_the_same_moment_do_no_harm(user: Home) -> None:
    path = user.path / ".claude/settings.json"
    path.write_text(SETTINGS)
    argv = [sys.executable, "-m", "ruledout", "init", "--agent", "claude"]
    started = [subprocess.Popen(argv, env=user.env(), cwd=user.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(4)]
    said = [one.communicate(timeout=60)[0] for one in started]
    assert [text for text in said if "Traceback" in text or "a defect of ours" in text] == []
    user.run("init", "--agent", "claude")
    assert path.read_text().count("ruledout-hook") == 5
    user.run("uninstall")
    assert path.read_text() == SETTINGS
