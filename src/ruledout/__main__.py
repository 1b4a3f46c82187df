"""`python -m ruledout`, and the console script. The version is answered before anything is loaded, and the server for agents starts without a parser."""

import sys

from ruledout import __version__


def main() -> int:
    """Run the command line; returns the exit code of the command contract (docs/cli.md): 0 done, 1 no, 2 asked wrongly, 3 could not run, 70 our bug."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"ruledout {__version__}\n")
        return 0
    if sys.argv[1:] == ["mcp"]:  # an agent waits for it: no parser is loaded
        from ruledout.doors.mcp_server.server import serve

        return serve(None)
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv[2:]):  # R15: no parser that could end with 2, which stops an agent
        from ruledout.doors import hook, hook_reading

        return hook.main(hook_reading.answer, [name for name in sys.argv[2:] if name != "--agent"])
    import gc

    gc.disable()  # a short life with hardly a circle in it: looking for them would cost a sixth of the time
    from ruledout.doors.cli import run

    code = run(sys.argv[1:])
    gc.freeze()  # nor is one looked for at the very end, which would cost a tenth: what is left goes with the process
    return code


if __name__ == "__main__":
    raise SystemExit(main())
