"""Where letters arrive in tests: a mail server that takes whatever it is given, in a thread of its own."""

import email
import email.policy
import re
import socketserver
import threading
from collections import defaultdict
from contextlib import contextmanager
from queue import Queue

from tests.support.processes.servers import PATIENCE

_LINK = re.compile(r"https?://\S+")


class _Conversation(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self):
        self.say("220 letterbox")
        for line in iter(self.rfile.readline, b""):
            word = line[:4].strip().upper()
            if refusal := self.server.refusals.get(word):
                self.say(refusal)
                continue
            if word == b"DATA":
                self.say("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                letter = b"".join(each.removeprefix(b".") if each.startswith(b"..") else each for each in lines)
                self.server.take(email.message_from_bytes(letter, policy=email.policy.default))
            self.say("221 bye" if word == b"QUIT" else "250 ok")
            if word == b"QUIT":
                return


class Letterbox(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), _Conversation)
        self.guard = threading.Lock()
        self.letters = defaultdict(Queue)
        self.refusals = {}

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    def take(self, letter):
        self.of(letter["To"]).put(letter)

    def of(self, address):
        with self.guard:
            return self.letters[address]

    def next(self, to):
        """Wait for the next letter to this address; return its subject and text."""
        letter = self.of(to).get(timeout=PATIENCE)
        return letter["Subject"], letter.get_content()

    def link(self, to):
        """Return the path of the link in the next letter."""
        _, text = self.next(to)
        return "/" + _LINK.search(text)[0].split("/", 3)[3]


@contextmanager
def letterbox(port=0):
    with Letterbox(port) as box:
        thread = threading.Thread(target=box.serve_forever, daemon=True)
        thread.start()
        yield box
        box.shutdown()
        thread.join(PATIENCE)
