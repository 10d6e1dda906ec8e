"""What makes an answer, a question or a retrieved text unsafe.

Each value is the probability that the text is what the name says: toxic, an injection, personal
data, a secret, harmful, biased. Rules on patterns and small linear models fitted on public labelled
data, in English and Arabic; every value comes with the places that caused it.
"""
