"""Where the judge's key may go: only where somebody said so who may say it.

A configuration file may come with the data or lie in a folder above, so a file alone does not
decide where a key from the environment is sent. The command line, the call and the environment do,
and so does `ASSAY_JUDGE_HOST`, which binds the key to a host.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from assay.backends.providers import ENDPOINT_JUDGES
from assay.core.errors import ProfileError

KEY, HOST = "ASSAY_JUDGE_KEY", "ASSAY_JUDGE_HOST"


def check_destination(spec: str, file: str, environ: Mapping[str, str]) -> None:
    """Refuse a judge that a file names when the key is not bound to its host."""
    for member, variable in key_variables(spec, environ):
        _check_one(member, variable, file, environ)


def _check_one(spec: str, variable: str, file: str, environ: Mapping[str, str]) -> None:
    provider, _, argument = spec.partition(":")
    if provider not in ENDPOINT_JUDGES or not environ.get(variable):
        return
    host = _host(argument)
    bound = environ.get(HOST, "").lower().split()
    if not host or host in bound or _is_loopback(host):
        return
    binding = f"{HOST} binds the key to {bound[0]!r}" if bound else "nothing binds the key to it"
    raise ProfileError(
        f"{file} sends the texts and {variable} to {host!r}, and {binding}; if that is right, set "
        f"{HOST}={host}, or name the judge with --judge"
    )


def key_variables(spec: str, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each judge of a panel, or the only one, with the variable of its key.

    `ASSAY_JUDGE_KEY_2` is the key of the second judge of a panel and of no other. The one key
    `ASSAY_JUDGE_KEY` serves judges at one host; where it would go to two, `ProfileError` asks.
    """
    members = spec.split()
    if len(members) < 2:
        return [(spec, KEY)]
    named = [(member, f"{KEY}_{place}") for place, member in enumerate(members, 1)]
    chosen = [(member, name if environ.get(name) else KEY) for member, name in named]
    hosts = {_host(member.partition(":")[2]) for member, name in chosen if name == KEY} - {""}
    if environ.get(KEY) and len(hosts) > 1:
        raise ProfileError(
            f"{KEY} would go to {len(hosts)} hosts, {' and '.join(sorted(hosts))}; set a key for "
            f"each judge of the panel, {KEY}_1, {KEY}_2 and so on"
        )
    return chosen


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
