"""Texts as vectors: the default embedder with and without its cache, beside MiniLM."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from assay.backends.cache import CachedEmbedder
from assay.backends.minilm import FastMiniLM, MiniLM
from assay.backends.protocols import Embedder
from assay.backends.use import UseEmbedder
from assay.core.errors import AssayError
from benchmarks.generate import texts
from benchmarks.measure import Row, Section, Sizes, all_of, medians

Task = Callable[[], Sequence[Any]]
DEFAULT = "Default embedder"
ROWS = {
    "model": DEFAULT,
    "disk": f"{DEFAULT}, vectors on disk",
    "memory": f"{DEFAULT}, vectors in memory",
    "minilm": "`minilm` embedder",
    "packaged": "`minilm` embedder, the packaged graph",
    "sentence-transformers": "sentence-transformers, all-MiniLM-L6-v2",
}


def embedding(sizes: Sizes) -> Section:
    """Texts a second, by model and by where the vectors are."""
    found = texts(sizes.texts)
    with (
        TemporaryDirectory() as folder,
        patch.dict(os.environ, {"ASSAY_CACHE_DIR": folder, "HF_HUB_OFFLINE": "1"}),
    ):
        tasks = _tasks(found)
        taken = medians(tasks, sizes.rounds)
        rate = {name: f"{len(found) / seconds:,.0f} texts/s" for name, seconds in taken.items()}
        rows = [Row(title, rate.get(name, "not installed")) for name, title in ROWS.items()]
        if "model" in tasks:
            pairs = zip(tasks["model"](), tasks["disk"](), strict=True)
            same = sum(bool((new == kept).all()) for new, kept in pairs)
            rows.append(all_of("Same vectors from disk, to the bit", same, len(found), "texts"))
    return Section(
        "Embeddings",
        f"{len(found)} different texts of about 150 words, the model loaded before. On disk and in "
        "memory mean that the texts were seen before: by an earlier run, or by the same one.",
        rows,
    )


def _tasks(found: Sequence[str]) -> dict[str, Task]:
    """What is measured: as much as is installed."""
    tasks: dict[str, Task] = {}
    if use := _loaded(UseEmbedder):
        remembering = CachedEmbedder(use)
        remembering.embed(found)
        tasks["model"] = lambda: CachedEmbedder(use, is_kept=False).embed(found)
        tasks["disk"] = lambda: CachedEmbedder(use).embed(found)
        tasks["memory"] = lambda: remembering.embed(found)
    if minilm := _loaded(FastMiniLM):
        tasks["minilm"] = lambda: minilm.embed(found)
    if packaged := _loaded(MiniLM):
        tasks["packaged"] = lambda: packaged.embed(found)
    if other := _sentence_transformer():
        tasks["sentence-transformers"] = lambda: other.encode(found)
    return tasks


def _loaded(model: Callable[[], Embedder]) -> Embedder | None:
    """The model, where its package is installed."""
    try:
        return model()
    except (AssayError, ImportError):
        return None


def _sentence_transformer() -> Any:
    """The usual MiniLM, where package and model are on this machine."""
    try:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer("all-MiniLM-L6-v2", device="cpu", local_files_only=True)
    except (ImportError, OSError):
        return None
