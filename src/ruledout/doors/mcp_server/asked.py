"""The arguments of each tool as values, strictly read: a wrong name or type is told with its place. Loaded by the first call."""

import msgspec
from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.proposal import Proposal
from ruledout.recall.question import AskedEdit, Question

Json = dict[str, object]


class AskedIdea(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`check_idea`: one of the four forms, or several."""

    idea: str | None = None
    command: str | None = None
    diff: str | None = None
    edit: AskedEdit | None = None

    def question(self) -> Question:
        """The same, as the look-up takes it."""
        return Question(idea=self.idea, command=self.command, diff=self.diff, edit=self.edit)


class AskedRecall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`recall`: words, a path, a test id, or the output of a failing run."""

    query: str


class AskedHandoff(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`handoff`: the digest of one, or none for the one that stands open."""

    record: str | None = None


class AskedProposal(Struct, frozen=True, kw_only=True):
    """`propose_residual`: a proposal, and the session file that it is of; None for the newest of the repository."""

    proposal: Proposal
    session: str | None


KINDS: dict[str, type[Struct]] = {"check_idea": AskedIdea, "recall": AskedRecall, "handoff": AskedHandoff}


def read(name: str, arguments: Json) -> Struct:
    """The arguments of a tool. Raises `BadInput` (`bad-arguments`) for what its schema does not have."""
    arguments = {key: value for key, value in arguments.items() if value is not None}  # some clients fill what is left out with null
    try:
        plain = sound(arguments)
        if name != "propose_residual":
            return msgspec.convert(plain, KINDS[name])
        session = msgspec.convert(plain.pop("session", None), str | None)
        return AskedProposal(proposal=msgspec.convert(plain, Proposal), session=session)
    except RecursionError:
        raise BadInput("bad-arguments", f"{name}: nested too deeply", "give the arguments that the tool's schema names") from None
    except msgspec.ValidationError as error:
        raise BadInput("bad-arguments", f"{name}: {error}", "give the arguments that the tool's schema names") from None


def sound(value: Json) -> Json:
    """The same with every text one that can be written: JSON lets half characters through, files and databases do not."""
    found = _sound(value)
    assert isinstance(found, dict)  # noqa: S101  # an object stays one
    return found


def _sound(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_sound(one) for one in value]
    return {str(_sound(key)): _sound(one) for key, one in value.items()} if isinstance(value, dict) else value
