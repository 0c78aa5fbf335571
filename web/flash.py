"""Flash messages: values that the page after a form shows once, sealed in a cookie that is cleared when they are shown.

The cookie is encrypted under a key that is derived from the session's secret, which the server keeps as a digest alone:
nothing is stored here, any process can open it, and nobody but this session's browser can make one. It is good for one
page (`path`), so that no other page shows it.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from litestar import Response

from web.context import PageRequest, WebContext
from web.pages import redirect
from web.session import Visitor

NAME: Final = "flash"
MAX_SECONDS: Final = 60
_NONCE: Final = 12  # bytes, as NIST SP 800-38D recommends for GCM

type Values = Mapping[str, str]


def seal(visitor: Visitor, path: str, values: Values) -> str:
    """Return the message as the value of a cookie."""
    nonce = os.urandom(_NONCE)
    sealed = AESGCM(visitor.flash_key).encrypt(nonce, msgspec.json.encode(values), path.encode())
    return (nonce + sealed).hex()


def unseal(visitor: Visitor, path: str, text: str) -> Values | None:
    """Return the message, or None for what was not sealed for this session and page."""
    try:
        content = bytes.fromhex(text)
        opened = AESGCM(visitor.flash_key).decrypt(content[:_NONCE], content[_NONCE:], path.encode())
    except (ValueError, InvalidTag):
        return None
    return msgspec.json.decode(opened, type=dict[str, str])


def redirect_with_flash(context: WebContext, visitor: Visitor, path: str, values: Values) -> Response[None]:
    """Redirect to `path`, which shows the values once."""
    cookies = context.cookies
    return redirect(path, cookies.made(cookies.beside(NAME), seal(visitor, path, values), MAX_SECONDS))


def read_flash(context: WebContext, request: PageRequest, visitor: Visitor) -> Values | None:
    """Return the values that the requested page shows once, if any; a HEAD request shows none."""
    text = context.cookies.value(request.headers, context.cookies.beside(NAME)) if request.method == "GET" else None
    return unseal(visitor, request.scope["path"], text) if text else None


def clear_flash(context: WebContext, answer: Response[Any]) -> Response[Any]:
    """Clear the message with the answer that shows it."""
    answer.headers["set-cookie"] = context.cookies.made(context.cookies.beside(NAME), "", 0)
    return answer
