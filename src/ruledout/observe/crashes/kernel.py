"""Kernel reports: Linux, the BSDs, Zircon, gVisor. The title a person would give: kind of fault and the function that is to blame.

The kind is a pattern's name or the words of the line, without values. The function is the first on the stack that is no part of reporting, locking,
copying or scheduling.
"""

import re

from ruledout.model.outcome import Evidence, Frame, Kind
from ruledout.observe.crashes import stack
from ruledout.observe.late import Late
from ruledout.observe.reading import Reading

_STAMP = Late(r"^(?:<\d>)?\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? ?|^\[\d{5}\.\d{3}\] \d+\.\d+> ?", re.MULTILINE)
_CONTEXT = Late(
    r"^(?:<\d+>)?\[ *\d+\.\d+\]|Call [Tt]race:|Hardware name: |\bCPU: \d+ PID: |\+0x[0-9a-f]+/0x[0-9a-f]+|\bKDB: |^Stopped at |ZIRCON|bt#\d"
    r"|^cpuid = |stopping other cpus|Starting stack trace"
    r"|^[WEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ x:|^db\{?\d*\}?>|\bKASLR\b|^uvm_fault\(|KVM internal error|kernel BUG at |^executing program",
    re.MULTILINE,
)
"""what only a kernel's log has: many a program prints `WARNING:`, `panic:` and `BUG:`"""
_F = r"(?P<f>[A-Za-z_][\w.$]*)"
_KINDS = tuple(
    (Late(pattern, re.MULTILINE), name)
    for pattern, name in (
        (rf"^.*BUG: (?P<k>KASAN|KMSAN|KFENCE|KCSAN): (?P<w>[\w -]+?) in {_F}.*$", "{k}: {w}"),
        (r"^.*BUG: (?P<k>KASAN): (?P<w>[\w-]+).*$", "{k}: {w}"),
        (
            (r"^.*(?:BUG: unable to handle (?:kernel )?|Unable to handle kernel )(?P<w>NULL pointer dereference|paging request|access to user memory"
            r"|read from unreadable memory|write to read-only memory|execute from non-executable memory|)\b.*$"), "BUG: unable to handle kernel {w}"),
        (r"^.*(?:possible (?:circular|recursive) locking|possible irq lock inversion|inconsistent lock state|possible deadlock).*$", "possible deadlock"),
        (rf"^.*BUG: workqueue leaked lock or atomic.*\n.*last function: {_F}.*$", "BUG: workqueue leaked lock or atomic"),
        (
            (r"^.*BUG: (?P<w>soft lockup|spinlock [a-z ]+?(?= on |,|$)|rwlock [a-z ]+?(?= on |,|$)|workqueue [a-z ]+|scheduling while atomic"
            r"|sleeping function called from invalid context|bad unlock balance|held lock freed|Bad page (?:map|state)|using \w+\(\) in preemptible"
            r"|Dentry still in use)"), "BUG: {w}"),
        (r"^.*BUG: Dentry \S+ +still in use.*$", "BUG: Dentry still in use"),
        (r"^.*BUG: memory leak.*$", "memory leak"),
        (r"^.*INFO: task (?P<p>\S+) blocked (?:in I/O wait )?for more than.*$", "INFO: task hung"),
        (r"^.*INFO: task \S+ can't die.*$", "INFO: task can't die"),
        (r"^.{0,200}?rcu[_: \w]{0,60}(?: |:).{0,200}?detected (?:expedited )?stall.*$", "INFO: rcu detected stall"),
        (r"^.*(?P<k>INFO|WARNING): suspicious RCU usage.*$", "{k}: suspicious RCU usage"),
        (r"^.*INFO: trying to register non-static key.*$", "INFO: trying to register non-static key"),
        (r"^.*WARNING: \S+ still has locks held.*$", "WARNING: still has locks held"),
        (rf"^.*WARNING: (?:CPU: \d+ )?(?:PID: -?\d+ )?at (?P<place>\S+) {_F}.*$", "WARNING"),
        (r"^.*WARNING: (?P<w>[a-z][a-z' ]{3,60}).*$", "WARNING: {w}"),
        (r"^.*(?P<w>general protection fault|divide error|double fault|stack segment|invalid opcode)(?:[:,].*|$)", "{w}"),
        (r"^.*kernel BUG at (?P<place>\S+?)!.*$", "kernel BUG"),
        (r"^unreferenced object 0x.*$", "memory leak"),
        (r"^.*UBS[Aa][Nn]: (?P<w>[Uu]ndefined [Bb]ehaviou?r|[\w -]+?)(?: in (?P<place>\S+?))?(?:,.*)?$", "UBSAN: {w}"),
        (r"^.*Fatal trap \d+: (?P<w>[a-z -]+?)(?: while in kernel mode)?(?:[^a-z -].*)?$", "Fatal trap: {w}"),
        (r"^.*(?P<w>KVM internal error).*$", "{w}"),
        (r"^.*ASSERT FAILED at .*?: (?P<w>.*)$", "ASSERT FAILED: {w}"),
        (r"^.{0,400}?assert(?:ion)? \"?(?P<w>.{0,400}?)\"? failed.*$", "assert failed: {w}"),
        (rf"^.*Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: {_F}.*$", "kernel panic: stack is corrupted"),
        (r"^.*Kernel panic - not syncing: (?P<w>[^:\n]{3,80}).*$", "kernel panic: {w}"),
        (r"^.*(?P<w>Unhandled fault|Alignment trap|recursion in interrupt handler|lock error|uvm_fault|page table has a bad value)\b.*$", "{w}"),
        (r"^.*panic: (?P<w>[^\n]{3,100})$", "panic: {w}"),
        (r"^.*FATAL ERROR: (?P<w>[^\n]{3,120})$", "FATAL ERROR: {w}"),
        (r"^.*BUG: (?P<w>[^\n:]{3,60}).*$", "BUG: {w}"),
    )
)  # fmt: skip
_SKIP = Late(
    r"^(?:dump_stack\w*|show_stack|show_\w*trace|__dump_stack|printk|vprintk\w*|panic|vpanic|kdb_\w+|db_\w+|_*print_\w+|report_\w+|__report_\w+"
    r"|warn_\w+|__warn\w*|fixup_bug\w*|handle_bug|do_(?:trap|error_trap|invalid_op|general_protection|page_fault|user_addr_fault|kern_addr_fault)"
    r"|exc_\w+|asm_\w+|die|__die\w*|oops_\w+|no_context\w*|bad_area\w*|page_fault\w*|general_protection|invalid_op|error_entry|ret_from_\w+"
    r"|entry_\w+|el[01]\w*|_*k[amc]san_\w+|__k[amc]san_\w+|kfence_\w+|_*asan_\w+|_*msan_\w+|_*tsan_\w+|check_memory_region\w*|kasan\w*|__ubsan\w*"
    r"|ubsan_\w+|memcpy\w*|__memcpy\w*|memmove|memset|memcmp|strlen|strcpy|strnlen|strcmp|_*copy_\w+|_copy_\w+"
    r"|_*raw_(?:spin|read|write)_\w+|do_raw_\w+|_raw_\w+|_*lock_\w+|lockdep_\w+|__lockdep\w*|___?might_sleep|_*might_\w+|mutex_\w+|__mutex_\w+"
    r"|_*rwsem_\w+|down_(?:read|write)\w*|rt_\w*lock|check_(?:prev|noncircular|usage|irq|deadlock)\w*|validate_chain|mark_\w*lock\w*|find_usage\w*"
    r"|spin_(?:bug|dump)|rwlock_bug"
    r"|_*schedule\w*|schedule_\w+|preempt_schedule\w*|io_schedule\w*|wait_\w+|__wait_\w+|do_wait_\w+|context_switch|switch_to|kthread"
    r"|worker_thread|kmalloc\w*|__kmalloc\w*|kmem_cache_\w+|slab_\w+|___?slab_\w+|_*alloc_skb|kfree\w*|__kfree\w*|kzalloc\w*|kvmalloc\w*"
    r"|kmemleak\w*|save_stack\w*|stack_trace_\w+|set_track"
    r"|refcount_\w+|debug_\w+|__debug_\w+|rcu_\w+|__rcu_\w+|rcu|trigger_\w+|nmi_\w+|arch_\w+|watchdog\w*|hrtimer_\w+|__hrtimer\w*|tick_\w+"
    r"|update_process_times|smp_apic\w*|apic_\w+|__sysvec\w*|sysvec_\w+|irq_\w+|__irq\w*|do_IRQ|handle_irq\w*|common_interrupt|call_timer_fn"
    r"|run_timer\w*|__do_softirq|do_softirq\w*|__local_bh\w*|csd_\w+"
    r"|platform_halt|exception_die|x86_exception_handler|handle_exception_types|_panic|assert_\w+|trap\w*|alltraps\w*|calltrap|x86_\w*fatal\w*"
    r"|fatal\w*|Xalltraps|syscall|__assert|kassert\w*|mtx_\w+|_mtx_\w+|__mtx\w*|sx_\w+|_sx_\w+|witness_\w+|_*rw_\w+|__udelay|delay_\w+"
    r"|bust_spinlocks|unwind_\w*|register_lock_class|is_dynamic_key|find_held_lock|_*sched_show_task|dump_\w+|__sanitizer_\w+|check_preempt\w*"
    r"|__this_cpu_preempt_check|check_cpu_stall|_*switch_to|schedule|fortify_panic|sock_k\w*alloc|str(?:str|chr|lcpy|lcat|ncmp)|crc32\w*|console_\w+|pick_next_\w+|ldsem_\w+|folio_wait_\w+|__?flush_work"
    r"|__cancel_work\w*|cancel_(?:work|delayed)\w*|lockdebug_\w+|down_\w*trylock\w*|__wake_up\w*|kernel_fpu_\w+|bad_page|free_page_is_bad\w*|finish_task_switch|local_apic\w*|__memset"
    r"|__rela_dyn_start|create_object|_*preempt_\w+|interrupt_common|kerntrap|hlock_class|interrupt|perf_trace\w*|trace_\w+)(?:\.\w+)*$"
)
_SYSCALL = Late(r"^(?:__(?:x64|arm64|ia32|se|do|riscv)_)*(?:compat_)?(?:[sS]y[sS]_|__do_sys_)(?=\w)")
_GUEST = Late(r"^(?:vmx|svm|vcpu|kvm_(?!vcpu_ioctl)|handle_ept|_*srcu)\w*")
"""of a stall while a guest runs: what the loop was doing at that moment is chance"""
_LOCKS = Late(r"\){[^}\n]{0,20}}|\bat: (?:\[<|\S+\+0x)")
_TRACE = Late(r"Call [Tt]race|backtrace")
_BLAME = Late(
    r"(?:R?IP:? (?:[0-9a-f]{2,4}:)?(?:\[<[0-9a-f]+>\] *(?:\[<[0-9a-f]+>\] *)?)?|\b(?:pc|PC|lr) (?:is at|:) ?(?:\[<[0-9a-f]+>\] ?)?"
    r"|backtrace:\s{0,40}\n.{0,200}?)([A-Za-z_][\w.$]{0,120})\+0x"
)
_WRITE = Late(r"\b(Read|Write) of size", re.IGNORECASE)


def read(output: str) -> Reading | None:
    """The first fault that a kernel reported, or None where none did."""
    if not _CONTEXT.search(output):
        return None
    text = _STAMP.sub("", output)
    hits = [(found.start(), order, found, name) for order, (pattern, name) in enumerate(_KINDS) if (found := pattern.search(text))]
    if not hits:
        return None
    _, _, found, name = min(hits, key=lambda hit: (hit[0], hit[1]))
    kind = _title(name, found, text[found.end() : found.end() + 400])
    frames = _blamed(found, text[found.start() : found.start() + 30_000])
    return Reading(
        tool="kernel",
        kind=Kind.CRASH,
        ran=Evidence.RAN,
        says="fail",
        classes=(kind,),
        message=f"{kind} in {frames[0].function}" if frames else _bare(kind, found),
        frames=frames,
        addr="null" if "NULL" in kind or "null-ptr" in found[0] else None,
        span=text[found.start() : found.start() + 3000],
    )


def _title(name: str, found: re.Match[str], after: str) -> str:
    words = {key: (value or "").strip() for key, value in found.groupdict().items()}
    kind = name.format(**{"k": "", "w": "", **words})
    kind = re.sub(r"\b\d+\b|0x[0-9a-f]+", "NUM", kind.split(" (")[0]).strip(" :.")
    access = _WRITE.search(after) if kind.startswith("KASAN") else None
    return f"{kind} {access[1].capitalize()}" if access else kind


def _bare(kind: str, found: re.Match[str]) -> str:
    """What is left to say where nobody is to blame: the function or the file that the head names."""
    named = found.groupdict()
    where = named.get("f") or (named.get("place") or "").rpartition("/")[2]
    return f"{kind} in {where}" if where else kind


def _blamed(found: re.Match[str], text: str) -> tuple[Frame, ...]:
    """The stack behind the head line, from the function to blame on; the one that the head names comes first, if it is one to blame.

    A report whose stack got lost blames nobody: what the head names may be where the machinery noticed it. Lines on held locks are no stack.
    """
    lines = text.split("\n")[1:400]
    if "locking" not in found[0] and "lock state" not in found[0]:  # these are about the locks
        lines = [] if " held by " in text and not _TRACE.search(text) else [line for line in lines if not _LOCKS.search(line)]
    seen = [one for one in map(stack.frame, lines) if one]
    named = found.groupdict().get("f")
    pointed = _BLAME.search(text)
    if "stall" in found[0] or "lockup" in found[0]:
        seen = [one for one in seen if not _GUEST.match(one.function)]
        pointed = None if pointed and _GUEST.match(pointed[1]) else pointed
    first = [Frame(name, "") for name in (named, pointed[1] if pointed else None) if name and not _SKIP.match(name)]
    leak = "memory leak" in found[0] or "unreferenced" in found[0]
    rest = [one for one in seen if one.function and not _SKIP.match(one.function) and not (leak and "alloc" in one.function)]
    if not rest and "WARNING: " in found[0]:
        return ()
    return tuple(
        Frame(_SYSCALL.sub("", re.sub(r"\.(?:isra|part|constprop|cold)[.\d]*$", "", one.function)), one.path, one.line)
        for one in (first[:1] + rest)[: stack.LIMIT]
    )
