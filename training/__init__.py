"""Fits the linear models under `src/assay/data/models` from labelled public data.

    python -m training --data DIR --evidence DIR [NAME ...]

Each module of this package that has a function `train` fits the models of its name, prints how
well they do on records whose groups were held out, and writes their files with hashes.
"""
