"""The one place where the parts are joined: the public judges, the run, and what a run is kept in."""
