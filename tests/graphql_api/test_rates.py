"""Token limiter: how often somebody may ask."""

from hypothesis import given
from hypothesis import strategies as st

from domain.caller import by_bearer, by_key, by_session
from domain.values import Email
from edge.rate_limit import Rate, RateLimiter, Rates, client_network, spend_tokens

RATE = Rate("reads", 10, 60)


def drain(full_at, now, times):
    verdicts = []
    for _ in range(times):
        full_at, verdict = spend_tokens(full_at, RATE, now)
        verdicts.append(verdict)
    return full_at, verdicts


def test_a_full_bucket_gives_its_quota_at_once_and_then_refuses():
    _, verdicts = drain(0.0, 1000.0, 12)
    assert [verdict.allowed for verdict in verdicts] == [True] * 10 + [False] * 2
    assert [verdict.remaining for verdict in verdicts] == [*range(9, -1, -1), 0, 0]


def test_a_refusal_takes_nothing_and_says_when_the_next_one_may_come():
    full_at, verdicts = drain(0.0, 1000.0, 20)
    assert verdicts[-1].retry_after == 6
    assert not spend_tokens(full_at, RATE, 1005.9)[1].allowed
    assert spend_tokens(full_at, RATE, 1006.0)[1].allowed


def test_the_bucket_fills_up_and_never_over():
    full_at, _ = drain(0.0, 1000.0, 10)
    _, verdicts = drain(full_at, 5000.0, 11)
    assert [verdict.allowed for verdict in verdicts] == [True] * 10 + [False]


def test_the_headers_are_those_of_the_draft():
    _, (verdict,) = drain(0.0, 1000.0, 1)
    assert dict(verdict.headers) == {b"ratelimit-policy": b'"reads";q=10;w=60', b"ratelimit": b'"reads";r=9;t=6'}


@given(st.lists(st.floats(0, 30), max_size=60))
def test_no_window_ever_gives_more_than_twice_the_quota(pauses):
    full_at, now, given_at = 0.0, 0.0, []
    for pause in pauses:
        now += pause
        full_at, verdict = spend_tokens(full_at, RATE, now)
        if verdict.allowed:
            given_at.append(now)
        assert 0 <= verdict.remaining <= RATE.quota
    for moment in given_at:
        assert sum(moment <= each < moment + RATE.window for each in given_at) <= 2 * RATE.quota


def test_everybody_and_everything_has_a_bucket_of_its_own():
    limiter = RateLimiter(Rates(reads=Rate("reads", 1), writes=Rate("writes", 1)), now=lambda: 1000.0)
    rates = limiter.rates
    assert limiter.spend(rates.reads, "ada").allowed
    assert not limiter.spend(rates.reads, "ada").allowed
    assert limiter.spend(rates.writes, "ada").allowed
    assert limiter.spend(rates.reads, "ben").allowed
    assert limiter.peek(rates.reads, "cleo").remaining == 1


ADA = ("ada", "Ada Lovelace", Email("ada@acme.example"))
KEY = by_key(*ADA, "helper", None, "k1", "digest")
APP = by_bearer(*ADA, "assistant", None, "a1", "digest")
SESSION = by_session(*ADA, None, "s1")


def spent(limiter, caller, times):
    return [limiter.spend(limiter.rates.reads, caller) for _ in range(times)]


def test_keys_and_applications_together_take_three_quarters_and_leave_the_rest_to_the_web_session():
    limiter = RateLimiter(Rates(reads=Rate("reads", 8)), now=lambda: 1000.0)
    by_programs = spent(limiter, KEY, 4) + spent(limiter, APP, 4)
    assert [each.allowed for each in by_programs] == [True] * 6 + [False] * 2
    assert {each.rate for each in by_programs} == {Rate("reads", 6)}
    by_session = spent(limiter, SESSION, 3)
    assert [(each.allowed, each.remaining) for each in by_session] == [(True, 1), (True, 0), (False, 0)]
    assert {each.rate for each in by_session} == {Rate("reads", 8)}


def test_a_web_session_may_spend_the_whole_rate_and_first_what_it_has_alone():
    limiter = RateLimiter(Rates(reads=Rate("reads", 8)), now=lambda: 1000.0)
    spent(limiter, SESSION, 2)
    assert limiter.peek(limiter.rates.reads, KEY).remaining == 6
    assert [each.allowed for each in spent(limiter, SESSION, 7)] == [True] * 6 + [False]
    assert not limiter.spend(limiter.rates.reads, KEY).allowed


@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from((KEY, APP, SESSION))), max_size=60))
def test_however_callers_take_turns_a_user_has_one_rate_and_a_session_its_own_part(asked):
    now, rate, given_at = [0.0], Rate("reads", 8), []
    limiter = RateLimiter(Rates(reads=rate), now=lambda: now[0])
    for pause, caller in asked:
        now[0] += pause
        left = limiter.peek(rate, caller)
        verdict = limiter.spend(rate, caller)
        assert verdict.allowed == (left.remaining > 0)
        assert verdict.remaining == left.remaining - verdict.allowed
        if verdict.allowed:
            given_at.append((now[0], caller))
        elif caller is SESSION:
            assert any(who is SESSION for at, who in given_at if now[0] - rate.window < at)
    for moment, _ in given_at:
        window = [who for at, who in given_at if moment <= at < moment + rate.window]
        assert len(window) <= 2 * rate.quota
        assert sum(who is not SESSION for who in window) <= 2 * (rate.quota - rate.reserved)


def test_the_table_is_bounded_and_forgets_the_full_ones_first():
    now = [1000.0]
    limiter = RateLimiter(Rates(reads=RATE), now=lambda: now[0], most=50)
    for each in range(50):
        limiter.spend(RATE, f"early {each}")
    now[0] += 100
    for each in range(49):
        limiter.spend(RATE, f"late {each}")
    for _ in range(20):
        limiter.spend(RATE, "late 0")
    for each in range(200):
        limiter.spend(RATE, f"flood {each}")
        assert len(limiter._full_at) <= 50
    assert not limiter.spend(RATE, "late 0").allowed


def test_addresses_of_one_ipv6_network_are_one():
    assert client_network("2001:db8:1:2::9") == client_network("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert client_network("::ffff:192.0.2.7") == client_network("192.0.2.7") == "192.0.2.7"
    assert client_network("pipe") == "pipe"


def test_reads_and_writes_are_divided_among_the_servers_on_one_database_and_no_other_rate_is():
    def allowed(servers, rate):
        limiter = RateLimiter(now=lambda: 0.0, servers=lambda: servers)
        return sum(limiter.spend(rate, "somebody").allowed for _ in range(2 * rate.quota))

    rates = Rates(reads=Rate("reads", 10, divided=True))
    assert [allowed(servers, rates.reads) for servers in (1, 2, 3, 100)] == [10, 5, 3, 1]
    assert [allowed(servers, rates.failed_sign_ins) for servers in (1, 2)] == [20, 20]
    assert [name for name in Rates.__dataclass_fields__ if getattr(Rates(), name).divided] == ["reads", "writes"]
