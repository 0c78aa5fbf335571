"""A room in which people change the structure of a document at random, with the writer of each letter."""

import random
from dataclasses import dataclass, field
from datetime import timedelta

from pycrdt import XmlElement, XmlFragment, XmlText

from documents.editing.edit import Whole, edit
from documents.history.attribution import Logged, attributions, credited_ranges
from documents.history.credits import Credits, Source
from documents.history.replay import LoggedEdit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree, place
from documents.tree.tree import text_of, tree
from documents.yjs.snapshot import load
from tests.support.documents.histories import BEGIN

WRITERS = ("ada", "ben", "cleo")
LETTERS = range(0xAC00, 0xD7A4)  # of words, which are told apart by the spaces between them
TABLE = "| {} | {} |\n| --- | --- |\n| {} | {} |\n| {} | {} |"


@dataclass
class Room:
    """A document in which everybody sees everything at once, and whose each letter is; by `writer` they are known."""

    chance: random.Random
    log: list = field(default_factory=list)
    writer: dict = field(default_factory=dict)
    count: int = 0

    def words(self, who, least=1, most=6):
        return " ".join(self.word(who) for _ in range(self.chance.randint(least, most)))

    def word(self, who):
        made = ""
        for _ in range(self.chance.randint(2, 7)):
            letter = chr(LETTERS[self.count])
            self.count += 1
            self.writer[letter] = who
            made += letter
        return made

    def begin(self):
        blocks = [self.words("ada", 3) for _ in range(4)]
        blocks += [f"# {self.words('ada')}", f"> {self.words('ada', 3)}", self.table("ada")]
        blocks += ["\n".join(f"- {self.words('ada')}" for _ in range(3))]
        self.chance.shuffle(blocks)
        self.add(from_tree(parse("\n\n".join(blocks)), 5), "ada")
        for _ in range(4):
            self.type(self.chance.choice(WRITERS))

    def table(self, who):
        return TABLE.format(*(self.words(who, 1, 2) for _ in range(6)))

    def add(self, update, who):
        self.log.append(LoggedEdit(update, who, None, BEGIN + timedelta(minutes=len(self.log))))

    @property
    def updates(self):
        return [each.update for each in self.log]

    @property
    def tree(self):
        return tree(load(None, self.updates))

    def act(self, who, act):
        doc, made = load(None, self.updates), []
        doc.observe(lambda event: made.append(event.update))
        with doc.transaction():
            act(doc.get("default", type=XmlFragment))
        for update in made:
            self.add(update, who)

    def type(self, who):
        """Write some words between two others."""

        def write(root):
            text = self.chance.choice([each for each in texts(root) if str(each).strip()])
            said = "".join(run for run, _ in text.diff())
            places = [at for at in range(len(said) + 1) if at in (0, len(said)) or said[at - 1] == " "]
            at = self.chance.choice(places)
            space = " " if at and said[at - 1] != " " else ""
            text.insert(len(said[:at].encode()), f"{space}{self.words(who, 1, 2)} ")

        self.act(who, write)

    def rewrite(self, who):
        """Replace a paragraph by another sentence that shares words with it, no two of them side by side, and one run of some."""

        def write(root):
            blocks = [
                (at, text_of_block(each))
                for at, each in enumerate(root.children)
                if getattr(each, "tag", "") == "paragraph"
            ]
            blocks = [(at, said.split()) for at, said in blocks if len(said.split()) > 2]
            if not blocks:
                return
            at, said = self.chance.choice(blocks)
            shared = self.chance.sample(said, self.chance.randint(1, len(said)))
            made = [self.word(who)]
            for each in shared:
                made += [each, self.word(who)]
                self.writer |= dict.fromkeys(each, who)
            start = self.chance.randrange(len(said))
            run = said[start : start + self.chance.randint(2, 5)]
            if not {*run} & {*shared} and len(run) > 1:
                made += [*run, self.word(who)]
                if len("".join(run)) < 12:
                    self.writer |= dict.fromkeys("".join(run), who)
            del root.children[at : at + 1]
            place(root, at, [{"type": "paragraph", "content": [{"type": "text", "text": " ".join(made)}]}])

        self.act(who, write)

    def edit(self, who):
        """Change the structure in Markdown, and write a sentence beside it."""
        now = markdown(self.tree)
        blocks = now.strip("\n").split("\n\n")
        at = self.chance.randrange(len(blocks))
        block = blocks[at]
        is_plain = block[:1] not in "#->|<0123456789*+" and "[" not in block  # neither is an empty document
        kind = self.chance.choice(("heading", "list", "task", "quote", "move", "plain", "split", "join", "append"))
        if kind == "move":
            blocks.insert(self.chance.randrange(len(blocks)), blocks.pop(at))
        elif kind == "append":
            blocks.insert(at, self.words(who, 2))
        elif kind == "plain" and block.startswith(("# ", "> ", "- ")) and "\n" not in block and "[" not in block:
            blocks[at] = block[2:]
        elif is_plain and kind == "split" and len(block.split()) > 1:
            words = block.split()
            cut = self.chance.randint(1, len(words) - 1)
            blocks[at : at + 1] = [" ".join(words[:cut]), " ".join(words[cut:])]
        elif is_plain and kind == "join" and at and ord(blocks[at - 1][0]) in LETTERS and "\n" not in blocks[at - 1]:
            blocks[at - 1 : at + 1] = [f"{blocks[at - 1]} {block}"]
        elif is_plain and kind in (marks := {"heading": "# ", "list": "- ", "task": "- [ ] ", "quote": "> "}):
            blocks[at] = marks[kind] + block
        made = edit(load(None, self.updates), Whole("\n\n".join(blocks)))
        assert isinstance(made, bytes)
        # A task that comes to stand behind a list is read as its item, with a box that the agent wrote before a short text.
        if made and "\\[" not in markdown(tree(load(None, [*self.updates, made]))):
            self.add(made, who)

    def check(self, log=None, snapshot=None, known=None):
        """Compare whose each letter is by the credits with who wrote it."""
        log = logged(self.log) if log is None else log
        document = self.tree
        said = attributions(snapshot, Credits.decode(known), log)
        for each in said:
            at = document
            for number in each.path:
                at = at["content"][number]
            for letter in at["text"][each.start : each.stop]:
                assert each.source.user_id == self.writer.get(letter, each.source.user_id), (
                    letter,
                    each.source.user_id,
                    markdown(document),
                )
        seen = sum(each.stop - each.start for each in said)
        assert seen == len(text_of(document).replace("\n", ""))
        ranges = credited_ranges(snapshot, Credits.decode(known), log)
        assert {each.source.user_id for each in ranges} >= {each.source.user_id for each in said}


def texts(node):
    found = []
    for each in node.children:
        if isinstance(each, XmlText):
            found.append(each)
        elif isinstance(each, XmlElement):
            found += texts(each)
    return found


def text_of_block(element):
    return "".join(run for text in texts(element) for run, _ in text.diff())


def logged(log):
    return [Logged(each.update, Source.of(each.user_id, each.agent, each.at), each.copied) for each in log]
