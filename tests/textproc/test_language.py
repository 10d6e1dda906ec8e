import pytest

from assay.features.language import language
from assay.features.normal import normal
from assay.features.words import words


def detect(text):
    found = normal.feature(text)
    return language.feature(found, words.feature(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the capital of France and how large is it?", "en"),
        ("Wie heißt die Hauptstadt von Frankreich und wie groß ist sie?", "de"),
        ("¿Cuál es la capital de Francia y por qué es tan grande?", "es"),
        ("Quelle est la capitale de la France et pourquoi elle est grande ?", "fr"),
        ("Qual è la capitale della Francia e perché non è più grande?", "it"),
        ("Wat is de hoofdstad van Frankrijk en hoe groot is het?", "nl"),
        ("Qual é a capital da França e por que não é muito grande?", "pt"),
        ("Co to jest i dlaczego nie jest tak jak było przez ten czas?", "pl"),
        ("Vad är det för en stad och hur stor är den inte?", "sv"),
        ("Bu bir şehir ve çok güzel, ama daha büyük değil mi?", "tr"),
        ("Ini adalah kota yang besar dan tidak dapat dilihat dari sini", "id"),
        ("Đây là một thành phố lớn và không có gì để nói về nó", "vi"),
        ("ما هي عاصمة مصر؟", "ar"),
        ("پایتخت ایران کجاست و چگونه می‌توان به آن رسید؟", "fa"),
        ("پاکستان کا دارالحکومت کہاں ہے اور یہ کتنا بڑا ہے؟", "ur"),
        ("Какая столица России?", "ru"),
        ("Яка столиця України і чому її так називають?", "uk"),
        ("भारत की राजधानी क्या है?", "hi"),
        ("中国的首都是哪里？", "zh"),
        ("日本の首都はどこですか", "ja"),
        ("한국의 수도는 어디입니까?", "ko"),
        ("Ποια είναι η πρωτεύουσα;", "el"),
        ("מהי בירת ישראל?", "he"),
        ("เมืองหลวงคือที่ไหน", "th"),
    ],
)
def test_languages(text, expected):
    assert detect(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "und"),
        ("   \n", "und"),
        ("12345 67.89", "und"),
        ("١٢٣ ٤٥٦", "und"),
        ("?!… €50", "und"),
        ("😀 👍🏽", "und"),
        ("\u200b\u200d", "und"),
    ],
)
def test_a_text_without_letters_is_undetermined(text, expected):
    assert detect(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("السعر هو خمسون يورو في متجر Amazon اليوم", "ar"),
        ("The word سعر means price in Arabic, and it is common.", "en"),
        ("كيف أثبّت Visual Studio Code على Windows؟", "ar"),
        ("كلمة deadline means the last day to hand something in.", "en"),
        ("α-tubulin beta-tubulin microtubule", "en"),
        ("Paris", "en"),
        ("ａ ｆｕｌｌ ｗｉｄｔｈ ｔｅｘｔ ｏｆ ｔｈｅ ｄａｙ", "en"),
        ("Ferromagnetic metals (e.g. iron), e.g. nickel", "en"),
        ("P E A O I\nE A I O U", "en"),
        ("Il gatto è nero e dorme", "it"),
    ],
)
def test_mixed_and_short_texts(text, expected):
    assert detect(text) == expected


def test_a_long_text_is_told_by_its_head():
    assert detect("عاصمة مصر " * 300 + "and the rest is English of the day " * 3000) == "ar"
