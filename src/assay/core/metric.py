"""How a metric, a rule and a feature are declared.

The decorators return frozen values and register nothing: the registry finds them by walking the
packages when it is first asked.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from assay.core.result import Result, Verdict

Polarity = Literal["higher", "lower", "neutral"]
"""Which end of the range is better."""
Range = tuple[float | None, float | None]
"""Lowest and highest value; None is an open end."""


@dataclass(frozen=True)
class Metric:
    """One score: what it needs, what it may say, and the pure function that computes it."""

    id: str
    function: Callable[..., Result]
    inputs: tuple[str, ...]
    """Sample fields without which there is no score."""
    range: Range
    polarity: Polarity
    threshold: float | None
    unit: str
    version: int
    lexicons: tuple[str, ...]
    """Word lists and pattern sets whose hits it reads."""
    languages: tuple[str, ...]
    """Languages that its rule can read; empty for any. Other scripts than theirs have no score."""
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    """Other ids under which people look for it."""
    parameters: tuple[str, ...]
    """The sample fields and features that it reads, in the function's order."""
    options: Mapping[str, Any]
    """Its options with their defaults."""
    exact: bool = False
    """Whether it is an exact check, such as a schema or a rank, which needs no labelled evidence to
    decide passes."""
    unsure: tuple[float, float] | None = None
    """The values strictly between these ends have no sure verdict at the default threshold."""
    rubric: Any = None
    """What a judge is asked, where a rubric made the metric."""
    formula: Callable[..., Any] | None = None
    """The function that it computes its value with, over numbers that have names of their own."""
    steps: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Name → a function that it computes a part of its value with."""

    def __call__(self, *args: Any, **options: Any) -> Result:
        return self.function(*args, **options)

    @property
    def family(self) -> str:
        """The first word of the id."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """The id without its family."""
        return self.id.partition(".")[2]

    @property
    def group(self) -> str:
        """The folder inside the family, where a large family groups its files once more."""
        path = self.module.split(".metrics.")[-1].split(".")
        return path[1] if len(path) > 2 else ""

    @property
    def module(self) -> str:
        """The module that defines it; empty for code that was run from text."""
        return self.function.__module__ or ""

    @property
    def is_composite(self) -> bool:
        """Whether it combines the scores of other metrics (its option `metrics` names them)."""
        return "scores" in self.parameters

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return self.documentation.partition("\n")[0]

    @property
    def documentation(self) -> str:
        """Its docstring: rule and blind spots, in Markdown."""
        return inspect.getdoc(self.function) or ""

    def quality(self, value: float) -> float | None:
        """The value from 0 to 1, higher is better; None where that has no meaning."""
        return quality_of(value, self.range, self.polarity)

    def holds(self, value: float, threshold: float) -> bool:
        """Whether the value is at the threshold or on its better side."""
        return holds(value, threshold, self.polarity)


def quality_of(value: float, range: Range, polarity: Polarity) -> float | None:
    """A value of a range from 0 to 1, higher is better; None where that has no meaning."""
    low, high = range
    if polarity == "neutral" or low is None or high is None:
        return None
    share = (value - low) / (high - low)
    return share if polarity == "higher" else 1.0 - share


def holds(value: float, threshold: float | None = None, polarity: Polarity = "higher") -> bool:
    """Whether a value is at its threshold or on the better side; without one it always is."""
    if threshold is None:
        return True
    return value <= threshold if polarity == "lower" else value >= threshold


def judge(
    value: float,
    threshold: float | None,
    polarity: Polarity = "higher",
    unsure: tuple[float, float] | None = None,
) -> Verdict | None:
    """The verdict on a value: the one place that decides it; None without a threshold.

    `unsure` are the ends of the values, both left out, that the metric cannot decide; a caller
    passes them with the metric's own threshold only.
    """
    if threshold is None:
        return None
    if unsure is not None and unsure[0] < value < unsure[1]:
        return "unsure"
    return "pass" if holds(value, threshold, polarity) else "fail"


def metric(
    *,
    id: str,
    inputs: tuple[str, ...],
    range: Range,
    polarity: Polarity,
    threshold: float | None = None,
    unit: str = "",
    version: int = 1,
    lexicons: tuple[str, ...] = (),
    languages: tuple[str, ...] = (),
    tags: tuple[str, ...] = ("rules",),
    aliases: tuple[str, ...] = (),
    exact: bool = False,
    unsure: tuple[float, float] | None = None,
    rubric: Any = None,
    formula: Callable[..., Any] | None = None,
    steps: Mapping[str, Callable[..., Any]] | None = None,
) -> Callable[[Callable[..., Result]], Metric]:
    """Declare a metric.

    Positional parameters of the function are sample fields or features, keyword-only parameters
    are its options. `formula` and `steps` are functions that it calls and that people may want to
    call on their own, with `assay verify` for instance: the formula by the metric's id, a step by
    `<id>.<name>`. An `exact` check decides passes without being chosen. Values strictly between
    the two ends of `unsure` are neither passed nor failed at the default threshold.
    """
    if "." not in id:
        raise ValueError(f"metric id {id!r} has no family; expected 'family.name'")
    if unsure is not None and (threshold is None or not unsure[0] <= threshold <= unsure[1]):
        raise ValueError(f"metric {id!r} is unsure within {unsure}; expected its threshold there")

    def declare(function: Callable[..., Result]) -> Metric:
        parameters, options = _signature(function)
        if not parameters:
            raise ValueError(f"metric {id!r} reads nothing; expected a sample field or a feature")
        return Metric(
            id=id,
            function=function,
            inputs=inputs,
            range=range,
            polarity=polarity,
            threshold=threshold,
            unit=unit,
            version=version,
            lexicons=lexicons,
            languages=languages,
            tags=tags,
            aliases=aliases,
            parameters=parameters,
            options=MappingProxyType(options),
            exact=exact,
            unsure=unsure,
            rubric=rubric,
            formula=formula,
            steps=MappingProxyType(dict(steps or {})),
        )

    return declare


@dataclass(frozen=True)
class Rule:
    """A function with an id, which can be called on its own, by `assay verify` for instance.

    Those of metrics are made from what the metric declares; others, such as aggregates, are
    declared with `@rule`.
    """

    id: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def rule(id: str) -> Callable[[Callable[..., Any]], Rule]:
    """Give a pure function an id of its own."""
    return lambda function: as_rule(id, function)


def as_rule(id: str, function: Callable[..., Any]) -> Rule:
    """The function under that id."""
    return Rule(id, function, _signature(function)[0])


@dataclass(frozen=True)
class Feature:
    """Something that several metrics read, computed once for all of them."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    """Sample fields, other features or resources of the run, in the function's order."""
    version: int = 1
    """Goes up when the value of any input may change."""
    data: tuple[str, ...] = ()
    """Bundled data files that it reads."""
    is_batch: bool = False
    """Whether the function takes whole columns, as models like it, and gives one back."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    """Parameters with a default: the feature is asked where they are absent, too."""

    def __call__(self, *args: Any) -> Any:
        return self.function(*args, **self.constants)


@dataclass(frozen=True)
class TextFeature:
    """A feature that exists for every text field: `sentences` gives `response_sentences`, …"""

    feature: Feature

    def of(self, text_field: str) -> Feature:
        """The feature of one text field."""
        takes_field = "field" in inspect.signature(self.feature.function).parameters
        return replace(
            self.feature,
            name=f"{text_field}_{self.feature.name}",
            parameters=tuple(
                text_field if p == "text" else p if p in RESOURCES else f"{text_field}_{p}"
                for p in self.feature.parameters
            ),
            constants={"field": text_field} if takes_field else {},
        )


TEXT_FIELDS = ("query", "response", "expected", "gold_context")
"""The sample fields that text features are made for."""
BACKENDS = (
    *("embedder", "token_embedder", "classifier", "encoder"),
    *("judge", "verifier", "comparer"),
)
"""The models that a run may ask."""
CHOICES = ("json_options", "policy")
"""What a team has chosen for all metrics of a run, in its profile."""
RESOURCES = ("matcher", "rubrics", *BACKENDS, *CHOICES)
"""What a run makes once and hands to the features that name it."""


def feature(
    *,
    version: int = 1,
    data: tuple[str, ...] = (),
    is_batch: bool = False,
    fields: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Feature]:
    """Declare a feature that is named like its function.

    Its parameters are sample fields, other features or resources. It is not asked where one of them
    is absent, unless that one has a default. With `is_batch` each parameter but a resource is a
    list over samples, and so is what it returns; an exception in it stands for a sample that
    failed. `fields` are sample fields that it reads where they are there, handed over in this order
    as `*columns`. `version` and the contents of the `data` files are part of the signature of every
    metric that reads it.
    """

    def declare(function: Callable[..., Any]) -> Feature:
        parameters, _ = _signature(function)
        known = inspect.signature(function).parameters
        optional = tuple(name for name in parameters if known[name].default is None)
        return Feature(
            function.__name__,
            function,
            (*parameters, *fields),
            version,
            data,
            is_batch,
            optional=(*optional, *fields),
        )

    return declare


def text_feature(
    *, version: int = 1, data: tuple[str, ...] = (), is_batch: bool = False
) -> Callable[[Callable[..., Any]], TextFeature]:
    """Declare a feature of any text field.

    The parameter `text` is the field itself; every other one is a feature of the same field or a
    resource. A keyword-only `field` gets the field's name. The rest is as in `feature`.
    """
    declare = feature(version=version, data=data, is_batch=is_batch)
    return lambda function: TextFeature(declare(function))


def _signature(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    parameters = inspect.signature(function).parameters.values()
    positional = tuple(p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)
    options = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    return positional, options
