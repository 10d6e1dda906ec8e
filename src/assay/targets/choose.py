"""From what people write to the target that they mean."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from assay.core.errors import ProfileError, UsageError
from assay.targets.protocol import Target
from assay.targets.tables import read_table
from assay.wire.limits import CallLimits

KEY = "ASSAY_TARGET_KEY"
"""The environment variable whose value is the key of a chat endpoint named on the command line."""
FORMS = (
    "openai:URL#MODEL, python:MODULE:FUNCTION, command:PROGRAM ARGUMENTS, "
    "http:FILE.toml, browser:FILE.toml, or a .toml file with a kind"
)


@dataclass(frozen=True)
class TargetVariant:
    """How one target is varied: another model, and parameters of the call."""

    model: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _ChatSpec:
    """What a file says of a chat endpoint."""

    url: str
    model: str
    key_env: str | None = None
    stream: bool = True
    counts_usage: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)


def open_target(
    text: str,
    *,
    limits: CallLimits | None = None,
    environ: Mapping[str, str] | None = None,
    variant: TargetVariant | None = None,
) -> Target:
    """The target of a text such as `openai:http://localhost:8080/v1#llama`, or of a TOML file.

    A file says its `kind` (openai, http, browser, python, command) and what that kind needs. Keys
    come from the environment: a file names the variable in `key_env`, and the key goes to the
    address in the same file and nowhere else.

    A `variant` names another model, and parameters of every call: those of a chat endpoint go into
    its requests, those of a Python function are its arguments. Other targets have none.
    """
    environ, variant = environ or {}, variant or TargetVariant()
    kind, colon, rest = text.partition(":")
    is_kind = bool(colon) and kind in _KINDS
    if text.endswith(".toml") and not (is_kind and len(rest.split()) > 1):  # a command's argument
        path, named = (rest, kind) if is_kind else (text, None)
        return _from_file(Path(path), named, limits, environ, variant)
    if rest.startswith("//"):
        raise UsageError(f"the endpoint {text!r} is described in a file; expected http:FILE.toml")
    if not colon or kind not in _SHORT:
        raise UsageError(f"unknown target {text!r}; expected {FORMS}")
    _check_variant(kind, text, variant)
    return _SHORT[kind](rest, limits, environ, variant)


def _check_variant(kind: str, text: str, variant: TargetVariant) -> None:
    if kind not in _VARIED and variant != TargetVariant():
        raise UsageError(
            f"the target {text!r} has neither models nor parameters to choose from: {kind} "
            "targets do not; describe each variant as a target of its own"
        )


def _from_file(
    path: Path,
    kind: str | None,
    limits: CallLimits | None,
    environ: Mapping[str, str],
    variant: TargetVariant,
) -> Target:
    try:
        content = path.read_bytes()
        table = tomllib.loads(content.decode("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"no such file: {str(path)!r}") from None
    except (OSError, ValueError) as error:
        raise ProfileError(f"the target {str(path)!r} cannot be read: {error}") from None
    named = table.pop("kind", kind)
    if named not in _KINDS:
        raise ProfileError(f"{str(path)!r} has the kind {named!r}; expected {', '.join(_KINDS)}")
    if kind is not None and named != kind:
        raise ProfileError(f"{str(path)!r} describes a target of the kind {named!r}, not {kind!r}")
    _check_variant(named, str(path), variant)
    target = _KINDS[named](table, limits, environ, variant)
    target.name += f"@{blake2b(content, digest_size=4).hexdigest()}"  # another file, another target
    return target


def _openai(
    rest: str, limits: CallLimits | None, environ: Mapping[str, str], variant: TargetVariant
) -> Target:
    from assay.targets.chat import ChatTarget

    url, _, model = rest.rpartition("#") if "#" in rest else (rest, "", "")
    model = variant.model or model
    if not url or not model:
        raise UsageError(f"'openai:{rest}' names no model; expected openai:URL#MODEL")
    key = environ.get(KEY, "")
    return ChatTarget(url, model, key, limits=limits, options=variant.parameters)


def _openai_file(
    table: dict[str, Any],
    limits: CallLimits | None,
    environ: Mapping[str, str],
    variant: TargetVariant,
) -> Target:
    from assay.targets.chat import ChatTarget

    if variant.model:
        table["model"] = variant.model
    spec = read_table("openai", _ChatSpec, table)
    return ChatTarget(
        spec.url,
        spec.model,
        _key(spec.key_env, environ),
        limits=limits,
        stream=spec.stream,
        counts_usage=spec.counts_usage,
        options={**spec.options, **variant.parameters},
    )


def _http(
    table: dict[str, Any],
    limits: CallLimits | None,
    environ: Mapping[str, str],
    variant: TargetVariant,
) -> Target:
    from assay.targets.http import HttpSpec, HttpTarget

    spec = HttpSpec.from_mapping(table)
    return HttpTarget(spec, _key(spec.key_env, environ), limits=limits)


def _browser(
    table: dict[str, Any],
    limits: CallLimits | None,
    environ: Mapping[str, str],
    variant: TargetVariant,
) -> Target:
    from assay.targets.browser import BrowserSpec, BrowserTarget

    return BrowserTarget(BrowserSpec.from_mapping(table), limits=limits)


def _python(
    rest: str, limits: CallLimits | None, environ: Mapping[str, str], variant: TargetVariant
) -> Target:
    from assay.targets.python import PythonTarget, load_function

    parameters = {**({"model": variant.model} if variant.model else {}), **variant.parameters}
    return PythonTarget(load_function(rest), rest, limits=limits, parameters=parameters)


def _python_file(
    table: dict[str, Any],
    limits: CallLimits | None,
    environ: Mapping[str, str],
    variant: TargetVariant,
) -> Target:
    if set(table) != {"function"} or not isinstance(table["function"], str):
        raise ProfileError('the python target takes function = "MODULE:FUNCTION" and nothing else')
    return _python(table["function"], limits, environ, variant)


def _command(
    rest: str, limits: CallLimits | None, environ: Mapping[str, str], variant: TargetVariant
) -> Target:
    from assay.targets.command import CommandSpec, CommandTarget

    return CommandTarget(CommandSpec.from_line(rest), limits=limits)


def _command_file(
    table: dict[str, Any],
    limits: CallLimits | None,
    environ: Mapping[str, str],
    variant: TargetVariant,
) -> Target:
    from assay.targets.command import CommandSpec, CommandTarget

    return CommandTarget(CommandSpec.from_mapping(table), limits=limits)


def _key(variable: str | None, environ: Mapping[str, str]) -> str:
    if variable is None:
        return ""
    if not environ.get(variable):
        raise UsageError(f"the target's key is to be in ${variable}, which is not set")
    return environ[variable]


_Short = Callable[[str, CallLimits | None, Mapping[str, str], TargetVariant], Target]
_File = Callable[[dict[str, Any], CallLimits | None, Mapping[str, str], TargetVariant], Target]
_VARIED = frozenset({"openai", "python"})
"""Kinds that take another model and parameters."""
_SHORT: dict[str, _Short] = {"openai": _openai, "python": _python, "command": _command}
_KINDS: dict[str, _File] = {
    "openai": _openai_file,
    "http": _http,
    "browser": _browser,
    "python": _python_file,
    "command": _command_file,
}
