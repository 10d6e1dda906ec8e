"""Secrets that must never be found again, and the scanner that looks for them.

`CANARIES` is the list that docs/background/security.md promises: one value for each place where a
secret may stand, or may be put by mistake.
"""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

PLACES = {
    # where it stands: what stands there
    "ASSAY_TARGET_KEY": "the key of a chat system",
    "ASSAY_JUDGE_KEY": "the key of the judge",
    "ASSAY_EMBEDDINGS_KEY": "the key of an endpoint for embeddings",
    "BOT_LOGIN": "the variable that `key_env` of a target's file names",
    "BOT_COOKIE": "the same, sent as a cookie",
    "AWS_SECRET_ACCESS_KEY": "in the exception of a metric",
    "DB_PASSWORD": "in the exception of a Python target",
    "SERVICE_TOKEN": "printed by a program on standard error",
    "PLUGIN_API_KEY": "in the traceback of a plugin that cannot be imported",
    "NIGHTLY_TOKEN": "in the exception of a metric in a pytest test",
    "DATABASE_URL": "the password in the address that another variable holds",
    "ASSAY_STORE": "the password of the store, from the environment",
    "--store": "the password of the store, on the command line",
    "assay.toml": "the password of the store, in a configuration file",
    "wrong setting": "a key typed in as another setting",
    "run name": "a key typed in as the name of a run",
    "target user": "the password in the address of a system",
    "target query": "a key in the query of a system's address",
    "judge user": "the password in the address of the judge",
    "judge query": "a key in the query of the judge's address",
    "target header": "a key written as a header into a target's file",
    "server environment": "a secret in the environment of the server, sent to it in any text",
    "wrong key": "a key that the server does not know",
    "server query": "a key in the query of an address of the server",
    "trace header": "a header in the attributes of a trace",
}
SERVER_KEYS = ("read key", "write key", "admin key", "session")
"""Made by the server itself, and scanned for as well."""


def _value(place: str) -> str:
    """Letters, digits and the characters that every coding spells in another way."""
    told = hashlib.sha256(place.encode()).hexdigest()
    return f"Cnry{told[:10]}+/{told[10:16]}=z"


CANARIES = {place: _value(place) for place in PLACES}


def forms(secret: str) -> dict[str, bytes]:
    """The secret as files and programs spell it."""
    raw = secret.encode()
    found = {
        "plain": raw,
        "in a URL": quote(secret).encode(),
        "in a query": quote_plus(secret).encode(),
        "quoted": quote(secret, safe="").encode(),
        "JSON": secret.replace("/", "\\/").encode(),
        "HTML": secret.replace("+", "&#43;").replace("=", "&#61;").encode(),
        "UTF-16": secret.encode("utf-16-le"),
        "hex": raw.hex().encode(),
        "backwards": raw[::-1],
        "its first half": raw[: len(raw) // 2 + 2],
    }
    for shift in range(3):  # base64 spells it in three ways, by where it starts
        for name, code in (("", base64.b64encode), ("URL-safe ", base64.urlsafe_b64encode)):
            whole = code(b"\0" * shift + raw)
            found[f"{name}base64 after {shift}"] = whole[4 if shift else 0 : -4]
    return found


def leaks(data: bytes, secrets: dict[str, str]) -> list[str]:
    """Which of the secrets stand in the bytes, and how."""
    return [
        f"{place} ({form})"
        for place, secret in secrets.items()
        for form, spelled in forms(secret).items()
        if spelled in data
    ]


def written(folder: Path, apart: set[Path] = frozenset()) -> Iterator[tuple[str, bytes]]:
    """All files below a folder but those apart; databases as their bytes are on the disk."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path not in apart:
            yield str(path.relative_to(folder)), path.read_bytes()
