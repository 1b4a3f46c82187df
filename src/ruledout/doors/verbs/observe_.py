"""`ruledout observe`: reads one output, or many as JSON lines. `{"id", "command", "exit", "output"}` in, the reading out, same order, same id."""

from argparse import ArgumentParser, Namespace

from ruledout import wiring
from ruledout.doors.lines import answer_lines
from ruledout.doors.show.plain import as_json, out


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the output to read (default: standard input)")
    parser.add_argument("--command", default="", help="the command that printed it, if known")
    parser.add_argument("--exit", type=int, default=None, help="its exit status, if known")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--jsonl", action="store_true", help="one JSON object a line in, one out")


def run(options: Namespace) -> int:
    """Observe one output, or a batch."""
    from ruledout.flows.observe_output import Question, observed

    matchers = wiring.matchers()
    if options.jsonl:
        return answer_lines(Question, '{"id", "command", "exit", "output"}', lambda question: observed(question, matchers))
    text = wiring.text_of(options.file).decode("utf-8", "replace")
    answer = observed(Question(id=None, command=options.command, exit=options.exit, output=text), matchers)
    if options.json:
        out(as_json(answer))
    else:
        from ruledout.doors.show.session import reading

        out(reading(answer))
    return 0
