"""What each no-signal class looks like in text, in the order in which they are asked, and what shows that the code itself failed.

A table, no rule: `observe.nosignal` decides what weighs more. Patterns are of kinds of programs (shells, package managers, version control, argument
parsers), never of one program's one sentence, where a kind is known.
"""

import re

from ruledout.observe.late import Late

AMBIGUOUS = frozenset({"timeout", "missing_module", "no_tests", "setup_missing"})
"""Classes that may be a refutation after all: when they repeat in a clean environment, or were predicted."""

DOMAIN = Late(
    r"^E   +\S|^FAILED \S|^ERROR \S+::|^--- FAIL: |^[ \t]*not ok \d|^FAIL:? \S+[./]|^[ \t]*● |^[ \t]+✕ |^test \S+ \.\.\. FAILED|expect\(received\)"
    r"|\bAssertionError\b|\bassertion\b.{0,40}\bfailed\b|^error(?:\[E\d+\])?: (?=.*\n +--> )|^error\[E\d{4}\]|: error TS\d+:|: error C\d{4}\b"
    r"|^[\w./\\+-]+:\d+(?::\d+)?: (?:fatal )?[Ee]rror\b|^[\w./\\-]+\(\d+(?:,\d+)?\): (?:fatal )?error\b|^thread '[^']*'.{0,20} panicked at "
    r"|^panic: |^goroutine \d+ \[running\]"
    r"|ERROR: \w*Sanitizer: (?!out-of-memory)|WARNING: \w+Sanitizer:|: runtime error: |[Ss]egmentation fault|\bSIGSEGV\b|\bSIGABRT\b|[Kk]ernel BUG"
    r"|^BUG: |general protection fault"
    r"|^[ \t]*Caused by: \w|^Exception in thread |^Unhandled (?:exception|rejection)|Uncaught \w*(?:Error|Exception)|constraint failed"
    r"|violates \S+(?: key)? constraint"
    r"|^[ \t]+at \S.*\(.*:\d+(?::\d+)?\)$|^Fatal error in |Received signal \d+|Check failed: |ASSERTION FAILED|DCHECK|NOTREACHED"
    r"|undefined reference to|[Rr]untime ?[Ee]rror",
    re.MULTILINE,
)

FRAME = Late(r'^[ \t]*(?:\| *){0,8}File "([^"\n]+)", line \d+, in (.+)$', re.MULTILINE)

CLASSES = (
    (
        "interrupted",
        (
            r"^[ \t]*KeyboardInterrupt\b|^\^C\b|Interrupted by user|received SIGINT|SIGTERM received|^(?:Terminated|Hangup|Interrupt(?:ed)?)(?:: \d+)?\s*$"
            r"|(?:operation|build|job) (?:was )?cancell?ed"
        ),
    ),
    (
        "malformed_call",
        (
            r"patch does not apply|patch failed:|corrupt patch at line|unrecognized input|old_?str(?:ing)? (?:was )?not found|String to replace not found"
            r"|[Nn]o replacement was performed|did not appear verbatim"
            r"|File has not been read yet|File has been modified since|InputValidationError|[Ii]nvalid (?:tool )?(?:parameters|arguments) for tool"
            r"|CONFLICT \(|Hunk #\d+ FAILED|<tool_use_error>|^No valid patches in input"
            r"|Multiple occurrences of|is a directory\b|Is a directory\b|are identical \(not copied\)|is not a directory|Not a directory"
            r"|omitting directory|without -r\b|cannot (?:copy|move|create|stat|overwrite|remove)\b"
        ),
    ),
    (
        "oom",
        (
            r"^Killed(?:: 9)?\s*$|OutOfMemoryError|[Cc]annot allocate memory|\bENOMEM\b|heap out of memory|^MemoryError\b|out-of-memory|[Oo]ut of memory"
            r"|std::bad_alloc|oom-kill|virtual memory exhausted"
        ),
    ),
    ("disk", r"No space left on device|\bENOSPC\b|\bEDQUOT\b|[Qq]uota exceeded|[Tt]oo many open files|\bEMFILE\b|Read-only file system|[Dd]isk (?:is )?full"),
    (
        "network",
        (
            r"[Cc]ould not resolve (?:host|proxy)|[Tt]emporary failure in name resolution|[Nn]ame or service not known|\bENOTFOUND\b|\bEAI_AGAIN\b"
            r"|getaddrinfo|[Nn]etwork (?:is )?unreachable|No route to host|\bENETUNREACH\b"
            r"|\bECONNRE(?:FUSED|SET)\b|\bETIMEDOUT\b|[Cc]onnection (?:refused|reset|timed out|aborted|closed by)|[Ff]ailed to connect to"
            r"|Max retries exceeded|SSL: CERTIFICATE|certificate (?:verify failed|has expired)|SSLError"
            r"|TLS handshake|[Pp]roxy (?:error|authentication)|\b(?:502 Bad Gateway|503 Service|504 Gateway|429 Too Many)|[Rr]ate limit(?:ed| exceeded)"
            r"|[Cc]ould not (?:connect|fetch|download)|[Ff]ailed to (?:fetch|download)"
            r"|[Uu]nable to access 'https?:|unexpected disconnect|Could not read from remote repository|network error"
        ),
    ),
    ("timeout", r"[Tt]imed out after|[Cc]ommand timed out|[Tt]imeout (?:of .{1,20} )?exceeded|[Dd]eadline exceeded|TimeoutExpired|\btimeout: sending signal"),
    (
        "missing_binary",
        (
            r"command not found|[Cc]ommand '[^']*' not found|[Nn]ot found, but can be installed|is not recognized as an? (?:internal|name)"
            r"|: (?:\d+: )?[\w./-]+: not found$|[Uu]nknown command:? [`']?\w|No command '[^']*' found"
            r"|executable file not found|[Cc]annot find the (?:program|executable)|\bno such (?:sub)?command|env: .{1,80}: No such file or directory"
            r"|program not found|spawn \S+ ENOENT|Cannot run program|exec: .{1,60}: not found"
        ),
    ),
    (
        "permission",
        (
            r"[Pp]ermission denied|\bEACCES\b|\bEPERM\b|[Oo]peration not permitted|[Aa]ccess (?:is )?denied|must be (?:run as )?root|super-?user|have access to"
            r"|[Rr]oot privileges?|need to be root|as root\b|sudo: .{0,80}(?:required|not allowed)|not in the sudoers"
            r"|[Aa]uthentication fail|not authori[sz]ed|[Uu]nauthori[sz]ed|requires? (?:elevated|admin|root)|[Ii]nsufficient privileges"
            r"|run this as a privileged|Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED"
        ),
    ),
    (
        "port_or_lock",
        (
            r"[Aa]ddress already in use|\bEADDRINUSE\b|[Pp]ort \S* ?(?:is )?(?:already )?(?:in use|allocated)|index\.lock|[Cc]ould not get lock"
            r"|[Uu]nable to (?:acquire|lock)|waiting for (?:cache )?lock|listen on port|already using this port|is locked by"
        ),
    ),
    (
        "setup_missing",
        (
            r"[Mm]igrations? (?:are|is) pending|unapplied migration|[Rr]un `?(?:bundle|npm|yarn|pnpm|composer|pip|poetry|terraform"
            r"|vagrant)\b.{0,20}(?:install|init|up)\b|(?:terraform|tofu) init\b|[Mm]odule not installed|node_modules.{0,40}missing"
            r"|has not been (?:initiali[sz]ed|set up|configured)|[Pp]lease run\b|[Ii]nitialization required|need(?:s)? to be (?:initiali[sz]ed|created"
            r"|started)|VM must be (?:running|created)|`make .{0,30}` first|[Nn]ot initialized"
        ),
    ),
    (
        "missing_module",
        (
            r"ModuleNotFoundError|No module named|[Cc]annot find (?:module|package)|\bERR_MODULE_NOT_FOUND\b|[Cc]an't locate \S+\.pm|cannot load such file"
            r"|no required module provides package|package \S+ is not in (?:GOROOT|std)"
            r"|class (?:not found|file for)|NoClassDefFoundError|ClassNotFoundException|can't find crate for|could not find (?:gem|crate)"
            r"|module '[^']*' not found"
        ),
    ),
    (
        "no_tests",
        (
            r"no tests (?:ran|found|collected|to run)|collected 0 items|No tests? (?:were |was )?(?:found|executed|run)|Executed 0 of 0"
            r"|[Nn]o test (?:files?|suites?) (?:found|matched)|\b0 tests? (?:ran|run|executed)|running 0 tests"
        ),
    ),
    (
        "environment",
        (
            r"[Cc]annot (?:open|connect to) (?:X )?display|[Uu]nable to open X display|Missing X server|\$DISPLAY|[Cc]annot connect to the [Dd]ocker"
            r"|[Dd]ocker daemon|no CUDA|CUDA (?:driver|error)|[Nn]o (?:such|usable) (?:device|GPU)|libGL"
            r"|[Ff]ailed to launch (?:the )?(?:browser|chrome)|[Nn]o usable sandbox|[Ee]xecutable doesn't exist at|browserType\.launch"
            r"|[Uu]nable to locate package|[Nn]o (?:matching|available) (?:package|formula|distribution|cask)|No package "
            r"|[Pp]ackage .{0,60}(?:not found|is not available|has no installation)|target not found: |not found in (?:the )?(?:npm |package )?registry"
            r"|404 Not Found.*regist|[Nn]othing provides|E404|[Cc]ould not find a version that satisfies"
            r"|[Nn]ot installed\b|Unable to find image|pull access denied|[Nn]o such container|adb: |no devices|device not found|[Ll]ocale"
            r"|[Ii]nstalling .{0,40}failed|already installed|error while loading shared libraries|GLIBC"
        ),
    ),
    (
        "agent_syntax",
        (
            r"unexpected EOF while looking|syntax error near unexpected|syntax error: unexpected|[Uu]nterminated quoted|[Uu]nmatched ['\"`]"
            r"|[Ii]nvalid (?:option|argument|choice|flag|switch|value)|[Uu]nrecogni[sz]ed (?:option|argument|command|flag|switch)"
            r"|[Uu]nknown (?:option|argument|flag|switch|arg|subcommand|primary|predicate|target|operand)|[Ii]llegal option|[Nn]o such option"
            r"|requires? an argument|bad option|missing (?:file )?operand|too many arguments|[Uu]nexpected argument"
            r"|^[ \t]*[Uu]sage:?\s|-e expression #\d|\bunknown (?:\S+ )?(?:command|subcommand)\b|is not a \S+ ?(?:command|task|subcommand)"
            r"|[Nn]o such (?:sub)?command|did you mean"
            r"|Did you mean|[Mm]aybe you meant|most similar command|[Ii]s not (?:a known|defined|a valid)"
            r"|not a git command|[Tt]ask .{0,60} (?:not found|is not in your|not defined)|[Mm]issing script|[Nn]o (?:target|rule|task) "
            r"|[Cc]ommand\(s\) not found|[Nn]ot a recogni[sz]ed|ambiguous (?:option|command)|[Uu]nknown (?:lifecycle|help|command)"
            r"|expects? (?:exactly|at least|at most)|[Tt]ry ['`\"]?.{0,40}(?:--help|help)\b|See '.{1,40}(?:--help|help)'|[Ww]rong number of arguments"
            r"|not a valid (?:\w+ )?(?:command|identifier|option|verb)"
        ),
    ),
    (
        "vcs_state",
        (
            r"^fatal: |^[ \t]*! \[(?:remote )?rejected\]|^hint: |[Nn]ot a git repository|\.gitignore|--cached|changes staged|[Nn]othing to commit"
            r"|[Uu]nstaged changes|local changes"
            r"|local modifications|not fully merged|[Pp]athspec|has no upstream|no tracking information|did not match any"
            r"|already exists|[Nn]o changes|uncommitted changes|[Uu]ntracked working tree|already checked out|unrelated histories|[Nn]eed to resolve"
            r"|unmerged|abort: |not something we can merge|detached HEAD|divergent branches|[Rr]ebase"
        ),
    ),
    (
        "wrong_cwd",
        (
            r"can't open file|cannot (?:cd|access|open|find)|can't cd|[Nn]o such file or directory|\bENOENT\b|[Dd]oes not exist|[Nn]o such directory"
            r"|[Cc]ould not open|(?:file|directory|path|folder|input|project|manifest|makefile) not found|not found: \S+/\S+"
            r"|[Cc]ould not find `?(?:Cargo\.toml|package\.json|pom\.xml|go\.mod)|[Nn]o makefile found|Could not (?:find|read|load) .{0,60}(?:file"
            r"|directory)|[Nn]ot found\s*$|cannot find the (?:path|file)"
        ),
    ),
)
