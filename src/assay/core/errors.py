"""Everything that Assay raises on purpose.

AssayError
├── UsageError              the call or the command line is wrong (exit code 2)
│   ├── ArgumentError       a Python call has no argument of that name (a TypeError too)
│   ├── UnknownMetricError  a selector names no metric
│   ├── ProfileError        a profile file or a metric's options are wrong
│   ├── UnpairedError       two runs have no sample in common
│   └── MissingExtraError   an optional package is not installed
├── TimeLimitError          a request took longer than it may
├── ModelError              a model cannot be used; only scores that need it are errors
└── DataError               a file cannot be used at all (exit code 2)
    ├── NotFoundError       the store holds nothing of that name
    ├── ColumnError         it is not clear which column gives a field
    ├── RunBusyError        another program writes the run
    ├── StoreBusyError      another program holds the store
    ├── StoreReadOnlyError  the store can be read, not written
    └── SampleError         one record of a file is wrong; the run goes on (exit code 3)
"""

from __future__ import annotations


class AssayError(Exception):
    """Base of all our exceptions; catch it to catch them all."""


class UsageError(AssayError):
    """Correct the call as the message says."""


class ArgumentError(UsageError, TypeError):
    """Correct the argument's name; what belongs to no field goes into `metadata`."""


class UnknownMetricError(UsageError):
    """Correct the metric's id; `assay metrics` lists all of them."""


class ProfileError(UsageError):
    """Correct the profile or the options that the message names."""


class UnpairedError(UsageError):
    """Pair the samples by another key, or give runs over the same samples."""


class MissingExtraError(UsageError):
    """Install the extra that the message names."""


class TimeLimitError(AssayError):
    """Ask for less at a time, or have it done in the background."""


class ModelError(AssayError):
    """Do what the message says about the model; scores that need no model are not concerned."""


class DataError(AssayError):
    """Correct the file or give another one."""


class ColumnError(DataError):
    """Say which column gives the field, as the advice tells."""

    def __init__(self, problem: str, advice: str, field: str, columns: tuple[str, ...]) -> None:
        super().__init__(f"{problem}; {advice}")
        self.problem = problem
        """What is not clear, without the advice, which depends on how the data came."""
        self.field = field
        self.columns = columns
        """The columns that may give the field."""


class RunBusyError(DataError):
    """Wait for the program that writes the run, or choose another name."""


class StoreBusyError(DataError):
    """Try again later; another program holds the store."""


class StoreReadOnlyError(DataError):
    """Copy the store to a folder that can be written to, or name another."""


class NotFoundError(DataError):
    """Correct the name; the message says where all names are listed."""


class SampleError(DataError):
    """Correct the record that the message names; the other records were read."""
