import pytest

from assay.features.emoji import MAX_EMOJI, emoji


def found(text):
    spans = emoji.feature.function(text, field="response")
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Well done 👍🏽!", ["👍🏽"]),
        ("✅ paid, ✔️ sent", ["✅", "✔️"]),
        ("🇮🇳", ["🇮", "🇳"]),
        ("with ❤", ["❤"]),
        ("plain ✔ → ★ ₹ € © ½ :) القاهرة", []),
        ("", []),
    ],
)
def test_emoji(text, expected):
    assert found(text) == expected


def test_there_is_an_end_to_the_emoji():
    assert len(found("😀" * 500)) == MAX_EMOJI
