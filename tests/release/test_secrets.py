"""Passwords are hidden wherever a URL or a text may carry them."""

from __future__ import annotations

import pytest

from kanon_sql.config.secrets import redact_text, redact_url, redacted, secrets_of_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg://me:pw@host:5432/db", "postgresql+psycopg://me:***@host:5432/db"),
        ("postgresql://me@host/db", "postgresql://me@host/db"),
        ("postgresql://me:p@w/x:y@host/db", "postgresql://me:***@host/db"),
        ("postgresql://:pw@host/db", "postgresql://:***@host/db"),
        (
            "postgresql://host/db?user=me&password=pw&sslmode=require",
            "postgresql://host/db?user=me&password=***&sslmode=require",
        ),
        ("postgresql://me:p?w@host/db", "postgresql://me:***@host/db"),
        ("duckdb:///census.duckdb", "duckdb:///census.duckdb"),
        ("duckdb:///md:db?motherduck_token=abc", "duckdb:///md:db?motherduck_token=***"),
    ],
)
def test_urls(url: str, shown: str) -> None:
    assert redact_url(url) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cannot reach postgresql://me:pw@host/db now", "cannot reach postgresql://me:***@host/db now"),
        ("host=h user=u password=pw dbname=d", "host=h user=u password=*** dbname=d"),
        ("host=h password='p w' dbname=d", "host=h password=*** dbname=d"),
        ("the column age misses 3 values", "the column age misses 3 values"),
    ],
)
def test_texts(text: str, shown: str) -> None:
    assert redact_text(text) == shown


def test_known_secrets_go_first() -> None:
    assert secrets_of_url("postgresql://me:a%40b@host/db") == ["a%40b", "a@b"]
    assert redact_text("it was a@b, as a%40b", secrets_of_url("postgresql://me:a%40b@host/db")) == "it was ***, as ***"


def test_documents() -> None:
    document = {"source": {"url": "postgresql://me:pw@h/d", "options": {"api_key": "k", "delim": ";"}}, "k": [1, "a:b"]}
    assert redacted(document) == {
        "source": {"url": "postgresql://me:***@h/d", "options": {"api_key": "***", "delim": ";"}},
        "k": [1, "a:b"],
    }
