"""Documents as they are in the server, beside the windows that show them."""

import base64
import secrets

from documents.tree.build import from_tree
from tests.support.processes.servers import sync_websocket

BEN = "ben@acme.example"
IMPORT = "mutation($i: ID!, $u: String!) { importYjsUpdate(documentId: $i, update: $u) { id } }"
STEP_1_OF_NOTHING = b"\0\0\1\0"
STEP_2 = b"\0\1"


class Document:
    """A document of somebody's, in a drive of its own, and what the API says of it."""

    def __init__(self, world, name="Writing"):
        self.world = world
        self.drive = world.drive(f"Drive {secrets.token_hex(4)}")
        self.id = world.item(self.drive, name, "docs_workbook")
        self.path = f"/doc/{self.id}"

    def add(self, update):
        self.world.ask(IMPORT, i=self.id, u=base64.b64encode(update).decode())
        return self

    def read(self):
        return self.world.client.get(f"/api/v1/documents/{self.id}").raise_for_status().json()

    @property
    def markdown(self):
        return self.read()["markdown"]

    def authors_of_letters(self):
        """Who wrote each unit of its text, in order: user id, a space and the agent's name, if there is one."""
        query = "query($i: ID!) { document(id: $i) { attributions { start end by { userId agent } } } }"
        told = self.world.ask(query, i=self.id)["document"]["attributions"]
        return [
            f"{each['by']['userId']} {each['by']['agent'] or ''}"
            for each in told
            for _ in range(each["start"], each["end"])
        ]

    def state(self):
        """Its last edit's number, and the bytes of its Yjs state; these sorted, since the library orders keys at random."""
        item = self.world.ask("query($i: ID!) { driveItem(id: $i) { revision updatedAt } }", i=self.id)["driveItem"]
        return item, sorted(self.update())

    def update(self):
        """A message with all of its Yjs state."""
        origin, headers = str(self.world.client.base_url), self.world.client.headers
        address = f"{origin.replace('http', 'ws', 1)}/collaboration/{self.id}"
        with sync_websocket(address, additional_headers={"x-api-key": headers["x-api-key"]}, max_size=None) as socket:
            socket.send(STEP_1_OF_NOTHING)
            return next(message for message in socket if message[:2] == STEP_2)

    def edit(self, **form):
        """Edit it over the API; `agent` names who does."""
        agent = form.pop("agent", None)
        headers = {"x-service-agent": agent} if agent else {}
        self.world.client.patch(f"/api/v1/documents/{self.id}", json=form, headers=headers).raise_for_status()

    def share(self, email, permission):
        body = {"email": email, "permission": permission}
        self.world.client.post(f"/api/v1/drive-items/{self.id}/access", json=body).raise_for_status()

    def change_share(self, email, permission):
        way = f"/api/v1/drive-items/{self.id}/access/{email}"
        self.world.client.patch(way, json={"permission": permission}).raise_for_status()

    def revoke(self, email):
        self.world.client.delete(f"/api/v1/drive-items/{self.id}/access/{email}").raise_for_status()


class Outage:
    """Routes a page's sockets to the server; while it lasts none gets through: new ones are closed with `code`."""

    def __init__(self, code=None):
        self._code = code
        self._sockets = []
        self._lasts = False

    async def __call__(self, socket):
        if self._lasts:
            await socket.close(code=self._code)
        else:
            self._sockets.append(socket)
            socket.connect_to_server()

    async def begin(self):
        self._lasts = True
        await self._sockets[-1].close(code=4205)

    def end(self):
        self._lasts = False


def made(*blocks, client=7):
    """An update that makes these blocks in an empty document."""
    return from_tree({"type": "doc", "content": list(blocks)}, client)


def block(kind, *content, **attrs):
    """A node; content that is a word is a text."""
    return {
        "type": kind,
        "attrs": attrs,
        "content": [text(each) if isinstance(each, str) else each for each in content],
    }


def text(words, **marks):
    """A text; each mark has its attributes."""
    return {"type": "text", "text": words, "marks": [{"type": kind, "attrs": attrs} for kind, attrs in marks.items()]}


def editor(page):
    return page.get_by_role("textbox", name="Document")


async def open_in(page, document):
    """Open the document in the window and wait until it may be written."""
    await page.goto(document.path)
    await editor(page).and_(page.locator("[contenteditable=true]")).wait_for()


async def saved(page):
    await page.get_by_role("status").get_by_text("Saved", exact=True).wait_for()


async def write_after(page, words, more):
    """Put the cursor at the end of the line that has these words, and write."""
    await editor(page).get_by_text(words).first.click()
    await page.keyboard.press("End")
    await page.keyboard.type(more)


async def put_caret(page, words, offset=0, below=""):
    """Put the caret behind so many letters of the first of these words, below the text `below`."""
    await editor(page).evaluate(PUT_CARET, [words, offset, below])


PUT_CARET = """(element, [words, offset, below]) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (const each of below ? [below, words] : [words]) {
    do if (!texts.nextNode()) throw new Error(`no text has ${each}`);
    while (!texts.currentNode.data.includes(each));
  }
  const { currentNode } = texts;
  element.focus();
  getSelection().collapse(currentNode, currentNode.data.indexOf(words) + offset);
  document.dispatchEvent(new Event("selectionchange"));
}"""


async def press(page, keys):
    """Press these keys one after the other."""
    for key in keys.split(" "):
        await page.keyboard.press(key)


async def composing(page):
    """Return what shows text that is being composed with an input method, and what ends it with other text."""
    session = await page.context.new_cdp_session(page)

    async def show(text):
        await session.send(
            "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        )

    async def end(text):
        await session.send("Input.insertText", {"text": text})

    return show, end


async def paste(page, html):
    """Paste what another program put on the clipboard."""
    await editor(page).evaluate(PASTE, html)


PASTE = """(element, html) => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  data.setData("text/plain", "the words alone");
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


HIDE = """(isHidden) => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SILENCE = "() => { WebSocket.prototype.send = () => undefined; }"


async def blame(page):
    """Turn blame on, by the keyboard, and wait until the server has said who wrote what."""
    await page.keyboard.press("Control+Alt+b")
    await page.get_by_role("region", name="Authors").locator("[data-revision]").wait_for()


async def undo_in_note(page):
    """Press *Undo* in the note at the foot of the window."""
    await page.get_by_label("Notifications").get_by_role("button", name="Undo", exact=True).press("Enter")


async def blamed(page):
    """As `Document.authors_of_letters`, by what blame shows of a document that is wholly in view; waits until it knows all."""
    await page.wait_for_function(f"() => !({BLAMED})().includes(null)")
    return await page.evaluate(BLAMED)


BLAMED = """() => {
  const letters = document.createTreeWalker(document.querySelector('.ProseMirror'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (letters.nextNode()) {
    const text = letters.currentNode;
    if (text.parentElement.closest('.caret, [data-type=mention]')) continue;
    const author = text.parentElement.closest('.written')?.dataset.author ?? null;
    for (let unit = 0; unit < text.length; unit++) found.push(author);
  }
  return found;
}"""


async def paste_text(page, words, **beside):
    """Paste plain text; `beside` is other data of the clipboard, by its type."""
    await editor(page).evaluate(PASTE_TEXT, [words, beside])


PASTE_TEXT = """(element, [words, beside]) => {
  const data = new DataTransfer();
  data.setData("text/plain", words);
  for (const [type, value] of Object.entries(beside)) data.setData(type.replace("_", "/"), value);
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def table(*rows):
    cells = [[block("tableCell", block("paragraph", words)) for words in row] for row in rows]
    return block("table", *(block("tableRow", *row) for row in cells))
