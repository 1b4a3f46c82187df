"""What may be said, and once only: mutes, the session's memory, the ledger of what came of it. Says nothing of its own but what stands in the index."""

from ruledout.act import place
from ruledout.act.memory import Memory
from ruledout.errors import BadInput
from ruledout.plainjson import dumps, loads

_MOST_LEDGER = 256_000


class Speech:
    """A block to be said: by which rule, of which item, about which act. `exact`: the act is the dead end itself, and may be stopped if the user wants it."""

    __slots__ = ("act", "exact", "id", "rule", "text")

    def __init__(self, rule: str, item: str, text: str, act: str, *, exact: bool = False) -> None:
        """Put it together."""
        self.rule, self.id, self.text, self.act, self.exact = rule, item, text, act, exact


def muted(folder: str, root: str, speech: Speech) -> bool:
    """Has the user muted this: the item, its record, the rule, the repository, or everything."""
    try:
        held = loads((place.read(f"{folder}/mute.json", 100_000) or b"[]").decode("utf-8", "replace"))
    except BadInput:
        return False
    record = speech.id.partition("/")[0]
    wanted = ("all", f"rule:{speech.rule}", f"repo:{root}", f"item:{speech.id}", f"item:{record}")
    return isinstance(held, list) and any(one in held for one in wanted)


def allowed(memory: Memory, folder: str, root: str, speech: "Speech | None") -> "Speech | None":
    """The speech, unless it was said in this session or is muted."""
    if speech is None or speech.id in memory.lists["said"] or muted(folder, root, speech):
        return None
    memory.add("said", speech.id)
    memory.tables["pending"] = {"id": speech.id, "rule": speech.rule, "act": speech.act}
    return speech


def settled(memory: Memory, act: str, *, after: bool) -> "str | None":
    """What became of what was said last: `ignored` when the act was made all the same, `acted_on` when another follows; None while it is open."""
    pending = memory.tables["pending"]
    if not pending or (pending.get("act") == act and not after):
        return None
    return "ignored" if pending.get("act") == act else "acted_on"


def note(folder: str, what: str, told: "dict[str, str]", at: int) -> None:
    """A line in the ledger beside the index. That it cannot be written is no fault."""
    try:
        place.append(f"{folder}/ledger.jsonl", dumps({"at": at, "what": what, "item": told.get("id", ""), "rule": told.get("rule", "")}), _MOST_LEDGER)
    except OSError:
        return
