"""What of a tree survives in Markdown: two trees with equal normal forms say the same there.

Written apart from the serializer and as plainly as possible, since it is what the serializer is measured by.
"""

import re
from itertools import groupby

from documents.markdown.addresses import quoted, safe_image, safe_link

MARKS = {"bold", "italic", "strike", "code", "underline", "highlight", "subscript", "superscript"}
INLINE = {"text", "hardBreak", "image", "mention"}
LISTS = {"bulletList", "orderedList", "taskList"}
BREAK = ("break",)


def normal(tree):
    return blocks(children(tree))


def children(node):
    content = node.get("content")
    return content if isinstance(content, list) else []


def attrs(node):
    found = node.get("attrs")
    return found if isinstance(found, dict) else {}


def blocks(nodes):
    found, loose = [], []

    def flush():
        found.extend(paragraph({"content": loose}))
        loose.clear()

    for node in nodes:
        kind = node.get("type")
        if kind in INLINE - {"image"}:
            loose.append(node)
        elif kind == "image" or kind in BLOCKS or children(node):
            flush()
            found += block(node)
    flush()
    return found


def block(node):
    kind = node["type"]
    if kind in BLOCKS:
        return BLOCKS[kind](node)
    if kind == "image":
        return paragraph({"content": [node]})
    if any(child.get("type") in INLINE for child in children(node)):
        return paragraph(node)
    return blocks(children(node))


def paragraph(node):
    return [("paragraph", piece) for piece in pieces(children(node))]


def heading(node):
    try:
        level = int(attrs(node).get("level"))
    except (TypeError, ValueError, OverflowError):
        level = 1
    level = min(max(level, 1), 6)
    return [
        ("paragraph", piece) if piece[0][0][0] == "image" else ("heading", level, piece)
        for piece in pieces(children(node))
    ] or [("heading", level, [])]


def items(node):
    kind, found = node["type"], []
    for item in children(node):
        within = children(item) if item["type"] in ("listItem", "taskItem") else [item]
        found.append((attrs(item).get("checked") is True if kind == "taskList" else None, blocks(within)))
    start = attrs(node).get("start")
    valid = isinstance(start, int) and not isinstance(start, bool) and 0 <= start <= 999_999_999
    number = (start if valid else 1) if kind == "orderedList" else None
    return [(kind, number, found)] if found else []


def plain(node):
    kind = node.get("type")
    if kind == "hardBreak":
        return "\n"
    own = node.get("text") if isinstance(node.get("text"), str) else ""
    return re.sub(r"\r\n?", "\n", own).replace("\0", "\ufffd") + "".join(plain(child) for child in children(node))


def code(node):
    language = attrs(node).get("language")
    words = language.replace("\0", "\ufffd").split() if isinstance(language, str) else []
    text = re.sub(r"\r\n?", "\n", "".join(map(plain, children(node))))
    return [("code", words[0] if words else None, text)]


def details(node):
    summaries = [plain(child) for child in children(node) if child["type"] == "detailsSummary"]
    within = []
    for child in children(node):
        if child["type"] == "detailsContent":
            within += children(child)
        elif child["type"] != "detailsSummary":
            within.append(child)
    return [("details", " ".join(" ".join(summaries).split()), blocks(within))]


def table(node):
    rows = [[cell(found) for found in children(row)] for row in children(node) if row["type"] == "tableRow"]
    width = max(map(len, rows), default=0)
    return [("table", [row + [[]] * (width - len(row)) for row in rows])] if width else []


def cell(node):
    groups = [[]]

    def gather(within):
        if within.get("type") in INLINE:
            groups[-1].append(within)
        elif within.get("type") == "codeBlock":
            said = "".join(child.get("text", "") for child in children(within))
            groups.extend([{"type": "text", "text": each}] for each in re.split(r"\r\n?|\n", said))
            groups.append([])
        elif children(within):
            groups.append([])
            for child in children(within):
                gather(child)
            groups.append([])

    gather(node)
    joined = []
    for group in groups:
        if any(pieces(group)):
            joined += [{"type": "hardBreak"}, *group] if joined else group
    return [line for piece in pieces(joined) for line in piece]


BLOCKS = {
    "paragraph": paragraph,
    "heading": heading,
    "blockquote": lambda node: [("quote", blocks(children(node)))],
    **dict.fromkeys(LISTS, items),
    "codeBlock": code,
    "horizontalRule": lambda _: [("rule",)],
    "table": table,
    "details": details,
}


def marks(node):
    found = {mark["type"] for mark in node.get("marks") or [] if mark["type"] in MARKS}
    links = [attrs(mark) for mark in node.get("marks") or [] if mark["type"] == "link"]
    links = [link for link in links if isinstance(link.get("href"), str) and safe_link(link["href"])]
    return frozenset(found | ({("link", quoted(links[0]["href"]), title(links[0]))} if links else set()))


def title(found):
    value = found.get("title")
    return " ".join(value.replace("\0", "\ufffd").split()) if isinstance(value, str) else ""


def clean(value):
    text = value if isinstance(value, str) else ""
    return re.sub(r"\r\n?|\n", " ", text).replace("\0", "\ufffd")


def pieces(nodes):
    """The lines of text between images, and each image, which is a block wherever Markdown has it."""
    atoms = [found for node in nodes for found in atom(node)]
    for is_image, part in groupby(atoms, key=lambda found: found[0] == "image"):
        if is_image:
            yield from ([[image]] for image in part)
        elif found := lines(part):
            yield found


def lines(atoms):
    """Breaks and characters, each character with its marks; runs are joined again at the end."""
    broken = [[]]
    for found in atoms:
        if found == BREAK:
            broken.append([])
        else:
            broken[-1].append(found)
    broken = [trimmed(line) for line in broken]
    while broken and not broken[0]:
        broken.pop(0)
    while broken and not broken[-1]:
        broken.pop()
    return [runs(line) for line in broken]


def atom(node):
    kind = node.get("type")
    if kind == "text":
        found = marks(node)
        return [
            ("char", char, frozenset() if char.isspace() and "code" not in found else found)
            for char in clean(node.get("text"))
        ]
    if kind == "hardBreak":
        return [BREAK]
    if kind == "mention":
        label = attrs(node).get("label") or attrs(node).get("id") or ""
        return atom({"type": "text", "text": f"@{label}", "marks": node.get("marks")})
    if kind == "image":
        source = attrs(node).get("src")
        source = source if isinstance(source, str) else ""
        if not safe_image(source):
            return atom({"type": "text", "text": attrs(node).get("alt"), "marks": node.get("marks")})
        return [("image", quoted(source), clean(attrs(node).get("alt")), title(attrs(node)))]
    return [found for child in children(node) for found in atom(child)]


def trimmed(line):
    def blank(found):
        return found[0] == "char" and found[1] in " \t\n" and "code" not in found[2]

    while line and blank(line[0]):
        line = line[1:]
    while line and blank(line[-1]):
        line = line[:-1]
    return line


def runs(line):
    found = []
    for at in line:
        if at[0] == "char" and found and found[-1][0] == "text" and found[-1][2] == at[2]:
            found[-1] = ("text", found[-1][1] + at[1], at[2])
        else:
            found.append(("text", at[1], at[2]) if at[0] == "char" else at)
    return found
