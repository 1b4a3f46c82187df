"""`ruledout recall`: which residuals bear on a failure, a file or a question. Text for people is the brief that an agent would get."""

import sys
from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.lines import answer_lines
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("query", metavar="QUERY", nargs="*", help="words, a path, a test id or a signature (default: a failing run's output on standard input)")
    parser.add_argument("--limit", type=int, default=5, help="the most records (default: 5)")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--jsonl", action="store_true", help='one {"id", "query"} a line in, one answer out')


def run(options: Namespace) -> int:
    """Recall: exit 0, also when nothing bears on it."""
    from ruledout.flows.recall_residuals import Asked, Recalled, recall

    with wiring.store(options.repo) as store:
        if options.jsonl:
            return answer_lines(Asked, '{"id", "query"}', lambda asked: recall(store, asked.query, options.limit, id=asked.id))
        text = " ".join(options.query) if options.query else sys.stdin.buffer.read().decode("utf-8", "replace")
        found: Recalled = recall(store, text, options.limit)
    out(as_json(found) if options.json else found.brief or "nothing that is kept bears on this")
    return 0
