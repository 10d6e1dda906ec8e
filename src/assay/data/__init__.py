"""Word lists, pattern sets and profiles as files, and the one reader of each.

Nothing is read at import; every reader caches what it read.
"""

from assay.data.files import file_fingerprint, fingerprint
from assay.data.folding import confusables
from assay.data.languages import Languages, languages
from assay.data.lexicons import Lexicon, Pattern, lexicon, lexicon_names, read_lexicon
from assay.data.pairs import pairs
from assay.data.profiles import Profile, profile, profile_names, read_profile

__all__ = [
    "Languages",
    "Lexicon",
    "Pattern",
    "Profile",
    "confusables",
    "file_fingerprint",
    "fingerprint",
    "languages",
    "lexicon",
    "lexicon_names",
    "pairs",
    "profile",
    "profile_names",
    "read_lexicon",
    "read_profile",
]
