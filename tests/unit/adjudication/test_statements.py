"""What a document states, and on which line."""

from __future__ import annotations

import pytest

from bicameral.adjudication.sentences import sentences
from bicameral.adjudication.statements import read_document


def told(text: str, *, markdown: bool = True) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in read_document(text, markdown=markdown).statements]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It is on. It is off.", 2),
        ("Dr. Ada met Mr. Bob at 5 p.m. on Monday.", 1),
        ("See e.g. the manual, i.e. the book. It is thick.", 2),
        ("Version 2.1.3 is out. Use it.", 2),
        ("J. Smith wrote it. He is old.", 2),
        ('"It is on." She left.', 2),
        ("Really?! Yes.", 2),
        ("他们住在巴黎。她搬到了柏林！", 2),
        ("هل هو هنا؟ نعم هو هنا.", 2),
        ("यह चालू है। यह बंद है।", 2),
        ("No full stop at the end", 1),
        ("", 0),
        ("   \n ", 0),
    ],
)
def test_a_text_has_so_many_sentences(text: str, count: int) -> None:
    assert len(list(sentences(text))) == count


def test_prose_is_read_with_the_line_on_which_each_sentence_begins() -> None:
    text = "# The server\n\nThe port is 8080. The service runs\non two machines. It is old."
    assert told(text) == [
        (3, "The port is 8080."),
        (3, "The service runs on two machines."),
        (4, "It is old."),
    ]


def test_markup_is_taken_off_and_a_links_address_is_not_read() -> None:
    text = (
        "The **port** is `8080`, see [the _manual_](http://a.example/x. y) &amp; ![a picture](p.png) <b>this</b>[^1]."
    )
    assert told(text) == [(1, "The port is 8080, see the manual & this.")]


def test_snake_case_keeps_its_underscores() -> None:
    assert told("The max_open_files setting is 100.") == [(1, "The max_open_files setting is 100.")]


@pytest.mark.parametrize(
    "block",
    [
        "```\nThe port is 1234 in code.\n```",
        "~~~~ text\nThe port is 1234 in code.\n~~~\nThe port is 1234 in code.\n~~~~",
        "> ```\n> The port is 1234 in code.\n> ```",
        "    The port is 1234 in code.",
        "\tThe port is 1234 in code.",
        "<!-- The port is 1234 in code. -->",
        "<!--\nThe port is 1234 in code.\n-->",
        "<pre>\nThe port is 1234 in code.\n</pre>",
        "<script>The port is 1234 in code.</script>",
        "# The port is 1234 in code.",
        "The port is 1234 in code.\n=========",
        "| port | value |\n|---|:-:|\n| The port is | 1234 in code. |",
        "[port]: http://a.example/ 'The port is 1234 in code.'",
    ],
)
def test_what_states_nothing_by_itself_is_passed_over(block: str) -> None:
    assert told(f"{block}\n\nThe server is very old.") == [(block.count("\n") + 3, "The server is very old.")]


def test_front_matter_is_passed_over_and_a_rule_at_the_top_is_none() -> None:
    assert told("---\ntitle: The port is 1234 here.\n---\nThe server is old.") == [(4, "The server is old.")]
    assert told("---\n\nThe server is old.") == [(3, "The server is old.")]


def test_a_fence_that_is_never_closed_ends_with_the_document() -> None:
    assert told("The server is old.\n```\nThe port is 1234 in code.") == [(1, "The server is old.")]


def test_list_items_and_quotes_are_statements_of_their_own() -> None:
    items = "- The cache is write-through\n- [x] Writes go to disk\n\n  They are slow on disk.\n\n"
    text = f"{items}1. It is first here\n> It is quoted here"
    assert [line for line, _ in told(text)] == [1, 2, 4, 6, 7]


@pytest.mark.parametrize(
    "text", ["Is the server old?", "Old server", "See also:", "word " * 500, "server", "!!! ... ???"]
)
def test_questions_and_fragments_state_nothing(text: str) -> None:
    reading = read_document(text, markdown=True)
    assert reading.statements == ()
    assert reading.passed_over["fragments and questions"] >= 1


def test_scripts_without_spaces_are_read() -> None:
    assert told("他们住在巴黎。好。サーバーは大阪にあります。") == [
        (1, "他们住在巴黎。"),
        (1, "サーバーは大阪にあります。"),
    ]


def test_plain_text_with_one_statement_a_line_is_not_run_together() -> None:
    text = "The server is in Berlin\nThe cat is black\n* The dog is brown"
    assert told(text, markdown=False) == [
        (1, "The server is in Berlin"),
        (2, "The cat is black"),
        (3, "The dog is brown"),
    ]


def test_plain_text_that_was_wrapped_is_put_together() -> None:
    text = (
        "This paragraph was wrapped by somebody's mail program at about\nSixty characters or so. It has two sentences."
    )
    assert [line for line, _ in told(text, markdown=False)] == [1, 2]


def test_what_was_passed_over_is_counted() -> None:
    text = "# One\n\nTwo\n===\n\n```\nx\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n\nWhy not?"
    assert read_document(text, markdown=True).passed_over == {
        "headings": 2,
        "code blocks": 1,
        "table rows": 2,
        "fragments and questions": 1,
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_counts_lines(end: str) -> None:
    assert told(f"First it is here.{end}{end}Then it is there.{end}") == [
        (1, "First it is here."),
        (3, "Then it is there."),
    ]
