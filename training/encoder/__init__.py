"""Trains the encoder behind the verdicts: one small BERT with a head for each question.

    python -m training.encoder prepare --data DIR --evidence DIR --base B --tokenizer T --out WORK
    python -m training.encoder teacher FOLDER WEIGHTS
    python -m training.encoder learn WORK RESULT --base B --tower teacher|pairs|texts
        [--teacher RESULT] [--without FOLD]
    python -m training.encoder export WORK --base B --pairs W --texts W --tokenizer T --out DIR

`prepare` writes token ids and needs no GPU. `teacher` packs the base of a larger network, which
learns first; the towers learn from its answers beside the labels. `learn` needs torch and nothing
else of ours, ends at its time limit and goes on from where it stopped; `export` writes ONNX and
needs torch and onnx.
"""
