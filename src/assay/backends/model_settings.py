"""How models are run, and what the environment says about the cache."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from assay.backends.judge_settings import JudgeSettings


class ModelSettings(NamedTuple):
    """What holds for every model of a run."""

    threads: int = 0
    """Threads of one model, of which more than one make most of them slower by far on a busy
    machine; 0: one, or as many as processors are idle where that does no harm."""
    cache: bool = True
    """Whether vectors and verdicts are kept on disk for the next run."""
    downloads: bool = False
    """Whether a model that is not on this machine may be fetched."""
    judging: JudgeSettings = JudgeSettings()
    """How a judge is asked."""
    mask: Callable[[str], str] | None = None
    """What blacks out marks of persons, where a judge is not to see them."""
    key_variable: str = "ASSAY_JUDGE_KEY"
    """The environment variable with the judge's key."""


def cache_folder() -> Path | None:
    """Where vectors and verdicts are kept: `ASSAY_CACHE_DIR`, or the user's cache; None if off."""
    if os.environ.get("ASSAY_CACHE", "").strip().lower() in ("off", "0", "no", "false"):
        return None
    if own := os.environ.get("ASSAY_CACHE_DIR"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME") or (
        os.name == "nt" and os.environ.get("LOCALAPPDATA")
    )
    return (Path(shared) if shared else Path.home() / ".cache") / "assay"
