"""Our names of OpenTelemetry's attributes are its own."""

import opentelemetry.semconv._incubating.attributes.gen_ai_attributes as gen_ai
from opentelemetry.semconv._incubating.attributes import session_attributes, user_attributes
from opentelemetry.semconv.attributes import error_attributes, service_attributes

from assay.core import otel


def test_the_names_are_those_of_the_conventions():
    modules = (gen_ai, session_attributes, user_attributes, error_attributes, service_attributes)
    known = {value for module in modules for value in vars(module).values() if type(value) is str}
    ours = {value for name, value in vars(otel).items() if name.isupper()}
    other = ("openinference.", "input.", "output.", "llm.", "retrieval.", "reranker.", "tool.")
    assert {name for name in ours - known if not name.startswith(other)} == {otel.EVALUATION_EVENT}


def test_no_name_is_given_twice():
    names = [value for name, value in vars(otel).items() if name.isupper()]
    assert len(names) == len(set(names))
