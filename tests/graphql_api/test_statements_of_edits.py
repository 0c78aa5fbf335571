"""How many statements is Postgres told for an edit of a document, for its undo, and to restore a version?

Not counted are those of versions that have ended meanwhile and of audit entries, since not every edit has some.
"""

NOT_OF_EACH = ("insert into document_version", "insert into event")

EDIT = "mutation($id: ID!, $edit: EditInput!) { editDocument(documentId: $id, edit: $edit) { revision } }"
UNDO = "mutation($id: ID!, $user: ID!) { undoChanges(documentId: $id, userId: $user, sinceRevision: 1) { revision } }"
RESTORE = "mutation($id: ID!, $number: Int!) { restoreVersion(documentId: $id, number: $number) { markdown } }"


def counted(statements):
    return [each for each in statements if not any(part in each for part in NOT_OF_EACH)]


async def test_an_edit_takes_six_statements(world, statements):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, edit={"replace": "Milk and bread"})
    statements.clear()
    await world.ask("grace", EDIT, id=pad, edit={"append": "Eggs"})
    assert len(counted(statements)) == 6, statements


async def test_an_undo_takes_seven_statements(world, statements):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, edit={"replace": "Milk and bread"})
    await world.ask("grace", EDIT, id=pad, edit={"append": "Eggs"})
    statements.clear()
    await world.ask("grace", UNDO, id=pad, user=world.callers["grace"].user_id)
    assert len(counted(statements)) == 7, statements


async def test_a_restore_takes_ten_statements(world, statements):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, edit={"replace": "Milk and bread"})
    await world.ask("grace", EDIT, id=pad, edit={"append": "Eggs"})
    await world.ask("grace", UNDO, id=pad, user=world.callers["grace"].user_id)  # what was there before is a version
    statements.clear()
    await world.ask("grace", RESTORE, id=pad, number=1)
    assert len(counted(statements)) == 10, statements
