"""What there is to measure, and what is set."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

from fastapi import Query, Request

from assay import registry
from assay.core import NotFoundError
from assay.report.metric_data import declared, metric_data
from assay.server.access import role
from assay.server.requests import JsonAnswer, TheConfig, make_router
from assay.server.schemas.registry import Family, MetricEntry, MetricPage, SettingEntry

router = make_router("registry")


@router.get("/v1/metrics", operation_id="list_metrics")
@role("read")
def list_metrics(
    selector: Annotated[str, Query(max_length=500)] = "all",
) -> list[MetricEntry]:
    """All metrics, or those of a selector: an id, a family, a group, `@tag`; several by commas."""
    chosen = registry.select([part.strip() for part in selector.split(",") if part.strip()])
    return [MetricEntry(**declared(metric)) for metric in chosen]


@router.get("/v1/metrics/{metric_id}", operation_id="get_metric")
@role("read")
def get_metric(metric_id: str) -> MetricPage:
    """One metric's page: rule, blind spots, options and worked examples."""
    metric = registry.metrics().get(metric_id)
    if metric is None:
        raise NotFoundError(f"there is no metric {metric_id!r}")
    return MetricPage(**metric_data(metric))


@router.get("/v1/families", operation_id="list_families")
@role("read")
def list_families() -> list[Family]:
    """The families of metrics with their groups."""
    groups: dict[str, list[str]] = {}
    for metric in registry.metrics().values():
        groups.setdefault(metric.family, []).append(metric.group)
    return [
        Family(
            name=name,
            title=_title(name),
            groups=sorted({group for group in listed if group}),
            metrics=len(listed),
        )
        for name, listed in sorted(groups.items())
    ]


def _title(family: str) -> str:
    try:
        text = inspect.getdoc(import_module(f"assay.metrics.{family}")) or ""
    except ModuleNotFoundError:  # a family of a plugin
        text = ""
    return text.partition("\n")[0]


@router.get("/v1/settings", operation_id="list_settings")
@role("read")
def list_settings(config: TheConfig, request: Request) -> list[SettingEntry]:
    """Every setting with its value and where it came from, without secrets."""
    redactor = request.app.state.redactor

    def shown(value: Any) -> Any:
        if isinstance(value, tuple):
            return [redactor(part) for part in value]
        if isinstance(value, Mapping):
            return [f"{name}={number:g}" for name, number in value.items()]
        return redactor(value) if isinstance(value, str) else value

    return [
        SettingEntry(
            name=setting.name,
            group=setting.group,
            value=_store_kind(value) if setting.name == "store" else shown(value),
            default=shown(setting.default),
            source=_source(source),
            help=setting.help,
        )
        for setting, value, source in config.settings.explain()
    ]


def _store_kind(url: Any) -> str:
    """What kind of store it is; where it lies concerns the operator alone."""
    return str(url).partition(":")[0] if "://" in str(url) else "sqlite"


def _source(source: str) -> str:
    """Where a value came from, without the path of a file on the server."""
    return (
        f"file{source[source.find(' [') :]}"
        if ".toml [" in source
        else ("file" if source.endswith(".toml") else source)
    )


@router.get("/v1/openapi.json", include_in_schema=False)
@role("read")
def get_document(request: Request) -> JsonAnswer:
    """The API's own description."""
    return JsonAnswer(request.app.openapi())
