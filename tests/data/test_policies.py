"""Policy packs: every example of every bundled one, and what a mistake is told."""

import pickle
import re
from pathlib import Path

import pytest

from assay.core import ProfileError
from assay.data import Policy, Profile, policy, policy_names, profile, read_policy, read_profile
from assay.data.policies import CLAUSES, SECTIONS, split_keyword
from assay.features.normal import normal
from assay.features.policy_hits import check_policy, policy_matcher, require_sound
from assay.textproc.pattern_checks import CHECKS

PAGE = Path(__file__).parent.parent.parent / "docs/how-to/policies.md"
PACKS = [policy(name) for name in policy_names()]
EXAMPLES = [(pack, example) for pack in PACKS for example in pack.examples]
each = pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)

OWN = """name = "ours"
title = "Our rules"
source = "ours"
licence = "ours"
language = "en"
jurisdiction = "XX"
date = 2026-02-04
[force_to_zero]
dimension = "legal_compliance"
[[exemption]]
id = "4(a)"
title = "Secret sauces"
keywords = ["sauce"]
matches = ["Which sauce is it?"]
rejects = ["Which saucer is it?"]
[[refusal]]
name = "no"
phrase = "we will not say"
matches = ["We will not say."]
rejects = ["We will say."]
[[identifier]]
name = "staff number"
regex = 's-[0-9]{4}'
weight = 0.5
matches = ["S-1234"]
rejects = ["S-12"]
"""


def found_by(pack, section, text):
    hits = policy_matcher(pack, (section,)).find(normal.feature(text))
    names = {hit.pattern for hit in hits}
    return {split_keyword(name)[0] for name in names} if section in CLAUSES else names


def test_the_bundled_packs():
    assert policy_names() == ["eu_ai_act", "rti", "uk_gdpr"]


@each
def test_a_pack_says_where_it_comes_from(pack):
    assert all((pack.title, pack.source, pack.licence, pack.jurisdiction))
    assert pack.languages == ("en",)
    assert pack.identity == f"{pack.name}@{pack.fingerprint}"
    assert set(pack.lexicons) <= set(SECTIONS)


@each
def test_a_pack_has_examples_on_both_sides_of_everything(pack):
    for section, lexicon in pack.lexicons.items():
        names = (
            [clause.id for clause in pack.clauses[section]]
            if section in CLAUSES
            else [pattern.name for pattern in lexicon.patterns]
        )
        for name in names:
            sides = {e.is_match for e in pack.examples if (e.section, e.name) == (section, name)}
            assert sides == {True, False}, (section, name)


@pytest.mark.parametrize(
    ("pack", "example"),
    EXAMPLES,
    ids=[f"{pack.name}-{e.section}-{e.name}-{e.text}" for pack, e in EXAMPLES],
)
def test_an_example_holds(pack, example):
    found = found_by(pack, example.section, example.text)
    assert (example.name in found) is example.is_match


@each
def test_every_keyword_matches_itself_and_is_sorted(pack):
    for section, clauses in pack.clauses.items():
        for clause in clauses:
            assert list(clause.keywords) == sorted(set(clause.keywords))
            for keyword in clause.keywords:
                assert clause.id in found_by(pack, section, f"Is it {keyword.upper()}?")
                assert clause.id not in found_by(pack, section, f"Is it x{keyword}y?"), keyword


@each
def test_a_bundled_pack_is_sound(pack):
    assert check_policy(pack) == []
    require_sound(pack)


def test_the_act_has_ten_clauses_and_forces_its_dimension_to_zero():
    pack = policy("rti")
    assert [clause.id for clause in pack.clauses["exemption"]] == [
        f"8(1)({letter})" for letter in "abcdefghij"
    ]
    assert pack.force_to_zero == "legal_compliance"
    assert pack.weights("appeal") == {
        "appeal": 0.3,
        "right to information": 0.2,
        "first or second appeal": 0.2,
        "information commission": 0.2,
        "time limit": 0.1,
    }


def test_the_documented_modes_of_other_laws():
    british, european = policy("uk_gdpr"), policy("eu_ai_act")
    assert [c.id for c in british.clauses["exemption"]] == [
        "23",
        "24",
        "26",
        "27",
        "31",
        "40",
        "43",
    ]
    assert set(british.weights("identifier").values()) == {0.25}
    assert "exemption" not in european.clauses
    assert european.weights("exemption") == {}
    assert len(european.clauses["area"]) == 8


def test_a_pack_of_ones_own(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text(OWN, encoding="utf-8")
    pack = policy(str(path))
    assert (pack.name, pack.date, pack.force_to_zero) == ("ours", "2026-02-04", "legal_compliance")
    assert check_policy(pack) == []
    assert found_by(pack, "exemption", "SAUCE, please") == {"4(a)"}


def test_packs_are_equal_by_name_and_text():
    one, same, other = (read_policy(OWN + more, "own.toml") for more in ("", "", "\n# note\n"))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != "ours"
    assert Profile() == Profile()


@each
def test_a_pack_travels_between_processes(pack):
    there = pickle.loads(pickle.dumps(pack))  # noqa: S301 -- our own bytes
    assert there == pack
    assert there.examples == pack.examples


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title =", "titel =", "own.toml: unknown key 'titel'; expected one of name, title"),
        ('title = "Our rules"\n', "", "own.toml: 'title' is None; expected text"),
        ('source = "ours"', "source = 3", "own.toml: 'source' is 3; expected text"),
        ('name = "ours"', 'name = "Our Pack"', "'name' is 'Our Pack'; expected small letters"),
        ("date = 2026-02-04", 'date = "soon"', "'date' is 'soon'; expected a day such as"),
        ("date = 2026-02-04", "date = ", "own.toml: not valid TOML"),
        ('dimension = "leg', 'dim = "leg', "'force_to_zero' is .*; expected a table with dimen"),
        ('dimension = "legal_compliance"', "dimension = 3", "force_to_zero.dimension is 3; expec"),
        ("[force_to_zero]", "force_to_zero = 3\n[x]", "unknown key 'x'|'force_to_zero' is 3"),
        (
            'id = "4(a)"',
            'clause = "4(a)"',
            "own.toml: exemption: unknown key 'clause'; expected id",
        ),
        ('id = "4(a)"', "id = 4", "own.toml: exemption: 'id' is 4; expected text"),
        (
            'keywords = ["sauce"]',
            'keywords = "sauce"',
            "exemption '4.a.': 'keywords' is 'sauce'; exp",
        ),
        ('["sauce"]', '["sauce", "sauce"]', "exemption '4.a.': 'keywords' is .*; .* each once"),
        ('["sauce"]', '[" "]', "exemption '4.a.': 'keywords' is .*; expected a list of texts"),
        ('matches = ["S-1234"]\n', "", "own.toml: identifier 'staff number': 'matches' is None"),
        ('rejects = ["S-12"]', "rejects = []", "identifier 'staff number': 'rejects' is ..; expec"),
        ("weight = 0.5", "weight = 2", "identifier 'staff number': 'weight' is 2; expected a num"),
        ("weight = 0.5", "weight = nan", "'weight' is nan; expected a number above 0 and up to 1"),
        ("weight = 0.5", "wait = 0.5", "own.toml: identifier 'staff number' must have a name and"),
        ('name = "no"', 'name = "no"\nregex = "x"', "own.toml: refusal 'no' must have a name and"),
        (
            "[[refusal]]",
            "[refusal]",
            "own.toml: 'refusal' is .*; expected \\[\\[refusal\\]\\] tables",
        ),
        ('name = "no"', 'label = "no"', "own.toml: refusal .* must have a name"),
    ],
)
def test_a_mistaken_pack_is_refused_with_file_key_and_reason(old, new, message):
    assert old in OWN
    with pytest.raises(ProfileError, match=message) as refused:
        read_policy(OWN.replace(old, new, 1), "own.toml")
    assert str(refused.value).startswith("own.toml: ")


def test_a_name_may_stand_once_in_a_section():
    twice = OWN + OWN[OWN.index("[[identifier]]") :]
    with pytest.raises(ProfileError, match=r"own\.toml: identifier 'staff number' stands twice"):
        read_policy(twice, "own.toml")


def test_nothing_can_be_forced_to_zero_without_an_exemption():
    begin, end = OWN.index("[[exemption]]"), OWN.index("[[refusal]]")
    with pytest.raises(ProfileError, match="'force_to_zero' needs an"):
        read_policy(OWN[:begin] + OWN[end:], "own.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("s-[0-9]{4}", "(?<=s)-[0-9]", "own.toml: identifier: pattern 'staff number' is not a lin"),
        ("s-[0-9]{4}", "(s-", "own.toml: identifier: pattern 'staff number' is not a linear-time"),
        ("s-[0-9]{4}", "x*", "own.toml: identifier: pattern 'staff number' matches the empty text"),
        ("weight = 0.5", "check = 'luck'", "own.toml: identifier: pattern 'staff number': unknown"),
        (
            '["S-1234"]',
            '["T-1234"]',
            "identifier 'staff number' does not match its own example 'T-",
        ),
        ('["S-12"]', '["S-1212"]', "identifier 'staff number' matches its own example 'S-1212'"),
        ('["Which saucer is it?"]', '["My sauce"]', "exemption '4.a.' matches its own example"),
    ],
)
def test_a_pattern_that_does_not_hold_is_refused(old, new, message):
    assert old in OWN
    pack = read_policy(OWN.replace(old, new, 1), "own.toml")
    with pytest.raises(ProfileError, match=message):
        require_sound(pack)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rty", "unknown policy 'rty'; expected one of eu_ai_act, rti, uk_gdpr, or a .toml file"),
        ("absent.toml", "policy 'absent.toml' cannot be read: No such file"),
    ],
)
def test_an_unknown_pack_is_refused(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProfileError, match=message):
        policy(name)


def test_a_pack_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "own.toml"
    path.write_bytes(b"title = '\xff'")
    with pytest.raises(ProfileError, match="is not UTF-8 text"):
        policy(str(path))


def test_a_profile_names_its_pack(tmp_path):
    assert read_profile("own", "").policy == policy("rti")
    assert read_profile("own", 'policy = "uk_gdpr"').policy == policy("uk_gdpr")
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "ours.toml").write_text(OWN, encoding="utf-8")
    (tmp_path / "team.toml").write_text('policy = "packs/ours.toml"', encoding="utf-8")
    assert profile(str(tmp_path / "team.toml")).policy.name == "ours"


def test_a_profile_with_a_mistaken_pack_is_refused():
    with pytest.raises(ProfileError, match=r"own\.toml: 'policy' is 3; expected a str"):
        read_profile("own.toml", "policy = 3")
    with pytest.raises(ProfileError, match="unknown policy 'rty'"):
        read_profile("own.toml", 'policy = "rty"')


def test_the_default_is_the_act():
    assert isinstance(Profile().policy, Policy)
    assert Profile().policy.name == "rti"


def test_the_page_shows_a_sound_pack_and_names_all_there_is():
    page = PAGE.read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml[^\n]*\n(.*?)```", page, re.DOTALL)
    assert check_policy(read_policy(shown, "city.toml")) == []
    assert all(f"| `[[{section}]]` |" in page for section in SECTIONS)
    assert all(f"`{check}`" in page for check in CHECKS)
    assert all(f"| `{name}`" in page for name in policy_names())
