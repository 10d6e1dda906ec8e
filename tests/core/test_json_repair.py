import json
import re
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.core import json_repair, jsontext
from assay.core.json_repair import repair

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8) | st.sampled_from(
    ["سعر", "😀", "```", "\\", '"', "'", "//", "/*", "True", "a\nb", "\\u00e9", "{", "[1]", ","]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=15,
)
DOCUMENTS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4)
checked = settings(max_examples=300, deadline=None, derandomize=True)


@checked
@given(VALUES, st.booleans())
def test_valid_json_is_returned_unchanged(value, is_ascii):
    assert repair(json.dumps(value, ensure_ascii=is_ascii, indent=1)) == (value, ())


@checked
@given(DOCUMENTS, st.sampled_from(["", "json", "JSON", " json "]))
def test_fences_and_words_around_are_removed(value, name):
    text = f"Here it is:\n```{name}\n{json.dumps(value, indent=2)}\n```\nDone."
    found = repair(text)
    assert found.value == value
    assert found.repairs == (json_repair.FENCE, json_repair.BEFORE, json_repair.AFTER)


def is_part(part, whole):
    """Whether the part holds nothing that the whole does not hold."""
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(
            key in whole and is_part(value, whole[key]) for key, value in part.items()
        )
    if isinstance(whole, list):
        return isinstance(part, list) and all(map(is_part, part, whole[: len(part)]))
    if isinstance(whole, str):
        return isinstance(part, str) and whole.startswith(part)
    return part == whole


@checked
@given(DOCUMENTS, st.floats(0, 1), st.booleans())
@example({"a": "😀"}, 0.75, True)
@example({"a": {"b": [1, "\\"]}}, 0.9, False)
def test_a_cut_document_gives_a_part_of_it(value, share, is_ascii):
    text = json.dumps(value, ensure_ascii=is_ascii)
    cut = text[: max(1, int(share * len(text)))]
    found = repair(cut)
    assert is_part(found.value, value)
    assert bool(found.repairs) == (cut != text)


@checked
@given(DOCUMENTS)
def test_python_literals_are_read(value):
    found = repair(repr(value).replace("{}", "{ }"))
    plain = json.loads(json.dumps(value))
    assert found.value == plain or json_repair.ESCAPES in found.repairs


@checked
@given(st.text() | st.text(st.sampled_from("[]{}\"',:0123456789.eE+-\\/*u nultruefalsTFN`\n")))
def test_any_text_is_repaired_or_refused_with_a_reason(text):
    try:
        found = repair(text)
    except ValueError as error:
        assert str(error)
        assert "\n" not in str(error)
    else:
        assert jsontext.load_document(jsontext.dumps(found.value)) == found.value


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        ('{"a": [1, 2,], }', {"a": [1, 2]}, ["COMMAS"]),
        ("{'a': 'b', \"c\": \"it's\"}", {"a": "b", "c": "it's"}, ["QUOTES"]),
        (r"{'a': 'it\'s'}", {"a": "it's"}, ["QUOTES"]),
        ('{"a": True, "b": [False, None]}', {"a": True, "b": [False, None]}, ["PYTHON"]),
        ('{"a": 1, // one\n /* two */ "b": 2}', {"a": 1, "b": 2}, ["COMMENTS"]),
        ('{"a": "//no", "b": 1,}', {"a": "//no", "b": 1}, ["COMMAS"]),
        ('{"a":\u00a01}', {"a": 1}, ["BLANKS"]),
        ('{"a": "b\nc"}', {"a": "b\nc"}, ["CONTROLS"]),
        (r'{"a": "\d \\ \n \u0633"}', {"a": "\\d \\ \n س"}, ["ESCAPES"]),
        ('So [1] says: {"a": 1}.', {"a": 1}, ["BEFORE", "AFTER"]),
        ('{"a": 1}}', {"a": 1}, ["AFTER"]),
        ('{"a"} means {"a": 1}', {"a": 1}, ["BEFORE"]),
        ('{"a": 1} or {"a": 1}', {"a": 1}, ["AFTER"]),
        ('{"b": 1}\n```json\n{"a": 1}\n```', {"a": 1}, ["FENCE", "BEFORE"]),
        ('```\n{"a": "```"}\n```', {"a": "```"}, ["FENCE"]),
        ('```json\n{"a": "b\n```\n', {"a": "b"}, ["FENCE", "TEXT", "closed 1 unclosed bracket"]),
        ('```json\n{"a": [12\n```', {"a": [12]}, ["FENCE", "closed 2 unclosed brackets"]),
        ('{"a": 1, "b": 12', {"a": 1}, ["UNFINISHED", "closed 1 unclosed bracket"]),
        ('{"a": 1, "b":', {"a": 1}, ["UNFINISHED", "closed 1 unclosed bracket"]),
        ('{"a": 1, "b', {"a": 1}, ["UNFINISHED", "closed 1 unclosed bracket"]),
        ('{"a": tru', {}, ["UNFINISHED", "closed 1 unclosed bracket"]),
        ('{"a": "\\ud83d', {"a": ""}, ["TEXT", "closed 1 unclosed bracket"]),
        ('[{"a": 1}, {"a"', [{"a": 1}, {}], ["UNFINISHED", "closed 2 unclosed brackets"]),
        ('الجواب: {"سعر": "١٢",}', {"سعر": "١٢"}, ["BEFORE", "COMMAS"]),
    ],
)
def test_every_repair_is_named(text, value, repairs):
    named = tuple(getattr(json_repair, name, name) for name in repairs)
    assert repair(text) == (value, named)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it cannot be repaired: Expecting value at line 1, column 1"),
        ("I do not know.", "it cannot be repaired: Expecting value"),
        ('{"a": 1 "b": 2}', "expected ',' or '}' but found '\"' at line 1, column 9"),
        (
            '{"a": 1,\n oops: {"b": 2}}',
            "expected a key in quotes but found 'o' at line 2, column 2",
        ),
        ("{'a': 1, 'b': 'it's'}", "expected ',' or '}' but found 's'"),
        ('{"a": 1, "b": [1, 2}', "expected ']' but found '}' at line 1, column 20"),
        ('{"a": 1, "b": ...}', "expected a JSON value but found '.'"),
        ('{"a": 1, "b": NaN}', "expected a JSON value but found 'N'"),
        ('{"a": 1, "b": 01,}', "expected a JSON number"),
        ('{"a": 1e999,}', "the number 1e999 is too large"),
        ('{"a": ' + "9" * 500 + ",}", "has 500 digits"),
        ('{"a": 1, "a": 2,}', "the key 'a' appears twice"),
        (r'{"a": "\ud800"}', "half a surrogate pair"),
        ('{"a": 1}\n{"a": true}', "it holds 2 different JSON values; expected one"),
        ("[" * 100_000, "nested deeper than 500 levels"),
        ('{"a":' * 100_000, "nested deeper than 500 levels"),
        ("[" * 100_000 + "]" * 100_000, "nested deeper than 500 levels"),
    ],
    ids=lambda text: text[:30],
)
def test_what_has_no_single_reading_is_refused(text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        repair(text)


def steps(text, monkeypatch):
    """How many pieces are read, and characters passed to say where something stands."""
    seen = 0
    step, place = json_repair._Reader._step, jsontext.place

    def counted_step(self, top, mark):
        nonlocal seen
        seen += 1
        step(self, top, mark)

    def counted_place(text, start):
        nonlocal seen
        seen += start
        return place(text, start)

    with monkeypatch.context() as patch:
        patch.setattr(json_repair._Reader, "_step", counted_step)
        patch.setattr(jsontext, "place", counted_place)
        with suppress(ValueError):
            repair(text)
    return seen


@pytest.mark.parametrize(
    "piece", ['{"a"', "{'a':", '{"a": [1, ', "{ ", "[1 ", '["', "```json\n{", "/*", "'", '{"\\']
)
def test_work_grows_with_the_text_and_no_faster(piece, monkeypatch):
    small, large = (steps(piece * count, monkeypatch) for count in (1_000, 10_000))
    assert large <= 11 * max(small, 1)
