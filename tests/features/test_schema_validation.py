"""JSON Schema: verdicts, places, and schemas and responses that mean harm."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import DataError
from assay.core.schema_cost import branches
from assay.features.schema_validation import error_place, place_of, response_parsed, schema_verdict

NODE = {"type": "array", "items": {"$ref": "#/$defs/node"}}
RECURSIVE = {"$defs": {"node": NODE}, "$ref": "#/$defs/node"}
EITHER = {"anyOf": [NODE, {"type": "array", "maxItems": 9, "items": {"$ref": "#/$defs/node"}}]}
DOUBLED = {"$defs": {"node": EITHER}, "$ref": "#/$defs/node"}


def check(response, schema):
    return schema_verdict(response, response_parsed(response), schema)


def nested(depth, leaf="1"):
    return "[" * depth + leaf + "]" * depth


def shown(response, verdict):
    return [
        (violation.path, violation.keyword, response[violation.start : violation.end])
        for violation in verdict.violations
    ]


@pytest.mark.parametrize(
    ("response", "schema", "violations"),
    [
        ('{"a": 1}', {"required": ["a"]}, []),
        ('{"b": 1}', {"required": ["a"]}, [("", "required", '{"b": 1}')]),
        ('{"a": {"b/c": "x"}}', {"properties": {"a": {"properties": {"b/c": {"type": "null"}}}}},
         [("/a/b~1c", "type", '"x"')]),
        (' [1, {"a" : "]" , "b":[ 2 ]}] ', {"items": {"properties": {"b": {"maxItems": 0}}}},
         [("/1/b", "maxItems", "[ 2 ]")]),
        ('\ufeff"tea"', {"type": "null"}, [("", "type", '"tea"')]),
        ('"\\u00e9t\\u00e9"', {"enum": ["été"]}, []),
        ('{"a": "x"}', {"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "number"}]}}},
         [("/a", "anyOf", '"x"')]),
        ("3", False, [("", "falseSchema", "3")]),
        ("3", True, []),
        ("9007199254740993", {"const": 9007199254740993}, []),
        ("9007199254740992", {"const": 9007199254740993}, [("", "const", "9007199254740992")]),
    ],
)  # fmt: skip
def test_violations_stand_in_their_place(response, schema, violations):
    verdict = check(response, schema)
    assert verdict.is_valid is (not violations)
    assert [place[0] for place in shown(response, verdict)] == [v[0] for v in violations]
    assert [place[2] for place in shown(response, verdict)] == [v[2] for v in violations]
    keywords = [place[1].casefold().replace("_", "") for place in shown(response, verdict)]
    assert keywords == [v[1].casefold() for v in violations]


@pytest.mark.parametrize(
    ("response", "place"),
    [
        ("hello", "h"),
        ('{"a": 1} x', "x"),
        ('{"a" 1}', "1"),
        ('\ufeff{"a" 1}', "1"),
        ('{"a": 1', None),
        ("", None),
        ('{"a": 1, "a": 2}', None),
    ],
)
def test_what_is_not_json_is_shown_where_it_ends(response, place):
    verdict = check(response, {"type": "object"})
    assert not verdict.is_valid
    assert verdict.problem
    found = error_place(verdict.problem, response)
    assert place == (response[slice(*found)] if found else None)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "thing"},
        {"minLength": -1},
        {"pattern": "("},
        {"$ref": "#/nowhere"},
        {"$schema": "http://127.0.0.1:9/meta"},
        {"$ref": "other.json"},
        {"$ref": "file:///etc/hostname"},
        {"items": {"$ref": "https://json-schema.invalid/x"}},
    ],
)
def test_a_schema_that_cannot_be_used_says_so(schema):
    with pytest.raises(DataError, match="the schema cannot be used"):
        check("{}", schema)


def test_references_are_never_fetched():
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args):
            """Nothing is printed."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        base = f"http://127.0.0.1:{server.server_port}"
        for schema in (
            {"$ref": f"{base}/a"},
            {"$id": f"{base}/b", "properties": {"x": {"$ref": "c"}}},
            {"$schema": f"{base}/d"},
            {"allOf": [{"$dynamicRef": f"{base}/e#x"}]},
        ):
            with pytest.raises(DataError):
                check("{}", schema)
    finally:
        server.shutdown()
        server.server_close()
    assert asked == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(a+)+$",
        r"^(a|a)*$",
        r"^(?=a)(a+)+$",
        r"^(([a-z])+.)+(?!x)[A-Z]([a-z])+$",
        r"(a+)+\1b",
        r"^(?:(?:a?){50}){50}a{50}$",
    ],
)
def test_hostile_patterns_end(pattern):
    try:
        verdict = check(json.dumps("a" * 50_000 + "!"), {"pattern": pattern})
    except DataError:  # too large to compile, or given up
        return
    assert verdict.is_valid in (True, False)


def test_a_pattern_that_was_given_up_is_no_violation():
    pattern = r"^(([a-z])+.)+(?!x)[A-Z]([a-z])+$"
    with pytest.raises(DataError, match="takes too long"):
        check(json.dumps("a" * 50_000 + "!"), {"pattern": pattern})


def test_a_deep_response_is_checked():
    assert check(nested(400, "[]"), RECURSIVE).is_valid
    verdict = check(nested(400), RECURSIVE)
    assert not verdict.is_valid


def test_a_response_that_is_too_deep_is_not_json():
    verdict = check(nested(100_000), RECURSIVE)
    assert (verdict.is_valid, verdict.problem) == (False, "nested deeper than 500 levels")


def test_alternatives_within_alternatives_do_not_double_the_time():
    verdict = check(nested(60), DOUBLED)
    assert (verdict.is_valid, verdict.violations) == (False, ())


@pytest.mark.parametrize(
    "step",
    [
        lambda ref: {"anyOf": [ref, ref]},
        lambda ref: {"allOf": [{"not": ref}, {"not": ref}]},
        lambda ref: {"properties": {"a": {"oneOf": [ref, ref]}}},
        lambda ref: {"items": ref, "contains": ref},
        lambda ref: {"if": ref, "then": ref, "else": ref},
        lambda ref: {"patternProperties": {"a": ref, "b": ref}},
    ],
)
def test_alternatives_that_double_at_every_step_are_refused(step):
    steps = {f"d{n}": step({"$ref": f"#/$defs/d{n - 1}"}) for n in range(1, 40)}
    schema = {"$defs": {"d0": {"type": "string"}, **steps}, "$ref": "#/$defs/d39"}
    with pytest.raises(DataError, match="too many alternatives"):
        check("1", schema)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, 1),
        (True, 1),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, 2),
        ({"properties": {"a": {"anyOf": [{}, {}]}, "b": {"anyOf": [{}, {}, {}]}}}, 3),
        ({"$ref": "#"}, 1),
        (RECURSIVE, 1),
        (DOUBLED, 2),
        ({"$defs": {"x": {"$anchor": "y", "anyOf": [{}, {}]}}, "allOf": [{"$ref": "#y"}] * 3}, 6),
        ({"$defs": {"a/b": {"anyOf": [{}, {}]}}, "$ref": "#/$defs/a~1b"}, 2),
        ({"$defs": {"x": {"$id": "http://x/y", "anyOf": [{}, {}]}}, "$ref": "http://x/y"}, 2),
        ({"$ref": "#/a/0", "a": [{"anyOf": [{}, {}]}]}, 2),
        ({"items": [{"anyOf": [{}, {}]}, {}]}, 3),
        ({"dependencies": {"a": ["b"], "c": {"anyOf": [{}, {}]}}}, 2),
        ({"$ref": "#/nowhere"}, 1),
        ({"anyOf": "x"}, 1),
    ],
)
def test_how_often_a_part_may_be_checked(schema, expected):
    assert branches(schema) == expected


def test_a_long_chain_of_references_can_be_counted():
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(5_000)}
    assert branches({"$defs": chain, "$ref": "#/$defs/d0"}) == 1


def test_a_schema_that_could_exhaust_the_stack_is_refused():
    chain = {f"d{n}": {"not": {"not": {"$ref": f"#/$defs/d{n + 1}"}}} for n in range(300)}
    schema = {
        "$defs": {**chain, "d300": {"items": {"$ref": "#/$defs/d0"}}},
        "$ref": "#/$defs/d0",
    }
    with pytest.raises(DataError, match="nested too deeply"):
        check(nested(300), schema)
    assert check("[[1]]", schema).is_valid


def test_a_schema_that_refers_to_itself_ends():
    assert check("{}", {"$ref": "#"}).is_valid
    assert check("{}", {"allOf": [{"$ref": "#"}]}).is_valid


def test_a_deep_schema_is_refused():
    schema = {"type": "object"}
    for _ in range(5_000):
        schema = {"properties": {"a": schema}}
    with pytest.raises(DataError, match="the schema cannot be used"):
        check("{}", schema)


def test_few_violations_of_many_are_listed():
    verdict = check(json.dumps([{}] * 5_000), {"items": {"required": ["a"]}})
    assert len(verdict.violations) == 10


def test_a_huge_response_gets_a_verdict_only():
    verdict = check(json.dumps([{"a": n} for n in range(100_000)]), {"items": {"required": ["b"]}})
    assert (verdict.is_valid, verdict.violations) == (False, ())


def test_a_long_message_is_cut():
    (violation,) = check(json.dumps("x" * 10_000), {"type": "null"}).violations
    assert len(violation.message) == 200


def test_lone_surrogates_and_huge_numbers_do_no_harm():
    assert check('"\\ud800"', {"maxLength": 1}).is_valid
    assert not check('{"\\ud800": 1}', {"maxProperties": 0}).is_valid
    assert check("9" * 399, {"type": "integer"}).is_valid
    assert not check("9" * 399, {"maximum": 5}).is_valid
    assert check("1" * 500, {"type": "integer"}).problem.endswith("expected at most 400")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def paths(value, path=()):
    yield path, value
    children = value.items() if isinstance(value, dict) else ()
    for key, child in enumerate(value) if isinstance(value, list) else children:
        yield from paths(child, (*path, key))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(value=VALUES, indent=st.none() | st.integers(0, 3))
def test_every_value_is_found_in_its_place(value, indent):
    text = json.dumps(value, indent=indent)
    for path, part in paths(value):
        start, end = place_of(text, path)
        assert json.loads(text[start:end]) == part
