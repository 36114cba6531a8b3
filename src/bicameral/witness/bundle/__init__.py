"""One portable file with all that is needed to verify a run: `bicameral.bundle.v1` (spec/bicameral.bundle.v1.md).

`write_bundle` streams parts into a file, `read_bundle` streams them out of one; neither seeks, and neither makes a
file. What the parts say is `witness.audit`'s to verify.
"""

from bicameral.witness.bundle.limits import LIMITS, Limits
from bicameral.witness.bundle.reading import read_bundle
from bicameral.witness.bundle.writing import write_bundle

__all__ = ["LIMITS", "Limits", "read_bundle", "write_bundle"]
