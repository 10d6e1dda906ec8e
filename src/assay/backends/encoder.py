"""Our own small encoder by onnxruntime: one reading of a text, several questions answered.

The weights come with the extra `models`, or lie in a folder that the setting `encoder` names; the
manifest beside them states their hashes. Each input is run alone and without padding: quantised
activations take their scale from all that is run at once, so only then does an answer depend on
nothing but its own text. On a processor batches of such lengths are hardly quicker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from assay.backends.cache import Memory, input_key, key_start, opened_store
from assay.backends.encoder_files import (
    EXTRA,
    TOKENIZER,
    EncoderHead,
    EncoderManifest,
    manifest_of,
)
from assay.backends.model_settings import ModelSettings, cache_folder
from assay.backends.protocols import EncoderAnswer
from assay.backends.texts import encodable, is_blank, unread_script
from assay.core.errors import ModelError
from assay.core.extras import require

TAIL_TOKENS = 62
"""Of a text that is longer than a head reads, so many tokens are its last ones."""
FIRST_TOKENS = 128
"""Of two texts that are too long together, the first keeps at least so many."""
TEXT_LIMIT = 20_000
"""Characters of one text that are tokenised: its first and its last half of these."""
MEMORY_LIMIT = 16 * 2**20
"""Bytes of answers that are remembered in a process."""
ANSWER_BYTES = 200
"""What one remembered answer takes, about."""
ASKED_AT_ONCE = 256
"""Inputs after which answers are kept on disk, so that a run that is stopped loses few."""


class Reading(NamedTuple):
    """Heads that one reading of a text answers."""

    limit: int
    """Tokens that are read, special ones counted."""
    file: str
    """The graph that answers."""
    heads: tuple[str, ...]


class EncoderInput(NamedTuple):
    """What the model reads at once: a text or two, for some heads."""

    first: str
    second: str
    """Empty where there is none."""
    reading: Reading

    def packed(self) -> str:
        """All that the answer depends on besides the model."""
        limit, file, heads = self.reading
        settings = f"{limit} {file} {' '.join(heads)} {len(self.first)}"
        return f"{settings}\0{self.first}\0{self.second}"


class OnnxEncoder:
    """The model, loaded and checked."""

    languages: tuple[str, ...] = ("en",)

    def __init__(self, manifest: EncoderManifest, threads: int = 1) -> None:
        require("onnxruntime", EXTRA)
        tokenizers = require("tokenizers", EXTRA)
        self.name = manifest.name
        self.title = manifest.title
        self.heads = manifest.heads
        self.readings = readings(manifest.heads)
        self._manifest = manifest
        self._threads = threads
        self._tokenizer = tokenizers.Tokenizer.from_file(str(manifest.checked(TOKENIZER)))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._start, self._end = (self._tokenizer.token_to_id(t) for t in ("[CLS]", "[SEP]"))
        self._sessions: dict[str, Any] = {}
        self._loading = Lock()

    def run(self, inputs: Sequence[EncoderInput]) -> list[Any]:
        """The logits of the heads of each input's reading, as one vector."""
        return [self._run(one) for one in inputs]

    def _run(self, given: EncoderInput) -> Any:
        first, limit = self._tokens(given.first), given.reading.limit
        second = self._tokens(given.second) if given.second else []
        if not second:
            ids = [self._start, *cut_text(first, limit - 2), self._end]
            types = [0] * len(ids)
        else:
            first, second = cut_pair(first, second, limit - 3)
            ids = [self._start, *first, self._end, *second, self._end]
            types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
        feed = {
            "input_ids": np.array([ids], np.int64),
            "attention_mask": np.ones((1, len(ids)), np.int64),
            "token_type_ids": np.array([types], np.int64),
        }
        outputs = self._session(given.reading.file).run(given.reading.heads, feed)
        return np.concatenate([np.ravel(output) for output in outputs]).astype("<f4")

    def _session(self, file: str) -> Any:
        """A graph, loaded when a head of it is first asked."""
        with self._loading:
            if file not in self._sessions:
                onnxruntime = require("onnxruntime", EXTRA)
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = self._threads
                options.inter_op_num_threads = 1
                options.log_severity_level = 3
                path = str(self._manifest.graph(file))
                session = onnxruntime.InferenceSession(
                    path, options, providers=["CPUExecutionProvider"]
                )
                _check(session.get_outputs(), self._manifest, file)
                self._sessions[file] = session
            return self._sessions[file]

    def _tokens(self, text: str) -> list[int]:
        if len(text) > TEXT_LIMIT:
            text = f"{text[: TEXT_LIMIT // 2]} {text[-TEXT_LIMIT // 2 :]}"
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


class CachedEncoder:
    """An encoder that reads each input once; what it answered is also kept on disk."""

    def __init__(self, model: OnnxEncoder, *, is_kept: bool = True) -> None:
        self.name = model.name
        self.title = model.title
        self.heads: Mapping[str, EncoderHead] = model.heads
        self.languages = model.languages
        self._model = model
        self._is_kept = is_kept
        self._memory: Memory[Any] = Memory(MEMORY_LIMIT)
        self._hash = key_start(model.name)

    def ask(
        self, head: str, texts: Sequence[tuple[str, str | None]]
    ) -> Sequence[EncoderAnswer | ModelError]:
        """The logits of a head for each text or pair of texts, in order."""
        if head not in self.heads:
            known = ", ".join(self.heads)
            raise ModelError(f"the encoder {self.name!r} has no head {head!r}; it has {known}")
        reading = self._model.readings[head]
        is_pair = self.heads[head].template == "pair"
        inputs = [
            EncoderInput(encodable(first), encodable((is_pair and second) or ""), reading)
            for first, second in texts
        ]
        unread = {one: problem for one in inputs if (problem := self._unread(one))}
        vectors = self._vectors([one for one in dict.fromkeys(inputs) if one not in unread])
        return [
            unread[one] if one in unread else self._answer(head, reading, vectors[one])
            for one in inputs
        ]

    def _answer(self, head: str, reading: Reading, vector: Any) -> EncoderAnswer:
        """The logits of one head among those of its reading."""
        sizes = [len(self.heads[name].outputs) for name in reading.heads]
        start = sum(sizes[: reading.heads.index(head)])
        return tuple(
            float(value) for value in vector[start : start + len(self.heads[head].outputs)]
        )

    def _unread(self, given: EncoderInput) -> ModelError | None:
        """Why the model is not asked about an input, if it is not."""
        if is_blank(given.first):
            return ModelError("the text is blank")
        script = unread_script(f"{given.first} {given.second}", self.languages)
        if not script:
            return None
        return ModelError(
            f"the model {self.name!r} reads {', '.join(self.languages)}; "
            f"the text is in {script} script"
        )

    def _vectors(self, inputs: Sequence[EncoderInput]) -> dict[EncoderInput, Any]:
        """What the model says of distinct inputs: remembered, kept on disk, or new."""
        keys = {one: input_key(self._hash, one.packed()) for one in inputs}
        vectors = {one: self._memory.get(key) for one, key in keys.items()}
        unknown = [one for one, vector in vectors.items() if vector is None]
        folder = cache_folder() if self._is_kept else None
        store = opened_store(folder) if folder and unknown else None
        if store:
            kept = store.read([keys[one] for one in unknown])
            vectors |= {
                one: np.frombuffer(raw, "<f4") for one in unknown if (raw := kept.get(keys[one]))
            }
        new = [one for one in unknown if vectors[one] is None]
        for start in range(0, len(new), ASKED_AT_ONCE):
            asked = new[start : start + ASKED_AT_ONCE]
            answered = dict(zip(asked, self._model.run(asked), strict=True))
            vectors |= answered
            if store:
                store.write({keys[one]: vector.tobytes() for one, vector in answered.items()})
        for one in unknown:
            self._memory.put(keys[one], vectors[one], ANSWER_BYTES)
        return vectors


def identify(argument: str) -> str:
    """What a signature calls it; its manifest is read, no weights."""
    return manifest_of(argument).name


def make_encoder(argument: str, settings: ModelSettings) -> CachedEncoder:
    """The encoder of a folder, or the installed one."""
    return CachedEncoder(_model(argument, max(1, settings.threads)), is_kept=settings.cache)


def cut_text(ids: Sequence[int], limit: int) -> list[int]:
    """The first and the last tokens of a text that is too long."""
    if len(ids) <= limit:
        return [*ids]
    tail = min(TAIL_TOKENS, limit // 2)
    return [*ids[: limit - tail], *ids[-tail:]]


def cut_pair(
    first: Sequence[int], second: Sequence[int], limit: int
) -> tuple[list[int], list[int]]:
    """Two texts that fit together; the first keeps what the second leaves, or `FIRST_TOKENS`."""
    if len(first) + len(second) <= limit:
        return [*first], [*second]
    kept = first[: max(FIRST_TOKENS, limit - len(second))]
    return [*kept], [*second[: limit - len(kept)]]


def readings(heads: Mapping[str, EncoderHead]) -> dict[str, Reading]:
    """Head → the heads that one reading answers: those with its template, length and graph."""
    return {
        name: Reading(
            own.max_tokens,
            own.file,
            tuple(
                other
                for other, one in heads.items()
                if (one.template, one.max_tokens, one.file)
                == (own.template, own.max_tokens, own.file)
            ),
        )
        for name, own in heads.items()
    }


def _check(outputs: Sequence[Any], manifest: EncoderManifest, file: str) -> None:
    """Refuse a graph that does not have the outputs that its manifest names."""
    sizes = {output.name: output.shape[-1] for output in outputs}
    for name, head in manifest.heads.items():
        if head.file != file:
            continue
        if name not in sizes:
            raise ModelError(
                f"{file!r} of the encoder {manifest.name!r} has no output for {name!r}, which its "
                "manifest names"
            )
        if sizes[name] != len(head.outputs):
            raise ModelError(
                f"the output {name!r} has {sizes[name]} values; its manifest names "
                f"{len(head.outputs)}: {', '.join(head.outputs)}"
            )


@cache
def _model(argument: str, threads: int) -> OnnxEncoder:
    """One model for all that ask."""
    return OnnxEncoder(manifest_of(argument), threads)
