"""`ruledout check`: has this edit, command or idea been ruled out. Exact only; words alone say at most `near`."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledout import wiring
from ruledout.doors.lines import answer_lines, question
from ruledout.doors.show.plain import as_json, out

if TYPE_CHECKING:
    from ruledout.recall.question import Question

SHAPE = '{"id", "idea" or "command" or "diff" or "edit": {"path", "removed", "added"}}'


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("question", metavar="JSON", nargs="?", help=f"{SHAPE} (default: read from standard input)")
    parser.add_argument("--idea", help="an idea, in words")
    parser.add_argument("--command", help="a command about to be run")
    parser.add_argument("--diff", metavar="FILE", help="a unified diff about to be applied (- for standard input)")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--jsonl", action="store_true", help="one question a line in, one answer out")


def run(options: Namespace) -> int:
    """Check one question: exit 0 clear, near or reopened, 1 ruled out. A batch ends with 0."""
    from ruledout.doors.show.answers import checked
    from ruledout.flows.check_action import check
    from ruledout.recall.question import Question

    with wiring.store(options.repo) as store:
        if options.jsonl:
            return answer_lines(Question, SHAPE, lambda asked: check(store, wiring.relative(asked, options.repo)))
        answer = check(store, wiring.relative(_asked(options), options.repo))
    out(as_json(answer) if options.json else checked(answer))
    return 1 if answer.verdict == "ruled_out" else 0


def _asked(options: Namespace) -> "Question":
    """The one question of the command line, or of standard input."""
    from ruledout.recall.question import Question

    if options.idea is not None or options.command is not None or options.diff is not None:
        diff = wiring.text_of(options.diff).decode("utf-8", "replace") if options.diff else None
        return Question(idea=options.idea, command=options.command, diff=diff)
    given = options.question.encode("utf-8", "replace") if options.question else sys.stdin.buffer.read()
    return question(Question, SHAPE, given, "the question")
