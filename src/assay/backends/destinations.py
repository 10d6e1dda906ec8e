"""Where the judge's key may go: only where somebody said so who may say it.

A configuration file may come with the data or lie in a folder above, so a file alone does not
decide where a key from the environment is sent. The command line, the call and the environment do,
and so does `ASSAY_JUDGE_HOST`, which binds the key to a host; `ASSAY_JUDGE_HOST_2` binds that of a
panel's second judge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from assay.backends.providers import ENDPOINT_JUDGES
from assay.core.errors import ProfileError

KEY, HOST = "ASSAY_JUDGE_KEY", "ASSAY_JUDGE_HOST"
_NUMBERED = re.compile(rf"{KEY}_([1-9]\d{{0,3}})")


def check_destination(spec: str, file: str, environ: Mapping[str, str]) -> None:
    """Refuse a judge that a file names when the key is not bound to its host."""
    for member, variable in key_variables(spec, environ):
        _check_one(member, variable, file, environ)


def _check_one(spec: str, variable: str, file: str, environ: Mapping[str, str]) -> None:
    provider, _, argument = spec.partition(":")
    if provider not in ENDPOINT_JUDGES or not environ.get(variable):
        return
    host = _host(argument)
    hosts = (environ.get(name, "") for name in dict.fromkeys((HOST, variable.replace(KEY, HOST))))
    bound = " ".join(hosts).lower().split()
    if not host or host in bound or _is_loopback(host):
        return
    binding = f"{HOST} binds the key to {bound[0]!r}" if bound else "nothing binds the key to it"
    raise ProfileError(
        f"{file} sends the texts and {variable} to {host!r}, and {binding}; if that is right, set "
        f"{HOST}={host}, or name the judge with --judge"
    )


def key_variables(spec: str, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each judge of a panel, or the only one, with the variable of its key.

    `ASSAY_JUDGE_KEY_2` is the key of the second judge of a panel, or of those at the host that
    `ASSAY_JUDGE_HOST_2` names; judges at its host without a key of their own share it. The one key
    `ASSAY_JUDGE_KEY` serves judges at one host; where it would go to two, `ProfileError` asks.
    """
    members = spec.split()
    if len(members) < 2:
        return [(spec, KEY)]
    hosts = [_host(member.partition(":")[2]) for member in members]
    own, by_host = _numbered_keys(hosts, environ)
    names = [own.get(place) or by_host.get(host, KEY) for place, host in enumerate(hosts)]
    rest = {host for host, name in zip(hosts, names, strict=True) if name == KEY} - {""}
    if environ.get(KEY) and len(rest) > 1:
        raise ProfileError(
            f"{KEY} would go to {len(rest)} hosts, {' and '.join(sorted(rest))}; set a key for "
            f"each judge of the panel, {KEY}_1, {KEY}_2 and so on"
        )
    return list(zip(members, names, strict=True))


def _numbered_keys(
    hosts: Sequence[str], environ: Mapping[str, str]
) -> tuple[dict[int, str], dict[str, str]]:
    """The variables of numbered keys: by the place of a judge, and by host."""
    found = ((match, environ[name]) for name in environ if (match := _NUMBERED.fullmatch(name)))
    numbers = sorted(int(match[1]) for match, key in found if key)
    own: dict[int, str] = {}
    by_host: dict[str, str] = {}
    for number in numbers:
        name, bound = f"{KEY}_{number}", environ.get(f"{HOST}_{number}", "").strip().lower()
        if bound not in ("", *hosts):
            raise ProfileError(
                f"{HOST}_{number} binds {name} to {bound!r}, and the panel has no judge there; "
                f"expected one of {', '.join(sorted({*hosts} - {''}))}"
            )
        if not bound and number > len(hosts):
            raise ProfileError(
                f"{name} is set, and the panel has {len(hosts)} judges; remove it, or name its "
                f"host in {HOST}_{number}"
            )
        if not bound:
            own[number - 1] = name
        by_host.setdefault(bound or hosts[number - 1], name)
    by_host.pop("", None)
    return own, by_host


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
