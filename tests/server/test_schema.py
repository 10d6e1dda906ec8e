"""The API's description: a snapshot, and requests of every kind made from it."""

import json
import sys
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

from assay.server.openapi import document

SNAPSHOT = Path(__file__).with_name("openapi.json")
EXAMPLES = 4
"""Requests per operation and database; the nightly run may raise it."""
KNOWN = {"name": "first", "run": "first", "a": "first", "b": "second", "metric_id": "text.safety"}
"""Parameters that every other request gets a real value for."""


def test_the_description_is_the_reviewed_one():
    expected = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    assert document() == expected, f"write it again: {sys.executable} -m assay.server.openapi"


def test_operations_are_named_for_people():
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            assert operation["operationId"].islower(), (path, method)
            assert "_v1_" not in operation["operationId"], (path, method)


def is_endless(operation):
    return "text/event-stream" in json.dumps(operation.definition.raw.get("responses", {}))


def test_no_request_makes_the_server_fail(url, tmp_path):
    client = Client(url, tmp_path)
    stored_run(client.store, make_samples(5), "first")
    stored_run(client.store, make_samples(5, expected="Use the link."), "second")
    key = client.key("admin")
    schema = from_dict(document())
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 20
    with live(client.app) as base:
        for operation in operations:
            if not is_endless(operation):
                _try(operation, base, {"authorization": f"Bearer {key}"})


def _try(operation, base, headers):
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
