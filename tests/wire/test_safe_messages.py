import base64
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from assay.wire.safe_messages import HIDDEN, MAX_SAID, hide, safe_message

SECRETS = st.text(st.characters(exclude_categories=["Cs"]), min_size=4, max_size=40)


@given(SECRETS, st.text(max_size=50), st.text(max_size=50))
def test_a_secret_is_hidden_in_all_its_forms(secret, before, after):
    raw = secret.encode()
    for form in (secret, quote(raw, safe=""), base64.b64encode(raw).decode()):
        assert form not in hide(before + form + after, [secret]).replace(HIDDEN, "\0")


def test_the_longer_of_two_secrets_is_hidden_first():
    assert hide("abcdefgh", ["abcd", "abcdefgh"]) == HIDDEN


def test_short_texts_are_no_secrets():
    assert hide("a b c", ["a", ""]) == "a b c"
    assert hide("test key", ["test"], shortest=8) == "test key"


def test_foreign_words_are_made_harmless():
    assert safe_message("a\n\x1b[31mb\u202e\tc\0", ()) == "a [31mb c"
    assert len(safe_message("x" * 10**6, ())) == MAX_SAID
    assert safe_message("x" * 195 + "secret-word", ["secret-word"]).find("secret-w") == -1
