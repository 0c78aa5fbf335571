"""Where letters arrive in tests: a mail server that takes whatever it is given, in a thread of its own."""

import email
import email.policy
import re
import socketserver
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from queue import Queue
from typing import cast

from tests.support.processes.servers import PATIENCE

_LINK = re.compile(r"https?://\S+")


class _Conversation(socketserver.StreamRequestHandler):
    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        box = cast(Letterbox, self.server)
        self.say("220 letterbox")
        for line in iter(self.rfile.readline, b""):
            word = line[:4].strip().upper()
            if refusal := box.refusals.get(word):
                self.say(refusal)
                continue
            if word == b"DATA":
                self.say("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                letter = b"".join(each.removeprefix(b".") if each.startswith(b"..") else each for each in lines)
                box.take(email.message_from_bytes(letter, policy=email.policy.default))
            self.say("221 bye" if word == b"QUIT" else "250 ok")
            if word == b"QUIT":
                return


class Letterbox(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Conversation)
        self.guard = threading.Lock()
        self.letters: defaultdict[str, Queue[EmailMessage]] = defaultdict(Queue)
        self.refusals: dict[bytes, str] = {}

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    def take(self, letter: EmailMessage) -> None:
        self.of(letter["To"]).put(letter)

    def of(self, address: str) -> Queue[EmailMessage]:
        with self.guard:
            return self.letters[address]

    def next(self, to: str) -> tuple[str, str]:
        """Wait for the next letter to this address; return its subject and text."""
        letter = self.of(to).get(timeout=PATIENCE)
        return letter["Subject"], letter.get_content()

    def link(self, to: str) -> str:
        """Return the path of the link in the next letter."""
        _, text = self.next(to)
        found = _LINK.search(text)
        assert found, text
        return "/" + found[0].split("/", 3)[3]


@contextmanager
def letterbox(port: int = 0) -> Iterator[Letterbox]:
    with Letterbox(port) as box:
        thread = threading.Thread(target=box.serve_forever, daemon=True)
        thread.start()
        yield box
        box.shutdown()
        thread.join(PATIENCE)
