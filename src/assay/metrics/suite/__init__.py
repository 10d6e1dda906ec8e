"""Whether a system does what a test record expects of it.

For records of the bundled suites and others that say what should happen in their metadata: what
must not show (`forbidden`), what must (`accepted`), and whether to answer or to refuse.
"""
