"""`ruledout hook AGENT`: an agent's event in, what is known of it out, in the agent's own dialect. Exit 0, always; nothing unless something is known."""

from argparse import ArgumentParser, Namespace

from ruledout.doors import hook, hook_reading


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    from ruledout.agents import AGENTS

    parser.add_argument("agent", metavar="AGENT", help=f"whose event it is: {', '.join(AGENTS)}")


def run(options: Namespace) -> int:
    """Answer one event."""
    return hook.main(hook_reading.answer, [options.agent])
