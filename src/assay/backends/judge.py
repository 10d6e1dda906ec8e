"""A language model that gives verdicts: `openai:URL#MODEL`, `anthropic:…`, `gemini:…`.

It answers three kinds of questions: those of rubrics, how alike two texts are, and how far a text
bears out a claim. Each goes the same way: the texts are put behind marks (`prompting.py`), one
verdict is accepted or none (`verdicts.py`), usable ones are kept (`verdict_store.py`), and calls,
tokens and money are counted against the caps of the run.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from assay.backends.cache import Memory
from assay.backends.endpoint import EndpointModel, address_name, is_address, joined
from assay.backends.judge_protocols import PROTOCOLS, JudgeProtocol, VerdictPrompt
from assay.backends.judge_questions import (
    AnswerProbabilities,
    JudgeQuestion,
    JudgeSpending,
    JudgeVerdict,
    NoVerdictError,
    Numbers,
    Ruling,
    UntrustedText,
    VerdictUsage,
)
from assay.backends.judge_settings import SAMPLES, JudgeSettings
from assay.backends.model_settings import ModelSettings
from assay.backends.prompting import messages, nonce_of, prompts_fingerprint, read_prompt
from assay.backends.protocols import Likeness
from assay.backends.texts import is_blank
from assay.backends.verdict_probabilities import answer_probabilities, has_token_answers
from assay.backends.verdict_reader import (
    measured_usage,
    read_verdict,
    shown,
    verdict_schema,
)
from assay.backends.verdict_store import StoredVerdict, keep, read_kept, verdict_key
from assay.core.errors import ModelError, ProfileError
from assay.core.jsontext import dumps, loads
from assay.wire.budget import Budget
from assay.wire.call_errors import CallError, Fault
from assay.wire.exchange import Request
from assay.wire.limits import CallLimits

REMEMBERED = 16 * 2**20
"""Bytes of verdicts that are kept in memory."""
MAX_BYTES = 2 * 2**20
"""A longer answer is no verdict."""
EXAMPLES = {
    "openai": "openai:http://localhost:8080/v1#qwen3",
    "anthropic": "anthropic:https://api.anthropic.com/v1#claude-haiku-4-5",
    "gemini": "gemini:https://generativelanguage.googleapis.com/v1beta#gemini-2.5-flash",
}
MAX_CHARACTERS = 200_000
"""A question of more characters is not asked: no judge reads so much with care."""


class _VerdictRequest(NamedTuple):
    """One verdict that is wanted."""

    question: JudgeQuestion
    number: int
    key: bytes


class _PricedVerdict(NamedTuple):
    verdict: JudgeVerdict
    usage: VerdictUsage


_Answers = dict[_VerdictRequest, _PricedVerdict | NoVerdictError | CallError]


class EndpointJudge(EndpointModel):
    """The model behind a chat endpoint, for one run."""

    path = ""
    gives = "verdict"
    advice = "check the judge's address, ASSAY_JUDGE_KEY and the model's name"

    def __init__(
        self,
        model: str,
        url: str,
        key: str = "",
        judging: JudgeSettings | None = None,
        *,
        is_kept: bool = True,
        mask: Callable[[str], str] | None = None,
        limits: CallLimits | None = None,
        protocol: JudgeProtocol = PROTOCOLS["openai"],
        **calls: Any,
    ) -> None:
        self.judging = judging = judging or JudgeSettings()
        if judging.max_spend and judging.price is None:
            raise ProfileError(
                f"the price of {model!r} is not known, so that its cost cannot be capped; set "
                "'judge_price' to the USD per million tokens of prompt and answer, such as 0.5/1.5"
            )
        budget = Budget(
            max_calls=judging.max_calls or None,
            max_tokens=judging.max_tokens or None,
            max_spend=judging.max_spend or None,
        )
        usual = replace(CallLimits.within(judging.timeout), max_bytes=MAX_BYTES)
        super().__init__(
            model,
            url,
            key,
            limits=limits or usual,
            budget=budget,
            concurrency=judging.concurrency,
            **calls,
        )
        self.name = address_name(model, url, protocol.provider)
        self._protocol = protocol
        self._url = joined(url, protocol.path(model))
        if judging.redact and mask is None:
            raise ProfileError("the judge is to see redacted texts, and nothing redacts them here")
        self._is_kept = is_kept
        self._mask = mask
        self._memory: Memory[_PricedVerdict] = Memory(REMEMBERED)
        self._lock = Lock()
        self._cached, self._usage = 0, VerdictUsage()

    @property
    def spent(self) -> JudgeSpending:
        """What was asked so far, and what that took."""
        counted = self._calls.budget.spent
        usd = None if self.judging.price is None else counted.spend
        return JudgeSpending(counted.calls, self._cached, self._usage, usd)

    def judge(self, questions: Sequence[JudgeQuestion]) -> list[Ruling | ModelError]:
        """The verdicts on each question in order; equal questions are asked once."""
        questions = [self._masked(question) for question in questions]
        distinct = list(dict.fromkeys(questions))
        rulings: dict[JudgeQuestion, Ruling | ModelError] = {}
        requests: dict[JudgeQuestion, list[_VerdictRequest]] = {}
        for question in distinct:
            if sum(len(text) for _, text in question.texts) > MAX_CHARACTERS:
                rulings[question] = NoVerdictError(
                    f"the texts have more than {MAX_CHARACTERS} characters; no judge is shown more",
                    fault=Fault.TOO_LARGE.value,
                )
            else:
                requests[question] = [
                    self._request_for(question, n) for n in range(self.judging.repeats)
                ]
        given = self._answers(requests.values())
        for question, many in requests.items():
            rulings[question] = self._ruling([given[one] for one in many])
        if self.judging.is_sampled:
            rulings |= self._sampled(rulings)
        return [rulings[question] for question in questions]

    def _answers(self, requests: Iterable[Sequence[_VerdictRequest]]) -> _Answers:
        """What is known, and what the endpoint says to the rest."""
        wanted = [one for many in requests for one in many]
        given: _Answers = {**self._known(wanted)}
        unknown = [one for one in wanted if one not in given]
        given |= zip(unknown, self._calls.map(self._new, unknown), strict=True)
        return given

    def _sampled(
        self, rulings: Mapping[JudgeQuestion, Ruling | ModelError]
    ) -> dict[JudgeQuestion, Ruling]:
        """The same expected score from sampled verdicts, where the tokens told nothing.

        Where too few of the samples are usable, the one verdict stands.
        """
        requests = {
            question: [self._request_for(question, n) for n in range(1, 1 + SAMPLES)]
            for question, ruling in rulings.items()
            if question.is_averaged
            and isinstance(ruling, Ruling)
            and not _has_probabilities(ruling)
        }
        given = self._answers(requests.values())
        sampled = {
            question: self._ruling([given[one] for one in many])
            for question, many in requests.items()
        }
        return {q: ruling for q, ruling in sampled.items() if isinstance(ruling, Ruling)}

    def _masked(self, question: JudgeQuestion) -> JudgeQuestion:
        """The question without marks of persons, where they are not to be sent."""
        if self._mask is None:
            return question
        texts = tuple(UntrustedText(title, self._mask(text)) for title, text in question.texts)
        return replace(question, texts=texts)

    def similarities(
        self, pairs: Sequence[tuple[str, str]], kind: Likeness
    ) -> Sequence[float | ModelError]:
        """How alike the texts of each pair are; a blank text is like no other, without a call."""
        return self._numbers(pairs, "json_likeness", kind)

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float | ModelError]:
        """How far each text bears out the claim before it."""
        return self._numbers(pairs, "claim_support", "support")

    def _numbers(
        self, pairs: Sequence[tuple[str, str]], prompt: str, kind: str
    ) -> list[float | ModelError]:
        """A number from 0 to 1 for each pair."""
        table = read_prompt(prompt)
        questions = {
            pair: JudgeQuestion(
                table[kind]["instructions"],
                tuple(UntrustedText(*text) for text in zip(table["texts"], pair, strict=True)),
                Numbers(0.0, 1.0),
                explains=False,
                is_averaged=False,
            )
            for pair in pairs
            if not is_blank(pair[0]) and not is_blank(pair[1])
        }
        rulings = dict(zip(questions, self.judge(list(questions.values())), strict=True))
        return [_number(pair, rulings.get(pair)) for pair in pairs]

    def _request_for(self, question: JudgeQuestion, number: int) -> _VerdictRequest:
        body = self._body(question, number, 0)
        return _VerdictRequest(question, number, verdict_key(self._url, self._key, body))

    def _known(self, wanted: Sequence[_VerdictRequest]) -> dict[_VerdictRequest, _PricedVerdict]:
        """The verdicts that were given before: in this run, or in an earlier one."""
        answers = {one: self._memory.get(one.key) for one in wanted}
        unknown = [one for one, given in answers.items() if given is None]
        kept = read_kept([one.key for one in unknown]) if self._is_kept else {}
        for one in unknown:
            if one.key in kept and (given := _still_holds(one, kept[one.key])):
                answers[one] = given
                self._cached += 1
                self._remember(one, given)
        return {one: given for one, given in answers.items() if given is not None}

    def _remember(self, request: _VerdictRequest, given: _PricedVerdict) -> None:
        self._memory.put(request.key, given, 400 + 4 * len(given.verdict.reason))

    async def _new(self, wanted: _VerdictRequest) -> _PricedVerdict | NoVerdictError:
        """Ask; an unusable answer is asked for once more if that is wished."""
        usage, reply, problem = VerdictUsage(), "", ""
        for attempt in range(1 + self.judging.repairs):
            body = self._body(wanted.question, wanted.number, attempt)
            request = self._request(body)
            try:
                answer = await self._calls.send(request)
            except CallError as error:
                return NoVerdictError(self._failed(error), fault=error.fault.value)
            sent = len(request.body or b"")
            usage += self._count(measured_usage(answer.text, sent, self._protocol.counts))
            reply = answer.text
            nonce = nonce_of(wanted.question, wanted.number, attempt)
            try:
                reply = self._protocol.reply(answer.text)
                verdict = read_verdict(reply, wanted.question, nonce)
            except ValueError as error:
                problem = str(error)
                continue
            shares = self._probabilities(answer.text, reply, wanted)
            verdict = verdict._replace(probabilities=shares)
            if self._is_kept:  # in a thread: another process may be writing, and clocks run here
                kept = StoredVerdict(reply, attempt, usage, shares)
                await asyncio.to_thread(keep, wanted.key, kept)
            given = _PricedVerdict(verdict, usage)
            self._remember(wanted, given)
            return given
        message = f"the judge {self.name!r} gave no usable verdict: {shown(problem, 200)}"
        return NoVerdictError(message, reply=shown(reply))

    def _probabilities(self, body: str, reply: str, wanted: _VerdictRequest) -> AnswerProbabilities:
        """What the tokens of a reply tell; nothing where none were asked for or given."""
        if not self._wants_probabilities(wanted.question, wanted.number):
            return ()
        try:
            tokens = self._protocol.tokens(loads(body))
        except (ValueError, TypeError, LookupError):
            return ()
        return answer_probabilities(reply, wanted.question, tokens)

    def _wants_probabilities(self, question: JudgeQuestion, number: int) -> bool:
        is_expected = self.judging.score == "expected" and has_token_answers(question)
        return is_expected and not self._is_sample(number)

    def _is_sample(self, number: int) -> bool:
        return self.judging.is_sampled and number > 0

    def _count(self, usage: VerdictUsage) -> VerdictUsage:
        """Note what a call took."""
        into, out = self.judging.price or (0.0, 0.0)
        spend = (usage.prompt_tokens * into + usage.completion_tokens * out) / 1e6
        self._calls.budget.add(tokens=usage.prompt_tokens + usage.completion_tokens, spend=spend)
        with self._lock:
            self._usage += usage
        return usage

    def _body(self, question: JudgeQuestion, number: int, attempt: int) -> dict[str, Any]:
        """All that is sent."""
        nonce = nonce_of(question, number, attempt)
        system, user = messages(question, nonce, is_repair=attempt > 0)
        prompt = VerdictPrompt(
            self._model,
            system["content"],
            user["content"],
            verdict_schema(question),
            number,
            self._wants_probabilities(question, number),
        )
        judging = self.judging.sampling() if self._is_sample(number) else self.judging
        return _with_extra(self._protocol.body(prompt, judging), judging.extra_fields())

    def _request(self, body: Mapping[str, Any]) -> Request:
        headers = {"content-type": "application/json"}
        if self._key:
            headers |= self._protocol.headers(self._key)
        return Request("POST", self._url, headers, dumps(body).encode())

    def _failed(self, error: CallError) -> str:
        if error.fault is Fault.BUDGET:
            return f"the judge {self.name!r} was not asked, because {error}"
        message = super()._failed(error)
        if error.fault is Fault.REFUSED:
            if self.judging.score == "expected":
                message += "; judge_score is 'expected', and not all endpoints take 'logprobs'"
            if self.judging.format != "none":
                message += (
                    f"; judge_format is {self.judging.format!r}, which not all endpoints take"
                )
        return message

    def _ruling(
        self, given: Sequence[_PricedVerdict | NoVerdictError | CallError]
    ) -> Ruling | ModelError:
        """What several verdicts come to; more than half of them must be usable."""
        good = [one for one in given if isinstance(one, _PricedVerdict)]
        bad = [one for one in given if isinstance(one, NoVerdictError)]
        if 2 * len(good) <= len(given):
            return bad[0]
        usage = sum((one.usage for one in good), VerdictUsage())
        is_expected = self.judging.score == "expected"
        return Ruling(tuple(one.verdict for one in good), usage, tuple(map(str, bad)), is_expected)


def _has_probabilities(ruling: Ruling) -> bool:
    return any(verdict.probabilities for verdict in ruling.verdicts)


def _with_extra(body: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """A request with further fields, also inside of its objects; null leaves a field out."""
    merged = {**body, **extra}
    for name, given in extra.items():
        if isinstance(given, dict) and isinstance(own := body.get(name), dict):
            merged[name] = _with_extra(own, given)
    return {name: value for name, value in merged.items() if value is not None}


def _still_holds(request: _VerdictRequest, kept: StoredVerdict) -> _PricedVerdict | None:
    """What an earlier run was told, checked like a fresh answer."""
    nonce = nonce_of(request.question, request.number, kept.attempt)
    try:
        verdict = read_verdict(kept.content, request.question, nonce)
        shares = kept.probabilities
        return _PricedVerdict(verdict._replace(probabilities=shares), kept.usage)
    except ValueError:
        return None


def _number(pair: tuple[str, str], ruling: Ruling | ModelError | None) -> float | ModelError:
    """The mean of the verdicts on a pair; texts that were not shown are alike if both are blank."""
    if ruling is None:
        return float(is_blank(pair[0]) and is_blank(pair[1]))
    if isinstance(ruling, ModelError):
        return ruling
    numbers = [float(verdict.answer) for verdict in ruling.verdicts]
    return sum(numbers) / len(numbers)


def split_judge(argument: str, provider: str = "openai") -> tuple[str, str]:
    """Address and model of `URL#MODEL`."""
    url, _, model = argument.partition("#")
    if not model or not is_address(url):
        raise ProfileError(
            f"the judge {provider!r} needs an address without a password in it, and a model: "
            f"'{provider}:URL#MODEL', such as {EXAMPLES[provider]}"
        )
    return url, model


def endpoint_judge(provider: str, argument: str, settings: ModelSettings) -> EndpointJudge:
    """The judge at the address before the `#`, in the protocol of that provider."""
    url, model = split_judge(argument, provider)
    return EndpointJudge(
        model,
        url,
        os.environ.get(settings.key_variable, ""),
        settings.judging,
        is_kept=settings.cache,
        mask=settings.mask,
        protocol=PROTOCOLS[provider],
    )


def judge_identity(provider: str, argument: str) -> str:
    """What a signature calls the judge: model, address and prompts."""
    url, model = split_judge(argument, provider)
    return f"{address_name(model, url, provider)}+{prompts_fingerprint()}"
