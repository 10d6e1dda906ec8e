"""What a judge will cost, before a run, and what it has cost, after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.backends import Backends
from assay.backends.choice import judge_spent
from assay.backends.judge_questions import JudgeQuestion, JudgeSpending
from assay.backends.judge_settings import SAMPLES, JudgeSettings
from assay.backends.prompting import messages
from assay.core import MissingExtraError, Sample, SampleError
from assay.data.escalation import escalation_rubric
from assay.data.prices import known_price, maintained_usd, price_table
from assay.data.rubrics import Rubric
from assay.engine import Plan
from assay.features.rubric_verdicts import question_of, step_rubrics

BYTES_PER_TOKEN = 4
"""Bytes of UTF-8 per token, about, in Latin and in Arabic script."""
ANSWER_TOKENS = 120
"""Tokens of a verdict with its reason, about."""
USUAL_RESPONSE = "A usual response. " * 40
"""Stands for a response that is not there yet."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class JudgeCostEstimate:
    """What the rubrics of a run will cost if nothing is known yet; an upper guess, no promise."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None
    """None where the model's price is not known."""
    has_more: bool
    """Whether JSON fields, claims or similarities will be asked about too, in unknown number."""

    def to_json(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


def priced(backends: Backends) -> Backends:
    """The back-ends with the judge's price, where it is not set and a table has it."""
    judging = backends.judging
    if judging.price is not None or not backends.judge:
        return backends
    price = price_of_judge(backends.judge)
    return replace(backends, judging=replace(judging, price=price)) if price else backends


def price_of_judge(judge: str) -> tuple[float, float] | None:
    """USD per million tokens of prompt and of answer.

    They come from the maintained table, else from that of the Endurance specification. The judges
    of a panel have prices of their own, so that it has none.
    """
    model = judge.partition("#")[2]
    is_panel = len(judge.split()) > 1
    return price_of_model(model) if model and not is_panel else None


def price_of_model(model: str) -> tuple[float, float] | None:
    """USD per million tokens of prompt and of answer, by the same tables."""
    try:
        parts = [maintained_usd(model, MILLION, 0), maintained_usd(model, 0, MILLION)]
        if parts[0] is not None and parts[1] is not None:
            return parts[0], parts[1]
    except MissingExtraError:
        pass
    return known_price(price_table().prices, model)


def estimate(
    plan: Plan,
    backends: Backends,
    records: Sequence[Sample | SampleError],
    total: int | None,
    *,
    is_asking: bool = False,
) -> JudgeCostEstimate | None:
    """What the judge will be asked, by the first records; None where it is asked nothing.

    With `is_asking` the responses are still to come, and responses of a usual length stand in.
    """
    back_ends = {name for name in ("judge", "verifier", "comparer") if name in plan.resources}
    rubrics: tuple[Rubric, ...] = plan.resources.get("rubrics", ())
    has_more = bool(back_ends - {"judge"}) or _reads_judge(plan)
    if not backends.judge or not (rubrics or has_more):
        return None
    return _expected(rubrics, backends, records, total, is_asking=is_asking, has_more=has_more)


def _expected(
    rubrics: Sequence[Rubric],
    backends: Backends,
    records: Sequence[Sample | SampleError],
    total: int | None,
    *,
    is_asking: bool,
    has_more: bool,
) -> JudgeCostEstimate:
    """What rubrics cost over all records, by the first ones."""
    stand_in = USUAL_RESPONSE if is_asking else None
    samples = [record for record in records if isinstance(record, Sample)]
    questions = [q for sample in samples for q in _questions(rubrics, sample, stand_in)]
    share = max(total or 0, len(records)) / max(len(records), 1)
    factor = share * len(backends.judge.split())
    verdicts = [_verdicts(question, backends.judging) for question in questions]
    calls = round(sum(verdicts) * factor)
    tokens = sum(_tokens(question) * n for question, n in zip(questions, verdicts, strict=True))
    prompt = round(tokens * factor)
    completion = calls * min(ANSWER_TOKENS, backends.judging.answer_tokens)
    price = priced(backends).judging.price
    usd = None if price is None else (prompt * price[0] + completion * price[1]) / MILLION
    return JudgeCostEstimate(calls, prompt, completion, usd, has_more)


def estimate_escalation(
    plan: Plan,
    backends: Backends,
    records: Sequence[Sample | SampleError],
    total: int | None,
    *,
    is_asking: bool = False,
) -> JudgeCostEstimate | None:
    """What the judge would be asked if every sample were unsure; None where it is asked nothing."""
    known = map(escalation_rubric, plan.gating)
    rubrics = tuple(rubric for rubric in known if rubric is not None)
    if not backends.judge or not rubrics or not records:
        return None
    return _expected(rubrics, backends, records, total, is_asking=is_asking, has_more=False)


def spent(plan: Plan) -> JudgeSpending:
    """What the judge of a run in this process was asked so far."""
    return judge_spent(plan.resources.values())


def spent_as_json(judge_spending: JudgeSpending) -> dict[str, Any]:
    """Counts as plain data."""
    return {
        "calls": judge_spending.calls,
        "cached": judge_spending.cached,
        "prompt_tokens": judge_spending.usage.prompt_tokens,
        "completion_tokens": judge_spending.usage.completion_tokens,
        "is_usage_estimated": judge_spending.usage.is_estimated,
        "usd": judge_spending.usd,
    }


def _reads_judge(plan: Plan) -> bool:
    """Whether something else than rubrics asks the judge."""
    return any("judge" in f.parameters and f.name != "rubric_verdicts" for f in plan.features)


def _questions(
    rubrics: Iterable[Rubric], sample: Sample, response: str | None
) -> list[JudgeQuestion]:
    fields = {name: getattr(sample, name) for name in Sample.__slots__}
    if response is not None:
        fields["response"] = response
    return [
        replace(question, is_averaged=rubric.steps is None)
        for rubric in rubrics
        for step in step_rubrics(rubric)
        if isinstance(question := question_of(step, fields), JudgeQuestion)
    ]


def _verdicts(question: JudgeQuestion, judging: JudgeSettings) -> int:
    """How many verdicts a question may take: more where the endpoint gives no probabilities."""
    is_sampled = judging.is_sampled and question.is_averaged
    return 1 + SAMPLES if is_sampled else judging.repeats


def _tokens(question: JudgeQuestion) -> int:
    text = "".join(message["content"] for message in messages(question, "0" * 32))
    return len(text.encode()) // BYTES_PER_TOKEN
