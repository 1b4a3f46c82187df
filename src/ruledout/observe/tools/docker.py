"""Building images: BuildKit, the classic builder, Buildah and Podman. Which step failed, at which line; what a step printed is its own tool's to read."""

from ruledout.model.outcome import Diagnostic, Evidence, Kind
from ruledout.observe.reading import Reading
from ruledout.observe.scan import rx, short

NAME = "docker"
PROGRAMS = frozenset(("docker", "docker-compose", "podman", "buildah", "nerdctl"))
_SOLVE = (
    r"(?m)^(?:ERROR|error|failed): (?:failed to solve|failed to build|target \S+: failed to solve): (?:rpc error: .{1,60}? desc = )?(\S.{0,400})$"
    r"|^failed to solve: (\S.{0,400})$"
)
_CLASSIC = r"(?m)^(The command '.{1,400}' returned a non-zero code: \d+|error building at STEP \".{1,400}\": .{1,300}|Error: building at STEP .{1,400})$"
_PARSE = r"(?m)^.*(?:[Dd]ockerfile parse error (?:on )?line (\d+): (.{1,300})|ERROR: .{0,60}Dockerfile:(\d+).{0,200})$"
_PLACE = r"(?m)^(\S{0,200}[Dd]ockerfile\S{0,60}):(\d+)$"
_MARKED = r"(?m)^ *(\d+) \| >>> "
_FINE = (
    r"(?m)^(?:Successfully (?:built|tagged) \S+|(?:#\d+ )?(?:=> => )?naming to \S+.*|(?:#\d+ )?writing image sha256:\w+.*|COMMIT \S+|.*\bImage \S+ +Built.*)$"
)


def claims(output: str) -> bool:
    """Its words where a build ends."""
    marks = ("failed to solve", "returned a non-zero code", "building at STEP", "ockerfile parse error", "Successfully built", "Successfully tagged")
    return any(mark in output for mark in marks) or "naming to " in output or "COMMIT " in output


def read(output: str) -> Reading | None:
    """The step that failed."""
    parse, solve, classic = rx(_PARSE).search(output), rx(_SOLVE).search(output), rx(_CLASSIC).search(output)
    found = solve or classic or parse
    if found is None:
        return Reading(tool=NAME, ran=Evidence.RAN, says="pass") if rx(_FINE).search(output) else None
    place, marked = rx(_PLACE).search(output), rx(_MARKED).search(output)
    line = int(parse[1] or parse[3]) if parse else int(marked[1]) if marked else int(place[2]) if place else None
    said = " ".join(found[0].split())
    return Reading(
        tool=NAME,
        kind=Kind.DIAGNOSTIC,
        ran=Evidence.RAN,
        says="fail",
        classes=("dockerfile parse error" if parse else "build step failed",),
        message=short(said),
        diagnostics=(Diagnostic(file=place[1] if place else "Dockerfile", line=line, severity="error", message=short(said) or ""),) if line else (),
        span=said,
    )
