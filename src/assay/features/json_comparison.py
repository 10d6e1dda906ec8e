"""The ground truth and the output of a sample as JSON documents, field by field.

The output is `response_json` where the sample has it, else the response read as JSON.
"""

from __future__ import annotations

from typing import Any

from assay.backends import Embedder, Judge
from assay.core import feature
from assay.core.json_result import JsonComparison
from assay.data.json_options import JsonOptions
from assay.jsoncompare.document import JsonDocument, read_output
from assay.jsoncompare.field_comparison import Likeness, Likenesses, compare, likenesses
from assay.jsoncompare.pairing import Pairing, pair


@feature()
def response_json_document(response_json: Any, json_options: JsonOptions) -> JsonDocument:
    """The output that the sample brings as a document."""
    return read_output(response_json, "response_json", is_repaired=json_options.repair)


@feature()
def response_document(
    response: str, json_options: JsonOptions, response_json: Any = None
) -> JsonDocument | None:
    """The response read as JSON, where it is the output: there is no `response_json`."""
    if response_json is not None:
        return None
    return read_output(response, "response", is_repaired=json_options.repair)


@feature()
def response_json_pairing(
    expected_json: Any, response_json_document: JsonDocument, json_options: JsonOptions
) -> Pairing:
    """The fields of the ground truth and of the output that the sample brings as a document."""
    return pair(expected_json, response_json_document, json_options)


@feature()
def response_pairing(
    expected_json: Any, response_document: JsonDocument, json_options: JsonOptions
) -> Pairing:
    """The fields of the ground truth and of the response, read as JSON."""
    return pair(expected_json, response_document, json_options)


@feature(version=2, data=("field_values.toml", "meaning.toml", "wordnet.toml"), is_batch=True)
def response_json_likenesses(
    response_json_pairing: list[Pairing], embedder: Embedder, judge: Judge
) -> list[dict[str, Likeness]]:
    """How alike the fields of the output, given as a document, are."""
    return likenesses(response_json_pairing, embedder, judge)


@feature(version=2, data=("field_values.toml", "meaning.toml", "wordnet.toml"), is_batch=True)
def response_likenesses(
    response_pairing: list[Pairing], embedder: Embedder, judge: Judge
) -> list[dict[str, Likeness]]:
    """How alike the fields of the response, read as JSON, are."""
    return likenesses(response_pairing, embedder, judge)


@feature()
def response_json_comparison(
    response_json_pairing: Pairing, response_json_likenesses: Likenesses
) -> JsonComparison:
    """The ground truth beside the output that was given as a document."""
    return compare(response_json_pairing, response_json_likenesses)


@feature()
def response_comparison(
    response_pairing: Pairing, response_likenesses: Likenesses
) -> JsonComparison:
    """The ground truth beside the response, read as JSON."""
    return compare(response_pairing, response_likenesses)
