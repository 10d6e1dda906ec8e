"""The language that a request asks for."""

import pytest

from assay.textproc.asked_language import asked_language


@pytest.mark.parametrize(
    ("text", "code", "purpose"),
    [
        ("Translate 'good night' into German.", "de", "translation"),
        ("Please translate this letter to Dutch: Dear all, …", "nl", "translation"),
        ("Translate 'answer in French' into Polish.", "pl", "translation"),
        ("How do you say 'cheese' in Italian?", "it", "wording"),
        ("What is 'cheese' in Turkish?", "tr", "wording"),
        ("Answer in French: what is a ferry?", "fr", "answer"),
        ("Translate this to Finnish: hello", "und", "translation"),
        ("ترجم إلى الإنجليزية: أراك غدا", "en", "translation"),
        ("كيف أقول «شكرا» بالألمانية؟", "de", "wording"),
        ("أجب باللغة الفرنسية", "fr", "answer"),
        ("أجبني بالإنجليزية من فضلك: متى يفتح المتجر؟", "en", "answer"),
        ("أريد الإجابة بالألمانية: كم الساعة؟", "de", "answer"),
        ("متى يفتح المتجر؟ اشرح لي ذلك بالتركية", "tr", "answer"),
    ],
)
def test_a_language_is_asked_for(text, code, purpose):
    asked = asked_language(text)
    assert asked is not None
    assert (asked.code, asked.purpose) == (code, purpose)


@pytest.mark.parametrize(
    "text",
    [
        "What is served in French restaurants?",
        "What is the word order in German?",
        "Explain how verbs work in German grammar.",
        "How many people in Poland speak Polish?",
        "What does 'answer in French' refer to?",
        "ما عاصمة فرنسا؟",
        "كم عدد الذين يتحدثون بالفرنسية في كندا؟",
        "",
    ],
)
def test_a_language_is_only_mentioned(text):
    assert asked_language(text) is None
