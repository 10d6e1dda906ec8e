import json
import pickle

import pytest

from assay.core import ProfileError
from assay.data import profile
from assay.data.json_options import (
    DOCUMENTED,
    FieldOptions,
    JsonOptions,
    export_strategies,
    parse_strategies,
    read_strategies,
)


def test_the_defaults_are_the_documented_rule():
    assert (DOCUMENTED.fuzzy_threshold, DOCUMENTED.semantic_threshold) == (0.85, 0.80)
    assert DOCUMENTED.text_threshold == 0.74
    assert DOCUMENTED.depth == "top"
    weights = (DOCUMENTED.w_accuracy, DOCUMENTED.w_completeness)
    assert weights == (0.45, 0.25)
    assert (DOCUMENTED.w_hallucination, DOCUMENTED.w_safety) == (0.15, 0.15)


def test_flat_and_nested_files_say_the_same():
    flat = parse_strategies({"address.city": "fuzzy", "items[*].name": "Exact"}, "file")
    nested = parse_strategies({"address": {"city": "FUZZY"}, "items[*]": {"name": "EXACT"}}, "file")
    assert flat == nested
    assert flat["address.city"].strategy == "FUZZY"


def test_an_entry_may_hold_options():
    found = parse_strategies({"a": {"strategy": "auto", "numeric_tolerance": 0.5}}, "file")
    assert found == {"a": FieldOptions(numeric_tolerance=0.5)}


def test_a_name_that_is_no_path_is_a_key():
    assert list(parse_strategies({"Price [EUR]": "EXACT"}, "file")) == ['["Price [EUR]"]']


def test_exported_strategies_read_back():
    chosen = {"a": {"b": "FUZZY"}, "x[*]": {"strategy": "AUTO", "list_key": "id", "date": "dmy"}}
    parsed = parse_strategies(chosen, "file")
    text = export_strategies(chosen)
    assert parse_strategies(json.loads(text), "file") == parsed
    assert json.loads(text)["a.b"] == "FUZZY"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"a": "CLOSE"}, "field 'a': the strategy is 'CLOSE'; expected one of EXACT, FUZZY"),
        ({"a": 1}, "field 'a': the strategy is 1"),
        ({"a": {"b": None}}, "field 'a.b': the strategy is None"),
        ({"a": {"strategy": "FUZZY", "treshold": 1}}, "field 'a': unknown option 'treshold'"),
        ({"a": {"strategy": "FUZZY", "threshold": 2}}, "field 'a': 'threshold' is 2; expected"),
        ({"a": {"strategy": "EXACT", "ignore_case": 1}}, "'ignore_case' is 1; expected true"),
        ({"a.b": "EXACT", "a": {"b": "FUZZY"}}, "the field 'a.b' stands twice"),
        (["a"], "expected an object"),
    ],
)
def test_a_mistake_is_refused_with_file_field_and_reason(value, reason, tmp_path):
    path = tmp_path / "fields.json"
    path.write_text(json.dumps(value))
    with pytest.raises(ProfileError) as raised:
        read_strategies(path)
    assert reason in str(raised.value)
    assert "fields.json" in str(raised.value)


@pytest.mark.parametrize("text", ["{", '{"a": "EXACT", "a": "FUZZY"}', "\udcff"])
def test_a_file_that_is_not_json_is_refused(text, tmp_path):
    path = tmp_path / "fields.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ProfileError, match="is not a JSON file"):
        read_strategies(path)


def test_an_absent_file_is_named(tmp_path):
    with pytest.raises(ProfileError, match=r"none\.json.*No such file"):
        read_strategies(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("depth", "deep"),
        ("fuzzy_threshold", 1.5),
        ("fuzzy_threshold", True),
        ("w_accuracy", -1),
        ("max_alignment", 1.5),
        ("vacuous_accuracy", "two"),
        ("numeric_tolerance", "0.1"),
        ("list_alignment", "key"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(name, value):
    with pytest.raises(ProfileError, match=name if name != "list_alignment" else "list_key"):
        JsonOptions(**{name: value})


def test_the_identity_changes_with_every_choice():
    found = {
        JsonOptions(**chosen).identity
        for chosen in (
            {},
            {"depth": "nested"},
            {"strategies": {"a": "FUZZY"}},
            {"strategies": {"a": "EXACT"}},
            {"strategies": {"a": {"strategy": "FUZZY", "threshold": 0.9}}},
        )
    }
    assert len(found) == 5
    one = JsonOptions(strategies={"a": "FUZZY", "b": "EXACT"})
    other = JsonOptions(strategies={"b": "exact", "a": "fuzzy"})
    assert one.identity == other.identity
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 -- our own


def test_a_profile_names_a_strategy_file_beside_it(tmp_path):
    (tmp_path / "fields.json").write_text('{"name": "FUZZY"}')
    path = tmp_path / "team.toml"
    path.write_text('[json]\ndepth = "nested"\nstrategies = "fields.json"\nw_safety = 0.2\n')
    found = profile(str(path)).json_options
    assert found.strategies == {"name": FieldOptions(strategy="FUZZY")}
    assert (found.depth, found.w_safety) == ("nested", 0.2)


def test_a_profile_may_hold_the_strategies(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        '[json.strategies]\nname = "FUZZY"\n[json.strategies.address]\ncity = "EXACT"\n'
    )
    assert list(profile(str(path)).json_options.strategies) == ["name", "address.city"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[json]\ndeep = 1\n", "json: unknown key 'deep'; expected one of strategies"),
        ('[json]\ndepth = "x"\n', "json: 'depth' is 'x'"),
        ('[json]\nstrategies = "no.json"\n', "no.json"),
        ('[json.strategies]\na = "x"\n', "json: strategies: field 'a': the strategy is 'x'"),
    ],
)
def test_a_mistake_in_the_table_is_refused(text, reason, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ProfileError) as raised:
        profile(str(path))
    assert reason in str(raised.value)
