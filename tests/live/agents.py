"""Agents that edit a document over REST and remember what they asked, with letters of their own."""

import re
from dataclasses import dataclass

# The person took the letter away, or wrote it again; or writes faster than the edit is computed.
REFUSED = ("PASSAGE_NOT_FOUND", "PASSAGE_AMBIGUOUS", "REVISION_CHANGED")
AGENTS = ("scribe", "scout")
REWRITES = ("rewrite", "refuse")
KINDS = ("append", "passages", *("insert",) * 2, *("rewrite",) * 3, "refuse")
PERSONS = range(0x4E00, 0x9F00)  # letters of the person, each of which is written once
AGENTS_OWN = range(0xAC00, 0xD7A0)
# The first letter of a word; an edit may write again what is within a word that it changes.
BEGINS = re.compile(rf"(?<=[ \n])[{chr(PERSONS[0])}-{chr(PERSONS[-1])}]")


@dataclass(frozen=True, slots=True)
class Made:
    """What an agent asked for, with the words that it made up for it, and what it was answered."""

    kind: str
    base: int
    asked: dict
    words: str
    answer: dict

    @property
    def wanted(self):
        """The whole text that the agent asked for; None where it named no letters to go."""
        return self.asked.get("replace") if self.kind in REWRITES else None


class Agent:
    """Edits a document over REST as agents do, and remembers what it asked and which revision that made."""

    def __init__(self, name, api, document, chance, letters):
        self.name, self.api, self.document, self.chance, self.letters = name, api, document, chance, letters
        self.made, self.tried, self.refused = [], [], 0
        self.words = ""

    def word(self):
        made = "".join(next(self.letters) for _ in range(1 + self.chance.randrange(3)))
        self.words += made
        return made

    async def read(self):
        read = (await self.api.get(f"/api/v1/documents/{self.document}")).raise_for_status().json()
        return read["markdown"], read["item"]["revision"]

    async def act(self):
        text, revision = await self.read()
        self.words = ""
        kind = self.chance.choice(KINDS)
        if kind == "append":
            asked = {"append": f"{self.word()}\n\n- {self.word()}"}
        elif kind == "passages":
            old = self.chance.choice(BEGINS.findall(text) or ["?"])
            asked = {"passages": [{"old": old, "new": f"{self.word()} {old}"}]}
        else:
            wanted = self.inserted(text) if kind == "insert" else self.rewritten(text)
            asked = {"replace": wanted, "base": revision}
        if kind == "refuse":
            asked |= {"onConflict": "refuse"}
        is_dry = self.chance.random() < 0.15
        answer = await self.api.patch(
            f"/api/v1/documents/{self.document}",
            json=asked | {"dryRun": is_dry},
            headers={"x-service-agent": self.name},
        )
        if answer.status_code == 409:
            assert answer.json()["code"] in REFUSED, answer.text
            self.refused += not is_dry
            return
        assert answer.status_code == 200, answer.text
        made = Made(kind, revision, asked, self.words, answer.json())
        (self.tried if is_dry else self.made).append(made)

    def inserted(self, text):
        """The text with words of the agent's own before some of the person's, and without some of its own."""
        own = rf"(?<=\w )[{chr(AGENTS_OWN[0])}-{chr(AGENTS_OWN[-1])}]+ "
        kept = re.sub(own, lambda found: "" if self.chance.random() < 0.2 else found[0], text)
        return BEGINS.sub(lambda found: f"{self.word()} {found[0]}" if self.chance.random() < 0.2 else found[0], kept)

    def rewritten(self, text):
        blocks = text.strip("\n").split("\n\n")
        for _ in range(1 + self.chance.randrange(3)):
            at = self.chance.randrange(len(blocks)) if blocks else 0
            match self.chance.randrange(5) if blocks else 0:
                case 0:
                    blocks.insert(at, self.word())
                case 1:
                    del blocks[at]
                case 2:
                    blocks[at] = "# " + blocks[at].lstrip("#->* ").replace("\n", " ")
                case 3:
                    blocks[at] = "- " + blocks[at].lstrip("#->* ")
                case 4:
                    blocks.insert(self.chance.randrange(len(blocks)), blocks.pop(at))
        return "\n\n".join(blocks)
