"""Whether an answer is right, to the point, in the right language, and given at all.

| metric | what it looks at |
|---|---|
| `correctness` | the response against the accepted answers |
| `relevance` | whether the response addresses the query |
| `refusal` | whether the response declines what was asked |
| `language` | whether the response is in the language of the query |
| `similarity` | how alike response and expected answer are |
| `cross_language` | whether the answer says the same in two languages |

Correctness, relevance and refusal are probabilities of small linear models over words, figures and
denials, fitted to answers that people judged.
"""
