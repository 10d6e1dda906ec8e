"""Word lists, pattern sets, profiles and policy packs as files, and the one reader of each.

Nothing is read at import; every reader caches what it read.
"""

from assay.data.bundled_files import file_fingerprint, fingerprint
from assay.data.folding import confusables
from assay.data.languages import Languages, languages
from assay.data.lexicons import Lexicon, Pattern, lexicon, lexicon_names, read_lexicon
from assay.data.policies import Policy, policy, policy_names, read_policy
from assay.data.profiles import Profile, profile, profile_names, read_profile
from assay.data.word_pairs import pairs

__all__ = [
    "Languages",
    "Lexicon",
    "Pattern",
    "Policy",
    "Profile",
    "confusables",
    "file_fingerprint",
    "fingerprint",
    "languages",
    "lexicon",
    "lexicon_names",
    "pairs",
    "policy",
    "policy_names",
    "profile",
    "profile_names",
    "read_lexicon",
    "read_policy",
    "read_profile",
]
