"""The API server: stored runs, scores and jobs over HTTP, closed by default.

Needs the extra `server`. `assay serve` starts it.
"""
