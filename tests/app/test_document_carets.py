"""Where the caret is after blocks were joined, deleted, changed and undone: each case presses keys at a place, and then a letter."""

from tests.app.writing import Document, open_in, press, put_caret, saved

TABLE = "| a | b |\n| --- | --- |\n| c | d |"
CASES = (
    # blocks that are joined
    ("one\n\ntwo", ("two", 0), "Backspace Z", "oneZtwo"),
    ("one\n\ntwo", ("one", 3), "Delete Z", "oneZtwo"),
    ("> quoted\n\nafter", ("after", 0), "Backspace Z", "> quotedZafter"),
    ("> one\n>\n> two", ("two", 0), "Backspace Z", "> one\n\nZtwo"),
    ("### head\n\nafter", ("after", 0), "Backspace Z", "### headZafter"),
    ("before\n\n### head", ("head", 0), "Backspace Z", "beforeZhead"),
    ("- item\n\nafter", ("after", 0), "Backspace Z", "- itemZafter"),
    ("- [ ] task\n\nafter", ("after", 0), "Backspace Z", "- [ ] taskZafter"),
    ("- one\n- two", ("two", 0), "Backspace Z", "- one\n\nZtwo"),
    ("before\n\n- item", ("before", 6), "Delete Z", "beforeZ\n\nitem"),
    ("before\n\n> quoted", ("before", 6), "Delete Z", "beforeZ\n\nquoted"),
    (f"{TABLE}\n\nafter", ("after", 0), "Backspace Z", "| a | b |\n| --- | --- |\n| c | dZ |\n\nafter"),
    (f"before\n\n{TABLE}", ("before", 6), "Delete Z", "before\n\n| Za | b |\n| --- | --- |\n| c | d |"),
    ("---\n\nafter", ("after", 0), "Backspace Z", "Zafter"),
    # what is deleted
    ("one two three", ("two", 0), "Control+Delete Z", "one Z three"),
    ("one two three", ("two", 3), "Control+Backspace Z", "one Z three"),
    ("one two three", ("two", 0), "Shift+End Delete Z", "one Z"),
    # what is undone, and done again
    ("second line", ("second", 11), "Control+Alt+3 Control+z Z", "second lineZ"),
    ("second line", ("second", 6), "Control+Alt+3 Control+z Z", "secondZ line"),
    ("second line", ("second", 6), "Control+Alt+3 Control+z Control+y Z", "### secondZ line"),
    ("one line", ("one", 3), "Control+Shift+8 Control+z Z", "oneZ line"),
    ("one line", ("one", 3), "Control+Shift+b Control+z Z", "oneZ line"),
    ("one line", ("one", 3), "Control+Alt+c Control+z Z", "oneZ line"),
    ("one\n\ntwo", ("two", 0), "Backspace Control+z Z", "one\n\nZtwo"),
    ("one two", ("two", 3), "Control+Backspace Control+z Z", "one twoZ"),
    ("one two", ("two", 0), "Enter Control+z Z", "one Ztwo"),
    ("- one\n- two", ("two", 3), "Tab Control+z Z", "- one\n- twoZ"),
    ("one two", ("two", 0), "Shift+End Control+b Control+z ArrowRight Z", "one twoZ"),
)


async def test_the_caret_stays_where_the_person_was(window, world_of):
    document = Document(world_of("ada"))
    document.edit(
        append="\n\n".join(f"# Case {at}\n\n{blocks}" for at, (blocks, *_) in enumerate(CASES)) + "\n\n# Case end"
    )
    async with window("ada") as page:
        await open_in(page, document)
        for at, (_, place, keys, _) in enumerate(CASES):
            await put_caret(page, *place, below=f"Case {at}")
            await press(page, keys)
        await saved(page)
    came = [each.partition("\n")[2].strip() for each in document.markdown.split("# Case ")[1:-1]]
    wrong = [(*case, each) for case, each in zip(CASES, came, strict=True) if each != case[3]]
    assert wrong == []
