"""Converted sessions: what converters write around an output, and what a cut by an exporter leaves."""

import json

import pytest

from ruledout.model.action import Edit, EditKind, Ending, Run
from ruledout.model.transcript import Transcript
from ruledout.observe.outcome import observe
from ruledout.read import atif, converted, otel

CUT = "...[truncated]"


def trace(name: str, asked: str, answered: str | None) -> Transcript:
    """A trace of one tool call."""
    told = {"openinference.span.kind": "TOOL", "tool.name": name, "input.value": asked, "output.value": answered}
    given = [{"key": key, "value": {"stringValue": value}} for key, value in told.items() if value is not None]
    span = {"spanId": "s1", "name": name, "startTimeUnixNano": "1", "attributes": given, "status": {"code": "STATUS_CODE_OK"}}
    return otel.read(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode())


def ran(output: str, command: str = "pytest -q") -> Run:
    (run,) = trace("Bash", json.dumps({"command": command}), output).actions
    assert isinstance(run, Run)
    return run


@pytest.mark.parametrize(
    ("content", "output", "exit_code"),
    [
        pytest.param("Exit code 1\n1 failed\n\n[error] tool reported failure", "Exit code 1\n1 failed", 1, id="told in front"),
        pytest.param('3 passed\n\n[stdout]\n3 passed\n[metadata] {"x": 1}', "3 passed", None, id="the second copy is left out; zero is not concluded"),
        pytest.param("1 failed\n[exit_code] 2", "1 failed\n[exit_code] 2", 2, id="told behind"),
        pytest.param("x", "x", None, id="not told"),
    ],
)
def test_a_trace_tells_the_exit_that_its_converter_wrote(content: str, output: str, exit_code: int | None) -> None:
    assert (ran(content).output, ran(content).exit) == (output, exit_code)


def test_R14_an_output_cut_before_its_end_decides_nothing() -> None:
    output = "collected 9 items\nERROR: Item 3 failed\nFAILED tests/test_a.py::test_x\n" + "log\n" * 300 + CUT
    run = ran(output)
    assert observe(run.command, run.output, run.exit, run.ending).result.value == "unknown"
    assert any("Item 3 failed" in turn.text for turn in trace("Bash", '{"command": "pytest -q"}', output).turns)  # it is still there to be read


def test_a_cut_output_with_its_exit_told_is_judged() -> None:
    assert ran("Exit code 1\nFAILED tests/test_a.py::test_x\n" + "log\n" * 300 + CUT).exit == 1


def test_R4_an_edit_that_was_cut_is_an_edit_whose_content_is_not_known() -> None:
    asked = '{"replace_all": false, "file_path": "/r/app.py", "old_string": "one", "new_string": "two and mor' + CUT
    (edit,) = trace("Edit", asked, "The file /r/app.py has been updated.").actions
    assert edit == Edit(ref="s1", at=0, path="/r/app.py", kind=EditKind.OPAQUE)


def test_R4_an_edit_cut_before_its_path_may_have_changed_any_file() -> None:
    (edit,) = trace("Write", '{"content": "long text' + CUT, "File written").actions
    assert (type(edit), edit == Edit(ref="s1", at=0, path="*", kind=EditKind.OPAQUE)) == (Edit, True)


def test_a_command_that_was_cut_in_its_here_document_writes_what_nobody_knows() -> None:
    asked = '{"command": "cat > ./app/x.py << \'EOF\'\\nimport os\\nprint(' + CUT
    edit, run = trace("bash", asked, "").actions
    assert isinstance(run, Run)
    assert (edit, run.command) == (Edit(ref="s1", at=0, path="app/x.py", kind=EditKind.OPAQUE, via=edit.via), "cat > ./app/x.py")  # type: ignore[union-attr]  # an edit has it


@pytest.mark.parametrize(
    "output",
    [
        "1 passed\n<command with shellId: 22 is still running after 30 seconds>",
        "Chunk ID: 5\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n1 passed",
        "Command running in background with ID: b1. Output is being written to: /tmp/x",
    ],
)
def test_a_command_that_goes_on_has_decided_nothing(output: str) -> None:
    step = {
        "source": "agent",
        "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "pytest"}}],
        "observation": {"results": [{"source_call_id": "c1", "content": output, "extra": {"is_error": False}}]},
    }
    (run,) = atif.read(json.dumps({"schema_version": "ATIF-v1.7", "agent": {"name": "x"}, "steps": [step]}).encode()).actions
    assert isinstance(run, Run)
    assert (run.ending, run.exit) == (Ending.RUNNING, None)
    assert ran(output).ending is Ending.RUNNING


def test_a_value_is_cut_only_where_it_ends_so() -> None:
    assert (converted.uncut("a" + CUT), converted.uncut("a" + CUT + "b")) == ("a", None)
