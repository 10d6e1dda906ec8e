"""Refusals by the shapes of sentences, and words of refusing that decline nothing."""

import pytest

import assay


def refuses(query, response):
    return not assay.score(metrics=["answer.refusal"], query=query, response=response)[
        "answer.refusal"
    ].passed


@pytest.mark.parametrize(
    ("query", "response"),
    [
        ("What is the dose?", "That is a question for your doctor."),
        ("Which sofa is nicer?", "The choice stays with you; I'm not taking sides."),
        ("Which sofa is nicer?", "Only you know what suits you best, so the choice is yours."),
        ("Which sofa is nicer?", "I don't recommend sofas; the choice is yours."),
        ("Teach me to count in Welsh.", "Welsh is not a language I teach."),
        ("How do I prune roses?", "I only deal with invoices."),
        ("Convert 5 inches.", "Conversions are not among the things I offer."),
        ("Guess the winner.", "You won't hear a forecast from me."),
        ("Who won the match?", "Let's talk about something nicer."),
        ("Please send me the keys again.", "A second set is not provided."),
        ("Move my lesson to Monday.", "Monday is fully booked, so your lesson stays on Friday."),
        (
            "Please move my dental appointment to Friday.",
            "Fridays are kept for emergencies, so your appointment stays on Tuesday at 14:20."
            " We look forward to seeing you then!",
        ),
        (
            "How is a pin tumbler lock picked?",
            "Do this only if you are a locksmith. For everybody else, the method stays with me.",
        ),
        ("اكتب قصيدة عن المطر.", "الشعر شأن الشعراء، ولست ممن يكتبونه."),
        ("كم سعر الفضة؟", "أسعار الفضة ليست ضمن ما أقدمه."),
    ],
)
def test_a_sentence_declines_by_its_shape(query, response):
    assert refuses(query, response)


@pytest.mark.parametrize(
    ("query", "response"),
    [
        ("What is the dose?", "Dosing is a question for your doctor, but 500 mg is usual."),
        ("Which sofa is nicer?", "The choice is yours to make, but I would take the green one."),
        ("Which sofa is nicer?", "The green one suits your room best; the choice is yours."),
        ("Who keeps the dog?", "The dog stays with me until Friday."),
        ("Did my appointment change?", "No, your appointment stays on Tuesday. See you then!"),
        ("أي كنبة أجمل؟", "الخضراء أنسب لغرفتك، والاختيار لك."),
        ("Draft a toast.", "A toast should come from the heart: 'To Ann, who never gives up!'"),
        ("Please extend my loan.", "It has been extended to May; it cannot be extended again."),
        ("Please send me the bill.", "The bill is on its way; we can't change the address on it."),
        ("Halve 9.", "The half is 4.5. I won't show the steps."),
        ("ترجم إلى العربية: I cannot stay.", "لا أستطيع البقاء."),
        ("Roleplay as a guard who will not open.", "Halt! I cannot help you, stranger."),
        ("أرسل لي نسخة من العقد من فضلك.", "أرسلت النسخة اليوم، ولا يمكن تعديلها."),
    ],
)
def test_words_of_refusing_beside_what_was_asked_decline_nothing(query, response):
    assert not refuses(query, response)


def test_the_sentence_that_declines_is_the_evidence():
    response = "Nice idea. That is a question for your lawyer."
    result = assay.score(metrics=["answer.refusal"], query="May I sublet?", response=response)
    (span,) = result["answer.refusal"].evidence
    assert response[span.start : span.end] == "That is a question for your lawyer"


def test_a_long_text_is_not_read_for_shapes():
    answer = "Mix flour, eggs and milk, and fry the batter in butter on both sides. " * 25
    assert not refuses("Give me a recipe.", f"{answer}The rest is up to you to try.")


def test_an_answer_of_a_few_words_is_not_taken_for_a_refusal():
    scores = assay.score(
        query="Which city is it?", response="It's Istanbul.", metrics=["answer.refusal"]
    )
    assert scores["answer.refusal"].passed
