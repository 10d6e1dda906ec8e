"""What a language model says about an answer, question by question.

Each metric is a rubric: a file with the question, the fields that the judge is shown, and a scale
or some choices. The bundled ones lie in `data/rubrics`; `--rubric FILE` brings your own. They need
a judge (setting `judge`), without which they are N/A, and `all` and tags name them only where one
is set. A judge's verdict is an opinion of a model: measure how far it agrees with people by
`assay calibrate` before you build on it.
"""
