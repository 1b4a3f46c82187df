"""Settings as text: our entries in, everything else as it stands, and out again to the byte."""

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.agents.settings import Want, commands, entries, syntax_of, undone
from ruledout.errors import BadInput, RuledoutError

SHIM = "/home/u/.local/state/ruledout/bin/ruledout-hook"
OTHER = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "other"}]}'


def wants(agent: str, scope: str = "user") -> tuple[Want, ...]:
    setup = entries.SETUPS[agent]
    return entries.wants(setup, scope, entries.command(agent, scope, SHIM), SHIM)


# name: (agent, syntax, text)
TEXTS = {
    "empty file": ("claude", "json", ""),
    "a line end alone": ("claude", "json", "\n"),
    "white space alone": ("claude", "json", "  \r\n\t"),
    "an empty object": ("claude", "json", "{}"),
    "an empty object with a line end": ("claude", "json", "{}\n"),
    "an open empty object": ("claude", "json", "{\n}\n"),
    "two spaces": ("claude", "json", '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n'),
    "four spaces, no last line end": ("claude", "json", '{\n    "model": "opus"\n}'),
    "tabs": ("claude", "json", '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": []\n\t}\n}\n'),
    "one line": ("claude", "json", '{"model":"opus","x":[1,2,3]}'),
    "one line with spaces": ("claude", "json", '{"model": "opus", "x": [1, 2, 3]}\n'),
    "line ends of Windows": ("claude", "json", '{\r\n  "model": "opus"\r\n}\r\n'),
    "a byte order mark": ("claude", "json", '\ufeff{\n  "model": "opus"\n}\n'),
    "a byte order mark alone": ("claude", "json", "\ufeff"),
    "odd layout": ("claude", "json", '{ "a"\n:1\n , "b" :\n [ ] ,"c":{"d"\n:2}}'),
    "blank lines": ("claude", "json", '{\n\n\n   "a": 1\n\n\n}\n\n'),
    "hooks of another tool": (
        "claude",
        "json",
        f'{{\n  "hooks": {{\n    "PreToolUse": [\n      {OTHER}\n    ],\n    "Stop": [{OTHER}]\n  }},\n  "z": null\n}}\n',
    ),
    "empty hooks": ("claude", "json", '{\n  "hooks": {}\n}\n'),
    "empty events": ("claude", "json", '{\n  "hooks": {"PreToolUse": [], "PostToolUse": [\n    ]}\n}\n'),
    "keys that look like ours": ("claude", "json", '{\n  "ho\\u006fks2": {"PreToolUse": []},\n  "say": "ruledout-hook, \\"hooks\\": []"\n}\n'),
    "letters of every kind": ("claude", "json", '{\n  "name": "Zoë 🦊 \\u0001 \\\\ \\"",\n  "ключ": [1e5, -0.0, true]\n}\n'),
    "the same key twice": ("claude", "json", '{\n  "a": 1,\n  "a": 2\n}\n'),
    "huge": ("claude", "json", json.dumps({f"key{n}": {"x": [n, str(n) * 20]} for n in range(3000)}, indent=1)),
    "deep": ("claude", "json", '{"a": ' + "[" * 150 + "]" * 150 + "}"),
    "comments": ("gemini", "jsonc", '// mine\n{\n  // the theme\n  "theme": "dark", // said\n  /* b */ "x": 1 // last\n  // end\n}\n// out\n'),
    "trailing commas": ("gemini", "jsonc", '{\n  "theme": "dark",\n  "hooks": {\n    "AfterTool": [\n      {"command": "a"}, // why\n    ], // so\n  },\n}\n'),
    "comments alone": ("gemini", "jsonc", "// nothing yet\n"),
    "a comment without a line end": ("gemini", "jsonc", "// nothing yet"),
    "an empty object with a comment": ("gemini", "jsonc", "{ // later\n}\n"),
    "an empty list with comments": ("gemini", "jsonc", '{\n  "hooks": {"AfterTool": [ /* none, */ ]}\n}\n'),
    "commas in comments": ("gemini", "jsonc", '{\n  "a": 1 /* , */ , // x, y\n  "hooks": {"AfterTool": [{"command": "a"} /* , */]}\n}\n'),
    "addresses that look like comments": ("gemini", "jsonc", '{"url": "http://x//y", "b": "/* no */"}'),
    "comments with line ends of Windows": ("gemini", "jsonc", '{\r\n  // a\r\n  "x": 1 // b\r\n}\r\n'),
    "flat, with a version": ("cursor", "json", '{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "./a.sh" }]\n  }\n}\n'),
    "flat, without a version": ("cursor", "json", '{"hooks":{"preToolUse":[{"command":"./a.sh"}]}}'),
    "codex, with a description": ("codex", "json", '{"description": "mine", "hooks": {}}'),
    "copilot": ("copilot", "jsonc", '{\n  "model": "x",\n  "hooks": { "preToolUse": [ { "type": "command", "bash": "other" } ] }\n}'),
    "toml": (
        "codex",
        "toml",
        'model = "x" # mine\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "other"\n\n[hooks.state."k"]\ntrusted_hash = "1"\n',
    ),
    "toml without a last line end": ("codex", "toml", "# c\nmodel = 'x'"),
    "toml of Windows": ("codex", "toml", 'a = 1\r\n[b]\r\nc = """x\r\n[[hooks.PreToolUse]]\r\n"""\r\n'),
    "toml, empty": ("codex", "toml", ""),
    "opencode": ("opencode", "whole", ""),
    "openhands": ("openhands", "json", '{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "x"}]}]}}'),
}


def values(syntax: str, text: str) -> Any:  # noqa: ANN401  # any document
    from ruledout.agents.settings import tree

    if syntax == "toml":
        return tomllib.loads(text.removeprefix("\ufeff"))
    return {} if tree.blank(text, loose=True) else tree.parse(text, loose=True).plain()


@pytest.mark.parametrize(("agent", "syntax", "text"), TEXTS.values(), ids=TEXTS)
def test_entries_go_in_once_and_come_out_to_the_byte(agent: str, syntax: str, text: str) -> None:
    own, how = wants(agent), syntax_of(syntax)
    added = how.add(text, own)
    again = how.add(added.text, own)
    assert (added.text != text, again.text, again.spans, how.missing(added.text, own)) == (True, added.text, (), ())
    assert undone(added.text, added.spans) == text


@pytest.mark.parametrize(
    ("agent", "syntax", "text"), [one for one in TEXTS.values() if one[1] != "whole"], ids=[name for name, one in TEXTS.items() if one[1] != "whole"]
)
def test_entries_come_out_when_the_text_was_changed_since(agent: str, syntax: str, text: str) -> None:
    own, how = wants(agent), syntax_of(syntax)
    added = how.add(text, own)
    changed = added.text + ("\n# later\n" if syntax == "toml" else "\n\n")
    left = how.remove(changed, frozenset(want.command for want in own if want.command), added.made)
    assert (values(syntax, left), "ruledout-hook" in left.replace("say", "")) == (values(syntax, text), "ruledout-hook" in text)
    remarks = re.compile(r"#[^\r\n]*" if syntax == "toml" else r"//[^\r\n]*|/\*.*?\*/")
    assert remarks.findall(left) == remarks.findall(text) + ["# later"] * (syntax == "toml")


ONE = (Want(pointer=("hooks", "E"), value={"command": "c"}, command="c"),)
# name: (text, how it looks with one entry)
LOOKS = {
    "tabs": ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"hooks": {\n\t\t"E": [\n\t\t\t{\n\t\t\t\t"command": "c"\n\t\t\t}\n\t\t]\n\t}\n}'),
    "one line": ('{"a":[1,2]}', '{"a":[1,2],"hooks":{"E":[{"command":"c"}]}}'),
    "one line with spaces": ('{"a": 1, "hooks": {"E": [{"b": 2}]}}', '{"a": 1, "hooks": {"E": [{"b": 2}, {"command": "c"}]}}'),
    "a comment stays with its entry": (
        '{\n  "hooks": {\n    "E": [\n      1 // of 1\n      // end\n    ]\n  }\n}',
        '{\n  "hooks": {\n    "E": [\n      1, // of 1\n      {\n        "command": "c"\n      }\n      // end\n    ]\n  }\n}',
    ),
    "a trailing comma": ('{\n "hooks": {"E": [\n  1, // of 1\n ],},\n}', '{\n "hooks": {"E": [\n  1, // of 1\n  {\n   "command": "c"\n  },\n ],},\n}'),
    "line ends of Windows": ('{\r\n  "hooks": {"E": []}\r\n}', '{\r\n  "hooks": {"E": [\r\n    {\r\n      "command": "c"\r\n    }\r\n  ]}\r\n}'),
    "nothing": ("", '{\n  "hooks": {\n    "E": [\n      {\n        "command": "c"\n      }\n    ]\n  }\n}\n'),
}


@pytest.mark.parametrize(("text", "looks"), LOOKS.values(), ids=LOOKS)
def test_an_entry_looks_as_its_neighbours_do(text: str, looks: str) -> None:
    assert syntax_of("jsonc").add(text, ONE).text == looks


WRONG = {
    "a comma too many": ("claude", "json", '{\n  "a": 1,\n}', "line 2, column 9"),
    "a comment where none may be": ("claude", "json", "{\n  // x\n}", "line 2, column 3: a comment"),
    "cut off": ("claude", "json", '{"a": [1, 2', "line 1, column 12"),
    "no quotes": ("claude", "json", "{a: 1}", "line 1, column 2: a key in double quotes"),
    "two values": ("claude", "json", "{} {}", "line 1, column 4: something stands behind"),
    "no object": ("claude", "json", "[1]", "is no object"),
    "hooks are a list": ("claude", "json", '{\n "hooks": []}', "line 2, column 11: hooks is no object"),
    "an event is an object": ("claude", "json", '{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse is no list"),
    "not a number": ("claude", "json", '{"a": NaN}', "line 1, column 7"),
    "a raw line end in a text": ("claude", "json", '{"a": "x\ny"}', "line 1, column 7"),
    "too deep": ("claude", "json", "[" * 100_000, "more than 200 levels"),
    "a comment without an end": ("gemini", "jsonc", "{} /* x", "a comment without an end"),
    "merge marks": ("claude", "json", '{\n<<<<<<< HEAD\n  "a": 1\n}', "line 2, column 1"),
    "another version": ("cursor", "json", '{"version": 2}', "version is not 1"),
    "no toml": ("codex", "toml", "a = 1\nb = = 2\n", "line 2"),
    "hooks of toml in one line": ("codex", "toml", "hooks = { Stop = [{ hooks = [] }] }\n", "in a form that no more can be put to"),
    "another's plug-in": ("opencode", "whole", "export const X = 1", "another's"),
}


@pytest.mark.parametrize(("agent", "syntax", "text", "said"), WRONG.values(), ids=WRONG)
def test_a_text_that_cannot_be_read_is_refused_with_its_line(agent: str, syntax: str, text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        syntax_of(syntax).add(text, wants(agent))
    assert (caught.value.slug, said in caught.value.message, "nothing was changed" in caught.value.mend) == ("bad-agent-settings", True, True)


def test_a_handler_that_was_put_beside_ours_stays() -> None:
    own = wants("claude")
    added = syntax_of("json").add("{}", own)
    value = json.loads(added.text)
    value["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "mine"})
    left = syntax_of("json").remove(json.dumps(value), frozenset((own[0].command,)), added.made)
    assert json.loads(left) == {"hooks": {"PreToolUse": [{"matcher": own[0].value["matcher"], "hooks": [{"type": "command", "command": "mine"}]}]}}  # type: ignore[index]  # a group


def test_ours_with_another_time_out_is_ours_still() -> None:
    own = wants("claude")
    text = syntax_of("json").add("{}", own).text.replace('"timeout": 5', '"timeout": 9')
    assert (syntax_of("json").missing(text, own), json.loads(syntax_of("json").remove(text, frozenset((own[0].command,)), None))) == ((), {})


keys = st.text(st.sampled_from('ab"\\/*,:{}[]ё🦊 '), max_size=4) | st.sampled_from(["hooks", "PreToolUse", "version"])
trees = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | keys, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)
SPACE = ["", " ", "\n", "\t", "\r\n", "\n  "]
COMMENT = [" // a, {\n", "/* ] , */", "// x\r\n"]


def written(draw: st.DrawFn, value: object, space: list[str], tail: list[str]) -> str:
    def gap() -> str:
        return str(draw(st.sampled_from(space)))

    if isinstance(value, dict):
        parts = [
            f"{gap()}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{gap()}:{gap()}{written(draw, one, space, tail)}{gap()}" for key, one in value.items()
        ]
    elif isinstance(value, list):
        parts = [f"{gap()}{written(draw, one, space, tail)}{gap()}" for one in value]
    else:
        return json.dumps(value)
    brackets = "{}" if isinstance(value, dict) else "[]"
    end = draw(st.sampled_from(tail)) + gap() if parts else gap()
    return brackets[0] + ",".join(parts) + end + brackets[1]


@st.composite
def documents(draw: st.DrawFn, *, loose: bool) -> str:
    value = draw(st.dictionaries(keys, trees, max_size=4))
    if draw(st.booleans()):
        value["hooks"] = draw(
            st.dictionaries(st.sampled_from(["BeforeTool", "AfterTool", "Stop"]), st.lists(st.fixed_dictionaries({"command": keys}), max_size=3), max_size=3)
        )
    return written(draw, value, SPACE + COMMENT * loose, ["", ","] if loose else [""])


@pytest.mark.parametrize("syntax", ["json", "jsonc"])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_the_document_everything_else_stays(syntax: str, data: st.DataObject) -> None:
    text = data.draw(documents(loose=syntax == "jsonc"))
    own, how = wants("gemini"), syntax_of(syntax)
    before = values(syntax, text)
    try:
        added = how.add(text, own)
    except RuledoutError:
        assert not isinstance(before.get("hooks", {}), dict) or any(not isinstance(before["hooks"].get(w.pointer[1], []), list) for w in own)
        return
    after = values(syntax, added.text)
    mine = frozenset((own[0].command,))
    left = how.remove(added.text + "\n", mine, added.made)
    kept = {k: [i for i in v if mine.isdisjoint(commands(i))] if isinstance(v, list) else v for k, v in after.pop("hooks").items()}
    assert (undone(added.text, added.spans), how.missing(added.text, own), values(syntax, left)) == (text, (), before)
    assert (after, {k: v for k, v in kept.items() if v != []}) == (
        {k: v for k, v in before.items() if k != "hooks"},
        {k: v for k, v in before.get("hooks", {}).items() if v != []},
    )
