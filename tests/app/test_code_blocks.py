"""Blocks of code: coloured by their language, and copied by a button."""

from tests.app.writing import Document, block, editor, made, open_in
from tests.support.web.accessible import check_everywhere

CODE = {
    "python": '@cache\ndef f(x: int = 1) -> str:\n    """Say."""\n    return f"{x}" if x else None  # why\n',
    "html": '<a href="/x">words</a> <!-- a remark -->\n',
    "css": "a.b:hover, #c[d] { color: red; --x: 2px; }\n",
    "diff": "@@ -1 +1 @@\n-old\n+new\n",
    "markdown": "# Title\n- *a* **b** [c](d)\n> said\n",
    "sql": "SELECT count(*) FROM t WHERE a = 'b' AND c > 1;\n",
    "bash": 'export A=1\nif [ -f $A ]; then echo "$A"; fi\n',
    "yaml": "a: &x\n  - b: true\n",
    "typescript": "type A = { b?: string };\nconst c = (d: A): RegExp => /e+/g;\n",
}


async def test_the_colours_of_code_can_be_read_in_both_themes_and_its_button_copies_it(window, world_of):
    document = Document(world_of("ada")).add(
        made(*(block("codeBlock", code, language=each) for each, code in CODE.items()))
    )
    before = document.state()
    async with window("ada") as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await open_in(page, document)
        blocks = editor(page).locator(".code")
        for nth in range(len(CODE)):
            await blocks.nth(nth).locator("[class*=hljs-]").first.wait_for()
        await check_everywhere(page)
        await blocks.first.hover()
        await blocks.first.get_by_role("button", name="Copy the code").click()
        await blocks.first.get_by_role("button", name="Copied").wait_for()
        assert await page.evaluate("() => navigator.clipboard.readText()") == CODE["python"]
    assert document.state() == before
