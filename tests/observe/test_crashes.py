import pytest

from ruledout.model.outcome import Frame
from ruledout.observe.crashes import kernel, stack
from ruledout.observe.reading import Reading
from ruledout.observe.tools import crash, stacks

ASAN = """==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000018 at pc 0x5584 bp 0x7ffe sp 0x7ffd
READ of size 8 at 0x602000000018 thread T0
    #0 0x5584aa in shop::take(Cart<int>&) /home/ada/shop/cart.cc:12:3
    #1 0x5584bb in main /home/ada/shop/main.cc:4

0x602000000018 is located 0 bytes inside of 8-byte region
freed by thread T0 here:
    #0 0x7faa in free
"""
UBSAN = "src/num.c:7:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n    #0 0x42 in add src/num.c:7:9\n    #1 0x43 in main src/main.c:3\n"
KASAN = """[  185.479466] BUG: KASAN: use-after-free in list_add+0x10/0x20
[  185.479470] Write of size 8 at addr ffff8801d614bd58 by task worker/19425
[  185.479480] Call Trace:
[  185.479490]  dump_stack+0xc1/0x124
[  185.479500]  kasan_report+0x11/0x20
[  185.479510]  shop_ioctl+0x44/0x90 drivers/shop/main.c:88
"""
GO = "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/home/ada/shop/main.go:9\nmain.main()\n\t/home/ada/shop/main.go:14 +0x1d\nexit status 2\n"
RUST = "thread 'main' (4453) panicked at src/main.rs:4:5:\nindex out of bounds: the len is 3 but the index is 5\nstack backtrace:\n   0: shop::pick\n             at ./src/main.rs:4:5\n   1: shop::main\n             at ./src/main.rs:9:5\n"
JAVA = 'Exception in thread "main" java.lang.IllegalStateException: outer\n\tat shop.Cart.open(Cart.java:9)\nCaused by: java.io.IOException: inner\n\tat shop.Disk.read(Disk.java:3)\n\t... 1 more\n'


def read(text: str) -> Reading:
    found = crash.read(text) or stacks.read(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "tool", "classes", "functions", "addr"),
    [
        (ASAN, "sanitizer", ("heap-use-after-free",), ["shop::take(Cart<int>&)", "main"], "wild"),
        (UBSAN, "sanitizer", ("Integer-overflow",), ["add", "main"], None),
        (KASAN, "kernel", ("KASAN: use-after-free Write",), ["list_add", "shop_ioctl"], None),
        (GO, "go", ("panic", "Index out of range"), ["main.pick", "main.main"], None),
        (RUST, "rust", ("panic",), ["shop::pick", "shop::main"], None),
        (JAVA, "java", ("java.lang.IllegalStateException", "java.io.IOException"), ["shop.Disk.read"], None),
    ],
)
def test_a_crash_report_is_read(text: str, tool: str, classes: tuple[str, ...], functions: list[str], addr: str | None) -> None:
    found = read(text)
    assert (found.tool, found.classes, [frame.function for frame in found.frames], found.addr) == (tool, classes, functions, addr)


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ("    #1 0x5584 in ns::f(int) const /src/a.c:4:7", Frame("ns::f(int) const", "/src/a.c", 4)),
        ("    #0 0x4b35 in __x (/usr/lib/libx.so+0x12)", Frame("__x", "/usr/lib/libx.so")),
        ("#2  0x0c in f (a=1, b=<optimized out>) at usb/x.c:362", Frame("f", "usb/x.c", 362)),
        ("    #0 w /tmp/a.c:3 (a+0x11d9)", Frame("w", "/tmp/a.c", 3)),
        ("\tat shop.A.b(A.java:12) ~[shop.jar:1.0]", Frame("shop.A.b", "A.java", 12)),
        ("    at f (/w/a.js:1:31)", Frame("f", "/w/a.js", 1)),
        ("    at async Shop.run (file:///w/a.mjs:1:31)", Frame("Shop.run", "file:///w/a.mjs", 1)),
        ("f@http://x.example/a.js:52:15", Frame("f", "http://x.example/a.js", 52)),
        ("   at Shop.Cart.Open(String s) in /w/Cart.cs:line 12", Frame("Shop.Cart.Open", "/w/Cart.cs", 12)),
        ("[  185.5]  [<ffffffff81ca45ed>] dump_stack+0xc1/0x124", Frame("dump_stack", "")),
        ("INFO: nothing here", None),
        ("#17042\tNEW    cov: 7 ft: 7 corp: 3/33b", None),
    ],
)
def test_a_frame_is_read_in_every_printed_form(line: str, frame: Frame | None) -> None:
    assert stack.frame(line) == frame


@pytest.mark.parametrize("text", ["", "3 passed in 0.1s", "WARNING: deprecated\nINFO: done\n", "at the end: 3", "Error: x"])
def test_ordinary_output_is_no_crash(text: str) -> None:
    assert crash.read(text) is None
    assert stacks.read(text) is None


def test_a_warning_whose_stack_got_lost_blames_nobody() -> None:
    bare = "[  7.1] WARNING: CPU: 0 PID: -34 at net/sched/generic.c:31 dev_tick+0x64/0x77\n[  7.2] Kernel panic - not syncing: panic_on_warn set ...\n"
    found = kernel.read(bare)
    assert found is not None
    assert (found.classes, found.frames, found.message) == (("WARNING",), (), "WARNING in dev_tick")


def test_held_locks_are_no_stack() -> None:
    text = "[ 1.1] [ INFO: suspicious RCU usage. ]\n[ 1.2] 1 lock held by prog/39:\n[ 1.3]  #0: (&v->mutex){+.+.}, at: [<ffffffff81055862>] load_it+0x22/0x70\n"
    found = kernel.read(text)
    assert found is not None
    assert found.frames == ()


def test_a_stall_inside_a_guest_is_named_after_the_call_that_runs_it() -> None:
    text = (
        "[ 1.1] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n[ 1.2] Call Trace:\n[ 1.3] RIP: 0010:vmx_poll+0x1/0x60\n"
        "[ 1.4]  vcpu_enter_guest+0x5/0x90\n[ 1.5]  kvm_vcpu_ioctl+0x4/0x80\n[ 1.6]  do_vfs_ioctl+0x1/0x10\n"
    )
    found = kernel.read(text)
    assert found is not None
    assert found.message == "INFO: rcu detected stall in kvm_vcpu_ioctl"
