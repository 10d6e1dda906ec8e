"""Hiding secrets in long texts, which anybody may have written."""

import pytest

from assay.core.secrets import HIDDEN, Redactor

LONG = 200_000


@pytest.mark.parametrize(
    "text",
    [
        "x" * LONG,
        "a-" * LONG,
        "a+.-" * LONG,
        "://" + ":" * LONG,
        "://a" * LONG,
        "token" + " " * LONG,
        "token" * LONG,
        "bearer " * LONG,
        "bearer" + " " * LONG,
        "sk-" * LONG,
        "assay_read_" * LONG,
    ],
    ids=lambda text: text[:8],
)
def test_the_time_grows_with_the_length_alone(text):
    """Each takes milliseconds; with one quadratic pattern it takes the better part of an hour."""
    assert Redactor(["canary-1234"])(text + " canary-1234").endswith(HIDDEN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at https://me:pass@host/x", f"at https://{HIDDEN}@host/x"),
        ("at https://:pass:word@host/x", f"at https://{HIDDEN}@host/x"),
        ("at https://me@host/x:1", "at https://me@host/x:1"),
        ("MY_API-KEY = 'abcdef'", f"MY_API-KEY = '{HIDDEN}'"),
        ('{"x-auth-token": "abcdef"}', f'{{"x-auth-token": "{HIDDEN}"}}'),
        ("passwd:abcd&x=1", f"passwd:{HIDDEN}&x=1"),
        ("token=abc", "token=abc"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text, expected):
    assert Redactor()(text) == expected
