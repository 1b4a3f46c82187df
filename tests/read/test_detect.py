"""The right reader for a file, by its bytes; an unknown one is refused in words."""

import pytest
from tests.read.builders import ClaudeFile, CodexFile

from ruledout.errors import BadInput
from ruledout.read import claude_code, codex, detect


def claude() -> bytes:
    file = ClaudeFile()
    file.user('say "payload": {"type": "response_item"}')
    return file.raw()


def rollout() -> bytes:
    file = CodexFile()
    file.says('say "parentUuid": 1, "isSidechain": true', role="user")
    return file.raw()


def test_a_file_is_told_by_its_keys_not_by_what_is_said_in_it() -> None:
    assert detect.read(claude()).format == "claude-code"
    assert detect.read(rollout()).format == "codex-cli"
    assert not codex.claims(claude())
    assert not claude_code.claims(rollout())


def test_blank_and_nul_bytes_before_the_first_line_do_not_hide_it() -> None:
    assert detect.read(b"\n\0 \r\n" + claude()).format == "claude-code"


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        (b"", "the file is empty"),
        (b" \n\0", "the file is empty"),
        (b'{"a": 1}', "JSON of no known session format"),
        (b"hello \x1b[31m", "text of no known session format, starting 'hello .[31m'"),
        (b"\x7fELF\0\0", "binary data"),
    ],
)
def test_an_unknown_file_is_refused_with_what_was_seen_and_what_is_known(raw: bytes, seen: str) -> None:
    with pytest.raises(BadInput) as refused:
        detect.read(raw, "x.jsonl")
    assert refused.value.slug == "unknown-format"
    assert refused.value.message.startswith("x.jsonl: ")
    assert seen in refused.value.message
    assert all(name in refused.value.mend for name in detect.READERS)


def test_every_listed_reader_bears_its_name() -> None:
    for name in detect.READERS:
        module = __import__(detect.READERS[name], fromlist=["NAME"])
        assert name == module.NAME


@pytest.mark.parametrize("piece", [b'"parentUuid":', b'"type":"event_msg"', b'{"id":"a', b'"isSidechain" ', b'"dir":"meta",', b"{" * 10])
def test_hostile_heads_are_judged_at_once(piece: bytes) -> None:
    head = (b"{" + piece * 20_000)[: detect.HEAD]
    assert claude_code.claims(head) in {True, False}
    assert codex.claims(head) in {True, False}
