"""How many an item is shared with, as lists tell it."""

SHARES = '{ search(text: "") { nodes { name sharesTotal } } }'
SHARE = (
    "mutation($id: ID!, $email: EmailAddress!) { shareItem(itemId: $id, email: $email, permission: read_only) { id } }"
)


async def totals(world, who):
    return {each["name"]: each["sharesTotal"] for each in (await world.ask(who, SHARES))["search"]["nodes"]}


async def test_a_list_tells_how_many_each_item_is_shared_with_to_who_may_share_it(world, statements):
    welcome = await world.item("grace", "Welcome")
    before = await totals(world, "grace")
    assert before["Welcome"] == 0
    for email in ("gus@globex.example", "nobody@globex.example"):
        await world.ask("grace", SHARE, id=welcome, email=email)
    statements.clear()
    assert await totals(world, "grace") == before | {"Welcome": 2}
    assert sum("item_grant where item_id = any" in each for each in statements) == 1
    assert (await totals(world, "gus"))["Welcome"] is None
