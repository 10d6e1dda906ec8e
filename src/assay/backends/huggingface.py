"""Any model of the sentence-transformers or transformers libraries, by folder or by name.

`hf:models/e5` is a folder, `hf:intfloat/multilingual-e5-base` a name, and a name may be pinned to
a revision as in `hf:org/model@REVISION`. Nothing is downloaded unless `Backends(downloads=True)`
allows it. Only weights in the safetensors format are read, and code that comes with a model is
never run. Each text is run alone, so that its vector depends on nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from assay.backends.cache import CachedClassifier, CachedEmbedder, CachedTokenEmbedder
from assay.backends.model_settings import ModelSettings
from assay.backends.presets import preset
from assay.backends.protocols import TokenVectors, Vector
from assay.backends.vectors import mean, rows
from assay.core.errors import MissingExtraError, ModelError, ProfileError
from assay.core.extras import require

EXTRA = "huggingface"
ENTAILMENT = frozenset(("entailment", "entailed", "supported", "supports", "support"))
"""What models call the label of a claim that follows from a text."""
MAX_TOKENS = 512
"""What a model reads at once where its files do not say."""


class ModelSource(NamedTuple):
    """Where a model comes from."""

    model: str
    """A folder, or the name of a model on the hub."""
    revision: str | None

    @property
    def is_folder(self) -> bool:
        """Whether the files are here, whatever the hub says."""
        return Path(self.model).is_dir()

    @property
    def name(self) -> str:
        """The model with what its files are, but not with where they lie."""
        if self.is_folder:
            return f"hf:{Path(self.model).resolve().name}@{_fingerprint(Path(self.model))}"
        return f"hf:{self.model}" + (f"@{commit}" if (commit := _commit(self)) else "")


class SentenceModel:
    """A sentence-transformers model."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        library = require("sentence_transformers", EXTRA)
        known = preset(source.model)
        self._model = _loaded(
            source,
            settings,
            lambda options: library.SentenceTransformer(
                source.model,
                device="cpu",
                model_kwargs={"use_safetensors": True, "dtype": "float32"},
                **options,
            ),
        )
        self._model.eval()
        self.name = source.name
        self.dimensions = int(self._model.get_embedding_dimension())
        self.languages = known.languages
        self.threshold = known.threshold
        self._prefix = known.prefix
        self._threads = max(1, settings.threads)
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """A long text is the mean of its windows."""
        with self._lock, _threads(self._threads):
            return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> Vector:
        windows = self._windows(text)
        vectors = [
            self._model.encode(self._prefix + window, batch_size=1, show_progress_bar=False)
            for window in windows
        ]
        return mean(vectors, [len(window) for window in windows], self.name)

    def _windows(self, text: str) -> list[str]:
        """The text in parts that the model reads whole."""
        tokenizer = self._model.tokenizer
        if not getattr(tokenizer, "is_fast", False):
            return [text]  # such a tokenizer does not say where its tokens lie
        limit = min(self._model.max_seq_length or MAX_TOKENS, tokenizer.model_max_length)
        size = limit - len(tokenizer(self._prefix)["input_ids"])
        places = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )["offset_mapping"]
        if len(places) <= size or size < 1:
            return [text]
        starts = [0, *(places[index][0] for index in range(size, len(places), size))]
        return [
            text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
        ]


class TokenModel:
    """The last layer of a transformers encoder."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        self._tokenizer, self._model = _transformer(source, settings, "AutoModel")
        self.name = source.name
        self.dimensions = int(self._model.config.hidden_size)
        self.languages = preset(source.model).languages
        self._threads = max(1, settings.threads)
        self._lock = Lock()

    def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The states of as many tokens as the model reads at once."""
        with self._lock, _threads(self._threads):
            return [self._embed_tokens(text) for text in texts]

    def _embed_tokens(self, text: str) -> TokenVectors:
        given = _encoded(self._tokenizer, self._model, text, return_special_tokens_mask=True)
        special = given.pop("special_tokens_mask")[0].bool().numpy()
        states = _run(self._model, given).last_hidden_state[0].numpy()
        tokens = self._tokenizer.convert_ids_to_tokens(given["input_ids"][0][~special].tolist())
        return TokenVectors(tuple(tokens), rows(states[~special], self.name))


class ClassifierModel:
    """A transformers classifier; its labels are those that its files name."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        self._tokenizer, self._model = _transformer(
            source, settings, "AutoModelForSequenceClassification"
        )
        self.name = source.name
        config = self._model.config
        self._labels = [str(config.id2label[index]) for index in range(config.num_labels)]
        self._is_exclusive = (
            config.num_labels > 1 and config.problem_type != "multi_label_classification"
        )
        self._threads = max(1, settings.threads)
        self._lock = Lock()

    def classify(self, texts: Sequence[str]) -> Sequence[Mapping[str, float]]:
        """Shares of one where a text has exactly one label, else a score for each label."""
        with self._lock, _threads(self._threads):
            return [self._classify(text) for text in texts]

    def _classify(self, text: str) -> Mapping[str, float]:
        logits = _run(self._model, _encoded(self._tokenizer, self._model, text)).logits[0].double()
        scores = logits.softmax(0) if self._is_exclusive else logits.sigmoid()
        if not scores.isfinite().all():
            raise ModelError(f"the model {self.name!r} gave scores that are not finite")
        return dict(zip(self._labels, scores.tolist(), strict=True))


def identify(argument: str) -> str:
    """What a signature calls it: its name with the fingerprint or commit of its files."""
    return _source(argument).name


class VerifierModel:
    """A cross-encoder for entailment; which of its labels is entailment, its files say."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        self._tokenizer, self._model = _transformer(
            source, settings, "AutoModelForSequenceClassification"
        )
        self.name = source.name
        self._label = _entailment(self._model.config, source)
        self._threads = max(1, settings.threads)
        self._lock = Lock()

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """The share of entailment; the text is the premise and the claim the hypothesis."""
        with self._lock, _threads(self._threads):
            return [self._support(claim, text) for claim, text in pairs]

    def _support(self, claim: str, text: str) -> float:
        given = _encoded(self._tokenizer, self._model, text, text_pair=claim)
        logits = _run(self._model, given).logits[0].double()
        shares = logits.softmax(-1) if len(logits) > 1 else logits.sigmoid()
        return float(shares[self._label])


def _entailment(config: Any, source: ModelSource) -> int:
    """The place of the label that means entailment; a model with one label has only that."""
    names = [str(config.id2label[place]).lower() for place in range(config.num_labels)]
    places = [place for place, name in enumerate(names) if name in ENTAILMENT]
    if len(names) == 1:
        return 0
    if len(places) != 1:
        known = ", ".join(names)
        raise ModelError(
            f"the model 'hf:{source.model}' has no one label for entailment among {known}; "
            "name it 'entailment' in the model's config.json"
        )
    return places[0]


def make_embedder(argument: str, settings: ModelSettings) -> CachedEmbedder:
    """A sentence-transformers model."""
    return CachedEmbedder(SentenceModel(_source(argument), settings), is_kept=settings.cache)


def make_token_embedder(argument: str, settings: ModelSettings) -> CachedTokenEmbedder:
    """An encoder's token states."""
    return CachedTokenEmbedder(TokenModel(_source(argument), settings))


def make_classifier(argument: str, settings: ModelSettings) -> CachedClassifier:
    """A classifier."""
    return CachedClassifier(ClassifierModel(_source(argument), settings))


def make_verifier(argument: str, settings: ModelSettings) -> VerifierModel:
    """A cross-encoder for entailment."""
    return VerifierModel(_source(argument), settings)


def _source(argument: str) -> ModelSource:
    if not argument:
        raise ProfileError("'hf' names no model; expected 'hf:FOLDER' or 'hf:ORGANISATION/NAME'")
    if Path(argument).is_dir():
        return ModelSource(argument, None)
    model, _, revision = argument.partition("@")
    return ModelSource(model, revision or None)


def _transformer(source: ModelSource, settings: ModelSettings, kind: str) -> tuple[Any, Any]:
    """A tokenizer and a model of the transformers library."""
    library = require("transformers", EXTRA)
    require("torch", "torch")
    tokenizer = _loaded(
        source,
        settings,
        lambda options: library.AutoTokenizer.from_pretrained(source.model, **options),
    )
    model = _loaded(
        source,
        settings,
        lambda options: getattr(library, kind).from_pretrained(
            source.model, use_safetensors=True, dtype="float32", **options
        ),
    )
    return tokenizer, model.eval()


def _loaded(
    source: ModelSource, settings: ModelSettings, load: Callable[[Mapping[str, Any]], Any]
) -> Any:
    """Load something of a model; what goes wrong is said with the remedy."""
    _disable_telemetry()
    options = {
        "local_files_only": source.is_folder or not settings.downloads,
        "revision": source.revision,
        "trust_remote_code": False,
    }
    try:
        return load(options)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        remedy = (
            "check that the folder holds a whole model with safetensors weights"
            if source.is_folder or settings.downloads
            else "give a folder that holds it, or allow downloads with Backends(downloads=True)"
        )
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"the model 'hf:{source.model}' cannot be loaded ({reason}); {remedy}"
        ) from error


def _disable_telemetry() -> None:
    """Keep the hub's library from asking the hub about this machine, even for files that lie here.

    Its environment variable counts only before the first import, which may be somebody else's.
    """
    constants: Any = require("huggingface_hub.constants", EXTRA)
    constants.HF_HUB_DISABLE_TELEMETRY = True


def _encoded(tokenizer: Any, model: Any, text: str, **options: Any) -> Any:
    """The model's input; what is longer than it reads is cut."""
    places = getattr(model.config, "max_position_embeddings", None) or MAX_TOKENS
    limit = min(tokenizer.model_max_length, places - 2)  # some families keep two for themselves
    return tokenizer(text, truncation=True, max_length=limit, return_tensors="pt", **options)


def _run(model: Any, given: Mapping[str, Any]) -> Any:
    with require("torch", "torch").inference_mode():
        return model(**given)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Run with that many threads, and leave the rest of the process as it was."""
    torch = require("torch", "torch")
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@cache
def _fingerprint(folder: Path) -> str:
    """Twelve hexadecimal digits that change when any file of a model does."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            inner = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{inner}\n".encode())
    return digest.hexdigest()[:12]


def _commit(source: ModelSource) -> str:
    """The revision of a model that lies in the hub's cache on this machine, if any."""
    try:
        find = require("huggingface_hub", EXTRA).try_to_load_from_cache
        cached_file = find(source.model, "config.json", revision=source.revision)
    except (MissingExtraError, ValueError):  # said again, as an error, when the model is asked
        cached_file = None
    return (
        Path(cached_file).parent.name[:12]
        if isinstance(cached_file, str)
        else source.revision or ""
    )
