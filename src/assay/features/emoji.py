"""The emoji of a text."""

from __future__ import annotations

import re
from itertools import islice

from assay.core.metric import text_feature
from assay.core.result import Span

MAX_EMOJI = 100
"""At most this many are listed."""
_FACES = (
    "\U0001f1e6-\U0001f1ff\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7eb"
    "\U0001f900-\U0001f9ff\U0001fa70-\U0001faff"
    "⌚⌛⏩-⏬⏰⏳☔☕♿⚓⚡⚽⚾⛄⛅⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓-❕❗➕-➗➰➿⬛⬜⭐⭕"
    "☺☹♥❤"
)
"""Characters that are shown as pictures (Unicode 15, `Emoji_Presentation`), and four that are
meant as such although they may be shown as text."""
_EMOJI = re.compile(f"[{_FACES}][\U0001f3fb-\U0001f3ff\ufe0f]?|[\u2190-\u2bff]\ufe0f")
"""A sign that is usually text (✔) is a picture when the variation selector asks for it."""


@text_feature()
def emoji(text: str, *, field: str) -> tuple[Span, ...]:
    """Where emoji stand in the text, the parts of a joined one each on its own."""
    if text.isascii():
        return ()
    matches = islice(_EMOJI.finditer(text), MAX_EMOJI)
    return tuple(Span(field, *match.span(), "emoji") for match in matches)
