"""ruledout: what a coding agent should remember of a debugging session. The face is lazy: importing this loads nothing else."""

TYPE_CHECKING = False  # the checker takes this name for true; `typing` itself is too dear at start-up
if TYPE_CHECKING:
    from ruledout.distill.face import DebugSessionDistiller, FalsificationPreservationGate
    from ruledout.errors import FalsificationLineageTruncationViolation
    from ruledout.model.proposal import Proposal
    from ruledout.read.own_loop import SessionLog

__version__ = "0.1.0"
__all__ = ["DebugSessionDistiller", "FalsificationLineageTruncationViolation", "FalsificationPreservationGate", "Proposal", "SessionLog", "__version__"]

_HOMES = {
    "DebugSessionDistiller": "ruledout.distill.face",
    "FalsificationLineageTruncationViolation": "ruledout.errors",
    "FalsificationPreservationGate": "ruledout.distill.face",
    "Proposal": "ruledout.model.proposal",
    "SessionLog": "ruledout.read.own_loop",
}


def __getattr__(name: str) -> object:
    """Load a name of the face from its room when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
