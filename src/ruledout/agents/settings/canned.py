"""One edit as each agent's hook would tell it, to try an installed command with.

The event before the act, and where the agent can only be told after it, that one too.
"""


def canned(agent: str, folder: str, session: str, path: str, new: str) -> tuple[dict[str, object], ...]:  # noqa: PLR0911  # a table of shapes
    """The events of an edit of `path` in `folder`, whose text is `value = 1`, to `new`."""
    file, old = f"{folder}/{path}", "value = 1"
    edit = {"file_path": file, "old_string": old, "new_string": new}
    if agent == "copilot":
        return ({"sessionId": session, "cwd": folder, "toolName": "edit", "toolArgs": {"path": file, "old_str": old, "new_str": new}},)
    if agent == "opencode":
        told = {"tool": "edit", "session": session, "call": "c", "cwd": folder, "args": {"filePath": file, "oldString": old, "newString": new}}
        return {"ev": "pre", **told}, {"ev": "post", **told, "output": "done"}
    if agent == "openhands":
        given = {"command": "str_replace", "path": file, "old_str": old, "new_str": new}
        return ({"event_type": "PreToolUse", "tool_name": "file_editor", "tool_input": given, "session_id": session, "working_dir": folder},)
    if agent == "cursor":
        told = {
            "conversation_id": session,
            "workspace_roots": [folder],
            "tool_name": "Write",
            "tool_input": {"file_path": file, "content": f"{new}\n"},
            "cwd": folder,
        }
        return {"hook_event_name": "preToolUse", **told}, {"hook_event_name": "postToolUse", **told, "tool_output": "done"}
    common = {"session_id": session, "cwd": folder, "transcript_path": ""}
    if agent == "gemini":
        told = {**common, "tool_name": "replace", "tool_input": edit}
        return {"hook_event_name": "BeforeTool", **told}, {"hook_event_name": "AfterTool", **told, "tool_response": {"llmContent": "done"}}
    if agent == "codex":
        patch = f"*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch"
        return ({"hook_event_name": "PreToolUse", **common, "tool_name": "apply_patch", "tool_input": {"command": patch}},)
    return ({"hook_event_name": "PreToolUse", **common, "tool_name": "Edit", "tool_input": edit},)
