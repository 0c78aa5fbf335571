from datetime import timedelta

from given import NOW
from hypothesis import given
from hypothesis import strategies as st

from domain.credit import MAX_AUTHORS, Author, recent_authors


def edit(user="ada", agent=None, second=0):
    return Author(user, user.title(), agent, NOW + timedelta(seconds=second))


EDITS = st.lists(
    st.builds(
        edit,
        st.sampled_from(["ada", "ben", "cleo", "gus"]),
        st.sampled_from([None, "scout", "scribe", "editor"]),
        st.integers(0, 9),
    )
)


def test_a_person_and_their_agent_are_two_authors():
    authors = recent_authors([edit(), edit(agent="scout", second=1), edit(second=2)])
    assert authors == (edit(second=2), edit(agent="scout", second=1))


def test_a_document_nobody_edited_has_no_authors():
    assert recent_authors([]) == ()


@given(EDITS)
def test_authors_are_one_for_each_pair_newest_first_and_at_most_ten(edits):
    authors = recent_authors(edits)
    pairs = [(author.user_id, author.agent) for author in authors]
    assert len(pairs) == len(set(pairs)) == min(len({(e.user_id, e.agent) for e in edits}), MAX_AUTHORS)
    times = [author.edited_at for author in authors]
    assert times == sorted(times, reverse=True)
    for author in authors:
        mine = [e.edited_at for e in edits if (e.user_id, e.agent) == (author.user_id, author.agent)]
        assert author.edited_at == max(mine)


@given(EDITS, st.randoms())
def test_authors_do_not_depend_on_the_order_in_which_edits_are_read(edits, random):
    shuffled = [*edits]
    random.shuffle(shuffled)
    assert recent_authors(shuffled) == recent_authors(edits)
