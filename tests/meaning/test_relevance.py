"""What kind of answer a question asks for, and whether a reply has it."""

import pytest

import assay
from assay.meaning import read
from assay.meaning.refusals import Refusal
from assay.meaning.relevance import asked_kind, kind_fit, relevance

OPEN = Refusal({"share": 0.0}, (), "")


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("Can you recommend a quiet place?", ""),
        ("Can you tell me when the shop opens?", "time"),
        ("Could you translate this?", ""),
        ("Can I take a later train?", "yes_or_no"),
        ("What is the best time to plant tomatoes?", "time"),
        ("ما أفضل وقت لزراعة الطماطم؟", "time"),
        ("هل يمكنك أن تترجم الجملة؟", ""),
        ("Suggest five names for a cat.", "items"),
        ("List the planets.", "items"),
        ("Make a table of the rivers.", "items"),
        ("Write a story in three sentences.", ""),
        ("Write a short note to my neighbour.", "letter"),
        ("اكتب رسالة قصيرة إلى جاري.", "letter"),
        ("Summarise the letter.", ""),
        ("Create a plan for a family of 4.", ""),
        ("The list is long. Why?", "reason"),
        ("اذكر ثلاث عواصم.", "items"),
        ("What happens when the battery is empty?", "consequence"),
        ("ماذا يحدث إذا تأخرت عن السداد؟", "consequence"),
        ("What is the difference between jam and jelly?", "difference"),
        ("ما شروط القبول؟", "composition"),
        ("Minister, are you going to raise the tax?", "yes_or_no"),
        ("Sam, is it the red or the blue one?", ""),
        ("What do I do when the alarm rings?", "procedure"),
        ("لخّص النص في ثلاث كلمات.", ""),
        ("وين أقرب صيدلية؟", "place"),
        ("ليش سكرتوا الفرع؟", "reason"),
        ("إزاي أوصل للمتحف؟", "procedure"),
        ("مين بيقدر يستخدم المسبح؟", "person"),
        ("كم سعرة حرارية في الموزة؟", "number"),
    ],
)
def test_kinds(query, kind):
    assert asked_kind(read(query)) == kind


@pytest.mark.parametrize(
    ("query", "response", "is_given"),
    [
        ("How old was he when he died?", "He was only 35.", True),
        ("How old was he when he died?", "He composed more than 600 works.", False),
        ("When are tomatoes planted?", "In early spring.", True),
        ("When does the bus leave?", "It goes at 7.", True),
        ("When does the bus leave?", "It stops at 9 Main Street.", False),
        ("Write a note to Ruth.", "Dear Ruth, the plants look well.", True),
        ("Write a note to Ruth.", "Notes are best written in the morning.", False),
        ("اكتب رسالة إلى المعلم.", "الأستاذ الفاضل، أعتذر عن غياب ابني.", True),
        ("اكتب رسالة إلى المعلم.", "غياب الطلاب مشكلة تواجهها مدارس كثيرة.", False),
        ("When will it come out?", "We work day and night.", False),
        ("What time does it start?", "Doors open at seven, and it starts at eight.", True),
        ("How much does a letter cost?", "The boxes are emptied at five.", False),
        ("How much does a letter cost?", "It is one euro ten.", True),
        ("How much does a letter cost?", "It is free.", True),
        ("How much does a letter cost?", "It costs 300 pesos.", True),
        ("How much is a ticket?", "Take bus number 8.", False),
        ("How much is a ticket?", "Feel free to ask.", False),
        ("كم سعر التذكرة؟", "الدخول مجاني.", True),
        ("كم سعر تذكرة المتحف؟", "يضم المتحف ثلاثة آلاف قطعة.", False),
        ("How many people came?", "Nobody came.", True),
        ("How high is the discount?", "No, the offer is only for new customers.", False),
        ("How many rooms are there?", "It is open for 300 days a year.", False),
        ("How many days is it open?", "It is open for 300 days a year.", True),
        ("When does the ferry leave?", "The crossing takes about fifty minutes.", False),
        ("هل يشمل السعر الإفطار؟", "يشمل الإفطار والعشاء.", True),
        ("Where was it built?", "It was built in 1950.", False),
        ("Where was it built?", "It was built in a barn.", True),
        ("Who looks after the heating?", "Modern systems use less gas than older ones.", False),
        ("Who looks after the heating?", "The caretaker does it on Mondays.", True),
        ("How can I save power?", "Lower the brightness and close what you do not use.", True),
        ("أين الصراف؟", "اخترع الصراف في ستينيات القرن الماضي.", False),
        ("أين الصراف؟", "عند مدخل السوق.", True),
        ("متى تزرع الطماطم؟", "في أوائل الربيع.", True),
        ("Is there a discount for students?", "Students get 20 % off with a card.", True),
        ("Is there a discount for students?", "Students come here every day.", False),
        ("Is it open to students?", "Students get 20 % off with a card.", False),
        ("How long does the crossing take?", "It starts at 8, 12 and 17 o'clock.", False),
        ("How long is the library open?", "Until 8 pm.", True),
        ("How many days off do I have?", "Yes, but tell us a week in advance.", False),
        ("How many days off do I have?", "You have twelve days left.", True),
        ("How long in advance do I book?", "Two weeks in advance.", True),
        ("Will it be ready before Christmas?", "They now speak of February.", True),
        ("Will it be ready before Christmas?", "The bridge has a cycle path.", False),
        ("What happens if I am late?", "You'll be charged a fee.", True),
        (
            "What is the difference between tea and chai?",
            "Chai has milk, whereas tea does not.",
            True,
        ),
        ("Why may I put nothing on the shelf?", "The glue takes a whole day to harden.", True),
        ("كيف وصل الفريق إلى النهائي؟", "تغلب على بطل الدوري بركلات الترجيح.", True),
        ("كيف وصل الفريق إلى النهائي؟", "سيُنقل النهائي على القناة الرياضية.", False),
        ("من كتب الرواية؟", "يُنصح بالقراءة نصف ساعة كل مساء لتقوية الذاكرة.", False),
        ("من كتب الرواية؟", "كتبها طه حسين قبل نحو مئة عام.", True),
        ("من كتب الرواية؟", "صاحب العمل هو الشاعر الذي عاش هناك طويلا.", True),
        ("هل يتوفر المقاس 43؟", "للأسف نفد المقاس وسيصل بعد أسبوع.", True),
        ("ما مكونات التبولة؟", "بقدونس وبرغل وبصل ونعناع.", True),
    ],
)
def test_what_is_asked_for_is_given(query, response, is_given):
    own = relevance(read(query), read(response), OPEN)
    assert bool(own.measures["given"]) is is_given


@pytest.mark.parametrize(
    ("response", "is_adrift"),
    [
        ("Switzerland is known for its mountains.", True),
        ("The plug of Switzerland has three pins.", False),
        ("Switzerland has three pins on the one you need.", False),
        ("Type J, with three round pins.", False),
    ],
)
def test_a_reply_on_another_word_of_an_open_question_gives_nothing(response, is_adrift):
    own = relevance(read("Which plug do I need in Switzerland?"), read(response), OPEN)
    assert bool(own.measures["not_given"]) is is_adrift


@pytest.mark.parametrize(
    ("query", "response", "fit"),
    [
        ("How many are there?", "Seven.", 1.0),
        ("How many are there?", "It is the largest.", -1.0),
        ("How many are there?", "Yes.", -2.0),
        ("Which are they?", "The largest.", 0.0),
        ("When does the summer sale start?", "The summer sale is popular.", -1.0),
        ("Where is the sale?", "The sale is on 5 July.", -2.0),
        ("Will the shop close?", "We never comment on such plans.", 0.0),
        ("What happens if I am late?", "Trains are often late.", 0.0),
        ("What is the difference between jam and jelly?", "Both taste good on toast.", -1.0),
        ("What is the difference between jam and jelly?", "Jelly is made from juice.", 0.0),
        ("Sam, can we meet on Friday?", "Friday is fine with me.", 1.0),
    ],
)
def test_how_far_the_kind_of_answer_is_there_that_is_asked_for(query, response, fit):
    assert kind_fit(relevance(read(query), read(response), OPEN)) == fit


@pytest.mark.parametrize(
    ("response", "is_given"),
    [
        ("1. Momo\n2. Luna", True),
        ("- Momo\n- Luna", True),
        ("Momo, Luna, Felix", True),
        ("Momo, Luna and Felix", True),
        ("Name | Age\nMomo | 3\nLuna | 4", True),
        ("Cats sleep a lot.", False),
    ],
)
def test_a_list_is_given_where_several_things_are_asked_for(response, is_given):
    own = relevance(read("Suggest three names for a cat."), read(response), OPEN)

    assert bool(own.measures["given"]) is is_given
    assert bool(own.measures["not_given"]) is not is_given


def test_what_is_made_to_order_need_not_take_up_its_words():
    poem = read("Soft drops on the roof, the garden drinks in silence, morning wakes up green.")

    assert not relevance(read("Write a haiku."), poem, OPEN).measures["unshared"]
    assert relevance(read("Who wrote the haiku?"), poem, OPEN).measures["unshared"]


@pytest.mark.parametrize(
    ("query", "response", "is_courtesy"),
    [
        ("hi", "Hello! How can I help you today?", True),
        ("Thanks a lot!", "You're welcome!", True),
        ("السلام عليكم", "وعليكم السلام، كيف أساعدك؟", True),
        ("hi", "The shop opens at nine.", False),
        ("Hello, when do you open?", "Hello! At nine.", False),
    ],
)
def test_a_greeting_is_returned(query, response, is_courtesy):
    assert relevance(read(query), read(response), OPEN).is_courtesy is is_courtesy


@pytest.mark.parametrize(
    ("response", "is_order"),
    [("Check the website.", True), ("Check-in starts at 3 pm.", False), ("By train.", False)],
)
def test_an_order_does_not_say_how_much_something_is(response, is_order):
    own = relevance(read("How much is a room?"), read(response), OPEN)

    assert bool(own.measures["order_to_other"]) is is_order


@pytest.mark.parametrize(
    ("query", "is_echo"),
    [
        ("Shorten: The office on the first floor is closed today.", False),
        ("Is it true that the office on the first floor is closed today?", True),
    ],
)
def test_a_shortened_text_repeats_its_words(query, is_echo):
    own = relevance(read(query), read("The office is closed."), OPEN)

    assert bool(own.measures["echo"]) is is_echo


@pytest.mark.parametrize(
    ("query", "response", "verdict"),
    [
        ("كم سعر تذكرة الدخول؟", "عشرون ريالًا للكبار وعشرة للأطفال.", "unsure"),
        ("كم سعر التذكرة الواحدة للكبار؟", "سعر التذكرة الواحدة للكبار عشرون ريالًا فقط.", "pass"),
        ("هل يتوفر هذا الحذاء؟", "شكرًا لاهتمامك، فرضا زبائننا غايتنا.", "fail"),
    ],
)
def test_rules_alone_decide_on_arabic_only_where_they_are_clear(query, response, verdict):
    result = assay.score(metrics=["answer.relevance"], query=query, response=response)
    assert result["answer.relevance"].verdict == verdict
