"""A unified diff is read hunk by hunk."""

from ruledout.recall.hunks import hunks

DIFF = """\
diff --git a/src/cart.py b/src/cart.py
index 1111111..2222222 100644
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,5 +1,5 @@ def total():
 one
-two
+TWO
 three
-four
+FOUR
 five
@@ -20 +20 @@
--- a line that was two dashes
+++ and one of two plusses
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-gone
-
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
--- /dev/null
+++ b/new.txt\t2026-01-01 00:00:00
@@ -0,0 +1 @@
+came
"""


def test_each_hunk_has_its_path_and_both_sides() -> None:
    found = [(hunk.path, hunk.removed, hunk.added) for hunk in hunks(DIFF)]
    assert found == [
        ("src/cart.py", ("one", "two", "three", "four", "five"), ("one", "TWO", "three", "FOUR", "five")),
        ("src/cart.py", ("-- a line that was two dashes",), ("++ and one of two plusses",)),
        ("old.txt", ("gone", ""), ()),
        ("new.txt", (), ("came",)),
    ]


def test_runs_of_changed_lines_stand_apart_without_context() -> None:
    assert [(group.removed, group.added) for group in hunks(DIFF)[0].groups()] == [(("two",), ("TWO",)), (("four",), ("FOUR",))]


def test_what_is_no_diff_has_no_hunks() -> None:
    for text in ("", "hello", "@@ -1 +1 @@\n-a\n+b\n", "--- a\n", "--- a/x\n+++ b/x\n@@ nonsense @@\n"):
        assert hunks(text) == ()


def test_a_torn_diff_gives_what_it_holds() -> None:
    (hunk,) = hunks("--- a/x\r\n+++ b/x\r\n@@ -1,9 +1,9 @@\r\n-a\r\n+b\r\n")
    assert (hunk.path, hunk.removed[:1], hunk.added[:1]) == ("x", ("a",), ("b",))
