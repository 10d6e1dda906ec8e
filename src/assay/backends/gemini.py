"""A judge behind Google's Gemini API: `gemini:URL#MODEL`, the address up to `/models`."""

from functools import partial

from assay.backends.judge import endpoint_judge, judge_identity

make_judge = make_verifier = make_comparer = partial(endpoint_judge, "gemini")
identify = partial(judge_identity, "gemini")
