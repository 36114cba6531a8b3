"""Any text: the gate, the sentences and the statements give an answer, the same one each time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bicameral.adjudication.candidates import find_candidates
from bicameral.adjudication.features import features
from bicameral.adjudication.prompt import weighing
from bicameral.adjudication.related import Rarity, relatedness
from bicameral.adjudication.sentences import sentences
from bicameral.adjudication.statements import read_document

WILD = st.text(st.characters(), max_size=60)
MARKS = [
    *("The port is 8080.", "e.g. ", "Ada lives in Paris", "。", "!", "?", "\n", "\n\n", "\t", "\r\n", "    "),
    *(
        "```\n",
        "| a | b |\n",
        "|---|---|\n",
        "# ",
        "> ",
        "- ",
        "<!--",
        "-->",
        "---\n",
        "===\n",
        "[a](b. c)",
        "**",
        "`",
        "<pre>",
    ),
]
PROSE = st.lists(
    st.sampled_from(MARKS) | WILD,
    max_size=15,
).map("".join)
SENTENCES = st.lists(
    st.lists(
        st.sampled_from(
            ["ada", "port", "lives", "paris", "berlin", "moved", "the", "is", "open", "8080", "9090", "closed"]
        ),
        max_size=6,
    ).map(" ".join),
    max_size=12,
    unique=True,
)


@given(WILD, WILD)
def test_relatedness_has_no_direction_and_a_text_is_related_to_itself(one: str, other: str) -> None:
    assert relatedness(one, other) == relatedness(other, one)
    assert relatedness(one, one).related == bool(features(one))
    assert not relatedness(one, "").related
    assert relatedness(one, other).score >= 0


@given(st.lists(WILD, max_size=8))
def test_rarity_is_between_never_and_always_and_only_falls(texts: list[str]) -> None:
    rarity = Rarity()
    for text in texts:
        before = {one: rarity.weight(one) for one in features(text)}
        rarity.add(features(text))
        assert all(0 <= rarity.weight(one) <= 1 for one in before)


@given(PROSE)
def test_sentences_stand_in_the_text_where_they_say_and_lose_no_letter(text: str) -> None:
    found = list(sentences(text))
    for offset, sentence in found:
        assert text[offset : offset + len(sentence)] == sentence
        assert sentence.strip() == sentence != ""
    kept = "".join(sentence for _, sentence in found)
    assert "".join(kept.split()) == "".join(text.split())


@given(PROSE, st.booleans())
def test_every_document_reads_into_statements_on_its_own_lines(text: str, markdown: bool) -> None:
    reading = read_document(text, markdown=markdown)
    count = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    lines = [statement.line for statement in reading.statements]
    assert lines == sorted(lines)
    assert all(1 <= line <= count for line in lines)
    assert all("\n" not in statement.text for statement in reading.statements)


@given(SENTENCES, st.integers(0, 10))
def test_every_pair_is_a_candidate_or_accounted_for(statements: list[str], limit: int) -> None:
    found = find_candidates(statements, limit=limit)
    assert found.possible == len(statements) * (len(statements) - 1) // 2
    left = found.no_rare_word + found.different_subjects + found.over_limit
    assert len(found.pairs) + left == found.possible
    assert len(found.pairs) <= limit
    assert all(first < second for first, second in found.pairs)
    assert len(set(found.pairs)) == len(found.pairs)
    wide = find_candidates(statements, limit=1000)
    assert found.pairs == wide.pairs[:limit]


@given(WILD, WILD)
def test_no_text_within_a_prompt_ends_its_fence(claim: str, target: str) -> None:
    prompt = weighing().about(claim, target)
    prompt.encode("utf-8")
    again = weighing().about(prompt, prompt)
    for text in (prompt, again):
        heads = [line for line in text.split("\n") if line.startswith("<<<belief ")][:1]
        boundary = heads[0].removeprefix("<<<belief ")
        assert text.count(f"\n{boundary} belief>>>") == 1
