"""Named sets of field strategies, with all their versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import Response

from assay.core import NotFoundError
from assay.core.jsontext import loads
from assay.data.json_options import export_strategies, parse_strategies
from assay.server.access import role
from assay.server.requests import TheChange, TheStore, make_router
from assay.server.schemas.base import ConfigName
from assay.server.schemas.configuration import (
    StrategiesBody,
    StrategiesEntry,
    StrategyBody,
    VersionEntry,
)
from assay.server.shared import version_entry
from assay.store.configuration import (
    Version,
    find_version,
    list_newest,
    list_versions,
    remove,
    save_strategies,
)
from assay.store.statistics import iso

router = make_router("strategies")


@router.get("/v1/strategies", operation_id="list_strategies")
@role("read")
def get_all(store: TheStore) -> list[StrategiesEntry]:
    """All sets of field strategies, by name."""
    return [_entry(version) for version in list_newest(store, "strategies")]


@router.get("/v1/strategies/{name}", operation_id="get_strategies")
@role("read")
def get_one(
    name: ConfigName,
    store: TheStore,
    version: Annotated[int | None, Query(ge=1, le=1_000_000_000)] = None,
) -> StrategiesEntry:
    """One set, as it is or as a version of it was."""
    return _entry(find_version(store, "strategies", name, version))


@router.get("/v1/strategies/{name}/export", operation_id="export_strategies")
@role("read")
def export(name: ConfigName, store: TheStore) -> Response:
    """The set as a strategy file, which `assay diff --strategies` and an import read."""
    text = export_strategies(loads(find_version(store, "strategies", name).body))
    headers = {"content-disposition": 'attachment; filename="field_strategies.json"'}
    return Response(text, media_type="application/json", headers=headers)


@router.get("/v1/strategies/{name}/history", operation_id="list_strategies_versions")
@role("read")
def history(name: ConfigName, store: TheStore) -> list[VersionEntry]:
    """All versions of a set, the newest first."""
    return [version_entry(points) for points in list_versions(store, "strategies", name)]


@router.put("/v1/strategies/{name}", operation_id="save_strategies")
@role("write")
def save(
    name: ConfigName, body: StrategiesBody, store: TheStore, change: TheChange
) -> StrategiesEntry:
    """Make a set what a strategy file says."""
    parsed = _parsed(body.strategies)
    return _entry(save_strategies(store, name, lambda old: parsed, change))


@router.patch("/v1/strategies/{name}", operation_id="change_strategy")
@role("write")
def change_field(
    name: ConfigName, body: StrategyBody, store: TheStore, change: TheChange
) -> StrategiesEntry:
    """Add, change or remove the strategy of one field."""
    wanted = {} if body.strategy is None else _parsed({body.field: body.strategy})
    (path,) = _parsed({body.field: "AUTO"})

    def changed(old: Mapping[str, Any]) -> dict[str, Any]:
        if body.strategy is None and path not in old:
            raise NotFoundError(f"the set {name!r} says nothing of the field {body.field!r}")
        kept = {field: entry for field, entry in old.items() if field != path}
        return {**kept, **wanted}

    return _entry(save_strategies(store, name, changed, change))


@router.delete("/v1/strategies/{name}", operation_id="delete_strategies", status_code=204)
@role("write")
def delete(name: ConfigName, store: TheStore, change: TheChange) -> None:
    """Remove a set; its versions stay in the history."""
    remove(store, "strategies", name, change)


def _parsed(strategies: Mapping[str, Any]) -> dict[str, Any]:
    """The strategies, flat, as the one reader understands them."""
    parsed = parse_strategies(strategies, "strategies")
    return {field: options.to_json() for field, options in parsed.items()}


def _entry(version: Version) -> StrategiesEntry:
    return StrategiesEntry(
        name=version.name,
        version=version.version,
        created=iso(version.created),
        author=version.author,
        strategies=loads(version.body),
    )
