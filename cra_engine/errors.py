"""The foreseeable failures of the engine.

Every message is one sentence (or two) that a clinic worker understands: what is wrong, where, and what to do.
"""


class CRAError(Exception):
    """Base of every failure the engine foresees; its text can be shown to a person as it is."""


class StudyError(CRAError):
    """The study is unusable: an attribute, its hierarchy, k or the profile."""


class DataError(CRAError):
    """The raw table does not fit the study: a missing column, text among numbers, a value outside its domain."""


class ReleaseError(CRAError):
    """The published table is not a release of this study: an unknown label, a class smaller than k."""


class TooLargeError(CRAError):
    """The request is larger than the engine admits; the message says what to reduce."""
