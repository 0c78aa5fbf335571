import jsonschema_rs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.errors import Code, Rejection
from domain.values import (
    AGENT_LENGTH,
    AGENT_PATTERN,
    EMAIL_LENGTH,
    NAME_LENGTH,
    NAME_PATTERN,
    agent_header,
    agent_name,
    email,
    is_id,
    item_name,
    text_fault,
)

ANY_TEXT = st.text(st.characters(), max_size=20)
STORABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PUBLISHED_NAME = jsonschema_rs.validator_for(
    {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH, "pattern": NAME_PATTERN}
)
PUBLISHED_AGENT = jsonschema_rs.validator_for(
    {"type": "string", "minLength": 1, "maxLength": AGENT_LENGTH, "pattern": AGENT_PATTERN}
)
SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def refused(answer):
    assert isinstance(answer, Rejection)
    assert answer.code is Code.BAD_REQUEST
    return answer


@pytest.mark.parametrize(
    "text", ["a", " a ", "é", "😀", "a" * 255, "😀" * 255, "a\u2028b", "\u200b", "%2F", "a\u202eb"]
)
def test_names_are_taken_as_sent(text):
    assert item_name(text) == text


@pytest.mark.parametrize(
    "text", ["", *SPACES, SPACES, "a" * 256, "a\0b", "a\nb", "a\x7f", "a\x9fb", "a\ud800", "\udfff"]
)
def test_names_without_anything_visible_or_with_controls_are_refused(text):
    refused(item_name(text))


def test_a_refusal_names_the_field():
    assert refused(item_name("", "title")).message.startswith("`title` ")
    assert refused(email("", "address")).message.startswith("`address` ")
    assert refused(agent_header("")).message.startswith("`x-service-agent` ")


@given(ANY_TEXT)
def test_a_name_is_storable_and_visible_or_refused(text):
    name = item_name(text)
    if isinstance(name, str):
        assert name == text
        assert text_fault(name) is None
        assert text.strip(SPACES)
        text.encode()


@given(STORABLE | st.text(st.sampled_from(SPACES + "a\0\x7f"), max_size=6))
@example("a" * 255)
@example("a" * 256)
@example("😀" * 255)
@example("a\n")
@example("\ufeff")
@example("\u180e")
def test_the_published_pattern_accepts_exactly_the_names_that_are_accepted(text):
    assert PUBLISHED_NAME.is_valid(text) == isinstance(item_name(text), str)


@given(STORABLE | st.text(st.sampled_from(" ~a\x7f\x1fé"), max_size=6))
@example("a" * 64)
@example("a" * 65)
@example("a\n")
def test_the_published_pattern_accepts_exactly_the_agents_that_a_header_may_name(text):
    assert PUBLISHED_AGENT.is_valid(text) == isinstance(agent_header(text), str)


@given(ANY_TEXT)
def test_whatever_a_header_may_name_is_a_name_of_an_agent(text):
    if isinstance(agent_header(text), str):
        assert agent_name(text) == text


def test_names_of_agents_are_printable():
    for text in ("scout", "Ωmega", "a" * 64, "a b"):
        assert agent_name(text) == text
    for text in ("", " ", "  ", "a" * 65, "a\n", "a\0", "\ud800", "\u2028"):
        refused(agent_name(text))


def test_names_of_agents_can_be_seen():
    for text in ("\u2800", "\u115f\u1160", "\u3164 \uffa0", "\U0001d159", "\u0301", "\u17b4", "\ufe0f"):
        refused(agent_name(text))
    for text in ("\u2800a", "\u3164.", "한글", "😀", "→", "e\u0301"):
        assert agent_name(text) == text


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("Ada@Example.COM", "ada@example.com"),
        ("ada+notes@example.com", "ada+notes@example.com"),
        ("a.d.a@example.com", "a.d.a@example.com"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("ada@BÜCHER.example", "ada@xn--bcher-kva.example"),
        ("ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"),
        ("ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"),
        ("a/b%2F@example.com", "a/b%2f@example.com"),
        ("ada@\u212aelvin.example", "ada@kelvin.example"),
    ],
)
def test_an_address_is_stored_in_one_form(text, stored):
    assert email(text) == stored


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ada",
        "@example.com",
        "ada@",
        "ada@example",
        "ada@example.com.",
        "ada@.example.com",
        "ada@exa mple.com",
        "ada@-example.com",
        "ada@example-.com",
        "ada@exa_mple.com",
        "ada@127.0.0.1",
        "ada@[127.0.0.1]",
        " ada@example.com",
        "ada@example.com ",
        "ada@example.com\n",
        "ad a@example.com",
        "a@b@example.com",
        '"a@b"@example.com',
        ".ada@example.com",
        "ada.@example.com",
        "a..da@example.com",
        "ada\0@example.com",
        "ada@exam\0ple.com",
        "ada@exam\ud800ple.com",
        "ad\udfffa@example.com",
        "ädä@example.com",
        "\u212aay@example.com",  # KELVIN SIGN would become k
        "\u0131da@example.com",  # DOTLESS I would become i in upper case
        "\u0130da@example.com",
        "ada@stra\u00dfe.example",  # two standards, two domains
        "ada@fa\u03c2.example",
        "ada@a\u200db.example",
        "a" * 65 + "@example.com",
        "ada@" + "a" * 64 + ".com",
        "ada@" + "ä" * 64 + ".com",
        "ada@" + "a." * 125 + "com",
        "ada@" + ("ä" * 30 + ".") * 7 + "com",  # too long once it is written as A-labels
        "ada@" + "ä." * 500_000 + "com",
    ],
)
def test_a_malformed_address_is_refused(text):
    refused(email(text))


def test_an_address_has_at_most_254_characters():
    fits = "a" * 64 + "@" + ".".join(["b" * 62] * 3)
    assert len(fits) == EMAIL_LENGTH - 1
    assert email(fits) == fits
    assert email(fits + "b") == fits + "b"
    refused(email(fits + "bb"))


@given(ANY_TEXT | st.emails() | st.tuples(ANY_TEXT, ANY_TEXT).map("@".join))
def test_an_address_is_its_own_stored_form_and_plain_ascii(text):
    stored = email(text)
    if isinstance(stored, str):
        assert email(stored) == stored
        assert stored.isascii()
        assert stored == stored.lower()
        assert len(stored) <= EMAIL_LENGTH


@pytest.mark.parametrize("text", ["019a9f00-0000-7000-8000-000000000000", "01234567-89ab-7def-bfff-0123456789ab"])
def test_ids_have_one_spelling(text):
    assert is_id(text)
    for other in (text.upper(), text.replace("-", ""), f"{{{text}}}", text + "\n", f" {text}", f"urn:uuid:{text}"):
        assert not is_id(other)


@given(ANY_TEXT)
def test_no_other_text_is_an_id(text):
    assert not is_id(text)


def test_uuids_of_other_versions_are_no_ids():
    assert not is_id("01234567-89ab-4def-bfff-0123456789ab")
    assert not is_id("01234567-89ab-7def-cfff-0123456789ab")
