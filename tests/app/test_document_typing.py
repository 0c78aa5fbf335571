"""What is typed: what stays as it was typed, and what becomes a mark, a link, a task or an image."""

from tests.app.writing import Document, editor, open_in, saved

AS_TYPED = (
    "2 * 3 * 4",
    "x = a * b * c",
    "2*3*4",
    "2 ** 3 ** 4",
    "5 ~~ 6 ~~ 7",
    "4 == 5 == 6",
    "if a == b or c == d",
    "1 _ 2 _ 3",
    "4 __ 5 __ 6",
    "*footnote *another",
    "**one **two",
    "~~one ~~two",
    "==one ==two",
    "_my_var and _other",
    "in __init__py",
    "__dunder __another",
    "snake_case_name",
    "f(*args, **kwargs)",
    "see * * *",
    "a > b > c",
    "a - b -- c --- d",
    "#tag and C# and # alone",
    "1.5 litres",
    "-1 is less",
    "[a] (b)",
    "[a](nowhere) z",
    "[a](javascript:alert) z",
    "[](https://x.example)z",
    "a [ ] b [x] c",
    "!(a) [b]",
    "![a](nowhere.png)",
    "a `` b",
    "5 @ 10",
    "km / h and either/or",
    "C:\\dir\\*.txt",
    "<b>x</b> &amp; y",
    "| a | b |",
    "$x$ and $$",
    "(c) ... -> => !=",
    ":-) 'a' \"b\"",
)
BECOMES = (
    ("**b** c", "**b** c"),
    ("a **b c** d", "a **b c** d"),
    ("__b__ c", "**b** c"),
    ("*i* c", "*i* c"),
    ("_i j_ c", "*i j* c"),
    ("~~s~~ c", "~~s~~ c"),
    ("`c` d", "`c` d"),
    ("[a](/doc/b) z", "[a](/doc/b) z"),
    ("==h== c", "<mark>h</mark> c"),
    ("[a](https://x.example) z", "[a](https://x.example) z"),
    ("see [a b](mailto:a@x.example), z", "see [a b](mailto:a@x.example), z"),
    ("[ ] task", "- [ ] task"),
    ("- [ ] task", "- [ ] task"),
    ("* [x] task", "- [x] task"),
    ("+ [X] task", "- [x] task"),
    ("1. [ ] task", "- [ ] task"),
    ("![alt](https://x.example/a.png) z", "![alt](https://x.example/a.png)\n\nz"),
    ("see ![alt](https://x.example/a.png) z", "see\n\n![alt](https://x.example/a.png)\n\nz"),
)


async def test_what_is_no_markup_stays_as_it_is_typed(window, world_of):
    document = Document(world_of("ada"))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        for typed in AS_TYPED:
            await page.keyboard.type(typed)
            await page.keyboard.press("Enter")
        told = (
            await editor(page)
            .locator("> *")
            .evaluate_all("blocks => blocks.map(each => [each.nodeName, each.innerHTML, each.textContent])")
        )
        assert [text for _, _, text in told] == [*AS_TYPED, ""]
        assert {name for name, _, _ in told} == {"P"}
        assert [html for _, html, _ in told[:-1] if "<" in html] == []


async def test_what_is_markup_is_read_as_it_is_typed(window, world_of):
    document = Document(world_of("ada"))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        for typed, _ in BECOMES:
            await page.keyboard.type(typed)
            for key in "Enter", "Enter", "Control+Alt+0":
                await page.keyboard.press(key)
            await page.keyboard.type("# end")
            await page.keyboard.press("Enter")
        await saved(page)
    parts = document.markdown.split("# end")
    assert [part.strip() for part in parts[:-1]] == [markdown for _, markdown in BECOMES]
