"""Where the judge's key may go: only where somebody said so who may say it.

A configuration file may come with the data or lie in a folder above, so a file alone does not
decide where a key from the environment is sent. The command line, the call and the environment do,
and so does `ASSAY_JUDGE_HOST`, which binds the key to a host.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from assay.core.errors import ProfileError

KEY, HOST = "ASSAY_JUDGE_KEY", "ASSAY_JUDGE_HOST"


def check_destination(spec: str, file: str, environ: Mapping[str, str]) -> None:
    """Refuse a judge that a file names when the key is not bound to its host."""
    provider, _, argument = spec.partition(":")
    if provider != "openai" or not environ.get(KEY):
        return
    host = _host(argument)
    bound = environ.get(HOST, "").strip().lower()
    if not host or host == bound or _is_loopback(host):
        return
    told = f"{HOST} binds the key to {bound!r}" if bound else "nothing binds the key to it"
    raise ProfileError(
        f"{file} sends the texts and {KEY} to {host!r}, and {told}; if that is right, set "
        f"{HOST}={host}, or name the judge with --judge"
    )


def _host(address: str) -> str:
    """The host with its port where it has one; empty for what is no address."""
    try:
        parts = urlsplit(address.partition("#")[0])
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    name = parts.hostname or ""
    return f"[{name}]{port}" if ":" in name else f"{name}{port}" if name else ""


def _is_loopback(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
