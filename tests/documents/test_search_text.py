"""What of a text is searched, how a query is met in it, and what an excerpt says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.markdown.markdown_in import parse
from documents.projection.search_text import (
    ELLIPSIS,
    EXCERPT,
    MAX_PASSAGE_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_VOCABULARY_BYTES,
    MAX_WORD_LENGTH,
    excerpt,
    folded_name,
    query_terms,
    search_text,
    searched_words,
)
from tests.documents.trees import DOCUMENT, TEXT


def found(piece, words):
    """Say of a term whether it is met among these words, and whether its last word is not only begun there."""
    known = set(words)
    asked = [each for each in piece.alternatives if known.issuperset(each[:-1])]
    whole = any(each[-1] in known for each in asked)
    return whole or any(word.startswith(each[-1]) for each in asked for word in known), whole


def best(text, asked):
    """Return the first passage with the most matches."""
    patterns = [pattern for piece in asked for pattern, _, _ in piece.patterns]
    at = max(range(len(text.folded)), key=lambda at: (sum(each in text.folded[at] for each in patterns), -at))
    return text.passages[at]


QUERY = st.lists(TEXT, max_size=3).map(" ".join)


def paragraphs(*texts):
    return {
        "type": "doc",
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]} for text in texts],
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Foo-bar, 2nd", ["the", "foo", "bar", "foobar", "2nd"]),
        ("snake_case a@b.org", ["snake", "case", "a", "b", "org"]),
        ("Straße CAFÉ cafe\u0301", ["strasse", "cafe", "cafe"]),
        ("計画です plan計", ["計", "画", "で", "す", "plan", "計"]),
        ("हिन्दी สวัสดี", ["हिन्दी", "ส", "วั", "ส", "ดี"]),
        ("ﬁn ① ½", ["fin", "1", "1\u20442"]),
        ("... -- !?", []),
        ("x" * 100, ["x" * MAX_WORD_LENGTH]),
    ],
)
def test_a_text_is_cut_into_words_without_regard_to_case_and_spelling(text, expected):
    assert list(searched_words(text)) == expected


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "Café"),
        ("CAFÉ", "cafe"),
        ("istanbul", "İstanbul"),
        ("diyarbakir", "Diyarbak\u0131r"),
        ("oeuvre", "œuvre"),
        ("lodz", "Łódź"),
        ("kobenhavn", "København"),
        ("angstrom", "Ångström"),
        ("viet", "Việt"),
        ("αθηνα", "Αθήνα"),
        ("елка", "ёлка"),
        ("שלום", "שָׁלוֹם"),
        ("محمد", "مُحَمَّدٌ"),
        ("محمد", "محـــمد"),
        ("ハンカク", "ﾊﾝｶｸ"),
        ("ガス", "ｶﾞｽ"),
        ("hello", "\uff48\uff45\uff4c\uff4c\uff4f"),
        ("find", "ﬁnd"),
        ("softhyphen", "soft\u00adhyphen"),
        ("email", "an e-mail"),
        ("e-mail", "an email"),
        ("stateoftheart", "state-of-the-art"),
        ("1234", "1,234"),
        ("1,234", "1234"),
        ("1234567", "1 234.567 or 1'234'567"),
        ("😀", "well 😀!"),
        ("👍", "👍🏽"),
    ],
)
def test_a_word_is_found_however_it_is_spelled(query, text):
    (piece,) = query_terms(query)
    assert found(piece, searched_words(text))[0]
    assert any(part.hit for part in excerpt(text, [piece]))


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("cafe", "Le Café"),
        ("CAFÉ", "le cafe"),
        ("İSTANBUL", "Istanbul"),
        ("equipe", "ÉQUIPE.pdf"),
        ("ello", "Hello"),
        ("email", "E-mail list"),
        ("e-mail", "Email list"),
        ("e-", "E-mail list"),
        ("1234", "Invoice 1,234"),
        ("1,234", "Invoice 1234"),
        ("1.2", "v1.2-beta"),
        ("v1.2", "v1.2-beta"),
        ("2026-11", "2026-11-26 Minutes"),
        ("ハンカク", "ﾊﾝｶｸ"),
        ("oeuvre", "Œuvre"),
        ("елка", "Ёлка"),
        ("😀", "Party 😀"),
        ("محمد", "مُحَمَّدٌ"),
        ("softhyphen", "soft\u00adhyphen"),
    ],
)
def test_a_name_has_what_is_asked_for_however_it_is_spelled(query, name):
    assert all(term.name in folded_name(name) for term in query_terms(query))


@pytest.mark.parametrize("query", ["\0", "\u0301", "\u200b", "\n\n\n"])
def test_what_cannot_be_seen_is_in_no_name(query):
    assert not any(term.name in folded_name("a\u0301 b") for term in query_terms(query))


@pytest.mark.parametrize(
    ("query", "text"), [("мои", "мой"), ("か", "が"), ("ก", "ข"), ("कि", "की"), ("e mail", "email")]
)
def test_another_letter_is_another_word(query, text):
    assert not all(found(piece, searched_words(text))[0] for piece in query_terms(query))


def test_what_is_joined_is_marked_as_a_whole():
    assert [(part.text, part.hit) for part in excerpt("an e-mail to me", query_terms("email mail"))] == [
        ("an ", False),
        ("e-mail", True),
        (" to me", False),
    ]


def test_what_is_searched_is_the_text_of_every_block_without_its_markup():
    tree = parse(
        "# A *plan*\n\n- one [link](https://e.org)\n  two\n\n> ```py\n> x = 1\n> ```\n\n| a | b |\n| - | - |\n| c | d |"
    )
    assert search_text(tree).passages == ("A plan", "one link two", "x = 1", "a", "b", "c", "d")
    inline = [{"type": "mention", "attrs": {"id": "1", "label": "Ada"}}, {"type": "hardBreak"}]
    image = {"type": "image", "attrs": {"src": "x", "alt": "a boat"}}
    assert search_text({"type": "doc", "content": [{"type": "paragraph", "content": inline}, image]}).passages == (
        "a boat",
        "@Ada",
    )


@given(DOCUMENT, QUERY)
def test_whatever_is_found_is_in_the_excerpt_and_the_excerpt_is_in_the_text(tree, query):
    text, sought = search_text(tree), query_terms(query)
    assert all(passage.isprintable() or passage for passage in text.passages)
    if not any(found(piece, text.words)[0] for piece in sought):
        return
    passage = best(text, sought)
    parts = excerpt(passage, sought)
    assert any(part.hit for part in parts)
    assert "".join(part.text for part in parts).strip(ELLIPSIS) in passage
    assert all(part.text for part in parts)


@given(DOCUMENT)
def test_every_word_of_a_document_finds_it_whole_and_begun(tree):
    text = search_text(tree)
    for word in text.words:
        assert all(found(piece, text.words) == (True, True) for piece in query_terms(word) if piece.words == (word,))
    for passage in text.passages:
        assert all(found(piece, text.words)[0] for piece in query_terms(passage) if piece.words)


@given(TEXT)
def test_cutting_a_text_again_changes_nothing_of_its_words(text):
    assert list(searched_words(" ".join(searched_words(text)))) == [
        part for word in searched_words(text) for part in searched_words(word)
    ]


def test_a_long_passage_is_cut_between_words_and_an_excerpt_around_its_first_hit():
    text = search_text(paragraphs("dull " * 150 + "bright " + "dull " * 400))
    assert all(len(passage) <= MAX_PASSAGE_LENGTH for passage in text.passages)
    parts = excerpt(best(text, query_terms("bright")), query_terms("bright"))
    assert [part.hit for part in parts] == [False, False, True, False]
    assert (parts[0].text, parts[2].text, parts[-1].text[-1]) == (ELLIPSIS, "bright", ELLIPSIS)
    assert len("".join(part.text for part in parts)) <= EXCERPT + 10
    assert search_text(paragraphs("x" * 2_500)).passages == ("x" * 1000, "x" * 1000, "x" * 500)


def test_the_first_passage_with_most_of_the_words_is_shown():
    text = search_text(paragraphs("one", "one two", "two one", "two"))
    assert best(text, query_terms("two on")) == "one two"


def test_what_is_too_much_is_left_out():
    large = search_text(paragraphs(*["word " * 190] * 1_200))
    assert sum(map(len, large.passages)) <= MAX_TEXT_LENGTH
    many = search_text(paragraphs(*[" ".join(f"w{number}x{each}" for each in range(100)) for number in range(1_000)]))
    assert sum(len(word.encode()) for word in many.words) <= MAX_VOCABULARY_BYTES
