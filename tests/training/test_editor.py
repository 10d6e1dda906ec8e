"""The editor changes what it says it changes, and nothing else."""

from random import Random

import pytest
from training.encoder import editor
from training.encoder.editor import edits_of, words_of


def chance(seed):
    return Random(seed)  # noqa: S311


CASES = [
    (
        "en",
        "other_number",
        "It has 12 rooms.",
        {f"It has {12 + n} rooms." for n in (1, 2, 3, 5, 10, 20)},
    ),
    ("en", "opposite", "Prices rose in May.", {"Prices fell in May."}),
    ("en", "negation", "The pool is open.", {"The pool is not open."}),
    ("en", "negation", "The pool is not open.", {"The pool is open."}),
    ("en", "swapped_names", "Yesterday Ann paid Bob.", {"Yesterday Bob paid Ann."}),
    ("en", "widened", "It suits most dogs.", {"It suits all dogs."}),
    ("en", "firmer", "It may rain.", {"It will rain.", "It must rain."}),
    (
        "en",
        "condition_dropped",
        "Members get a full refund if they cancel in time.",
        {"Members get a full refund."},
    ),
    (
        "en",
        "condition_dropped",
        "If you cancel in time, you get a full refund.",
        {"You get a full refund."},
    ),
    (
        "en",
        "cause_for_effect",
        "The road closed because the river flooded.",
        {"The river flooded because the road closed."},
    ),
    (
        "en",
        "effect_with_so",
        "The road closed because the river flooded.",
        {"The river flooded, so the road closed."},
    ),
    ("en", "number_as_word", "It has 3 rooms.", {"It has three rooms."}),
    ("en", "number_as_word", "It has three rooms.", {"It has 3 rooms."}),
    ("en", "without_parenthesis", "Paris (France) is old.", {"Paris is old."}),
    ("en", "moved_opening", "In 1990, the school moved.", {"The school moved in 1990."}),
    ("ar", "opposite", "ارتفع السعر.", {"انخفض السعر."}),
    ("ar", "negation", "كان الباب مفتوحا", {"لم يكن الباب مفتوحا"}),
    ("ar", "widened", "بعض الطلاب حضروا", {"جميع الطلاب حضروا"}),
    ("ar", "number_as_word", "له 3 أبواب", {"له ثلاثة أبواب"}),
]


@pytest.mark.parametrize(("language", "edit", "sentence", "expected"), CASES)
def test_an_edit_gives_the_sentence_that_a_person_would_write(language, edit, sentence, expected):
    made = {getattr(editor, edit)(sentence, chance(seed), words_of(language)) for seed in range(60)}
    assert made <= expected
    assert made


def test_a_day_becomes_another_day():
    sentence = "يفتح المتحف يوم الخميس"
    made = {editor.other_day(sentence, chance(seed), words_of("ar")) for seed in range(60)}
    others = [day for day in words_of("ar").weekdays if day != "الخميس"]
    assert made == {sentence.replace("الخميس", day) for day in others}


def test_what_does_not_apply_gives_nothing():
    assert [*edits_of("Hello there", chance(1))] == []


def test_the_same_seed_gives_the_same_edits():
    sentence = "In 1990, most of the 12 schools closed because Ann Lee paid Bob Ray."
    assert [*edits_of(sentence, chance(3))] == [*edits_of(sentence, chance(3))]
    assert {edited.label for edited in edits_of(sentence, chance(3))} == set(editor.EDITS)
