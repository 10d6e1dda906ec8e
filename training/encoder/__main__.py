"""`python -m training.encoder prepare|teacher|learn|export`."""

from __future__ import annotations

import argparse
from pathlib import Path

import training.encoder as package


def main() -> int:
    """Run one step."""
    parser = argparse.ArgumentParser(
        prog="python -m training.encoder",
        description=package.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    steps = parser.add_subparsers(dest="step", required=True)
    prepare = steps.add_parser("prepare", help="write examples as token ids")
    prepare.add_argument("--data", type=Path, required=True, help="folder of training records")
    prepare.add_argument("--evidence", type=Path, required=True, help="folder of labelled sets")
    prepare.add_argument("--base", type=Path, required=True, help="weights of a base encoder, .npz")
    prepare.add_argument("--tokenizer", type=Path, required=True, help="its tokenizer.json")
    prepare.add_argument("--out", type=Path, required=True)
    prepare.add_argument("--exam", type=Path, action="append", default=[], help="cases to measure")
    teacher = steps.add_parser("teacher", help="pack the base of the teacher")
    teacher.add_argument("folder", type=Path, help="Hugging Face folder of an MPNet, uncased")
    teacher.add_argument("out", type=Path, help="its weights in bytes, .npz")
    learn = steps.add_parser("learn", help="train on prepared examples")
    learn.add_argument("work", type=Path, help="folder that `prepare` wrote")
    learn.add_argument("result", type=Path)
    learn.add_argument("--base", type=Path, required=True)
    learn.add_argument("--tower", choices=("teacher", "pairs", "texts"), required=True)
    learn.add_argument("--teacher", type=Path, help="result of the teacher, to learn from too")
    learn.add_argument(
        "--trained",
        type=Path,
        action="append",
        default=[],
        help="weights.npz of this tower; the mean of several is trained for a short while",
    )
    learn.add_argument("--without", type=int, help="fold of the labelled sets to leave out")
    learn.add_argument("--seed", type=int, default=1)
    learn.add_argument("--minutes", type=float, default=9.0, help="end of this step; default: 9")
    export = steps.add_parser("export", help="write the model that ships")
    export.add_argument("work", type=Path)
    for tower in ("pairs", "texts"):
        export.add_argument(
            f"--{tower}",
            type=Path,
            action="append",
            required=True,
            help="weights.npz of that tower; the mean of several is taken",
        )
    export.add_argument("--base", type=Path, required=True)
    export.add_argument("--tokenizer", type=Path, required=True)
    export.add_argument("--out", type=Path, required=True)
    export.add_argument(
        "--held",
        type=Path,
        action="append",
        default=[],
        help="result of a training that left records out, to fit temperatures",
    )
    export.add_argument("--teacher", type=Path, help="result of the teacher")
    given = parser.parse_args()
    if given.step == "prepare":
        from training.encoder.packing import pack

        pack(given.data, given.evidence, given.base, given.tokenizer, given.out, given.exam)
        return 0
    if given.step == "teacher":
        from training.encoder.teacher import pack_base

        pack_base(given.folder, given.out)
        return 0
    if given.step == "learn":
        from training.encoder.learning import learn as train

        done = train(
            given.work,
            given.result,
            given.base,
            given.tower,
            given.without,
            given.seed,
            given.minutes,
            given.teacher,
            given.trained,
        )
        return 0 if done else 3
    from training.encoder.exporting import export as write

    weights = {"pairs": given.pairs, "texts": given.texts}
    write(given.work, given.base, weights, given.tokenizer, given.out, given.held, given.teacher)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
