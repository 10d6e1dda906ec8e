from assay.core import rule
from assay.scoring.timing import CHARS_PER_TOKEN, estimated_tokens


@rule("chat.estimate_tokens")
def estimate_tokens(response: str | None, chars_per_token: float = CHARS_PER_TOKEN) -> int | None:
    """The documented estimate of a response's tokens; None without a response."""
    return None if response is None else estimated_tokens(response, chars_per_token)
