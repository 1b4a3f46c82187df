"""Secrets that must go, in every place where they turn up. All of them are made up."""

import json

import pytest

from ruledout.redact import redact

HEX = "0123456789abcdef" * 8
MIX = "A1b2C3d4E5f6G7h8J9k0" * 10
KEYS = {
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "github": "ghp_" + MIX[:36],
    "github, fine": f"github_pat_{MIX[:22]}_{MIX[:59]}",
    "gitlab": "glpat-" + MIX[:20],
    "slack": "xoxb-123456789012-1234567890123-" + MIX[:24],
    "slack hook": "hooks.slack.com/services/T00000000/B00000000/" + MIX[:24],
    "stripe": "sk_live_" + MIX[:24],
    "anthropic": "sk-ant-api03-" + MIX[:60],
    "openai": "sk-proj-" + MIX[:48],
    "openai, old": "sk-" + MIX[:48],
    "google": "AIza" + MIX[:35],
    "google, oauth": "ya29." + MIX[:50],
    "google, client": "GOCSPX-" + MIX[:28],
    "npm": "npm_" + MIX[:36],
    "pypi": "pypi-AgEIcHlwaS5vcmc" + MIX[:60],
    "huggingface": "hf_" + MIX[:34],
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "sendgrid": f"SG.{MIX[:22]}.{MIX[:43]}",
    "twilio": "SK" + HEX[:32],
    "mailgun": "key-" + HEX[:32],
    "mailchimp": HEX[:32] + "-us12",
    "digitalocean": "dop_v1_" + HEX[:64],
    "shopify": "shpat_" + HEX[:32],
    "linear": "lin_api_" + MIX[:40],
    "grafana": f"glsa_{MIX[:32]}_{HEX[:8]}",
    "replicate": "r8_" + MIX[:37],
    "groq": "gsk_" + MIX[:52],
    "vault": "hvs." + MIX[:90],
    "databricks": "dapi" + HEX[:32],
    "docker": "dckr_pat_" + MIX[:27],
    "figma": "figd_" + MIX[:40],
    "notion": "ntn_" + MIX[:46],
    "telegram": "123456789:AA" + MIX[:33],
    "discord": f"M{MIX[:23]}.{MIX[:6]}.{MIX[:30]}",
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0" * 3 + "S3JN54KHCE",
    "atlassian": "ATATT3" + MIX[:60],
    "postman": f"PMAK-{HEX[:24]}-{HEX[:34]}",
    "sentry": "sntrys_" + MIX[:60],
    "newrelic": "NRAK-ABC123DEF456GHI789JKL012MNO",
    "supabase": "sbp_" + HEX[:40],
    "netlify": "nfp_" + MIX[:36],
    "rubygems": "rubygems_" + HEX[:48],
    "pulumi": "pul-" + HEX[:40],
    "hubspot": "pat-na1-12345678-1234-1234-1234-123456789012",
}
PLACES = {
    "alone": "{}",
    "in a sentence": "use {} here",
    "in quotes": 'x = "{}"',
    "in an environment": "SOME_NAME={}",
    "after an escaped line end": "out\\n{}\\n",
    "in an address": "(https://host/{})",
    "in a patch": "+    t = '{}'",
    "on a line": "a\n{}\nb",
    "in the file's path": "/tmp/{}/x",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_R13_a_key_of_a_known_form_goes_wherever_it_stands(key: str, place: str) -> None:
    once = redact(place.format(key))
    assert key not in once
    assert MIX[:16] not in once
    assert "<secret:" in once
    assert redact(once) == once


def test_a_slot_says_whose_secret_it_was() -> None:
    assert redact(f"git push https://{KEYS['github']}@github.com/a/b") == "git push https://<secret:github>@github.com/a/b"
    assert redact(f"OPENAI_API_KEY={KEYS['openai']}") == "OPENAI_API_KEY=<secret:openai>"


NAMED = {
    "DB_PASSWORD=hunter2": "DB_PASSWORD=<secret:password>",
    "POSTGRES_PASSWORD=mysecretpassword": "POSTGRES_PASSWORD=<secret:password>",
    "export API_KEY=abcd1234efgh": "export API_KEY=<secret:key>",
    '"password": "hunter2",': '"password": "<secret:password>",',
    '{\\"password\\": \\"hunter2\\"}': '{\\"password\\": \\"<secret:password>\\"}',
    '"password": 12345678}': '"password": "<secret:password>"}',
    "password: hunter2": "password: <secret:password>",
    "  db_password: opensesame\n": "  db_password: <secret:password>\n",
    'password: str = "hunter2x"': 'password: str = "<secret:password>"',
    "const password = `hunter2`": "const password = `<secret:password>`",
    "password => 'hunter2'": "password => '<secret:password>'",
    "<password>hunter2</password>": "<password><secret:password></password>",
    "mysql --password hunter22 db": "mysql --password <secret:password> db",
    "mysql --password=hunter22 db": "mysql --password=<secret:password> db",
    'the password is "hunter2"': 'the password is "<secret:password>"',
    "Server=h;Password=hunter2;Db=x": "Server=h;Password=<secret:password>;Db=x",
    "machine x login y password z1z2z3z4": "machine x login y password <secret:password>",
    "client_secret: 'q1w2e3r4'": "client_secret: '<secret:secret>'",
    "SECRET_KEY = 'django-insecure-abc123$%^xyz'": "SECRET_KEY = '<secret:key>'",
    "config['api_key'] = 'abcd1234efgh5678'": "config['api_key'] = '<secret:key>'",
    "X-Api-Key: 0123456789abcdef0123456789abcdef": "X-Api-Key: <secret:key>",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": "aws_secret_access_key = <secret:key>",
    "https://h/p?access_token=abcd1234efgh&x=1": "https://h/p?access_token=<secret:token>&x=1",
    "https://h/c?sv=1&sig=abcDEF123%2Babc&se=2": "https://h/c?sv=1&sig=<secret:signature>&se=2",
    "//h/:_authToken=01234567-89ab-cdef-0123-456789abcdef": "//h/:_authToken=<secret:token>",
    "PRIVATE-TOKEN: abcdEFGH1234": "PRIVATE-TOKEN: <secret:token>",
    "Пароль: 'hunter2'": "Пароль: '<secret:password>'",
    '密码: "hunter2"': '密码: "<secret:password>"',
    "postgres://u:p@ss@host/db": "postgres://u:<secret:url>@host/db",
    "redis://:pa/ss@host:6379/0": "redis://:<secret:url>@host:6379/0",
    "mongodb://u:p1@h1:27017,h2:27017/x": "mongodb://u:<secret:url>@h1:27017,h2:27017/x",
    "curl -u a:b https://x": "curl -u a:<secret:password> https://x",
    "curl -s \\\n  --user 'alice:wonder' https://x": "curl -s \\\n  --user 'alice:<secret:password>' https://x",
    "Authorization: Basic dXNlcjpwYXNz": "Authorization: Basic <secret:basic>",
    "Authorization: Bearer abc.def-123456": "Authorization: Bearer <secret:bearer>",
    "'Authorization': 'token abcdef123456'": "'Authorization': 'token <secret:bearer>'",
    'extraheader="AUTHORIZATION: basic eC1hY2Nlc3M="': 'extraheader="AUTHORIZATION: basic <secret:basic>"',
    "Cookie: session=abc123; csrftoken=zzz\nx": "Cookie: <secret:cookie>\nx",
    "Set-Cookie: sid=s%3Aabcdef; Path=/; HttpOnly": "Set-Cookie: <secret:cookie>",
    '{"cookie": "a=b; c=d", "x": 1}': '{"cookie": "<secret:cookie>", "x": 1}',
}


@pytest.mark.parametrize(("before", "after"), NAMED.items())
def test_R13_a_secret_in_its_place_or_under_its_name_goes_whole(before: str, after: str) -> None:
    assert redact(before) == after
    assert redact(after) == after


PEM = f"-----BEGIN RSA PRIVATE KEY-----\nMIIEow{MIX[:58]}\n{MIX[:64]}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    "text",
    [
        PEM,
        PEM.replace("RSA ", ""),
        PEM.replace("RSA", "OPENSSH"),
        PEM.replace("KEY-----", "KEY BLOCK-----").replace("RSA", "PGP"),
        PEM.replace("\n", "\n    "),
        PEM.replace("\n", "\n> "),
        PEM.replace("\n", "\r\n"),
        PEM.replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n", 1),
        PEM[:-34],
        json.dumps({"k": PEM, "n": 1}),
        json.dumps({"k": json.dumps({"k": PEM})}),
        json.dumps(PEM.split("\n")),
        json.dumps({"k": PEM[:-34], "n": 1}),
        f"{PEM}\ntext between\n{PEM}",
    ],
)
def test_R13_a_private_key_goes_whole(text: str) -> None:
    once = redact(text)
    assert MIX[:16] not in once
    assert "<secret:private-key>" in once
    assert redact(once) == once
    if text.startswith(("{", "[")):
        json.loads(once)


def test_what_stands_beside_a_private_key_stays() -> None:
    assert redact(f"before\n{PEM}\nafter") == "before\n<secret:private-key>\nafter"


PRIVATE = {
    "a <private>S3</private> b": "a <secret:private> b",
    "a <private>x<private>S3</private>S3</private> b": "a <secret:private> b",
    "a <private>S3 never closed": "a <secret:private>",
    "a <PRIVATE>S3</Private> b": "a <secret:private> b",
    "a <private>S3</private > b": "a <secret:private> b",
    "a < private >S3</ private> b": "a <secret:private> b",
    'a <private reason="x">S3</private> b': "a <secret:private> b",
    "a &lt;private&gt;S3&lt;/private&gt; b": "a <secret:private> b",
    "a &#60;private&#x3E;S3&#60;/private&#62; b": "a <secret:private> b",
    "a \\u003cprivate\\u003eS3\\u003c/private\\u003e b": "a <secret:private> b",
    "a \\\\u003cprivate\\\\u003eS3\\\\u003C/private\\\\u003E b": "a <secret:private> b",
    "a <pri\u200bvate>S3</priv\u00adate> b": "a <secret:private> b",
    "a <\u2060private\ufeff>S3</p\U000e0041rivate> b": "a <secret:private> b",
    '{"a":"<private>S3<\\/private>","b":1}': '{"a":"<secret:private>","b":1}',
    '{"a": "x <private>S3", "b": ["S3", 3, true], "c": {"d": "S3"}}': (
        '{"a": "x <secret:private>", "b": ["<secret:private>", "<secret:private>", "<secret:private>"], "c": {"d": "<secret:private>"}}'
    ),
    "<private>S3</private> mid <private>S3</private>": "<secret:private> mid <secret:private>",
    "a </private> b": "a <secret:private> b",
}


@pytest.mark.parametrize(("before", "after"), PRIVATE.items())
def test_R13_what_a_person_marked_private_goes(before: str, after: str) -> None:
    assert redact(before) == after
    assert redact(after) == after
