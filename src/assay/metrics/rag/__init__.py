"""Answers from retrieved texts: is the answer faithful to them, and was the right text retrieved?

Every statement of the answer is compared with the contexts in numbers, dates, names, negations,
opposites, order and wording, and small linear models fitted on human labels turn these measures
into a probability. The measures of retrieval with labelled sources are exact.
"""
