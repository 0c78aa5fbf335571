"""Conversations as bytes in and effects out, without any socket."""

import pytest

from domain.errors import Code
from live import codec
from live.codec import ClientState
from live.protocol import (
    MAX_DOCUMENTS,
    MAX_MESSAGE,
    MAX_UNIDENTIFIED,
    MAX_WAITING,
    AnswerSync,
    ApplyAwareness,
    ApplyUpdate,
    CloseCode,
    CloseConnection,
    JoinDocument,
    LeaveDocument,
    SendAwareness,
    SendMessage,
    SyncProtocol,
    short_update,
)

DOC = codec.text("doc")
VECTOR = b"\0"
TOKEN = b"\x02\x00" + codec.text("cdt_ticket") + codec.text("4.8.0")
KEY = "cdr_" + "a" * 36


def hocuspocus(*, known=False):
    return SyncProtocol(None, known=known)


def begun(*, may_edit=True, known=True):
    """A conversation about `doc` that has been let in."""
    made = hocuspocus(known=known)
    made.received(DOC + TOKEN)
    made.admitted("doc", may_edit=may_edit)
    return made


def token(text):
    return DOC + b"\x02\x00" + codec.text(text)


def test_a_ticket_is_looked_at_before_anything_else_is_done():
    made = hocuspocus()
    assert made.received(DOC + TOKEN) == [JoinDocument("doc", "doc", "cdt_ticket")]
    assert made.received(DOC + codec.step1(VECTOR)) == []
    shown = (ClientState(7, 1, "{}"),)
    assert made.received(DOC + codec.awareness(shown)) == []
    assert made.admitted("doc", may_edit=True) == [
        SendMessage(DOC + b"\x02\x02\x0aread-write"),
        SendAwareness("doc"),
        AnswerSync("doc", VECTOR),
        ApplyAwareness("doc", shown),
    ]


def test_a_reader_is_told_so():
    made = hocuspocus()
    made.received(DOC + TOKEN)
    assert made.admitted("doc", may_edit=False)[0] == SendMessage(DOC + b"\x02\x02\x08readonly")


def test_a_document_that_is_refused_leaves_the_socket_and_the_others_alone():
    made = hocuspocus()
    made.received(DOC + TOKEN)
    assert made.denied("doc", Code.NOT_FOUND) == [SendMessage(DOC + b"\x02\x01\x09NOT_FOUND")]
    assert made.received(DOC + codec.step1(VECTOR)) == []
    assert made.received(codec.text("other") + TOKEN) == [JoinDocument("other", "other", "cdt_ticket")]
    assert made.received(DOC + TOKEN) == [JoinDocument("doc", "doc", "cdt_ticket")]


def test_the_document_is_what_stands_before_the_clients_own_session():
    assert hocuspocus().received(codec.text("doc\0s1") + TOKEN) == [JoinDocument("doc\0s1", "doc", "cdt_ticket")]


@pytest.mark.parametrize("known", [True, False])
def test_a_key_in_a_message_opens_nothing(known):
    assert hocuspocus(known=known).received(token(KEY)) == [SendMessage(DOC + b"\x02\x01\x0cUNAUTHORIZED")]


def test_a_token_that_is_no_ticket_counts_for_nothing():
    assert hocuspocus().received(token("whatever")) == [SendMessage(DOC + b"\x02\x01\x0cUNAUTHORIZED")]
    assert hocuspocus().received(token("")) == [SendMessage(DOC + b"\x02\x01\x0cUNAUTHORIZED")]
    assert hocuspocus(known=True).received(token("whatever")) == [JoinDocument("doc", "doc", None)]
    assert hocuspocus(known=True).received(token("")) == [JoinDocument("doc", "doc", None)]


def test_a_provider_without_a_token_begins_by_the_handshake_alone():
    made = hocuspocus(known=True)
    assert made.received(DOC + codec.step1(VECTOR)) == [JoinDocument("doc", "doc", None)]
    assert made.admitted("doc", may_edit=True)[2] == AnswerSync("doc", VECTOR)
    assert hocuspocus(known=False).received(DOC + codec.step1(VECTOR)) == []


def test_who_was_refused_does_not_begin_again_by_itself():
    made = hocuspocus(known=True)
    made.received(DOC + codec.step1(VECTOR))
    made.denied("doc", Code.NOT_FOUND)
    assert made.received(DOC + codec.step1(VECTOR)) == []


def test_edits_and_questions_go_to_the_document():
    made = begun()
    assert made.received(DOC + codec.update(b"u")) == [ApplyUpdate("doc", b"u", whole=False)]
    assert made.received(DOC + codec.step2(b"s")) == [ApplyUpdate("doc", b"s", whole=True)]
    assert made.received(DOC + b"\x03") == [SendAwareness("doc")]
    assert made.received(DOC + b"\x05\x02hi") == []
    assert made.received(b"\x09") == [SendMessage(b"\x0a")]
    assert made.received(b"\x0a") == []


def test_leaving_ends_one_document():
    made = begun()
    assert made.received(DOC + b"\x07") == [LeaveDocument("doc")]
    assert made.received(DOC + codec.update(b"u")) == []
    assert made.received(DOC + TOKEN) == [JoinDocument("doc", "doc", "cdt_ticket")]


def test_a_fresh_ticket_for_an_open_document_is_looked_at_and_may_end_it():
    made = begun()
    assert made.received(DOC + TOKEN) == [JoinDocument("doc", "doc", "cdt_ticket")]
    assert made.received(DOC + codec.update(b"u")) == [ApplyUpdate("doc", b"u", whole=False)]
    assert made.denied("doc", Code.UNAUTHORIZED) == [
        LeaveDocument("doc"),
        SendMessage(DOC + b"\x02\x01\x0cUNAUTHORIZED"),
    ]


def test_malformed_bytes_end_the_conversation():
    assert begun().received(DOC + b"\x08\x01") == [CloseConnection(CloseCode.REFUSED)]


def test_a_message_is_at_most_a_mebibyte_but_for_the_answer_to_our_question():
    made, large = begun(), b"x" * MAX_MESSAGE
    assert made.received(DOC + codec.update(large)) == [CloseConnection(CloseCode.TOO_BIG)]
    assert made.received(DOC + codec.step2(large)) == [CloseConnection(CloseCode.TOO_BIG)]
    made.received(DOC + codec.step1(VECTOR))
    assert made.received(DOC + codec.update(large)) == [CloseConnection(CloseCode.TOO_BIG)]
    assert made.received(DOC + codec.step2(large)) == [ApplyUpdate("doc", large, whole=True)]
    assert made.received(DOC + codec.step2(large)) == [CloseConnection(CloseCode.TOO_BIG)]
    made.asked_again("doc")
    assert made.received(DOC + codec.step2(large)) == [ApplyUpdate("doc", large, whole=True)]


def test_a_name_of_more_than_128_bytes_ends_the_conversation():
    for name, closes in (("d" * 128, False), ("d" * 129, True), ("é" * 65, True), ("doc\0" + "s" * 125, True)):
        made = hocuspocus(known=True)
        (effect,) = made.received(codec.text(name) + TOKEN)
        assert (effect == CloseConnection(CloseCode.REFUSED)) is closes


def test_whoever_has_not_said_who_it_is_says_little():
    made, large = hocuspocus(), codec.update(b"x" * MAX_UNIDENTIFIED)
    assert made.received(DOC + large) == [CloseConnection(CloseCode.TOO_BIG)]
    made.received(DOC + TOKEN)
    assert made.received(DOC + large) == [CloseConnection(CloseCode.TOO_BIG)]
    assert begun(known=False).received(DOC + large) == [ApplyUpdate("doc", b"x" * MAX_UNIDENTIFIED, whole=False)]


def test_what_waits_for_an_answer_is_bounded():
    made = hocuspocus()
    made.received(DOC + TOKEN)
    for _ in range(MAX_WAITING):
        assert made.received(DOC + codec.update(b"u")) == []
    assert made.received(DOC + codec.update(b"u")) == [CloseConnection(CloseCode.RESET)]


def test_a_socket_holds_so_many_documents():
    made = hocuspocus()
    for number in range(MAX_DOCUMENTS):
        assert len(made.received(codec.text(f"doc{number}") + TOKEN)) == 1
    assert made.received(DOC + TOKEN) == [SendMessage(DOC + codec.encode_denied("LIMIT_EXCEEDED"))]


def test_y_websocket_is_known_by_its_first_byte_and_needs_a_handshake_that_says_who():
    made = SyncProtocol("doc", known=True)
    assert made.received(codec.step1(VECTOR)) == [JoinDocument("", "doc", None)]
    assert made.received(codec.awareness([ClientState(7, 1, "{}")])) == []
    assert made.admitted("", may_edit=True) == [
        SendAwareness(""),
        AnswerSync("", VECTOR),
        ApplyAwareness("", (ClientState(7, 1, "{}"),)),
    ]
    assert made.received(codec.update(b"u")) == [ApplyUpdate("", b"u", whole=False)]
    assert not made.acknowledges
    assert made.prefix("") == b""
    assert SyncProtocol("doc", known=False).received(codec.step1(VECTOR))[0] == CloseConnection(CloseCode.UNAUTHORIZED)


def test_y_websocket_is_refused_by_closing():
    made = SyncProtocol("doc", known=True)
    made.received(codec.step1(VECTOR))
    assert made.denied("", Code.NOT_FOUND) == [CloseConnection(CloseCode.NOT_FOUND)]


def test_hocuspocus_is_spoken_at_the_path_of_a_document_too():
    assert SyncProtocol("doc", known=False).received(DOC + TOKEN) == [JoinDocument("doc", "doc", "cdt_ticket")]


def test_every_close_code_says_why_by_a_code_of_the_closed_list():
    assert [(int(code), code.reason) for code in CloseCode if code is not CloseCode.NORMAL] == [
        (1003, "UNSUPPORTED_MEDIA_TYPE"),
        (1009, "PAYLOAD_TOO_LARGE"),
        (4205, "SERVICE_UNAVAILABLE"),
        (4401, "UNAUTHORIZED"),
        (4403, "FORBIDDEN"),
        (4404, "NOT_FOUND"),
        (4413, "LIMIT_EXCEEDED"),
        (4413, "STORAGE_FULL"),
        (4422, "BAD_REQUEST"),
        (4429, "TOO_MANY_REQUESTS"),
    ]


@pytest.mark.parametrize("size", [0, 1, 60, 121, 122, 123, 300])
def test_a_short_update_is_known_by_its_first_bytes_and_means_the_same(size):
    made, other = begun(), SyncProtocol("doc", known=True)
    other.received(codec.step1(VECTOR))
    other.admitted("", may_edit=True)
    update = bytes(size)
    for conversation, name, prefix in ((made, "doc", DOC), (other, "", b"")):
        message = prefix + codec.update(update)
        begins = conversation.update_prefix(name)
        assert short_update(begins, message) == (update if len(message) < 128 else None)
        assert conversation.received(message) == [ApplyUpdate(name, update, whole=False)]
        for wrong in (
            message[:-1],
            message + b"\0",
            b"",
            b"\0",
            prefix + codec.step2(update),
            codec.text("d") + message,
        ):
            assert short_update(begins, wrong) is None
