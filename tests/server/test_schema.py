"""The API's description: a snapshot, and requests of every kind made from it."""

import json
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("schemathesis")
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.openapi import from_dict
from schemathesis.specs.openapi.checks import response_schema_conformance
from tests.server.client import Client, live
from tests.store.scored import make_samples, stored_run

from assay.core import Document, Sample
from assay.core.run_comparison import MetricChange, SampleChange, ScoreChange
from assay.core.summary import Aggregate
from assay.data.json_options import JsonOptions
from assay.server.openapi import document
from assay.server.schemas.json_documents import JsonOptionsBody
from assay.server.schemas.runs import (
    MetricChangeEntry,
    RunMetric,
    SampleChangeEntry,
    ScoreChangeEntry,
)
from assay.server.schemas.tests import DocumentEntry, SampleEntry
from assay.store.schema import test_id as id_of
from assay.store.tests import shown_id

SNAPSHOT = Path(__file__).with_name("openapi.json")
DOCUMENT = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
EXAMPLES = 4
"""Requests per operation and database; the nightly run may raise it."""
KNOWN = {
    "name": "first",
    "run": "first",
    "a": "first",
    "b": "second",
    "metric_id": "text.safety",
    "test_id": shown_id(id_of(1, 0)),
}
"""Parameters that every other request gets a real value for."""


def test_the_description_is_the_reviewed_one():
    assert document() == DOCUMENT, f"write it again: {sys.executable} -m assay.server.openapi"


def test_operations_are_named_for_people():
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            assert operation["operationId"].islower(), (path, method)
            assert "_v1_" not in operation["operationId"], (path, method)


NAMES_A_PLACE = re.compile(
    r"(?i)ur[il]|link|path|(?<!pro)file|fold|dir|host|port|address|endpoint|server|proxy|hook|callback|"
    r"model|provider|backend|embed|judge|classif|translat|plugin|module|command|import|"
    r"source|store|config|key|token|secret|passw|credential|header"
)
"""Fields by which a client might send the server, or a secret of the server's, somewhere."""
REVIEWED = {
    "compare_json: options.list_key": "a field of the documents",
    "compare_json_batch: options.list_key": "a field of the documents",
    "compare_json_upload: options.list_key": "a field of the documents",
    "create_upload: file": "the content itself",
    "evaluate_answer: rag_documents[].source": "a label of a document, which is never opened",
    "login: key": "the caller's own key",
    "get_prompt: key": "the name of a bundled prompt",
    "save_profile: source": "where the figures are from, for people",
}
"""Fields that look like it and are harmless, with the reason."""


def requested(schema, field=""):
    """Every field of a request's schema, by its path."""
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for part in ("anyOf", "oneOf", "allOf"):
        for choice in schema.get(part, ()):
            yield from requested(choice, field)
    if "items" in schema:
        yield from requested(schema["items"], f"{field}[]")
    for name, inner in schema.get("properties", {}).items():
        path = f"{field}.{name}" if field else name
        yield path
        yield from requested(inner, path)


def test_no_request_names_a_url_a_path_a_model_or_a_provider():
    found = set()
    for operations in DOCUMENT["paths"].values():
        for operation in operations.values():
            fields = [parameter["name"] for parameter in operation.get("parameters", ())]
            for content in operation.get("requestBody", {}).get("content", {}).values():
                fields += requested(content["schema"])
            found |= {f"{operation['operationId']}: {field}" for field in fields}
    assert len(found) > 100
    suspect = {field for field in found if NAMES_A_PLACE.search(field.partition(": ")[2])}
    assert suspect == set(REVIEWED)


@pytest.mark.parametrize(
    ("core", "schema"),
    [
        (MetricChange, MetricChangeEntry),
        (ScoreChange, ScoreChangeEntry),
        (SampleChange, SampleChangeEntry),
        (Aggregate, RunMetric),
        (Sample, SampleEntry),
        (Document, DocumentEntry),
        (JsonOptions, JsonOptionsBody),
    ],
)
def test_answers_hold_all_that_the_core_does(core, schema):
    elsewhere = {"schema", "repair", "strategies"}  # under another name, or beside the options
    operators_own = {"max_alignment"}  # a limit of the server's work
    kept = {field.name for field in fields(core)} - elsewhere - operators_own
    assert kept <= set(schema.model_fields)


def is_endless(operation):
    return "text/event-stream" in json.dumps(operation.definition.raw.get("responses", {}))


def test_no_request_makes_the_server_fail(url, tmp_path):
    client = Client(url, tmp_path)
    stored_run(client.store, make_samples(5), "first")
    stored_run(client.store, make_samples(5, expected="Use the link."), "second")
    key = client.key("admin")
    schema = from_dict(DOCUMENT)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 20
    with live(client.app) as base:
        for operation in operations:
            if not is_endless(operation):
                try_requests(operation, base, {"authorization": f"Bearer {key}"})


def try_requests(operation, base, headers):
    """Send requests of all kinds to one operation."""
    count = 0

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def check(case: schemathesis.Case):
        nonlocal count
        count += 1
        if count % 2:
            for place in (case.path_parameters, case.query):
                for name in set(place or ()) & set(KNOWN):
                    place[name] = KNOWN[name]
        response = case.call(base_url=base, headers=headers)
        case.validate_response(response, checks=[not_a_server_error, response_schema_conformance])

    check()
