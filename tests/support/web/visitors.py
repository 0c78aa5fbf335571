"""People with a browser that runs no scripts: pages, their forms, and the cookie that comes of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import html5lib
import httpx

from tests.support.processes.servers import PATIENCE

XHTML = "{http://www.w3.org/1999/xhtml}"


@dataclass
class Form:
    action: str
    fields: dict[str, Any]
    words: list[str | None] = field(default_factory=list)


class Visitor(httpx.Client):
    """`origin` is what the browser says of the page that a form is on; None for a browser that says nothing."""

    def __init__(self, base_url: str, origin: str | None = "own") -> None:
        super().__init__(base_url=base_url, timeout=PATIENCE, follow_redirects=False)
        self.own = base_url if origin == "own" else origin

    def form(self, path: str, action: str | None = None, *, words: str | None = None) -> Form:
        """Return the form of a page that leads to `action`, or that has a button with these words."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.headers.get("location"))
        found = [
            each
            for each in forms(answer.text)
            if action in (None, each.action) and (words is None or words in each.words)
        ]
        assert found, f"{path} has no form that leads to {action}"
        return found[-1]

    def fill(self, form: Form, **filled: str) -> httpx.Response:
        return self.submit(form.action, form.fields | filled)

    def submit(self, path: str, fields: Mapping[str, str], **headers: str) -> httpx.Response:
        said = {"origin": self.own} if self.own else {}
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return self.post(path, content=urlencode(fields), headers=kind | said | headers)

    def see(self, form: Form, **filled: str) -> httpx.Response:
        """Fill a form that leads on to a page, and return that page."""
        answer = self.fill(form, **filled)
        assert answer.status_code == 303, answer.text
        return self.get(answer.headers["location"])

    def sign_in(self, email: str, password: str, **fields: str) -> httpx.Response:
        return self.submit("/sign-in", {"email": email, "password": password} | fields)

    @property
    def cookie(self) -> str | None:
        return dict(self.cookies).get("codrive")

    def graphql(self, query: str, **headers: str) -> httpx.Response:
        return self.post("/graphql", json={"query": query}, headers={"origin": self.own or ""} | headers)


def ask(visitor: Visitor, query: str, **variables: Any) -> Any:
    """What a signed-in browser is answered over GraphQL: the data, or the code of the refusal."""
    answer = visitor.post(
        "/graphql", json={"query": query, "variables": variables}, headers={"origin": visitor.own or ""}
    )
    body = answer.json()
    return body["errors"][0]["extensions"]["code"] if body.get("errors") else body["data"]


def forms(text: str) -> list[Form]:
    document = html5lib.HTMLParser(strict=True).parse(text)
    return [
        Form(
            each.get("action"),
            {
                one.get("name"): one.get("value", "")
                for one in each.iter(f"{XHTML}input")
                if one.get("name") and (one.get("value") or one.get("type") == "hidden")
            },
            [word for one in each.iter(f"{XHTML}button") for word in (one.get("aria-label"), one.text)],
        )
        for each in document.iter(f"{XHTML}form")
    ]


def shown(text: str) -> str:
    """Return the secret that a page shows this once."""
    found = re.search(r'<code class="secret"[^>]*>([^<]+)</code>', text)
    assert found
    return found[1]
