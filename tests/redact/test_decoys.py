"""What looks like a secret and is none stays as it is; and what holds for every text."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.redact import redact

SHARED = Path(__file__).parents[3] / "shared" / "data" / "transcripts"
HEX = "0123456789abcdef" * 8
MIX = "A1b2C3d4E5f6G7h8J9k0" * 10
DECOYS = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "index 3f78685..de23001 100644",
    "sha256:" + HEX[:64],
    "r1:sha256:" + HEX[:64],
    "dbs1:e:" + HEX[:32],
    '"request_id": "550e8400-e29b-41d4-a716-446655440000"',
    f'"integrity": "sha512-{MIX[:86]}=="',
    f"vector = base64.b64decode('{MIX[:64]}')",
    "V1StGXR8_Z5jdHi6B-myT",
    "password=REDACTED",
    "token: [REDACTED]",
    "password=********",
    "API_KEY=<your-key>",
    "api_key: your-api-key-here",
    "PASSWORD=${DB_PASSWORD}",
    "password: {{ vault_password }}",
    "password=%s",
    'url = "postgres://%s:%s@%s/db"',
    "postgres://${USER}:${PASS}@host/db",
    "http://localhost:8080/@scope/pkg",
    "git@github.com:a/b.git",
    "https://user@host/x",
    "/home/u/.ssh/id_rsa",
    "password_file=/run/secrets/x1y2z3",
    "POSTGRES_PASSWORD_FILE: /run/secrets/db1",
    "PWD=/home/x1y2/z3",
    "token = response.json()['x']",
    "token = os.environ.get('API_TOKEN')",
    "os.environ['TOKEN']",
    "password: str",
    "password?: string;",
    "def login(user, password, token=None):",
    "self.password = password",
    "login(password=self.password)",
    "const token = jwt.sign(payload)",
    "secret = secrets.token_urlsafe(32)",
    "password = getpass()",
    "api_key: config.apiKey",
    "apiKey={apiKey}",
    'f"Bearer {token}"',
    "Authorization: Bearer ${TOKEN}",
    "Bearer token required",
    "token_type: bearer",
    "max_tokens=4096",
    '"input_tokens": 1234,',
    "tokenizer.pad_token = tokenizer.eos_token",
    "Token(type='NAME', value='x')",
    "if token == 'IDENT':",
    '"token": "next-page"',
    "cache_key = 'abc123def456'",
    "sort_key=lambda x: x",
    "primary_key: id12345678",
    '<input type="password" name="password">',
    "input[type=password]",
    '"password": "password"',
    '"password": "Enter your password"',
    "password: z.string()",
    "SELECT * FROM u WHERE password = :password AND x = ?",
    "PASS: test_foo",
    "test_pass=12",
    "bypass: abc12345",
    "secret: my-app-secret",
    "secretKeyRef:",
    "Cookie: string",
    "cookie = parse(req)",
    "docker run -u 1000:1000 image",
    "task-runner-123456789012345678901",
    "risk-assessment-20240101123456",
    "eyJhbGciOiJIUzI1NiJ9",
    '"-----BEGIN PRIVATE KEY-----" in text',
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "private: the class is <T private>",
    "private void run() {",
    "hf_hub_download_some_long_name_here_ok",
    "npm_config_registry_of_this_project",
]


@pytest.mark.parametrize("plain", DECOYS)
def test_what_is_no_secret_stays_as_it_is(plain: str) -> None:
    assert redact(plain) is plain


PIECES = st.sampled_from(
    [
        *"\"'`\\:=@/<>{}[] \n,;&?.-_",
        *(
            "password",
            "token",
            "api_key",
            "secret",
            "--password",
            "PASSWORD",
            "is",
            "://",
            "u:p1@",
            "curl -u",
            "Authorization",
            "Bearer",
            "Basic",
            "Cookie",
            "a=b",
        ),
        *(
            "hunter2x",
            "abcd1234efgh5678",
            "12345678",
            "<private>",
            "</private>",
            "&lt;private&gt;",
            "\\u003cprivate\\u003e",
            "\\n",
            "\u200b",
            "é",
            "\ud800",
            "str",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "sk-proj-" + MIX[:30],
            "ghp_" + MIX[:36],
            "AKIAIOSFODNN7EXAMPLE",
            "123456789:AA" + MIX[:33],
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)
VALUES = st.recursive(TEXTS | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6)


@given(TEXTS | st.text(max_size=60))
@settings(max_examples=400, deadline=None)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
@settings(max_examples=400, deadline=None)
def test_json_stays_json(value: object, indent: int | None, escaped: bool) -> None:  # noqa: FBT001  # hypothesis hands it in
    json.loads(redact(json.dumps(value, indent=indent, ensure_ascii=escaped)))


@given(VALUES)
@settings(max_examples=250, deadline=None)
def test_json_inside_json_stays_json(value: object) -> None:
    json.loads(json.loads(redact(json.dumps({"text": json.dumps(value)})))["text"])


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in strings(part)]


@pytest.mark.skipif(not SHARED.is_dir() or not os.environ.get("RULEDOUT_SLOW"), reason="needs recorded sessions beside the repository, and RULEDOUT_SLOW=1")
def test_in_recorded_sessions_fewer_than_one_line_in_ten_thousand_changes() -> None:
    lines = changed = 0
    for path in sorted(SHARED.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                texts = strings(json.loads(line))
            except ValueError:
                continue
            for text in texts:
                lines += text.count("\n") + 1
                changed += sum(before != after for before, after in zip(text.split("\n"), redact(text).split("\n"), strict=False))
    assert changed * 10_000 < lines


@pytest.mark.parametrize("secret", ['password"', 'pass"word12', "hunter2x9\\", 'a"b"c123456', '"hunter2x9"'])
def test_a_quote_inside_a_secret_does_not_end_it(secret: str) -> None:
    plain, nested = json.dumps({"secret": secret, "b": 1}), json.dumps({"text": json.dumps({"secret": secret, "b": 1})})
    assert json.loads(redact(plain))["b"] == 1
    assert json.loads(json.loads(redact(nested))["text"])["b"] == 1
    for word in ("word12", "hunter2x9", "c123456"):
        assert word not in redact(plain)
