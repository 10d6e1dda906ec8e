"""Fits and writes the two kinds of linear model."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from assay.features.normal import normal
from assay.linear import models_from
from assay.linear.models import HASHES
from assay.linear.ngrams import BUCKETS, hashed_ngrams

Array = Any
"""A numpy array, or a sparse matrix."""
FOLDER = Path(__file__).parent.parent / "src" / "assay" / "data" / "models"
_folder: ContextVar[Path] = ContextVar("folder", default=FOLDER)
STEPS = 127
"""Largest weight as a signed byte."""


@contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Write models to a folder inside, and read them from there."""
    token = _folder.set(folder)
    try:
        with models_from(folder, falls_back=True):
            yield
    finally:
        _folder.reset(token)


def ngram_matrix(texts: Sequence[str]) -> Array:
    """One row a text: its distinct hashed n-grams, each as 1 / √(their number)."""
    rows = [np.unique(hashed_ngrams(prepare(text)).buckets) for text in texts]
    lengths = np.array([len(row) for row in rows])
    values = np.repeat(1.0 / np.sqrt(np.maximum(lengths, 1)), lengths)
    indices = np.concatenate(rows) if rows else np.zeros(0, np.int32)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    return csr_matrix((values, indices, ends), shape=(len(rows), BUCKETS))


def prepare(text: str) -> str:
    """The text as the models read it at run time."""
    return normal.feature.function(text).lower


def fit_ngrams(
    X: Array, y: Sequence[int], weights: Array | None = None, strength: float = 10.0
) -> LogisticRegression:
    """A logistic regression over n-grams; `strength` is the inverse of the penalty."""
    model = LogisticRegression(C=strength, max_iter=300, solver="liblinear")
    return model.fit(X, y, sample_weight=weights)


def fit_measures(
    X: Array,
    y: Array,
    weights: Array,
    prior: Array,
    bounds: Sequence[tuple[float | None, float | None]],
    strength: float = 5.0,
) -> tuple[float, Array]:
    """Bias and weights of a logistic model over few measures, pulled towards a prior.

    Measures that the data hardly shows keep the weight that people gave them; `bounds` keep the
    sign of the others. The bias is free.
    """
    signed = np.where(np.asarray(y) == 1, 1.0, -1.0)

    def loss(point: Array) -> tuple[float, Array]:
        margin = signed * (X @ point[1:] + point[0])
        pull = point[1:] - prior
        slope = -signed * weights / (1.0 + np.exp(np.clip(margin, -60, 60)))
        value = float((weights * np.logaddexp(0.0, -margin)).sum() + strength / 2 * (pull @ pull))
        return value, np.concatenate([[slope.sum()], X.T @ slope + strength * pull])

    start = np.concatenate([[-2.0], prior])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(None, None), *bounds])
    return float(found.x[0]), found.x[1:]


def write_ngrams(name: str, coefficients: Array, bias: float, manifest: Mapping[str, Any]) -> None:
    """Write an n-gram model as bytes; weights under half a step become 0."""
    largest = float(np.abs(coefficients).max())
    scale = largest / STEPS
    weights = np.rint(np.ravel(coefficients) / scale).astype(np.int8)
    arrays = {
        "weights": weights,
        "scale": np.array(scale),
        "bias": np.array(float(bias)),
        "manifest": np.array(json.dumps(manifest, sort_keys=True)),
    }
    _write(f"{name}.npz", _npz(arrays))


def write_measures(
    name: str, bias: float, weights: Mapping[str, float], manifest: Mapping[str, Any]
) -> None:
    """Write a model over named measures."""
    table = {
        "bias": round(bias, 6),
        "weights": {measure: round(weight, 6) for measure, weight in weights.items()},
        "manifest": manifest,
    }
    write_table(f"{name}.json", table)


def write_table(name: str, table: Mapping[str, Any]) -> None:
    """Write a JSON file of fitted numbers, with its hash."""
    _write(name, (json.dumps(table, indent=1) + "\n").encode())


def _npz(arrays: Mapping[str, Array]) -> bytes:
    """An .npz file whose bytes depend on the arrays alone: no times of writing in it."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            content = BytesIO()
            np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content.getvalue())
    return file.getvalue()


def _write(name: str, content: bytes) -> None:
    folder = _folder.get()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    hashes = folder / HASHES
    known = json.loads(hashes.read_text(encoding="utf-8")) if hashes.is_file() else {}
    known[name] = hashlib.sha256(content).hexdigest()
    hashes.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"wrote {name}, {len(content):,} bytes")
