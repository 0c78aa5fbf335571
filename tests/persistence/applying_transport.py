"""The transport of a connection whose document takes what it is sent."""

import asyncio
from dataclasses import dataclass, field

from pycrdt import Doc

from live import codec

APPLIED = codec.sync_status(applied=True)


@dataclass
class Told:
    """What a socket was told: acknowledgements are counted, what others wrote is brought into the document."""

    doc: Doc
    acknowledged: int = 0
    hearing: bool = False  # so that nobody sends on what they heard
    code: object = None
    told: asyncio.Event = field(default_factory=asyncio.Event)

    @staticmethod
    def frame(message):
        return message

    def write(self, frames):
        for message in frames:
            if message == APPLIED:
                self.acknowledged += 1
            elif isinstance(body := codec.read(message, named=False)[1], codec.UpdateMessage):
                self.hearing = True
                self.doc.apply_update(body.update)
                self.hearing = False
        self.told.set()

    def send(self, message, *, whole=False):
        del whole
        self.write([message])

    def close(self, code):
        self.code = code
        self.told.set()
