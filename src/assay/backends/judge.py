"""A language model that says how alike two texts are: `openai:URL#MODEL`.

The texts come from whoever wrote the documents, so they are data to the model: each stands between
marks that are made from a hash of both texts, which nobody can write into a text beforehand, and
the answer must be exactly one JSON object that repeats the mark. Any other answer is an error of
that pair. The temperature is 0, which makes most models nearly deterministic, not entirely: equal
pairs are asked once a run. The prompt is `data/prompts/json_likeness.toml`, and its fingerprint is
part of every signature.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from math import isfinite
from string import Template
from typing import Any

from assay.backends.cache import Memory
from assay.backends.endpoint import UNUSABLE, EndpointModel, RefusedError, address_name, is_address
from assay.backends.protocols import Likeness
from assay.backends.texts import encodable
from assay.core.errors import ModelError, ProfileError
from assay.core.jsontext import loads

REMEMBERED = 16 * 2**20
"""Bytes of verdicts that are kept in memory."""
AT_ONCE = 8
"""Requests on their way at one time."""


class EndpointJudge(EndpointModel):
    """The model behind a chat endpoint."""

    path = "chat/completions"
    gives = "verdict"
    advice = "check the judge's address, ASSAY_JUDGE_KEY and the model's name"

    def __init__(self, model: str, url: str, key: str = "", **waits: Any) -> None:
        super().__init__(model, url, key, **waits)
        self._memory: Memory[float] = Memory(REMEMBERED)

    def similarities(
        self, pairs: Sequence[tuple[str, str]], kind: Likeness
    ) -> Sequence[float | ModelError]:
        """One verdict a pair, in order."""
        clean = [(encodable(one), encodable(other)) for one, other in pairs]
        distinct = list(dict.fromkeys(clean))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = dict(
                zip(distinct, pool.map(lambda p: self._verdict(p, kind), distinct), strict=True)
            )
        return [found[pair] for pair in clean]

    def _verdict(self, pair: tuple[str, str], kind: Likeness) -> float | ModelError:
        nonce = nonce_of(pair, kind)
        if (known := self._memory.get(nonce.encode())) is not None:
            return known
        try:
            score = _score(self._endpoint.post(self._request(pair, kind, nonce)), nonce, self.name)
        except ModelError as error:
            return error
        self._memory.put(nonce.encode(), score, 64)
        return score

    def _request(self, pair: tuple[str, str], kind: Likeness, nonce: str) -> dict[str, Any]:
        prompt = _prompt()
        texts = Template(prompt["user"]).substitute(nonce=nonce, one=pair[0], other=pair[1])
        messages = [
            {"role": "system", "content": prompt[kind]["system"].strip()},
            {"role": "user", "content": texts.strip()},
        ]
        return {"model": self._model, "messages": messages, "temperature": 0}


def nonce_of(pair: tuple[str, str], kind: Likeness) -> str:
    """A word that depends on both texts, so that neither of them can hold it."""
    parts = [kind, str(len(pair[0])), *pair]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _score(body: str, nonce: str, name: str) -> float:
    """The number of an answer; anything but the one object that was asked for is refused."""
    try:
        content = loads(body)["choices"][0]["message"]["content"]
        verdict = loads(content)
        if not isinstance(verdict, dict) or set(verdict) != {"score", "nonce"}:
            raise ValueError("the verdict is not an object with 'score' and 'nonce'")
        score = verdict["score"]
        if verdict["nonce"] != nonce:
            raise ValueError("the verdict does not repeat the nonce")
        if type(score) not in (int, float) or not isfinite(score) or not 0 <= score <= 1:
            raise ValueError("the score is not a number from 0 to 1")
        return float(score)
    except (ValueError, TypeError, LookupError) as error:
        raise RefusedError(
            f"the judge {name!r} gave no usable verdict ({type(error).__name__}: "
            f"{' '.join(str(error).split())[:200]})",
            UNUSABLE,
        ) from None


def split_judge(argument: str) -> tuple[str, str]:
    """Address and model of `URL#MODEL`."""
    url, _, model = argument.partition("#")
    if not model or not is_address(url):
        raise ProfileError(
            "the judge 'openai' needs an address without a password in it, and a model: "
            "'openai:URL#MODEL', such as openai:http://localhost:8080/v1#qwen3"
        )
    return url, model


def judge_identity(argument: str) -> str:
    """What a signature calls the judge: model, address and prompt."""
    url, _, model = argument.partition("#")
    return f"{address_name(model, url)}+{hashlib.sha256(_prompt_text().encode()).hexdigest()[:6]}"


@cache
def _prompt() -> dict[str, Any]:
    return tomllib.loads(_prompt_text())


def _prompt_text() -> str:
    file = files("assay") / "data" / "prompts" / "json_likeness.toml"
    return file.read_text(encoding="utf-8")
