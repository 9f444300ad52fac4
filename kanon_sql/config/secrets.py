"""Passwords never leave the connection: what is logged, registered or reported goes through here first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

HIDDEN = "***"

_SECRET_KEY = (
    r"(?:password|passwd|pwd|pass|sslpassword|passfile_content|token|motherduck_token|secret|api_?key|access_?key)"
)
_USERINFO = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*://[^\s/:@?#'\"]*):(?P<password>[^\s/'\"]*)@")
_PAIR = re.compile(
    rf"(?P<key>\b(?:\w+_)?{_SECRET_KEY})(?P<equals>\s*[=:]\s*)(?P<value>'(?:[^'\\]|\\.)*'|\"[^\"]*\"|[^\s&;,'\"}}\])]+)",
    re.IGNORECASE,
)


def redact_url(url: str) -> str:
    """A URL whose password, and whose secret options, are hidden."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return redact_text(url)
    # A password may hold any character, a raw @ or / too: the last @ before the options ends it.
    body, question, options = rest.partition("?")
    credentials, at, place = body.rpartition("@")
    if not at and "@" in options:
        credentials, at, place = rest.rpartition("@")
        question, options = "", ""
    user, colon, _ = credentials.partition(":")
    shown = f"{user}:{HIDDEN}@{place}" if at and colon else body
    return f"{scheme}://{shown}{question}{_PAIR.sub(_hide_pair, options)}"


def redact_text(text: str, secrets: Iterable[str] = ()) -> str:
    """A text in which URLs, `password=…` pairs and the given secrets are hidden."""
    for secret in sorted({s for s in secrets if s}, key=len, reverse=True):
        # Whole words only: hiding the password "postgres" inside "postgresql" would give it away.
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text)
    text = _USERINFO.sub(lambda match: f"{match['scheme']}:{HIDDEN}@", text)
    return _PAIR.sub(_hide_pair, text)


def secrets_of_url(url: str) -> list[str]:
    """The password of a URL, as written and as decoded: what must not appear in a message."""
    body = url.partition("://")[2].partition("?")[0]
    password = body.rpartition("@")[0].partition(":")[2]
    return [password, unquote(password)] if password else []


def redacted(value: object, secrets: Iterable[str] = ()) -> object:
    """A document (mappings, lists, texts) with every text redacted."""
    known = tuple(secrets)
    if isinstance(value, str):
        return redact_text(redact_url(value) if "://" in value and " " not in value else value, known)
    if isinstance(value, dict):
        return {key: HIDDEN if _is_secret(key, item) else redacted(item, known) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(item, known) for item in value]
    return value


def _is_secret(key: object, item: object) -> bool:
    return isinstance(item, str) and re.fullmatch(rf"(?:\w+_)?{_SECRET_KEY}", str(key), re.IGNORECASE) is not None


def _hide_pair(match: re.Match[str]) -> str:
    return f"{match['key']}{match['equals']}{HIDDEN}"
