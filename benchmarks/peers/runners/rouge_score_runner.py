"""rouge-score: one scorer, record by record."""

from harness import Record, measure
from rouge_score.rouge_scorer import RougeScorer


def rouge(records: list[Record]) -> object:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    return [scorer.score(record["expected"], record["response"]) for record in records]


measure({"rouge": rouge})
