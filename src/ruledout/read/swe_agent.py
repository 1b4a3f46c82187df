"""SWE-agent trajectories, 0.x and 1.x (`.traj`): the steps of `trajectory`; of `history` only the task.

A ref is `step:N`, the index into `trajectory`. 1.x repeats the whole prompt in each step (`query`), which is never decoded; demonstrations (`is_demo`) come
from other tasks and are left out. No exit status is recorded, so none is told.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import aci, loose
from ruledout.read.assemble import Assembler

NAME = "swe-agent"

_TIMED_OUT = re.compile(r"(?:EXECUTION TIMED OUT|was cancelled because it took more than|COMMAND TIMED OUT|execution timed out)", re.IGNORECASE)
_EXITS = ("exit_cost", "exit_context", "exit_format", "exit_error", "exit_api", "exit_forfeit", "exit_command_timeout", "exit_environment_error")


class _Step(Struct):
    action: Any = None
    observation: Any = None
    response: Any = None
    thought: Any = None
    state: Any = None


class _Said(Struct):
    role: Any = None
    content: Any = None
    is_demo: Any = None


class _Info(Struct):
    submission: Any = None
    swe_agent_version: Any = None


def claims(head: bytes) -> bool:
    """An object with a `trajectory` of steps that have an `action` or an `observation`."""
    ways = loose.outline(head)
    return "trajectory[].action" in ways and bool({"trajectory[].observation", "trajectory[].thought", "trajectory[].query"} & ways)


def read(raw: bytes) -> Transcript:
    """Read a trajectory. Raises BadInput when nothing can be read."""
    document = loose.document(raw, NAME)
    session = _Session(Assembler(NAME))
    session.tasks(document.items("history"))
    for index, part in enumerate(document.items("trajectory")):
        step = loose.decode(part, _Step)
        if step is None:
            session.out.skip("not a step", f"step:{index}")
        else:
            session.take(f"step:{index}", step)
    if document.torn is not None:
        session.out.skip("torn document", f"byte:{document.torn}")
    info = loose.decode(document.members.get("info", b"{}"), _Info) or _Info()
    submission = loose.text(info.submission)
    return session.out.finish(
        agent=NAME,
        version=loose.text(info.swe_agent_version) or None,
        session=document.text("instance_id") or None,
        cwd=session.root,
        final_patch=submission if "diff --git " in submission or "\n+++ " in submission else None,
    )


class _Session:
    """Walks the steps with what the session has shown of files, which `edit` needs."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.screen = aci.Screen()
        self.root: str | None = None

    def tasks(self, history: list[loose.Piece]) -> None:
        """The system prompt and the task: what `history` holds before the first answer. They stand before step 0 and bear its ref."""
        for part in history:
            said = loose.decode(part, _Said)
            if said is None or said.is_demo:
                continue
            if said.role not in ("system", "user"):
                return
            text = loose.text(said.content)
            demo = text.lstrip().startswith("Here is a demonstration of how to correctly accomplish this task")
            self.out.say(Role.SYSTEM if said.role == "system" else Role.NOTE if demo else Role.USER, "" if demo else text, "step:0")

    def take(self, ref: str, step: _Step) -> None:
        """One step: what was thought, done and seen."""
        action, observation = loose.text(step.action), loose.text(step.observation)
        thought = loose.text(step.thought) or (loose.text(step.response) if not action else "")
        if thought.strip():
            self.out.say(Role.ASSISTANT, thought.strip(), ref)
        state = loose.mapping(step.state)
        cwd = loose.text(state.get("working_dir")) or None
        self.root = self.root or cwd
        if not action.strip():
            if observation.strip():
                self.out.say(Role.NOTE, observation, ref)
            return
        if action.strip() in _EXITS:
            self.out.say(Role.NOTE, f"{action.strip()}\n{observation}".strip(), ref)
            return
        told = loose.text(state.get("open_file"))
        call = self.screen.step(action, observation, told if told not in ("", "n/a") else None)
        self.out.call(ref, call.name, call.arguments, cwd=cwd, shown=action.strip())
        if step.observation is None:
            return
        self.out.result(ref, observation, ending=_ending(call.name, observation))
        self.screen.learn(observation)


def _ending(name: str, observation: str) -> Ending:
    """How the step ended, from the harness's own words at the start of the observation."""
    head = observation.lstrip()[:400]
    if aci.refused(head) or (name == "str_replace_editor" and aci.unmatched(head)):
        return Ending.MALFORMED
    return Ending.TIMED_OUT if _TIMED_OUT.search(head) else Ending.DONE
