from importlib.resources import files

import pytest

from assay import registry
from assay.core import ProfileError
from assay.data import (
    Lexicon,
    confusables,
    languages,
    lexicon,
    lexicon_names,
    pairs,
    profile,
    profile_names,
    read_lexicon,
    read_profile,
)
from assay.data.bundled_files import bundled, read_toml
from assay.engine import make_plan
from assay.features import Matcher
from assay.features.normal import normal

PATTERN_TABLES = [
    (file_name.removesuffix(".toml"), table)
    for file_name, file in bundled("patterns").items()
    for table in read_toml(file.read_text(encoding="utf-8"), file_name)["pattern"]
]
WORD_LISTS = [lexicon(file_name.removesuffix(".txt")) for file_name in bundled("lexicons")]


def text_of(*place):
    return files("assay").joinpath("data", *place).read_text(encoding="utf-8")


def hits(listed: Lexicon, text: str):
    return {found.pattern for found in Matcher([listed]).find(normal.feature(text))}


@pytest.mark.parametrize("name", lexicon_names())
def test_a_lexicon_says_where_it_comes_from(name):
    found = lexicon(name)
    assert found.name == name
    assert all((found.title, found.source, found.licence, found.language))
    assert found.matches
    assert found.rejects
    assert len(found.fingerprint) == 6
    names = [pattern.name for pattern in found.patterns]
    assert names
    assert len(names) == len(set(names))
    assert all(0 < pattern.weight <= 1 for pattern in found.patterns)


@pytest.mark.parametrize("found", WORD_LISTS, ids=lambda found: found.name)
def test_a_word_list_is_sorted_and_in_the_form_of_normalised_text(found):
    phrases = [pattern.phrase for pattern in found.patterns]
    assert phrases == sorted(set(phrases))
    assert phrases == [normal.feature(phrase).lower for phrase in phrases]


@pytest.mark.parametrize(
    ("found", "text"), [(found, text) for found in WORD_LISTS for text in found.matches]
)
def test_a_word_list_matches_its_examples(found, text):
    assert hits(found, text)


@pytest.mark.parametrize(
    ("found", "text"), [(found, text) for found in WORD_LISTS for text in found.rejects]
)
def test_a_word_list_leaves_the_others_alone(found, text):
    assert hits(found, text) == set()


@pytest.mark.parametrize(
    ("name", "pattern", "text"),
    [(name, table["name"], text) for name, table in PATTERN_TABLES for text in table["matches"]],
)
def test_a_pattern_matches_its_examples(name, pattern, text):
    assert pattern in hits(lexicon(name), text)


@pytest.mark.parametrize(
    ("name", "pattern", "text"),
    [(name, table["name"], text) for name, table in PATTERN_TABLES for text in table["rejects"]],
)
def test_a_pattern_leaves_the_others_alone(name, pattern, text):
    assert pattern not in hits(lexicon(name), text)


def test_look_alikes_become_one_plain_letter_each():
    found = confusables()
    assert all(len(lookalike) == 1 and not lookalike.isascii() for lookalike in found)
    assert all(len(latin) == 1 and latin.isascii() and latin.isalpha() for latin in found.values())
    assert [char for char in found if normal.feature(char).text != char] == []
    listed = [line.split() for line in text_of("confusables.txt").splitlines() if line[0] != "#"]
    assert [latin for latin, _ in listed] == sorted(latin for latin, _ in listed)
    assert len(found) == sum(len(lookalikes) for _, lookalikes in listed)


def test_opposites_are_ten_pairs_of_different_words():
    found = pairs("opposites.en")
    assert len(found) == 10
    assert all(one and other and one != other for one, other in found)


def test_languages_are_told_by_words_in_the_form_of_normalised_text():
    found = languages()
    assert len(found.words) >= 12
    for listed in found.words.values():
        assert len(listed) >= 30
        assert all(normal.feature(word).lower == word for word in listed)
    assert set(found.letters) <= set(found.scripts.values())
    assert "LATIN" in found.scripts


@pytest.mark.parametrize("name", profile_names())
def test_a_profile_names_known_metrics(name):
    found = profile(name)
    assert found.title
    assert found.source
    chosen = registry.select(found.metrics or ["text"])
    assert make_plan(chosen, found).shown
    for id, threshold in found.thresholds.items():
        low, high = registry.metrics()[id].range
        assert low <= threshold <= high


PRESETS = {
    "conservative": (0.85, 0.90, 0.75, 0.85, 0.95),
    "balanced": (0.70, 0.80, 0.60, 0.70, 0.90),
    "lenient": (0.60, 0.70, 0.45, 0.55, 0.80),
}
EVALUATORS = ("hallucination", "factuality", "relevance", "coherence", "safety")


@pytest.mark.parametrize(("name", "thresholds"), PRESETS.items())
def test_presets_are_those_of_the_guide(name, thresholds):
    named = {f"text.{name}": value for name, value in zip(EVALUATORS, thresholds, strict=True)}
    assert profile(name).thresholds == named
    preset = registry.rules()["text.threshold_preset"]
    assert preset(name) == dict(zip(EVALUATORS, thresholds, strict=True))


def test_the_balanced_preset_is_the_default():
    known = registry.metrics()
    assert profile("balanced").thresholds == {
        f"text.{name}": known[f"text.{name}"].threshold for name in EVALUATORS
    }


@pytest.mark.parametrize("name", ["auto", "chatbot", "code", "content", "rag"])
def test_use_case_profiles_choose_by_the_fields_of_the_data(name):
    found = profile(name)
    assert not found.metrics
    assert any(not rule.fields for rule in found.rules)
    assert any("expected" in rule.fields for rule in found.rules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("choose = [1]", "'choose' holds 1; expected \\[\\[choose\\]\\] tables"),
        ("[[choose]]\nwhen = []", "has 'when'; expected fields, metrics, gates"),
        ("[[choose]]\nfields = 'x'", "fields is 'x'; expected a list of texts"),
        ("[[choose]]\nfields = ['x']\nmetrics = ['text']", "names 'x', which is no field"),
        ("[[choose]]\nfields = ['query']", "names no metrics"),
        ("[[choose]]\nmetrics = ['text']\ngates = 1", "gates is 1; expected true or false"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(text, message):
    with pytest.raises(ProfileError, match=message):
        read_profile("own.toml", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title =", r"own\.toml: not valid TOML: Invalid value"),
        (
            "heading = 'x'",
            r"own\.toml: unknown key 'heading'; expected one of title, source, metrics",
        ),
        ("title = 3", r"own\.toml: 'title' is 3; expected a str"),
        ("metrics = 'text'", r"own\.toml: 'metrics' is 'text'; expected a list"),
        ("metrics = [1]", r"own\.toml: 'metrics' names 1; expected text"),
        ("thresholds = 3", r"own\.toml: 'thresholds' is 3; expected a dict"),
        (
            "[thresholds]\n'text.safety' = 'high'",
            r"thresholds\.'text.safety' is 'high'; expected a",
        ),
        ("[thresholds]\n'text.safety' = true", r"thresholds\.'text.safety' is True; expected a"),
        ("[thresholds]\n'text.safety' = nan", r"thresholds\.'text.safety' is nan; expected a"),
        ("[weights]\n'text.safety' = inf", r"weights\.'text.safety' is inf; expected a"),
        ("[weights]\n'text.safety' = -1", r"the weight of 'text.safety' is -1; .* from 0 to 1,000"),
        ("[weights]\n'text.safety' = 1e308", r"the weight of 'text.safety' is 1e\+308; expected"),
        (f"[unsure]\n'text.safety' = [0, {'9' * 400}]", r"the unsure zone of 'text.safety' is"),
        (f"[thresholds]\n'text.safety' = {'9' * 400}", r"'text.safety' is 9+; expected a number"),
        ("[weights.text]\nsafety = 2", r"weights\.'text' is \{'safety': 2\}; expected a number"),
        ("[options]\n'text.safety' = 3", r"own\.toml: options\.'text.safety' is 3; expected a"),
    ],
)
def test_a_mistaken_profile_is_refused(text, message):
    with pytest.raises(ProfileError, match=message):
        read_profile("own.toml", text)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "balancd",
            r"unknown profile 'balancd'; expected one of auto, balanced, .* a \.toml file",
        ),
        ("absent.toml", r"profile .absent\.toml. cannot be read: No such file"),
    ],
)
def test_an_unknown_profile_is_refused(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProfileError, match=message):
        profile(name)


def test_a_profile_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_bytes(b"title = '\xff'")
    with pytest.raises(ProfileError, match=r"own\.toml' is not UTF-8 text"):
        profile(str(path))


def test_a_profile_is_read_from_a_file(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("title = 'Ours'\n[thresholds]\n'text.safety' = 0.5\n", encoding="utf-8")
    assert profile(str(path)).thresholds == {"text.safety": 0.5}


WORDS = """# Own words.
# source: ours
# licence: as the product
# language: en
# matches: a cat
# rejects: a dog
cat
"""
PATTERNS = """title = "Own."
source = "ours"
licence = "as the product"
language = "en"
[[pattern]]
name = "cat"
regex = 'cat'
matches = ["cat"]
rejects = ["dog"]
"""


@pytest.mark.parametrize(
    ("text", "file", "title"), [(WORDS, "own.txt", "Own words."), (PATTERNS, "own.toml", "Own.")]
)
def test_a_lexicon_is_read(text, file, title):
    found = read_lexicon("own", text, file)
    assert (found.title, found.source, found.language) == (title, "ours", "en")
    assert [pattern.name for pattern in found.patterns] == ["cat"]
    assert hits(found, "a CAT") == {"cat"}


def test_an_edited_lexicon_has_another_fingerprint():
    one, other = (read_lexicon("own", WORDS + more, "own.txt") for more in ("", "dog\n"))
    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("own.txt", "# source: ours\n", "", "own.txt: 'source' is missing; expected it in the"),
        ("own.txt", "# Own words.\n", "", "own.txt: 'title' is missing"),
        ("own.txt", "# matches: a cat\n", "", "own.txt: 'matches' is missing"),
        ("own.txt", "# language: en", "# tongue: en", "own.txt: 'language' is missing"),
        ("own.txt", "# rejects", "# note: x\n# rejects", "own.txt: unknown key 'note'; expected"),
        ("own.toml", "[[pat", "note = 'x'\n[[pat", "own.toml: unknown key 'note'; expected one of"),
        ("own.txt", "cat\n", "cat\nbat\n", "own.txt: phrases are not sorted, or one stands twice"),
        ("own.txt", "cat\n", "cat\ncat\n", "own.txt: phrases are not sorted, or one stands twice"),
        ("own.toml", "licence =", "license =", "own.toml: 'licence' is missing"),
        ("own.toml", 'rejects = ["dog"]', "", "own.toml: 'rejects' is missing"),
        ("own.toml", "name = ", "label = ", "own.toml: pattern .* must have a name and either"),
        ("own.toml", "regex = ", "regx = ", "own.toml: pattern 'cat' must have a name and either"),
        ("own.toml", "regex = ", "phrase = 'cat'\nregex = ", "pattern 'cat' must have a name and"),
        ("own.toml", "regex = 'cat'", "regex = 3", "own.toml: pattern 'cat'"),
        ("own.toml", "regex = 'cat'", "regex = ", "own.toml: not valid TOML"),
    ],
)
def test_a_mistaken_lexicon_is_refused(file, old, new, message):
    text = WORDS if file.endswith(".txt") else PATTERNS
    assert old in text
    with pytest.raises(ProfileError, match=message):
        read_lexicon("own", text.replace(old, new), file)
