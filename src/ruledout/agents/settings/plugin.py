"""The plug-in for opencode: plain JavaScript with nothing but what the runtime brings, so that opencode need not fetch anything."""

from ruledout.agents.settings.whole import MARK

_HEAD = (
    MARK
    + """asks what is known of an act, and puts it behind the tool's output. Written by `ruledout init`, taken away by `ruledout uninstall`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
"""
)
_FIND = """const home = process.env.HOME ?? "";
const fronts = [process.env.XDG_STATE_HOME || `${home}/.local/state`, `${home}/Library/Application Support`].map((at) => `${at}/ruledout/bin/ruledout-hook`);
const argv = [fronts.find((front) => existsSync(front)), "opencode"];
"""
_BODY = """const ask = (cwd, event) => {
  if (!argv[0] || !existsSync(argv[0])) return {};
  const done = spawnSync(argv[0], argv.slice(1), { cwd, input: JSON.stringify({ ...event, cwd }), timeout: 5000, encoding: "utf8" });
  try {
    return done.stdout ? JSON.parse(done.stdout) : {};
  } catch {
    return {};
  }
};
export const Ruledout = async ({ directory }) => ({
  event: async ({ event }) => {
    if (event.type === "session.compacted") ask(directory, { ev: event.type, session: event.properties?.sessionID });
  },
  "tool.execute.before": async (input, output) => {
    const said = ask(directory, { ev: "pre", tool: input.tool, session: input.sessionID, call: input.callID, args: output.args });
    if (said.deny) throw new Error(said.deny);
  },
  "tool.execute.after": async (input, output) => {
    const told = { ev: "post", tool: input.tool, session: input.sessionID, call: input.callID, args: input.args };
    const said = ask(directory, { ...told, output: output.output, exit: output.metadata?.exit });
    if (said.context && typeof output.output === "string") output.output += `\\n${said.context}`;
  },
});
"""


def plugin(scope: str, shim: str) -> str:
    """Its text. A project's names no path of this machine."""
    import json

    return _HEAD + (_FIND if scope == "project" else f'const argv = [{json.dumps(shim)}, "opencode"];\n') + _BODY
