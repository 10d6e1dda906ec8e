import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.features.normal import normal
from assay.features.sentences import sentences
from assay.features.words import words


def split(text):
    found = normal.feature(text)
    return sentences.feature(found, words.feature(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("...", []),
        ("?! … 。", []),
        ("No mark at all", ["No mark at all"]),
        ("One. Two! Three?", ["One", "Two", "Three"]),
        ("  One.\n\nTwo.  ", ["One", "Two"]),
        ("One.\tTwo.\rThree", ["One", "Two", "Three"]),
        ("Really?! Yes!!!", ["Really", "Yes"]),
        ("Wait... what? Go…", ["Wait", "what", "Go"]),
        ("Pi is 3.14 today.", ["Pi is 3.14 today"]),
        ("It costs 5. That is all.", ["It costs 5", "That is all"]),
        ("See www.example.com/a.b?c=d for more.", ["See www.example.com/a.b?c=d for more"]),
        ("Mail john.doe@example.com. Thanks.", ["Mail john.doe@example.com", "Thanks"]),
        ("Version 1.2.3 is out.", ["Version 1.2.3 is out"]),
        ("Dr. Smith and Mrs. Jones met.", ["Dr. Smith and Mrs. Jones met"]),
        ("Drinks, e.g. tea, i.e. hot ones.", ["Drinks, e.g. tea, i.e. hot ones"]),
        ("The U.S. economy grew.", ["The U.S. economy grew"]),
        ("Open from 7 a.m. to 9 p.m. Come in!", ["Open from 7 a.m. to 9 p.m", "Come in"]),
        ("It opens at 7 a.m. 30 people wait.", ["It opens at 7 a.m. 30 people wait"]),
        ("Acme Inc. sells cups, pots etc. It grew.", ["Acme Inc. sells cups, pots etc", "It grew"]),
        ("Ask\nDr. Smith today.", ["Ask\nDr. Smith today"]),
        ("Ask (Dr. Smith) today.", ["Ask (Dr. Smith) today"]),
        ("DR. SMITH CAME.", ["DR. SMITH CAME"]),
        ("He saw the elixir. Then he left.", ["He saw the elixir", "Then he left"]),
        ("Is it Dr? Yes.", ["Is it Dr", "Yes"]),
        ("He said \"go.\" Then he left.", ['He said "go', "Then he left"]),
        ("He said “go.” Then he left.", ['He said "go', "Then he left"]),
        ("(It rained.) We left.", ["(It rained", "We left"]),
        ("هل وصل؟ نعم. انتهى", ["هل وصل", "نعم", "انتهى"]),
        ("وصل د. أحمد أمس. ثم ذهب.", ["وصل د. أحمد أمس", "ثم ذهب"]),
        ("یہ اردو ہے۔ ہاں۔", ["یہ اردو ہے", "ہاں"]),
        ("我去学校。天气很好！你呢？好", ["我去学校", "天气很好", "你呢", "好"]),
        ("これは本です。はい。", ["これは本です", "はい"]),
        ("他说：“好。”然后走了。", ['他说:"好', "然后走了"]),
        ("半角｡です", ["半角", "です"]),
        ("Zero\u200b.\u200b Width", ["Zero", "Width"]),
        ("Buy:\n1. Tea.\n2) Milk\n(3) Rice", ["Buy:", "Tea", "Milk", "Rice"]),
        ("1. Open it. Then wait.\n**2.** Close it.", ["Open it", "Then wait", "Close it"]),
        ("- One\n* Two\n• Three\na) Four", ["One", "Two", "Three", "Four"]),
        ("It has 5.\nThat is all.", ["It has 5", "That is all"]),
        ("Since\n2005. It grew.", ["Since\n2005", "It grew"]),
        ("1.\n2.", ["1", "2"]),
        ("١. نعم.\n٢. لا", ["نعم", "لا"]),
    ],
)  # fmt: skip
def test_where_sentences_end(text, expected):
    assert [sentence.text for sentence in split(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. “Two\u200b” is here! ", ["One", "“Two\u200b” is here"]),
        ("ﬁrst. Se\u00adcond.", ["ﬁrst", "Se\u00adcond"]),
        ("القَاهِرَة؟ نَعَم.", ["القَاهِرَة", "نَعَم"]),
    ],
)
def test_places_are_those_of_the_text_as_given(text, expected):
    assert [text[sentence.start : sentence.end] for sentence in split(text)] == expected


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("One. Two? Three!", [".", "?", "!"]),
        ("Quel prix ? Oui", ["?", ""]),
        ("هل؟ 好。什么？", ["؟", "。", "？"]),
        ("Really\u200b?!", ["?"]),
    ],
)
def test_a_sentence_knows_its_closing_mark(text, marks):
    assert [sentence.mark for sentence in split(text)] == marks


@pytest.mark.parametrize(
    ("text", "short"),
    [("Yes.", True), ("Not at all.", False), ("Not\nat\tall", False), ("Two words.", True)],
)
def test_a_sentence_under_three_words_is_short(text, short):
    (sentence,) = split(text)
    assert sentence.is_short is short


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("ab D.!?؟۔。！？…\"'”)\n\u200b\u0301Dr3")) | st.text())
def test_sentences_are_in_order_and_hold_every_word(text):
    found = split(text)
    places = [place for sentence in found for place in (sentence.start, sentence.end)]
    assert places == sorted(places)
    assert all(0 <= sentence.start < sentence.end <= len(text) for sentence in found)
    assert all(sentence.text == sentence.text.strip() != "" for sentence in found)
    told = [word for sentence in found for word in sentence.words]
    assert told == words.feature(normal.feature(text)).all
