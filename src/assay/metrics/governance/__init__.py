"""Metrics of public-service answers from the Endurance specification, in nine dimensions.

All 39 run from 0 to 1 and higher is better; a dimension's score is the mean of its metrics times
100, and the overall score weighs the dimensions.

| dimension | what it looks at |
|---|---|
| `bias_fairness` | sweeping words and specific answers: proxies over one text, not over groups |
| `data_grounding` | whether the documents support the answer, and drift from a baseline |
| `explainability` | whether sources, reasons and doubts are said |
| `ethical_alignment` | harmful, improper, rude and chatty wording, and what people thought |
| `human_control` | whether a reader learns whom to ask and how to appeal |
| `legal_compliance` | the policy pack: exempt questions, citations, personal data |
| `security` | attacks in the query, leaks in the response, authorisation and audit trail |
| `response_quality` | verified claims, the question's aspects and words |
| `environmental_cost` | price, computation and energy of the call |

Most of them count words of English lists: they show that something was said, not that it is true.
Each page states its blind spots.
"""
