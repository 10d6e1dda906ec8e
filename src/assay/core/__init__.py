"""The vocabulary: sample, metric, feature, result, errors."""

from assay.core.errors import (
    AssayError,
    DataError,
    MissingExtraError,
    ModelError,
    ProfileError,
    SampleError,
    UnknownMetricError,
    UsageError,
)
from assay.core.metric import (
    RESOURCES,
    TEXT_FIELDS,
    Feature,
    Metric,
    Polarity,
    Range,
    Rule,
    TextFeature,
    feature,
    metric,
    rule,
    text_feature,
)
from assay.core.result import MetricScore, Result, Scores, Span, State
from assay.core.sample import Document, Sample
from assay.core.summary import Aggregate, Interval, Summary

__all__ = [
    "RESOURCES",
    "TEXT_FIELDS",
    "Aggregate",
    "AssayError",
    "DataError",
    "Document",
    "Feature",
    "Interval",
    "Metric",
    "MetricScore",
    "MissingExtraError",
    "ModelError",
    "Polarity",
    "ProfileError",
    "Range",
    "Result",
    "Rule",
    "Sample",
    "SampleError",
    "Scores",
    "Span",
    "State",
    "Summary",
    "TextFeature",
    "UnknownMetricError",
    "UsageError",
    "feature",
    "metric",
    "rule",
    "text_feature",
]
