"""Documented endpoints of the JSON evaluation service that have no other home.

Programs with keys of their own are its "apps": an administrator registers them, rotates their keys
and removes them. A key is shown once.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import Path

from assay.core import NotFoundError
from assay.data.bundled_files import bundled
from assay.server.access import role
from assay.server.api_keys import create_key, rotate_key
from assay.server.requests import Caller, TheChange, TheControl, TheStore, make_router
from assay.server.routes.runs import get_run
from assay.server.routes.session import get_me, login
from assay.server.schemas.base import ConfigName
from assay.server.schemas.registry import PromptEntry
from assay.server.schemas.runs import RunDetail
from assay.server.schemas.session import AppAnswer, AppBody
from assay.store.run_list import list_runs
from assay.store.stored_keys import revoke_key

router = make_router("agent-eval")

AppName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.@-]{0,99}$")]


@router.get("/v1/prompts", operation_id="list_prompts")
@router.get("/agent-eval/prompts", include_in_schema=False)
@role("read")
def get_prompts() -> list[PromptEntry]:
    """What judges are asked, as the files have it."""
    return [
        PromptEntry(key=name.removesuffix(".toml"), text=file.read_text(encoding="utf-8"))
        for name, file in bundled("prompts").items()
    ]


@router.get("/v1/prompts/{key}", operation_id="get_prompt")
@router.get("/agent-eval/prompts/{key}", include_in_schema=False)
@role("read")
def get_prompt(key: ConfigName) -> PromptEntry:
    """One of them."""
    prompt_entry = next((prompt for prompt in get_prompts() if prompt.key == key), None)
    if prompt_entry is None:
        raise NotFoundError(f"there is no prompt {key!r}")
    return prompt_entry


@router.get("/v1/json/latest", operation_id="get_latest_json_run")
@router.get("/agent-eval/latest-result", include_in_schema=False)
@role("read")
def get_latest(store: TheStore) -> RunDetail:
    """The newest stored run with metrics of the family `json`."""
    runs = list_runs(store, 1, family="json")
    if not runs:
        raise NotFoundError("there is no run with metrics of the family 'json' yet")
    return get_run(store, runs[0].name)


@router.post("/v1/apps", operation_id="register_app", status_code=201)
@router.post("/agent-eval/apps/register", include_in_schema=False, status_code=201)
@role("admin", server=True)
def register(body: AppBody, store: TheControl, caller: Caller, change: TheChange) -> AppAnswer:
    """Make a key for a program in this project; it is shown in this answer and never again."""
    made = create_key(store, body.name, body.role, change, project=caller.project)
    return AppAnswer(**asdict(made))


@router.post("/v1/apps/{name}/rotate-key", operation_id="rotate_app_key")
@router.post("/agent-eval/apps/{name}/rotate-key", include_in_schema=False)
@role("admin", server=True)
def rotate(name: AppName, store: TheControl, change: TheChange) -> AppAnswer:
    """Replace a program's key; the old one ends at once."""
    return AppAnswer(**asdict(rotate_key(store, name, change)))


@router.delete("/v1/apps/{name}", operation_id="remove_app", status_code=204)
@router.delete("/agent-eval/apps/{name}", include_in_schema=False, status_code=204)
@role("admin", server=True)
def remove(name: AppName, store: TheControl, change: TheChange) -> None:
    """End a program's key for good."""
    revoke_key(store, name, change)


router.post("/agent-eval/apps/login", include_in_schema=False)(login)
router.get("/agent-eval/apps/me", include_in_schema=False)(get_me)
