from assay.core import rule
from assay.scoring.timing import estimated_tokens

estimate_tokens = rule("chat.estimate_tokens")(estimated_tokens)
