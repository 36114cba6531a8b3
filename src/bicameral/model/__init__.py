"""The nouns: frozen values and closed vocabularies. No I/O, no clock, no chance."""
