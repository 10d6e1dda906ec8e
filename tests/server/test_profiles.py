"""Profiles: bundled ones to read, stored ones with versions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import ProfileError
from assay.data import profile_names
from assay.data.bundled_files import read_toml
from assay.data.profiles import read_profile
from assay.server.toml import toml_text

PATH = "/v1/profiles/ours"
BODY = {
    "title": "Our “bot”",
    "metrics": ["text"],
    "thresholds": {"text.safety": 0.95},
    "options": {"text.safety": {"blocklist": ['a "b" \\ c\x7f', "é"]}},
    "weights": {"text.safety": 2},
    "policy": "uk_gdpr",
    "json_options": {"depth": "nested", "strategies": {"name": "FUZZY"}},
}


def put(client, body, path=PATH):
    return client.call("PUT", path, role="write", json=body)


def test_parts_become_a_file_that_the_reader_takes(any_client):
    client = any_client
    made = put(client, BODY)
    assert made.status_code == 200, made.text
    found = made.json()
    for key in ("title", "metrics", "thresholds", "options", "weights", "policy"):
        assert found[key] == BODY[key], key
    read = read_profile("ours", client.get(f"{PATH}/export").text)
    assert read.json_options.depth == "nested"
    assert client.get(PATH).json() == found
    assert {entry["name"] for entry in client.get("/v1/profiles").json()} == {
        "ours",
        *profile_names(),
    }


def test_text_is_kept_as_it_is(client):
    text = '# ours\nmetrics = ["text"]\n[thresholds]\n"text.safety" = 0.9\n'
    assert put(client, {"text": text}).json()["text"] == text


def test_thresholds_change_alone_and_versions_stay(client):
    put(client, BODY)
    path = f"{PATH}/thresholds"
    body = {"thresholds": {"text.safety": None, "text.coherence": 0.4}, "expected_version": 1}
    changed = client.call("PATCH", path, role="write", json=body).json()
    assert (changed["version"], changed["thresholds"]) == (2, {"text.coherence": 0.4})
    assert changed["options"] == BODY["options"]
    assert client.get(PATH, params={"version": 1}).json()["thresholds"] == {"text.safety": 0.95}
    assert [entry["version"] for entry in client.get(f"{PATH}/history").json()] == [2, 1]
    again = client.call("PATCH", path, role="write", json=body)
    assert again.status_code == 200  # the same once more is no change
    late = {"thresholds": {"text.safety": 0.5}, "expected_version": 1}
    assert client.call("PATCH", path, role="write", json=late).status_code == 409
    details = [e["details"] for e in client.trail("profile.")]
    assert details == [{"version": 2}, {"version": 1}]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"metrics": ["nothing"]}, "nothing"),
        ({"thresholds": {"text.saftey": 0.5}}, "text.saftey"),
        ({"options": {"text.safety": {"blocklst": []}}}, "blocklst"),
        ({"weights": {"text.safety": -1}}, "weight"),
        ({"policy": "nobodys"}, "policy"),
        ({"json_options": {"strategies": "/etc/passwd"}}, "names a file"),
        ({"json_options": {"depth": "deep"}}, "depth"),
        ({"text": 'policy = "/etc/passwd.toml"'}, "policy"),
        ({"text": '[json]\nstrategies = "/etc/passwd"'}, "names a file"),
        ({"text": 'rubrics = ["/etc/secret.toml"]'}, "names a file"),
        ({"text": "policy = 3"}, "policy"),
        ({"text": "x = ["}, "not valid TOML"),
        ({"text": "x = " + "[" * 5000}, "ours"),
        ({"options": {"text.safety": {"blocklist": None}}}, "None"),
        ({"options": {"text.safety": json.loads('{"a":' * 30 + "1" + "}" * 30)}}, "nested"),
    ],
)
def test_what_no_run_could_use_is_refused(client, body, said):
    found = put(client, body)
    assert (found.status_code, said in found.text) == (400, True), found.text
    assert client.get(PATH).status_code == 404


def test_bundled_profiles_are_read_only(client):
    assert put(client, BODY, "/v1/profiles/balanced").status_code == 400
    assert client.call("DELETE", "/v1/profiles/balanced", role="write").status_code == 404
    assert client.get("/v1/profiles/balanced").json()["is_bundled"]
    assert client.get("/v1/profiles/balanced/history").status_code == 404


def test_a_removed_profile_is_gone_but_for_its_history(client):
    put(client, BODY)
    assert client.call("DELETE", PATH, role="write").status_code == 204
    assert client.get(PATH).status_code == 404
    assert client.get(PATH, params={"version": 1}).status_code == 200


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(table=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES, max_size=4))
def test_toml_reads_back_to_the_same(table):
    assert read_toml(toml_text(table), "x") == table


def test_toml_holds_no_null_and_no_abyss():
    deep: list = []
    for _ in range(40):
        deep = [deep]
    for value in (None, deep, object()):
        with pytest.raises(ProfileError):
            toml_text({"x": value})
