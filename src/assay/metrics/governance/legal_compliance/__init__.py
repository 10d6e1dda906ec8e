"""What the law asks, by the run's policy pack: exempt questions, citations, tone, personal data."""
