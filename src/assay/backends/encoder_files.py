"""The files of an encoder: where they lie, what its manifest says, and whether they are whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from assay.core.errors import MissingExtraError, ModelError

PACKAGE = "assay_models"
"""The package that brings the encoder; it is found, never imported."""
NEEDED = ("onnxruntime", "tokenizers")
"""What runs it."""
EXTRA = "models"
MANIFEST = "manifest.json"
GRAPH = ".onnx"
"""The ending of a file with a graph; others beside the tokenizer are data that graphs read."""
TOKENIZER = "tokenizer.json"
INSTALL = 'pip install --force-reinstall "assay-eval[models]"'
SHOWN = 8
"""Digits of the hash that tells two models of one version apart."""

Template = Literal["text", "pair"]
"""Whether a head reads one text, or two."""


@dataclass(frozen=True, slots=True)
class EncoderHead:
    """One question that the encoder answers."""

    outputs: tuple[str, ...]
    """What its logits stand for, in their order."""
    max_tokens: int
    """Tokens that it reads of its texts, special ones counted."""
    template: Template
    temperature: Mapping[str, float]
    """Language → what its logits are divided by, so that they fit the labels of that language."""
    file: str
    """The graph that has it as an output."""


@dataclass(frozen=True, slots=True)
class EncoderManifest:
    """What an encoder's folder says of it."""

    folder: Path
    model: str
    version: str
    sha256: Mapping[str, str]
    """File → its hash."""
    heads: Mapping[str, EncoderHead]

    @property
    def name(self) -> str:
        """Model, version and the start of a hash of all its files: what scores depend on."""
        whole = "".join(f"{file} {digest}\n" for file, digest in sorted(self.sha256.items()))
        return f"{self.model}@{self.version}+{hashlib.sha256(whole.encode()).hexdigest()[:SHOWN]}"

    @property
    def title(self) -> str:
        """How explanations call it."""
        return f"{self.model} {self.version}"

    def graph(self, file: str) -> Path:
        """A graph, once it and all data that graphs read are found to be whole."""
        for name in self.sha256:
            if name != TOKENIZER and not name.endswith(GRAPH):
                self.checked(name)
        return self.checked(file)

    def checked(self, file: str) -> Path:
        """A file whose contents are those that the manifest states."""
        path = self.folder / file
        try:
            digest = _digest(path)
        except OSError as error:
            raise ModelError(
                f"the encoder file {str(path)!r} cannot be read: {error.strerror}; "
                f"install it again: {INSTALL}"
            ) from None
        if digest != self.sha256[file]:
            raise ModelError(
                f"the encoder file {str(path)!r} has SHA-256 {digest}, expected "
                f"{self.sha256[file]} by its {MANIFEST}; install it again: {INSTALL}"
            )
        return path


def installed_folder() -> Path | None:
    """The folder of the installed encoder, or None; nothing is imported or loaded for it."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0])
    return folder if (folder / MANIFEST).is_file() else None


def is_installed() -> bool:
    """Whether the encoder and what runs it are there; nothing is imported or loaded for it."""
    return installed_folder() is not None and all(find_spec(name) for name in NEEDED)


def manifest_of(argument: str) -> EncoderManifest:
    """The manifest of the encoder in a folder; without one, of the installed encoder."""
    folder = Path(argument) if argument else installed_folder()
    if folder is None:
        raise MissingExtraError(
            f'no encoder is installed; it comes with the extra "{EXTRA}": '
            f'pip install "assay-eval[{EXTRA}]"'
        )
    return _manifest(folder)


@cache
def _manifest(folder: Path) -> EncoderManifest:
    path = folder / MANIFEST
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        return EncoderManifest(
            folder,
            str(table["model"]),
            str(table["version"]),
            _hashes(table["sha256"], table["heads"]),
            {str(name): _head(entry) for name, entry in table["heads"].items()},
        )
    except OSError as error:
        raise ModelError(
            f"no encoder in {str(folder)!r}: {MANIFEST} cannot be read ({error.strerror}); "
            f"expected a folder with {MANIFEST} and the files that it names"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"{str(path)!r} is no manifest of an encoder: {type(error).__name__} {error}; "
            "expected model, version, sha256 and heads"
        ) from None


def _head(entry: Mapping[str, Any]) -> EncoderHead:
    template: Template = "text" if entry["template"] == "text" else "pair"
    return EncoderHead(
        tuple(map(str, entry["outputs"])),
        int(entry["max_tokens"]),
        template,
        {str(code): float(value) for code, value in entry.get("temperature", {}).items()},
        str(entry["file"]),
    )


def _hashes(table: Mapping[str, Any], heads: Mapping[str, Any]) -> dict[str, str]:
    """File → its hash, for every file that is read; all lie in the folder itself."""
    hashes = {str(file): str(digest) for file, digest in table.items()}
    for file in (TOKENIZER, *(str(entry["file"]) for entry in heads.values())):
        if file not in hashes:
            raise ValueError(f"no hash of {file!r}")
    if outside := [file for file in hashes if Path(file).name != file]:
        raise ValueError(f"{outside[0]!r} is no plain file name")
    return hashes


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
