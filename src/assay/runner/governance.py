"""Governance scorecards: the call of the Endurance specification, and cards of a file's samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay import registry
from assay.backends import Backends
from assay.core import ProfileError, Result, Sample, Scores, Span
from assay.core.card import ALERT_BELOW, CardMetric, DimensionReason, GovernanceCard, verdict
from assay.data import Profile, profile, profile_names
from assay.data.policies import Policy
from assay.data.policies import policy as read_policy
from assay.features.claim_report import stated_claims
from assay.report.evidence_text import quoted
from assay.runner.arguments import SettingsChoice, call_settings
from assay.runner.execute import RecordRequest, RunRequest, RunResult, execute_one
from assay.runner.job import make_job
from assay.runner.stream import Item, Sink
from assay.samples import to_sample
from assay.scoring.dimensions import (
    DIMENSIONS,
    PREFIX,
    WeightsMode,
    chosen_weights,
    details_of,
    forced_by,
    lowest,
)
from assay.settings import Settings

FAMILY = "governance"
OVERALL = "governance.overall_score"
RAW = ("usd", "flop", "kwh", "psi")
"""The keys of a result's details that hold what its score was made from."""
INVERTED = "governance.hallucination_rate"
"""What was measured is the rate; the score is 1 less the rate."""
CLAIMS = ("verified_claims", "total_claims", "hallucinated_claims")
"""The keys of a result's details that count claims."""
MIN_COVERED = 0.5
"""The share of the weights that must have a score; below it a card gives no verdict."""
MAX_REASONS = 2
"""At most this many metrics are named in a dimension's reason."""
MAX_QUOTES = 2
"""At most this many stretches of evidence are quoted in it."""
FAULTS = ("unsupported", "contradict", "not in", "not among")
"""What the label of a stretch that shows a fault says."""
_DOCUMENT = ("id", "source", "content", "page", "similarity_score")


def governance(
    query: str | None = None,
    response: str | None = None,
    rag_documents: Iterable[Any] = (),
    metadata: Mapping[str, Any] | None = None,
    weights: Mapping[str, float] | None = None,
    weights_mode: WeightsMode = "replace",
    preset: str | None = None,
    include_imputed: bool = False,
    policy: str | Policy | None = None,
    backends: Backends | None = None,
    settings: SettingsChoice = "auto",
) -> GovernanceCard:
    """Score one answer in nine dimensions, with reasons.

    What is set in `assay.toml` and in the environment counts as for `assay card`.

    Args:
        query: What was asked.
        response: What the system answered.
        rag_documents: Texts, mappings, or objects with `id`, `source`, `content`, `page` and
            `similarity_score`.
        metadata: Model, tokens, session, feedback and what else is known of the call.
        weights: Dimension → weight, 0 or more.
        weights_mode: `replace`: dimensions that are not named weigh nothing; `merge`: they keep
            their default or the preset's weight.
        preset: A department's weights and policy, by name, or a profile's file.
        include_imputed: Whether imputed values count in the scores.
        policy: A bundled policy pack's name, a pack's file, or a pack.
        backends: The models that metrics may ask, instead of those that are set.
        settings: `"auto"`; None for the defaults alone; a file in place of `assay.toml`; or
            `Settings`.

    """
    chosen = governance_profile(weights, weights_mode, preset, include_imputed, policy)
    sample = to_sample(
        {
            "query": query,
            "response": response,
            "contexts": [_document(document) for document in rag_documents],
            "metadata": dict(metadata or {}),
        },
        "sample-1",
        needs_content=False,
    )
    result = call_settings(settings, {})
    return execute_card(governance_request([sample], chosen, result, backends=backends))[0]


def governance_request(
    items: Iterable[Item],
    profile: Profile,
    settings: Settings,
    *,
    backends: Backends | None = None,
    record: RecordRequest | None = None,
    source: str = "",
    sinks: Sequence[Sink] = (),
) -> RunRequest:
    """The request for scores of the whole family under a profile of `governance_profile`."""
    own = settings.override({"metrics": (FAMILY,)})
    job = make_job(own, profile=profile, backends=backends)
    return RunRequest(items=items, job=job, settings=own, record=record, source=source, sinks=sinks)


def execute_card(request: RunRequest) -> tuple[GovernanceCard, RunResult]:
    """Do a run of one sample; gives its scorecard."""
    (sample, scores), result = execute_one(request)
    return make_card(sample, scores, request.job.profile.policy.identity), result


def governance_profile(
    weights: Mapping[str, float] | None = None,
    weights_mode: WeightsMode = "replace",
    preset: str | None = None,
    include_imputed: bool = False,
    policy: str | Policy | None = None,
) -> Profile:
    """The choices of a governance run as a profile; what makes no sense is refused."""
    base = _preset(preset) if preset else Profile()
    options = {id: dict(own_options) for id, own_options in base.options.items()}
    overall = options.setdefault(OVERALL, {})
    overall["weights"] = _weights(weights, weights_mode, overall.get("weights"))
    if include_imputed:
        for name in DIMENSIONS:
            options.setdefault(PREFIX + name, {})["include_imputed"] = True
    chosen = replace(base, options=options)
    if policy is None:
        return chosen
    pack = read_policy(policy) if isinstance(policy, str) else policy
    return replace(chosen, policy=pack, is_policy_chosen=True)


def preset_names() -> list[str]:
    """The bundled profiles that weigh the dimensions."""
    return [name for name in profile_names() if OVERALL in profile(name).options]


def make_card(sample: Sample, scores: Scores, policy: str = "") -> GovernanceCard:
    """The scorecard of a sample from the scores of the whole family."""
    overall = scores[OVERALL]
    values = {name: scores[PREFIX + name].value for name in DIMENSIONS}
    dimensions = {n: None if value is None else round(value, 2) for n, value in values.items()}
    parts = {name: _parts(name, scores) for name in DIMENSIONS}
    verified, total, hallucinated = _claims(sample, scores)
    weights = overall.details.get("weights", {})
    covered = _covered(dimensions, weights)
    imputed = [r.metric for results in parts.values() for r in results if r.state == "imputed"]
    return GovernanceCard(
        id=sample.id,
        overall_score=overall.value,
        verdict=verdict(overall.value) if covered >= MIN_COVERED else None,
        dimensions=dimensions,
        verified_claims=verified,
        total_claims=total,
        hallucinated_claims=hallucinated,
        reasoning=[
            DimensionReason(
                name, dimensions[name] or 0.0, _reason(sample, scores[PREFIX + name], parts[name])
            )
            for name in lowest(values)
        ],
        metrics={name: [_line(name, r) for r in results] for name, results in parts.items()},
        alerts=[*_gaps(scores, covered), *_alerts(scores, parts, hallucinated)],
        weights=weights,
        imputed=[_name(id) for id in imputed],
        includes_imputed=any(scores[PREFIX + n].details.get("imputed") for n in DIMENSIONS),
        policy=policy,
        signature=overall.signature,
    )


def _document(given: Any) -> Any:
    """A document as a mapping; texts and mappings stay as they are."""
    if isinstance(given, str | Mapping):
        return given
    return {name: getattr(given, name, None) for name in _DOCUMENT}


def _weights(
    weights: Mapping[str, float] | None, mode: WeightsMode, given: Mapping[str, float] | None
) -> Mapping[str, float] | None:
    """The weights to use, where those of a preset are given; None for the default ones."""
    if weights is None:
        return given
    if given and mode == "merge":
        return chosen_weights({**given, **weights}, "replace")
    return chosen_weights(weights, mode)


def _preset(name: str) -> Profile:
    if not name.endswith(".toml") and name not in (known := preset_names()):
        expected = ", ".join(known)
        raise ProfileError(f"unknown preset {name!r}; expected one of {expected}, or a .toml file")
    return profile(name)


def _parts(name: str, scores: Scores) -> list[Result]:
    """The results that a dimension combines."""
    return [scores[id] for id in registry.metrics()[PREFIX + name].options["metrics"]]


def _line(dimension: str, result: Result) -> CardMetric:
    raw = next((result.details[key] for key in RAW if key in result.details), result.value)
    if result.metric == INVERTED and raw is not None:
        raw = 1.0 - raw
    return CardMetric(
        _name(result.metric),
        dimension,
        raw,
        result.value,
        result.explanation,
        result.state,
        tuple(result.evidence),
    )


def _claims(sample: Sample, scores: Scores) -> Sequence[int | None]:
    """How many claims were verified, made and hallucinated, where they were checked."""
    if stated := stated_claims(sample.metadata):
        return stated.verified, stated.total, stated.hallucinated
    ids = ("governance.hallucination_rate", "governance.groundedness", "governance.accuracy")
    results = [scores[id] for id in ids if scores[id].state == "ok"]
    return [details_of(results, key) for key in CLAIMS]


def _reason(sample: Sample, dimension: Result, parts: Sequence[Result]) -> str:
    """Why a dimension is low: what its lowest metrics found, with the words that they point at."""
    forcing = dimension.details["forced_by"]
    for part in parts:
        if _name(part.metric) == forcing:
            return f"Forced to 0: {_explanation(sample, part)}."
    counted = [r for r in parts if _name(r.metric) in dimension.details["scores"]]
    low = [r for r in counted if r.value is not None and r.value < 1]
    own = [r for r in low if not registry.metrics()[r.metric].is_composite]
    # Metrics of the same claims say the same of them: once is enough.
    explanations = {
        r.explanation: r for r in sorted(own or low, key=lambda r: (r.value, r.metric))[::-1]
    }
    worst = sorted(explanations.values(), key=lambda r: (r.value, r.metric))[:MAX_REASONS]
    if not worst:
        return "Every metric that has a score is at its best."
    lines = (f"{_words(_name(r.metric))} {r.value:.2f}: {_explanation(sample, r)}" for r in worst)
    return f"{'; '.join(lines)}."


def _explanation(sample: Sample, result: Result) -> str:
    """An explanation without its full stop, and the faulty stretches that it is about."""
    explanation = result.explanation.rstrip(".")
    if result.state == "imputed":
        explanation = f"imputed, {explanation[:1].lower()}{explanation[1:]}"
    quotes = [quoted(sample, span) for span in result.evidence if _is_fault(span)]
    new = [words for words in dict.fromkeys(quotes) if words and words not in explanation][
        :MAX_QUOTES
    ]
    return f"{explanation}: {', '.join(f'“{words}”' for words in new)}" if new else explanation


def _is_fault(span: Span) -> bool:
    """Whether a stretch of evidence shows what is wrong, not what is right."""
    return any(word in span.label for word in FAULTS)


def _covered(dimensions: Mapping[str, float | None], weights: Mapping[str, float]) -> float:
    """The share of all weights that dimensions with a score carry."""
    total = sum(weights.values())
    scored = sum(weights.get(name, 0.0) for name, score in dimensions.items() if score is not None)
    return scored / total if total else 0.0


def _gaps(scores: Scores, covered: float) -> Iterator[str]:
    """What the card does not know: too little in all, or too little of a dimension."""
    if covered < MIN_COVERED:
        yield f"Only {covered:.0%} of the weights have a score, so there is no verdict."
    thin = [
        name
        for name in DIMENSIONS
        if (details := scores[PREFIX + name].details)
        and len(details["scores"]) < len(details["left_out"])
    ]
    if thin:
        yield f"Fewer than half of the metrics have a score in {', '.join(map(_words, thin))}."


def _alerts(
    scores: Scores, parts: Mapping[str, Sequence[Result]], hallucinated: int | None
) -> Iterator[str]:
    """What needs attention, one sentence each."""
    overall = scores[OVERALL].value
    if overall is not None and overall < ALERT_BELOW:
        yield f"The overall score {overall:.2f} is below {ALERT_BELOW:g}."
    for name, results in parts.items():
        result = scores[PREFIX + name]
        if forcing := forced_by(name, {r.metric: r for r in results}):
            yield f"{_words(name).capitalize()} is forced to 0: {forcing.explanation}"
        elif result.state == "error":
            yield f"{_words(name).capitalize()} could not be computed: {result.explanation}"
        elif result.value is not None and result.value < ALERT_BELOW:
            # as exact as the card's own figure, so that both round to the same
            yield f"{_words(name).capitalize()} {result.value:.2f} is below {ALERT_BELOW:g}."
    if hallucinated:
        claims = "claim is" if hallucinated == 1 else "claims are"
        yield f"{hallucinated} {claims} not supported by the documents."


def _words(name: str) -> str:
    """A dimension's or a metric's name for people."""
    return name.replace("_", " ")


def _name(id: str) -> str:
    return id.partition(".")[2]
