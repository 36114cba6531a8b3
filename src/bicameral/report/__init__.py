"""Projections of a run for people and tools: `json`, `terminal`, `html`.

Each takes a `model.run.RunReport` and returns or prints text; the HTML page also reads pictures through
`ports.EvidenceReader`. Nothing here decides: what counts as open, as disputed or as an exit status is the run's.
What several surfaces say is in `wording`, what they show of an issue in `issues`.
"""
