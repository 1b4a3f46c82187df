"""The Model Context Protocol on standard input and output, on the standard library alone. It answers agents; it runs no gate and listens on no network.

`lines` frames, `protocol` speaks both eras, `tools` names the four tools, `server` loops. What a call needs (`asked`, `answers`, the flows) is loaded by the
first call, so that a client is connected in little more than the interpreter's own start.
"""
