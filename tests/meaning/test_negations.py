"""What an Arabic word for "exempt" denies: that from which somebody is exempt, and no more."""

import pytest

from assay.meaning import read
from assay.meaning.conflicts import conflicts
from assay.textproc.normal import normalise


def reading(text):
    normal = normalise(text)
    return read(normal.text, normal.lower)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("المواطن معفى من التأشيرة.", ["التاشيره"]),
        ("يُعفى من ثمن التذكرة طلاب الجامعات.", ["ثمن", "التذكره"]),
        ("أُعفيت المتاجر كافة، في جميع الأحياء، من ضريبة النظافة.", ["ضريبه", "النظافه"]),
        ("تصدر قائمة بالمتاجر المعفاة.", []),
    ],
)
def test_words_that_an_exemption_denies(text, denied):
    own = reading(text)
    words = [w.text for scope in own.scopes for w in own.words[scope.first : scope.last]]
    assert words == denied


@pytest.mark.parametrize(
    ("claim", "sentence", "kind"),
    [
        ("تحتاج السيارات إلى تصريح.", "السيارات معفاة من التصريح.", ["negation"]),
        ("لا تحتاج السيارات إلى تصريح.", "السيارات معفاة من التصريح.", []),
        ("يُعفى الطلاب من ثمن التذكرة.", "يدخل الطلاب مجانا.", []),
    ],
)
def test_an_exemption_is_no_need(claim, sentence, kind):
    one, other = reading(claim), reading(sentence)
    assert [own.kind for own in conflicts(one, other, [other])] == kind
