"""Word classes that the expressions of a pattern set share."""

import pytest

from assay.core.errors import ProfileError
from assay.data.lexicons import read_lexicon

HEAD = 'title = "t"\nsource = "s"\nlicence = "l"\nlanguage = "en"\n'
PATTERN = (
    '[[pattern]]\nname = "p"\nregex = \'\\b{REGEX}\\b\'\nmatches = ["red cat"]\nrejects = ["x"]\n'
)


def _regex(terms: str, regex: str) -> str | None:
    text = f"{HEAD}[terms]\n{terms}\n{PATTERN.replace('{REGEX}', regex)}"
    return read_lexicon("own", text, "own.toml").patterns[0].regex


def test_a_term_becomes_a_group_and_may_name_an_earlier_one() -> None:
    terms = "pet = 'cat|dog'\nanimal = '{pet}|cow'"
    assert _regex(terms, "red {animal}s{0,2}") == r"\bred (?:(?:cat|dog)|cow)s{0,2}\b"


@pytest.mark.parametrize(
    ("terms", "regex", "said"),
    [
        ("pet = 'cat'", "{animal}", "names the term 'animal'; expected one of pet"),
        ("animal = '{pet}'\npet = 'cat'", "{animal}", "names the term 'pet'"),
        ("pet = ['cat']", "{pet}", "expected alternatives"),
        ("pet = ''", "{pet}", "expected alternatives"),
    ],
)
def test_a_mistake_in_terms_is_refused(terms: str, regex: str, said: str) -> None:
    with pytest.raises(ProfileError, match=said):
        _regex(terms, regex)
