"""What a passage says against a statement, and what it does not."""

import pytest

from assay.meaning import TextReading, read
from assay.meaning.acts import other_author
from assay.meaning.conflicts import FIGURES, clauses, conflicts, figure_conflicts, restated
from assay.meaning.other_places import other_document, other_subject
from assay.meaning.unstated import unstated
from assay.meaning.widening import drops_condition, widens


def kinds(claim, sentence):
    own, other = read(claim), read(sentence)
    return [one.kind for one in conflicts(own, other, [other])]


@pytest.mark.parametrize(
    ("claim", "sentence", "kind"),
    [
        ("Adults pay 9 euros", "Adults pay 7 euros and children 3 euros", "number"),
        (
            "Edith Moran's brother painted The Blue Orchard",
            "The Blue Orchard was painted by Edith Moran and hung in her brother's house",
            "roles",
        ),
        ("Members can borrow ten books", "Members may borrow five books", "number"),
        ("Members can borrow 3 books", "Members may borrow five books for 3 weeks", "number"),
        ("يستطيع العضو استعارة عشرة كتب", "يحق للعضو استعارة خمسة كتب", "number"),
        (
            "تستمر الحافلات في العمل خلال أسبوع الامتحانات",
            "تتوقف الحافلات عن العمل خلال أسبوع الامتحانات",
            "opposite",
        ),
        (
            "يتناول المريض الدواء فيرتفع ضغطه خلال ساعة",
            "يتناول المريض الدواء فينخفض ضغطه خلال ساعة",
            "opposite",
        ),
        ("لا بد من شحن الهاتف قبل الاستعمال", "يستحسن شحن الهاتف قبل الاستعمال", "modality"),
        ("الشاي يقي قطعا من أمراض القلب", "الشاي قد يقي من أمراض القلب", "certainty"),
        ("رسم الاشتراك الشهري 20 دينارا", "رسم الاشتراك السنوي 20 دينارا", "rate"),
        ("The office opens on Monday", "The office opens on Tuesday", "weekday"),
        ("Dogs are allowed on the beach", "Dogs are not allowed on the beach", "negation"),
        ("Prices increased in the centre", "Prices decreased in the centre", "opposite"),
        ("Guests must use the side door", "Guests may use the side door", "modality"),
        ("Helmets can be worn on site if you like", "Helmets must be worn on site", "modality"),
        ("Swimming is forbidden in winter", "Swimming is still allowed in winter", "opposite"),
        (
            "Because the alarm rang, the guard left",
            "Because the guard left, the alarm rang",
            "roles",
        ),
        ("المسبح ليس مفتوحا يوم الأحد", "المسبح مفتوح يوم الأحد", "negation"),
        ("يعطى الدواء للأطفال دون سن السادسة", "لا يعطى الدواء للأطفال دون سن السادسة", "negation"),
        ("يمكن استبدال السلعة من دون فاتورة", "يمكن تبديل المنتج مع الفاتورة", "negation"),
        ("The bar will open in spring", "The bar is considering to open in spring", "certainty"),
        ("The driver of the lorry was injured", "The driver of the lorry was unhurt", "opposite"),
    ],
)
def test_contradictions_are_named(claim, sentence, kind):
    assert kind in kinds(claim, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The licence rules out commercial use", "The licence does not allow commercial use"),
        ("Photography with flash is forbidden", "Photography with flash is not allowed"),
        ("Adults pay 7 euros", "Adults pay 7 euros and children under 14 swim free"),
        ("The tour takes two hours", "The tour takes 120 minutes"),
        (
            "You must be available at noon, even when you work from home",
            "You may work from home if your manager agrees",
        ),
        ("Working abroad has to be approved", "Work abroad is limited and needs approval by HR"),
        (
            "A tenant pays at most 200 euros for small repairs in a year",
            "Tenants pay repairs up to 75 euros, but no more than 200 euros a year in total",
        ),
        ("Each key allows ten requests a second", "Each key allows 600 requests per minute"),
        ("Penguins swim near the coast", "The office is not open on Sundays"),
        ("You can bring a dog if it is kept on a lead", "Dogs must be kept on a lead"),
        ("If you are not a member, you can't borrow tools", "Only members may borrow tools"),
        ("The bar is open until midnight", "The bar closes at midnight"),
        ("The office closes at 3 pm", "The office is open from 9 am to 3 pm"),
    ],
)
def test_what_agrees_or_is_about_something_else_is_no_conflict(claim, sentence):
    assert kinds(claim, sentence) == []


def test_an_opposite_that_another_sentence_has_of_the_same_thing_is_no_conflict():
    passage = [read("The fire drill is compulsory"), read("The first-aid course is voluntary")]
    both = read("The fire drill must be attended; the first-aid course is optional")
    assert not conflicts(both, passage[0], passage)
    assert conflicts(read("The fire drill is optional"), passage[0], passage)


def test_words_of_a_statement_with_figures_of_another_sentence_have_not_moved():
    house = read("The house is run by the museum and keeps the same opening hours")
    assert not conflicts(read("On Mondays the house is open from 11 am to 5 pm"), house, [house])


def test_a_number_of_another_document_is_named():
    documents = [
        [read("Aqua 40: the tank holds 60 litres")],
        [read("Aqua 60: the tank holds 80 litres")],
    ]
    found = other_document(read("The Aqua 40 holds 80 litres"), documents)
    assert found is not None
    assert other_document(read("The Aqua 40 holds 60 litres"), documents) is None


def test_what_sources_are_said_not_to_say():
    assert unstated(read("The text does not mention parking")) == {"park"}
    assert unstated(read("The text doesn't say when the library was founded")) == {
        "librari",
        "found",
    }
    assert unstated(read("The mayor does not mention parking")) is None
    assert unstated(read("The architect of the hall is not named")) == {"architect", "hall"}
    assert unstated(read("The architect of the hall is not paid")) is None
    assert unstated(read("The document does not include the price")) == {"price"}
    assert unstated(read("The menu does not include drinks")) is None
    apology = "I'm sorry, but I don't have information about parking on Sundays"
    assert unstated(read(apology)) == {"park", "sunday"}
    assert unstated(read("We couldn't find the price")) == {"price"}
    assert unstated(read("I found nothing, and can't find the price in the documents")) == {"price"}
    assert unstated(read("I don't have a car")) is None
    assert unstated(read("You don't have information about parking")) is None
    assert unstated(read("I couldn't find it, but it costs 5 euros")) is None
    assert unstated(read("ليس لدي معلومات عن رسوم الدخول")) == {"رسوم", "دخول"}
    assert unstated(read("لا يذكر النص رسوم الدخول")) is not None


def test_denials_without_a_negation():
    assert read("Smoking is prohibited").denies
    assert not read("Smoking is allowed").denies


def test_quantifiers_that_the_passage_lacks():
    assert widens(read("All districts took part"), [read("The district took part")])
    assert not widens(read("All districts took part"), [read("Every district took part")])


def test_what_was_done_by_another_is_found_in_any_sentence():
    passage = [
        read("Acme was founded in 1987 by Laura and Miguel Ortiz"),
        read("Headquarters moved to Graz"),
        read("Since 2020 Priya Nair has led it"),
    ]

    assert other_author(read("Priya Nair founded Acme"), passage) is not None
    assert other_author(read("Laura and Miguel Ortiz founded Acme"), passage) is None
    assert other_author(read("Priya Nair led Acme"), passage) is None


def test_a_verb_is_no_other_name():
    passage = [
        read("Laura was head until 2009, when Miguel took over"),
        read("Laura and Miguel Ortiz founded it"),
    ]

    assert other_subject(read("Miguel Ortiz was head until 2009"), passage) is None


def test_names_of_a_list_are_in_one_clause():
    (whole,) = clauses(read("Acme was founded in Graz by Laura and Miguel Ortiz"))

    assert whole.text == "Acme was founded in Graz by Laura and Miguel Ortiz"


def test_clauses_of_a_sentence():
    found = [
        part.text.strip(" ,")
        for part in clauses(read("It is in the east wing, and that wing is closed"))
    ]
    assert found[0] == "It is in the east wing"
    assert len(found) == 2


@pytest.mark.parametrize(
    "text",
    [
        "The ferry leaves at 9:30, because the U.S. crew of 3.5 people rests; nobody waits.",
        "(\"Well\", he said) - the shop isn't open and I don't know why.",
        "Adults pay 7 euros but children swim free, unless it's Sunday.",
        "المسبح مفتوح كل يوم، لكن الرسم 7 ريالات.",
    ],
)
def test_clause_of_a_text_reads_as_the_same_text_alone(text):
    whole = read(text)
    assert len(whole.clauses) > 1
    for start, end, keys in whole.clauses:
        part, alone = (
            whole.stretch(start, end),
            TextReading(text[start:end], text[start:end].lower()),
        )
        assert part.words == alone.words
        assert part.keys == alone.keys == keys
        assert part.figures == alone.figures


@pytest.mark.parametrize(
    "text", ["It isn't 9:30 in the U.S. yet - why?", "لا يفتح المسبح و30 دقيقة"]
)
def test_words_without_places_are_those_with_places(text):
    reading = TextReading(text, text.lower())
    keys, texts = reading.keys, reading.texts
    assert keys == {word.key for word in reading.words}
    assert texts == {word.text for word in reading.words}


def test_figure_conflicts_are_those_of_conflicts():
    claim = read("The museum opens at 10:30 on Monday and costs 9 euros.")
    sentence = read("The museum opens at 9:30 on Tuesday and costs 7 euros.")
    kept = [one for one in conflicts(claim, sentence, [sentence]) if one.kind in FIGURES]
    assert kept
    assert figure_conflicts(claim, sentence) == kept


@pytest.mark.parametrize(
    ("claim", "sentence", "keys"),
    [
        (
            "The old tunnel is longer than the new one",
            "The new tunnel is shorter than the old one",
            {"longer"},
        ),
        ("Bottles are not permitted", "Bottles are forbidden", {"permit"}),
        ("It is an easy trail", "The trail is not difficult", {"easi"}),
        ("It is an easy trail", "The trail is difficult", set()),
        ("The bank is closed", "All shops are open except the bank", {"close"}),
        ("الحافلة أبطأ من القطار", "القطار أسرع من الحافلة", {"ابط"}),
    ],
)
def test_words_that_a_sentence_has_from_the_other_side(claim, sentence, keys):
    assert restated(read(claim), read(sentence)) == keys


@pytest.mark.parametrize(
    ("claim", "is_dropped"),
    [
        ("Children may take part", True),
        ("Children may take part if an adult comes along", False),
        ("Children may take part with an adult", False),
        ("Dogs may take part", False),
    ],
)
def test_dropped_conditions(claim, is_dropped):
    sentence = read("Children may take part if an adult comes along")
    assert drops_condition(read(claim), sentence) is is_dropped


@pytest.mark.parametrize(
    ("claim", "window", "is_wider"),
    [
        ("All flats have a cellar", "Most flats have a cellar", True),
        ("He walked all around the house", "He walked round the house", False),
        ("It is not cheap at all", "It is not cheap", False),
        ("Anyone younger than 14 wears a helmet", "Children under 14 wear a helmet", False),
        ("Anyone with a ticket may enter", "Visitors with a ticket may enter", False),
        ("Anyone may enter", "Visitors with a ticket may enter", True),
    ],
)
def test_idioms_with_all_widen_nothing(claim, window, is_wider):
    assert widens(read(claim), [read(window)]) is is_wider


def test_who_has_not_is_the_other_side_of_only():
    sentence = read("Only members who have paid their fees may vote")
    claim = read("Members who have not paid their fees may not vote")
    assert not conflicts(claim, sentence, [sentence])


PLANS = (
    "The basic plan covers fire and water damage",
    "The premium plan also covers theft",
    "Lift A carries 900 kg",
    "Lift B carries dogs",
)


@pytest.mark.parametrize(
    ("claim", "telling"),
    [
        ("The basic plan covers theft", "basic"),
        ("The premium plan covers theft", None),
        ("The basic plan covers fire", None),
        ("Lift A carries dogs", "A"),
        ("Lift B carries dogs", None),
        ("The plan basic costs 40 euros", None),
    ],
)
def test_what_is_said_of_the_other_of_two_things(claim, telling):
    found = other_subject(read(claim), [read(text) for text in PLANS])
    assert (found.claimed if found else None) == telling


def test_some_follows_from_all():
    sentence = read("All members of the club were insured last year")
    assert not conflicts(read("Some members of the club were insured"), sentence, [sentence])


def test_unless_and_provided_that_not_are_the_same():
    sentence = read("Loans can be renewed twice unless another reader has reserved the item")
    told = "Loans can be renewed twice provided nobody else has reserved the item"

    assert not conflicts(read(told), sentence, [sentence])


def test_if_with_a_denial_behind_it_is_not_unless():
    told = "If the code is entered, the alarm does not stop"

    assert kinds(told, "The alarm stops unless the code is wrong") == ["negation"]


def test_a_place_that_is_left_is_not_the_place_of_arrival():
    sentence = read("From Voss a bus leaves for Gudvangen at 9:10")
    told = read("You arrive in Gudvangen if you catch the 9:10 bus from Voss")

    assert not [one for one in conflicts(told, sentence, [sentence]) if one.kind == "roles"]


def test_a_reason_beside_a_time_is_no_exchange():
    sentence = read("Omar refused because the tyre had already been worn out")
    told = read("He declined because, he said, the tyre was worn before he took the bike")

    assert not conflicts(told, sentence, [sentence])


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("DNA is an album", "DNA is the debut studio album by British girl group Little Mix"),
        ("Ferrer was a director", "Ferrer was an American actor and theatre and film director"),
        ("Lind died in Graz", "Lind was born and died in the city of Graz"),
        ("Stephen Lind was born in Graz", "Born in Graz, Lind moved to Vienna as a child"),
        ("Tim Roth is an English actor", "Timothy Simon Roth is an English actor and director"),
        ("It is a form of Jamaican dance", "It is a form of dance that comes from Jamaica"),
        (
            "A room for 4 costs 120 euros",
            "A room for 2 costs 80 euros, a room for 4 costs 120 euros",
        ),
        (
            "A dose is 10 ml for 7 days in severe cases",
            "A dose is 5 ml for 3 days, in severe cases 10 ml for 7 days",
        ),
        ("Gal Gadot was ranked as the fifth", "She was ranked as the fifth, behind Bar Refaeli"),
    ],
)
def test_what_a_passage_says_in_other_names_is_no_conflict(claim, sentence):
    assert kinds(claim, sentence) == []


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Karim wrote the novel in Cairo", "Salma wrote the novel in Cairo"),
        ("The firm moved its head office to Graz", "The firm moved its head office to Vienna"),
    ],
)
def test_another_name_is_a_conflict(claim, sentence):
    assert "name" in kinds(claim, sentence)


def test_an_arabic_word_with_its_preposition_may_move():
    assert not kinds("يعقد اللقاء في المدرسة يوم الثلاثاء", "يعقد اللقاء يوم الثلاثاء في المدرسة")
    assert kinds("هزم الأهلي الزمالك في القاهرة", "هزم الزمالك الأهلي في القاهرة") == ["roles"]
