"""Statements as a page may show them: their shape and their names, without the values they were run with.

A literal may be a value that was suppressed: it stands in the job (groups, orders, rules), or it was measured on the table. Only what
says nothing of anybody is left: 0, 1 and the label `*`.
"""

from __future__ import annotations

import re

HARMLESS = ("0", "1", "'*'")
MASK = "…"
UNCERTAIN = "-- not shown: it holds a backslash, so where its values end is not certain"
TOKEN = re.compile(
    r"""(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`)"""
    r"""|(?P<text>'(?:[^']|'')*')"""
    r"""|(?P<word>[^\W\d][\w$]*)"""
    r"""|(?P<number>\.?\d(?:[eE][+-]?\d|[\w.])*)"""
)


def masked_sql(sql: str) -> str:
    """The statement with its literals masked; engines disagree on backslashes, so a statement that holds one is not shown."""
    if "\\" in sql:
        return UNCERTAIN
    return TOKEN.sub(_masked, sql)


def _masked(token: re.Match[str]) -> str:
    found = token[0]
    if token["name"] or token["word"] or found in HARMLESS:
        return found
    return f"'{MASK}'" if token["text"] else MASK
