import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import NOT_FOUND, Code
from domain.idempotency import IdempotencyKey, RecordedRequest, replay
from domain.key import (
    LOOKS_LIKE_A_KEY,
    SECRET_LENGTH,
    ApiKey,
    KeyCreated,
    KeyRevoked,
    base62,
    compose,
    create,
    digest,
    is_key,
    revoke,
)
from tests.domain.given import ADA, NOW

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
KEYS = st.integers(0, 2**190).map(compose)


@given(KEYS)
def test_a_key_has_the_published_form(key):
    assert re.fullmatch(r"cdr_[0-9A-Za-z]{30}[0-9A-Za-z]{6}", key)
    assert is_key(key)
    assert LOOKS_LIKE_A_KEY.fullmatch(key)


@given(KEYS, st.integers(0, 39), st.sampled_from(ALPHABET + "_-é\n"))
def test_one_wrong_character_never_passes(key, place, character):
    mistyped = key[:place] + character + key[place + 1 :]
    assert is_key(mistyped) == (mistyped == key)


@given(KEYS, st.integers(0, 38))
def test_two_neighbours_exchanged_never_pass(key, place):
    exchanged = key[:place] + key[place + 1] + key[place] + key[place + 2 :]
    assert is_key(exchanged) == (exchanged == key)


@given(KEYS, st.sampled_from(["", " ", "\n", "0"]))
def test_nothing_before_or_after_a_key_passes(key, more):
    assert is_key(key + more) == (not more)
    assert is_key(more + key) == (not more)
    assert not is_key(key[:-1])


def test_different_randomness_makes_different_keys():
    assert len({compose(number) for number in range(1000)}) == 1000
    assert compose(62**SECRET_LENGTH - 1) != compose(62**SECRET_LENGTH - 2)


@given(st.integers(0, 62**6 - 1))
def test_base62_loses_nothing(number):
    value = 0
    for character in base62(number, 6):
        value = value * 62 + ALPHABET.index(character)
    assert value == number


def test_a_key_is_kept_as_its_digest_with_little_to_know_it_by():
    secret = compose(12345)
    made = create(secret, "key", "laptop", "scout", "acme", ADA, NOW)
    assert made == KeyCreated(
        ApiKey("key", "ada", "laptop", "scout", "acme", secret[:8], secret[-4:], NOW), digest(secret)
    )
    assert secret not in repr(made)
    assert len(made.digest) == 64


def test_only_its_owner_revokes_a_key():
    key = create(compose(1), "key", "laptop", None, None, ADA, NOW).key
    assert revoke(key, "ada") == (KeyRevoked("key", "ada"),)
    assert revoke(key, "ben") is NOT_FOUND
    assert revoke(None, "ada") is NOT_FOUND


@pytest.mark.parametrize(("first", "code"), [("same", None), ("other", Code.IDEMPOTENCY_KEY_REUSED)])
def test_a_request_under_the_same_key_must_be_the_same_request(first, code):
    answer = replay(IdempotencyKey("ada", "drives.create", "key", "same"), RecordedRequest(first, "made"))
    assert getattr(answer, "code", None) is code
    assert code or answer == "made"
