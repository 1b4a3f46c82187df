"""JSON-RPC 2.0 and the two eras of the protocol: what to answer to a message. Touches no stream, no store and no file.

Handshake era (2025-11-25 and before): `initialize`, then requests. Stateless era (2026-07-28): every request names its version in `params._meta`, and every
result says that it is complete. Each message is judged by itself, so that a client may probe one era and fall back to the other.
"""

import json
from collections.abc import Callable

from ruledout import __version__
from ruledout.doors.mcp_server.tools import INSTRUCTIONS, TOOLS, UnknownTool

Json = dict[str, object]

HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
STATELESS = ("2026-07-28",)
PARSE, INVALID, NO_METHOD, BAD_PARAMS, INTERNAL, VERSION = -32700, -32600, -32601, -32602, -32603, -32022
_META = "io.modelcontextprotocol/"
_SERVER: Json = {"name": "ruledout", "version": __version__}
_CAPABILITIES: Json = {"tools": {"listChanged": False}}
_FRESH_MS = 3_600_000
_MOST_IN_A_BATCH = 100


class Fault(Exception):
    """An error of the protocol, with its code; a tool that cannot answer is a result and none of these."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        """Keep the three parts of a JSON-RPC error."""
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def read(line: bytes) -> object:
    """The JSON value of a line. Raises `Fault` for what is none."""
    try:
        value: object = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Fault(PARSE, f"no JSON in UTF-8 on one line: {type(error).__name__}") from None
    return value


def _refuse(name: str) -> object:
    raise ValueError(name)


def write(message: object) -> bytes:
    """A message as one line of ASCII, so that no stream's encoding can harm it."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def fault(error: Fault, id_: object = None) -> Json:
    """The reply that tells an error; `id` is null where the request's could not be told."""
    data = {} if error.data is None else {"data": error.data}
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": error.code, "message": error.message, **data}}


class Peer:
    """The other side of one connection: whether it has shaken hands, and what it can be asked."""

    def __init__(self, call: Callable[[str, Json, object], tuple[Json, bool]], is_lost: Callable[[], bool]) -> None:
        """`call` runs a tool: its name, its arguments and the client's roots where they came with it; it raises `UnknownTool`.

        It gives the structured answer, and whether that is an error. `is_lost` says that there is no repository to answer for, unless the client names one.
        """
        self._call, self._is_lost = call, is_lost
        self.greeted, self.has_roots = False, False

    def answer(self, message: object) -> object:
        """The reply to a message or a batch, or None where there is none to give: for notifications, for replies, for blanks."""
        if not isinstance(message, list):
            return self._answer_one(message)
        if not message or len(message) > _MOST_IN_A_BATCH:
            return fault(Fault(INVALID, f"a batch holds 1 to {_MOST_IN_A_BATCH} messages"))
        return [reply for one in message if (reply := self._answer_one(one)) is not None] or None

    def _answer_one(self, message: object) -> Json | None:
        if not isinstance(message, dict):
            return fault(Fault(INVALID, "a message is a JSON object"))
        if "method" not in message and ("result" in message or "error" in message):
            return None
        known = _id(message)
        try:
            method, params = _request(message)
            if "id" not in message:
                return None
            return {"jsonrpc": "2.0", "id": known, "result": self._result(method, params)}
        except Fault as error:
            return fault(error, known)
        except Exception as error:  # noqa: BLE001  # a defect of ours ends one request, never the server
            return fault(Fault(INTERNAL, f"a defect of ours: {type(error).__name__}"), known)

    def _result(self, method: str, params: Json) -> Json:
        meta = params.get("_meta")
        version = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
        if version is not None and method != "initialize":
            if version not in STATELESS:
                raise Fault(VERSION, "unsupported protocol version", {"supported": list(STATELESS), "requested": str(version)[:40]})
            result = self._stateless(method, params, meta if isinstance(meta, dict) else {})
            return {"resultType": "complete", **result, "_meta": {f"{_META}serverInfo": _SERVER}}
        return self._handshake(method, params)

    def _stateless(self, method: str, params: Json, meta: Json) -> Json:
        kept: Json = {"ttlMs": _FRESH_MS, "cacheScope": "public"}  # no answer of these two hangs on the data or the user
        if method == "server/discover":
            return {"supportedVersions": list(STATELESS), "capabilities": _CAPABILITIES, "instructions": INSTRUCTIONS, **kept}
        if method == "tools/list":
            return {"tools": TOOLS, **kept}
        given, can = params.get("inputResponses"), meta.get(f"{_META}clientCapabilities")
        if method == "tools/call" and given is None and isinstance(can, dict) and isinstance(can.get("roots"), dict) and self._is_lost():
            return {"resultType": "input_required", "inputRequests": {"roots": {"method": "roots/list"}}}
        named = given.get("roots") if isinstance(given, dict) else None
        return self._any(method, params, named.get("roots") if isinstance(named, dict) else None)

    def _handshake(self, method: str, params: Json) -> Json:
        if method == "initialize":
            return self._greet(params)
        if method == "server/discover":
            raise Fault(BAD_PARAMS, f"params._meta lacks {_META}protocolVersion")
        if method in ("tools/list", "tools/call") and not self.greeted:
            raise Fault(INVALID, f"send `initialize` first, or name {_META}protocolVersion in params._meta")
        return {"tools": TOOLS} if method == "tools/list" else self._any(method, params)

    def _greet(self, params: Json) -> Json:
        asked, can = params.get("protocolVersion"), params.get("capabilities")
        if not isinstance(asked, str):
            raise Fault(BAD_PARAMS, "`protocolVersion` is a text")
        self.greeted, self.has_roots = True, isinstance(can, dict) and isinstance(can.get("roots"), dict)
        version = asked if asked in HANDSHAKE else HANDSHAKE[0]
        return {"protocolVersion": version, "capabilities": _CAPABILITIES, "serverInfo": _SERVER, "instructions": INSTRUCTIONS}

    def _any(self, method: str, params: Json, roots: object = None) -> Json:
        if method == "ping":
            return {}
        if method != "tools/call":
            raise Fault(NO_METHOD, "there is no such method")
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise Fault(BAD_PARAMS, "`name` is a text, `arguments` an object")
        try:
            structured, failed = self._call(name, arguments or {}, roots)
        except UnknownTool:
            raise Fault(BAD_PARAMS, "there is no such tool") from None
        shown = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
        return {"content": [{"type": "text", "text": shown}], "structuredContent": structured, "isError": failed}


def _id(message: Json) -> str | int | None:
    """The id of a request, if it is one that may be told back."""
    id_ = message.get("id")
    return id_ if isinstance(id_, str) or (isinstance(id_, int) and not isinstance(id_, bool)) else None


def _request(message: Json) -> tuple[str, Json]:
    """The method and parameters of a request or notification. Raises `Fault` for a message that is neither."""
    method, params = message.get("method"), message.get("params")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise Fault(INVALID, '`jsonrpc` is "2.0", `method` a text')
    if "id" in message and _id(message) is None:
        raise Fault(INVALID, "`id` is a text or a whole number")
    if not isinstance(params, dict | None):
        raise Fault(BAD_PARAMS, "`params` is an object")
    return method, params or {}
