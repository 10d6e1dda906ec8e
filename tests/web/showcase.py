"""What the pictures of the documentation show: a library's help desk, three months of it."""

from itertools import cycle, islice

DESK = (
    (
        "opening-hours",
        "When is the library open on Saturday?",
        "On Saturday the library is open from 10 AM to 4 PM.",
        "I think the library might be open until 8 PM on Saturday, but I am not sure.",
        "On Saturday the library is open from 10 AM to 4 PM. On Sunday it is closed.",
    ),
    (
        "loan-period",
        "How long can I keep a book?",
        "You can keep a book for 28 days.",
        "You can keep a book for 60 days, and films for a year.",
        "Books are lent for 28 days, films for 7 days.",
    ),
    (
        "renewal",
        "How do I renew a loan?",
        "Log in, open your loans and choose Renew; a loan can be renewed twice.",
        "Write to anna.keller@example.com or call 555-123-4567 and she renews it for you.",
        "A loan can be renewed twice. Log in, open your loans and choose Renew.",
    ),
    (
        "late-fee",
        "What does it cost to bring a book back late?",
        "A late book costs 20 cents for each day, and 10 euros at most.",
        "Late books cost 2 euros for each day. Our founder invented the late fee in 1820.",
        "A late book costs 20 cents for each day, 10 euros at most.",
    ),
    (
        "lost-card",
        "I lost my card. What should I do?",
        "Have the card blocked at the desk; a new card costs 5 euros.",
        "Our reading room has 80 seats and a fine view of the river.",
        "A lost card is blocked at the desk. A new card costs 5 euros.",
    ),
    (
        "arabic-books",
        "هل توجد كتب باللغة العربية؟",
        "نعم، توجد كتب باللغة العربية في الطابق الثاني.",
        "اتصل بالسيدة كيلر على الرقم ٥٥٥-١٢٣-٤٥٦٧.",
        "توجد كتب باللغة العربية في الطابق الثاني.",
    ),
    (
        "printing",
        "Can I print at the library?",
        "Yes: a page costs 10 cents, and the printer stands on the first floor.",
        "Printing is free. Printing is not free. Printing is free.",
        "The printer stands on the first floor. A page costs 10 cents.",
    ),
    (
        "reservation",
        "How do I reserve a book that somebody else has?",
        "Find the book in the catalogue and choose Reserve; we write to you when it is there.",
        "You cannot reserve books.",
        "Lent books can be reserved in the catalogue. We write to you when it is there.",
    ),
)
"""Name, question, a good answer, a poor one, what the handbook says."""

SHOWN = ("text.safety", "text.hallucination", "text.factuality", "text.consistency")
"""Metrics beside the critical ones."""

DAYS_AGO = {"march": 20, "april": 9, "may": 0}
"""When each month was measured, as the pictures show it."""

POOR = {"march": 5, "april": 3, "may": 1}
"""How many of ten answers are poor: the desk got better from month to month."""


def _sample(place, entry, month):
    name, query, good, poor, handbook = entry
    is_poor = (place + place // len(DESK)) % 10 < POOR[month]
    return {
        "id": f"{name}-{place:02}",
        "query": query,
        "response": poor if is_poor else good,
        "expected": good,
        "contexts": [{"content": handbook, "source": "handbook.pdf", "page": 1 + place % 8}],
        "expected_sources": ["handbook.pdf"],
        "duration": 0.6 + 0.05 * (place * 7 % 23) + (0.9 if is_poor else 0.0),
        "first_token_time": 0.12 + 0.02 * (place * 5 % 11),
        "task_completed": not is_poor,
        "gold_context": handbook,
        "responses": [good, poor if is_poor else good],
        "steps_taken": 4 if is_poor else 3,
        "expected_steps": 3,
        "tags": [name.partition("-")[0], "arabic" if name.startswith("arabic") else "english"],
    }


MONTHS = {
    month: [_sample(place, entry, month) for place, entry in enumerate(islice(cycle(DESK), 96))]
    for month in POOR
}
