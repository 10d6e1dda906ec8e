"""The critical metrics and their targets: the defaults, or a team's own."""

from __future__ import annotations

from assay import registry
from assay.core import NotFoundError, UsageError
from assay.core.jsontext import dumps, loads
from assay.data.metric_targets import board, check_targets
from assay.server.access import role
from assay.server.requests import TheChange, TheStore, make_router
from assay.server.schemas.statistics import Targets, TargetsBody
from assay.store import Store
from assay.store.configuration import find_version, remove, save_version

router = make_router("targets")
NAME = "critical"
MAX_TARGETS = 100


def find_targets(store: Store) -> Targets:
    """The targets that are in force."""
    try:
        version = find_version(store, "targets", NAME)
    except NotFoundError:
        return Targets(targets=dict(board().targets), version=0, defaults=dict(board().targets))
    return Targets(
        targets=check_targets(loads(version.body)),
        version=version.version,
        defaults=dict(board().targets),
    )


@router.get("/v1/targets", operation_id="get_targets")
@role("read")
def get_targets(store: TheStore) -> Targets:
    """The critical metrics and their targets, in the order in which they are shown."""
    return find_targets(store)


@router.put("/v1/targets", operation_id="save_targets")
@role("write")
def save_targets(body: TargetsBody, store: TheStore, change: TheChange) -> Targets:
    """Choose the critical metrics and their targets, on the metrics' own scales."""
    targets = check_targets(body.targets)
    if not 1 <= len(targets) <= MAX_TARGETS:
        raise UsageError(f"there are {len(targets)} targets; expected 1 to {MAX_TARGETS}")
    for id in targets:
        if id not in registry.metrics():
            raise UsageError(f"there is no metric {id!r}")
    save_version(store, "targets", NAME, dumps(targets), change)
    return find_targets(store)


@router.delete("/v1/targets", operation_id="reset_targets")
@role("write")
def reset_targets(store: TheStore, change: TheChange) -> Targets:
    """Go back to the default targets."""
    if find_targets(store).version:
        remove(store, "targets", NAME, change)
    return find_targets(store)
