"""A report of an older run, after a picture in it was redacted."""

from __future__ import annotations

from report_samples import shop_report

from bicameral.errors import RedactedEvidenceError
from bicameral.ports import EvidenceReader
from bicameral.report.html import render_html


class Without:
    """The pictures, of which one was dropped on purpose."""

    def __init__(self, pictures: EvidenceReader, redacted: str) -> None:
        self.pictures, self.redacted = pictures, redacted

    def read(self, digest: str) -> bytes:
        if digest == self.redacted:
            raise RedactedEvidenceError(f"The evidence {digest} was redacted.")
        return self.pictures.read(digest)


def test_a_redacted_picture_is_called_redacted_and_the_report_is_whole() -> None:
    report, pictures = shop_report()
    page = render_html(report, Without(pictures, report.shots[0].picture))
    assert "This picture was redacted" in page
    assert "no longer in the evidence folder" not in page
    assert "The hero picture does not load" in page
