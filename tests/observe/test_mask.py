import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruledout.observe import mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("job 1e094860-d183-4f16-9060-a445d9deb527 failed", "job <uuid> failed"),
        ("trace 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 lost", "trace <uuid> lost"),
        ("GET https://api.example.com:8443/v2/users/42?x=1 gave 404", "GET https://<host>/*/users/* gave 404"),
        ("see file:///home/ada/shop/a.py", "see file://a.py"),
        ("mail to ada@example.org bounced", "mail to <email> bounced"),
        ("POST /api/users/17 gave 500", "POST /api/users/* gave 500"),
        ("wrote /tmp/tmpab12cd34/out.txt", "wrote <tmp>/out.txt"),
        ("in /tmp/pytest-of-ada/pytest-3/test_w0", "in <tmp>/test_w"),
        ("/tmp/ccNbaHe5.o: undefined reference to `foo'", "<tmp>.o: undefined reference to `foo'"),
        ("at /home/ada/shop/cart.py:41:7: bad", "at cart.py: bad"),
        (r"at C:\Users\ada\shop\cart.ts:41:7 bad", "at cart.ts bad"),
        ("/srv/v/lib/python3.11/site-packages/django-4.2/db/x.py:3 bad", "django/db/x.py bad"),
        ("/home/a/node_modules/left-pad/index.js:1:2", "left-pad/index.js"),
        ("/usr/lib/python3.11/json/decoder.py", "<stdlib>/json/decoder.py"),
        ("cannot read /etc/hosts", "cannot read /etc/hosts"),
        ("src/a.c:3:5: error: x", "src/a.c: error: x"),
        ("a.ts(12,5): error TS2322: x", "a.ts: error TS2322: x"),
        ("make: *** [Makefile:3: lint] Error 1", "make: *** [Makefile: lint] Error 1"),
        ("peer fe80::1ff:fe23:4567:890a gone", "peer <ip> gone"),
        ("mac fa:16:3e:94:88:3f", "mac <mac>"),
        ("connect 10.0.0.7:5432 refused", "connect <ip> refused"),
        ("listening on localhost:8080", "listening on localhost:<port>"),
        ("server at port 59999 is down", "server at port <port> is down"),
        ("at 2025-11-02T10:11:12.123Z and on 12 Nov 2019 07:52:11", "at <time> and on <time>"),
        ("took 0.31s, then 5 minutes", "took <dur>, then <dur>"),
        ("allocated 512 MB of 4096 bytes", "allocated <size> of <size>"),
        ("f+0x5/0x10 at 0x7f00aa", "f at <addr>"),
        ("<Foo object at 0x7fbbb51a4160> and Bar@1a2b3c4d", "<Foo object at <addr1>> and Bar@<addr2>"),
        ("image sha256:9f86d081884c7d65 and 8c40273", "image <hash1> and <hash2>"),
        ("pid 10854, tid=77, goroutine 108, [gw3], thread 'main' (4453)", "pid <pid>, tid=<tid>, goroutine <tid>, [gw<tid>], thread 'main' (<tid>)"),
        ("line 12, column 4, item #3", "line <n>, column <n>, item #<n>"),
        ("read 4,150,908 of 1234567 rows", "read <num1> of <num2> rows"),
        ("0.123456 but 1.5 and 2.25", "<num> but 1.5 and 2.25"),
        ("got '" + "word " * 20 + "'", "got 'word <str>'"),
    ],
)
def test_what_the_machine_made_becomes_a_typed_slot(text: str, masked: str) -> None:
    assert mask.mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'user_id'",
        "exit 1",
        "expected 3 got 4",
        "HTTP 404",
        "error[E0308]: mismatched types",
        "errno 10061",
        "[Errno 111] refused",
        "exit code 3221225477",
        "ORA-01017: denied",
        "HRESULT 0x80070005",
        "utf-8",
        "version 1.2.3",
        "Fee::add() is private",
        "12:31:99 is no clock",
        "999.1.1.1 is no address",
        "relation a::b",
        "No module named 'shop.cart'",
        "deadbeef is a word",
        "TS2322",
        "3 != 4",
    ],
)
def test_what_carries_the_refutation_stays(text: str) -> None:
    assert mask.mask(text) == text


def test_equal_values_share_a_number_and_other_values_have_another() -> None:
    a, b = "1e094860-d183-4f16-9060-a445d9deb527", "aaaaaaaa-d183-4f16-9060-a445d9deb527"
    assert mask.mask(f"expected {a} got {a}") == "expected <uuid1> got <uuid1>"
    assert mask.mask(f"expected {a} got {b}") == "expected <uuid1> got <uuid2>"


def test_times_and_threads_have_no_numbers_since_two_of_them_are_equal_by_chance() -> None:
    assert mask.mask("from 10:00:00 to 10:00:00") == mask.mask("from 10:00:00 to 10:00:01")


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("KeyError: 'a'", "KeyError: 'b'", True),
        ("a.sh: line 2: NOPE: unbound variable", "a.sh: line 3: OTHER: unbound variable", True),
        ("no such column: b", "no such column: c", True),
        ("expected 3 got 4", "expected 5 got 6", True),
        ("pod web-7d9f-abc2 on node kind-worker2 died", "pod api-2 on node eu-3-x died", True),
        ("errno 13", "errno 14", False),
        ("error: cannot open", "error: cannot close", False),
        ("KeyError: 'a'", "IndexError: 'a'", False),
        ("HTTP 404", "HTTP 500", False),
    ],
)
def test_coarse_drops_every_value_and_no_word(a: str, b: str, equal: bool) -> None:  # noqa: FBT001  # a table of expectations
    assert (mask.coarse(a) == mask.coarse(b)) is equal


def test_in_test_ids_only_volatile_values_go() -> None:
    assert mask.volatile("t.py::x[100000-<A at 0x7f00112233>-2025-11-02]") == "t.py::x[100000-<A at <addr>>-<time>]"


PIECES = st.sampled_from(
    ["1e094860-d183-4f16-9060-a445d9deb527", "/tmp/tmpab12cd34/x", "/home/a/b.py:3", "10.0.0.1:80", "0x7f00aa11", "pid 77", "line 3", "1234567", "0.12s", "'name'", "error:", "a", "<", ">",
     "https://h.example/a/1", "12:30:01", "8c4027321", "gw1", "\n", "-", ":", "x@y.org", "C:\\a\\b.c:1"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=12), st.sampled_from(["", " "]))
def test_masking_twice_is_masking_once(pieces: list[str], glue: str) -> None:
    once = mask.mask(glue.join(pieces))
    assert mask.mask(once) == once


@settings(max_examples=100, deadline=None)
@given(
    st.uuids(),
    st.uuids(),
    st.integers(0x7F0000000000, 0x7FFFFFFFFFFF),
    st.integers(0x7F0000000000, 0x7FFFFFFFFFFF),
    st.integers(2, 99999),
    st.integers(2, 99999),
)
def test_the_masked_text_is_equal_under_other_values_in_the_masked_spans(a: object, b: object, x: int, y: int, p: int, q: int) -> None:
    template = "task {} at 0x{:x} in pid {} lost"
    assert mask.mask(template.format(a, x, p)) == mask.mask(template.format(b, y, q))


@settings(max_examples=100, deadline=None)
@given(st.from_regex(r"[g-z]{3,12}", fullmatch=True), st.from_regex(r"[g-z]{3,12}", fullmatch=True))
def test_another_kept_word_is_another_text(a: str, b: str) -> None:
    template = "cannot find symbol '{}' after 0.31s"
    assert (mask.mask(template.format(a)) == mask.mask(template.format(b))) is (a == b)


@pytest.mark.parametrize(
    "piece",
    ["a", "a.", "/a", "1", "1.", "1:", "0x", "ab-", '"', "'a ", "a@", "a@b.", "<", " ", "A: ", "http://", "f.c:1 ", "\n", "::", "1,000", "C:\\a", "a.A.", "é"],
)
def test_adversarial_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def spent(size: int) -> float:
        text = (piece * size)[:size]
        begun = time.process_time()
        mask.mask(text)
        return time.process_time() - begun

    mask.mask(piece)
    small, large = spent(4_000), spent(32_000)
    assert large < 8 * 6 * small + 0.5


def test_what_is_beyond_the_cap_is_not_read() -> None:
    assert mask.mask("a" * mask.CAP + " tail") == "a" * mask.CAP
