"""Profiles: the bundled ones, and those that people keep in the store with all their versions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import HTTPException, Query
from fastapi.responses import Response

from assay.core import ProfileError
from assay.core.plain import sendable
from assay.data import Profile, profile, profile_names
from assay.data.bundled_files import bundled, read_toml
from assay.runner import Job
from assay.server.access import role
from assay.server.choices import safe_profile
from assay.server.requests import TheChange, TheConfig, TheStore, make_router
from assay.server.schemas.base import ConfigName
from assay.server.schemas.configuration import (
    ProfileBody,
    ProfileEntry,
    ThresholdsBody,
    VersionEntry,
)
from assay.server.shared import version_entry
from assay.server.toml import toml_text
from assay.settings import Settings
from assay.store import Store
from assay.store.audit import AuditStamp
from assay.store.configuration import (
    ConflictError,
    Version,
    find_version,
    list_newest,
    list_versions,
    remove,
    save_version,
)
from assay.store.statistics import iso

router = make_router("profiles")


@router.get("/v1/profiles", operation_id="list_profiles")
@role("read")
def get_all(store: TheStore) -> list[ProfileEntry]:
    """Bundled and stored profiles, by name."""
    return [
        *(_bundled(name) for name in profile_names()),
        *(_stored(version) for version in list_newest(store, "profile")),
    ]


@router.get("/v1/profiles/{name}", operation_id="get_profile")
@role("read")
def get_one(
    name: ConfigName,
    store: TheStore,
    version: Annotated[int | None, Query(ge=1, le=1_000_000_000)] = None,
) -> ProfileEntry:
    """One profile, as it is or as a version of it was."""
    if name in profile_names():
        return _bundled(name)
    return _stored(find_version(store, "profile", name, version))


@router.get("/v1/profiles/{name}/export", operation_id="export_profile")
@role("read")
def export(name: ConfigName, store: TheStore) -> Response:
    """The profile as a file, which `assay run --profile` reads."""
    text = get_one(name, store).text
    headers = {"content-disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, media_type="application/toml", headers=headers)


@router.get("/v1/profiles/{name}/history", operation_id="list_profile_versions")
@role("read")
def history(name: ConfigName, store: TheStore) -> list[VersionEntry]:
    """All versions of a stored profile, the newest first."""
    return [version_entry(points) for points in list_versions(store, "profile", name)]


@router.put("/v1/profiles/{name}", operation_id="save_profile")
@role("write")
def save(
    name: ConfigName,
    body: ProfileBody,
    store: TheStore,
    config: TheConfig,
    change: TheChange,
) -> ProfileEntry:
    """Keep a profile as a new version; what no run could use is refused."""
    text = body.text if body.text is not None else toml_text(_table(body))
    return _save(store, config.settings, name, text, change, body.expected_version)


@router.patch("/v1/profiles/{name}/thresholds", operation_id="change_thresholds")
@role("write")
def change_thresholds(
    name: ConfigName,
    body: ThresholdsBody,
    store: TheStore,
    config: TheConfig,
    change: TheChange,
) -> ProfileEntry:
    """Change some thresholds of a stored profile; the rest of it stays as it is."""
    version = find_version(store, "profile", name)
    table = read_toml(version.body, name)
    merged = {**table.get("thresholds", {}), **body.thresholds}
    table["thresholds"] = {metric: value for metric, value in merged.items() if value is not None}
    expected = version.version if body.expected_version is None else body.expected_version
    return _save(store, config.settings, name, toml_text(table), change, expected)


@router.delete("/v1/profiles/{name}", operation_id="delete_profile", status_code=204)
@role("write")
def delete(name: ConfigName, store: TheStore, change: TheChange) -> None:
    """Remove a stored profile; its versions stay in the history."""
    remove(store, "profile", name, change)


def _save(
    store: Store,
    settings: Settings,
    name: str,
    text: str,
    change: AuditStamp,
    expected: int | None,
) -> ProfileEntry:
    if name in profile_names():
        raise ProfileError(f"{name!r} is bundled and cannot be changed; choose another name")
    parsed = safe_profile(name, text)
    _check(settings.apply(parsed))
    try:
        saved = save_version(store, "profile", name, text, change, expected=expected)
    except ConflictError as error:
        raise HTTPException(409, str(error)) from None
    return _stored(saved)


def _check(parsed: Profile) -> None:
    """Refuse names, options and thresholds of metrics that no run would take."""
    named = {*parsed.thresholds, *parsed.unsure, *parsed.options, *parsed.weights}
    selectors = (*parsed.metrics, *sorted(named)) if parsed.metrics else tuple(sorted(named))
    Job(selectors, parsed).plan()


def _table(body: ProfileBody) -> dict[str, Any]:
    """The parts as the table that a file would hold; what is empty is left out."""
    result = {
        "title": body.title,
        "source": body.source,
        "metrics": body.metrics,
        "policy": body.policy,
        "thresholds": body.thresholds,
        "options": body.options,
        "weights": body.weights,
        "json": body.json_options,
    }
    return {key: value for key, value in result.items() if value or key == "title"}


def _bundled(name: str) -> ProfileEntry:
    text = bundled("profiles")[f"{name}.toml"].read_text(encoding="utf-8")
    return _entry(profile(name), text, is_bundled=True, version=None, created=None, author=None)


def _stored(version: Version) -> ProfileEntry:
    return _entry(
        safe_profile(version.name, version.body),
        version.body,
        is_bundled=False,
        version=version.version,
        created=iso(version.created),
        author=version.author,
    )


def _entry(parsed: Profile, text: str, **known: Any) -> ProfileEntry:
    return ProfileEntry(
        name=parsed.name,
        title=parsed.title,
        source=parsed.source,
        metrics=list(parsed.metrics),
        thresholds=dict(parsed.thresholds),
        options=sendable({id: _shown(options) for id, options in parsed.options.items()}),
        weights=dict(parsed.weights),
        policy=parsed.policy.name,
        text=text,
        **known,
    )


def _shown(value: Any) -> Any:
    """A value of TOML in the types of JSON: dates and times as text."""
    if isinstance(value, dict):
        return {key: _shown(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_shown(part) for part in value]
    return value if isinstance(value, str | int | float | bool) else str(value)
