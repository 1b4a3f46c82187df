"""Patches as text to changes of files."""

from ruledout.model.action import EditKind, Hunk
from ruledout.read.patch import Change, changes, lines


def test_an_envelope_with_every_kind_of_file() -> None:
    text = """*** Begin Patch
*** Add File: new.py
+one
+two
*** Update File: old.py
*** Move to: moved.py
@@ def f():
 same
-out
+in
@@
-gone
*** End of File
*** Delete File: dead.py
*** End Patch"""
    assert changes(text) == (
        Change(path="new.py", kind=EditKind.WRITE, hunks=(Hunk(added=("one", "two")),), by="apply_patch"),
        Change(path="old.py", kind=EditKind.DELETE, by="apply_patch"),
        Change(path="moved.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("same", "out"), added=("same", "in")), Hunk(removed=("gone",))), by="apply_patch"),
        Change(path="dead.py", kind=EditKind.DELETE, by="apply_patch"),
    )


def test_a_unified_diff_over_several_files() -> None:
    text = """diff --git a/x.py b/x.py
index 1..2 100644
--- a/x.py
+++ b/x.py
@@ -1,2 +1,2 @@ def f():
 same
--- a comment taken out
+in
diff --git a/n.py b/n.py
new file mode 100644
--- /dev/null
+++ b/n.py
@@ -0,0 +1 @@
+new
diff --git a/d.py b/d.py
deleted file mode 100644
--- a/d.py
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git a/p.py b/q.py
similarity index 100%
rename from p.py
rename to q.py
"""
    assert changes(text) == (
        Change(path="x.py", kind=EditKind.REPLACE, hunks=(Hunk(removed=("same", "-- a comment taken out"), added=("same", "in")),), by="patch"),
        Change(path="n.py", kind=EditKind.WRITE, hunks=(Hunk(added=("new",)),), by="patch"),
        Change(path="d.py", kind=EditKind.DELETE, by="patch"),
        Change(path="p.py", kind=EditKind.DELETE, by="patch"),
        Change(path="q.py", kind=EditKind.REPLACE, by="patch"),
    )


def test_a_diff_without_git_headers() -> None:
    text = "--- x.py\t2024-01-01\n+++ x.py\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n--- y.py\n+++ y.py\n@@ -1 +1 @@\n-c\n+d\n"
    assert [(change.path, change.hunks) for change in changes(text)] == [
        ("x.py", (Hunk(removed=("a",), added=("b",)),)),
        ("y.py", (Hunk(removed=("c",), added=("d",)),)),
    ]


def test_what_is_no_patch_changes_nothing() -> None:
    assert changes("hello\n- a list\n+ of things") == ()
    assert changes("") == ()


def test_line_ends_are_not_kept_and_make_no_empty_last_line() -> None:
    assert lines("a\r\nb\n") == ("a", "b")
    assert lines("a\n\n") == ("a", "")
    assert lines("") == ()
