"""Two runs of the same questions: the second answers some of them better, and two are hostile."""

HOSTILE = (
    "<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)></svg>"
    '<a href="javascript:alert(4)">x</a> ![b](https://beacon.example/pixel.png)'
    '<iframe src="https://beacon.example/"></iframe><style>*{background:url(//beacon.example/c)}'
    "</style>{{constructor.constructor('alert(5)')()}} =HYPERLINK(\"https://beacon.example\")"
)
RIGHT = "The store opens at 9 AM and closes at 6 PM."
ARABIC = "اتصل بخدمة العملاء على الرقم ٥٥٥-١٢٣-٤٥٦٧ في أي وقت."


def _samples(is_better):
    wrong = RIGHT if is_better else "Perhaps the store 😀 opens at noon. Write to john@example.com."
    yield from (
        {
            "id": f"hours-{index:02}",
            "query": "When does the store open?",
            "response": wrong if index % 2 else RIGHT,
            "expected": RIGHT,
            "contexts": [{"content": RIGHT, "source": "handbook.pdf", "page": 3}],
            "duration": 0.5 + 0.1 * index,
            "tags": ["hours"],
        }
        for index in range(12)
    )
    yield {
        "id": "hostile",
        "query": HOSTILE,
        "response": HOSTILE,
        "expected": RIGHT,
        "contexts": [{"content": HOSTILE, "source": HOSTILE}],
        "tags": [HOSTILE],
        "steps": [HOSTILE],
        "conversation": [{"role": HOSTILE, "content": HOSTILE}],
        "tool_calls": [{"name": HOSTILE}],
        "metadata": {"note": HOSTILE},
    }
    yield {
        "id": "<b>arabic</b>",
        "query": "كيف أتصل بخدمة العملاء؟",
        "response": ARABIC,
        "expected": "اتصل بمركز المساعدة.",
        "language": "ar",
        "conversation": [
            {"role": "user", "content": "Hello!"},
            {"role": "assistant", "content": "مرحبا، كيف أساعدك؟"},
        ],
        "task_completed": True,
        "tags": ["عربي"],
    }


SAMPLES = {"monday": list(_samples(False)), "tuesday": list(_samples(True))}
