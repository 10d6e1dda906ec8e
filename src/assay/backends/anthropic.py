"""A judge behind Anthropic's Messages API: `anthropic:URL#MODEL`, the address up to `/messages`."""

from functools import partial

from assay.backends.judge import endpoint_judge, judge_identity

make_judge = make_verifier = make_comparer = partial(endpoint_judge, "anthropic")
identify = partial(judge_identity, "anthropic")
