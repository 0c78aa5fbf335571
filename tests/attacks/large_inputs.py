"""A document of a mebibyte, and updates of somebody who types."""

TYPIST = 9
KEYSTROKES = 20_000
WORDS = "the quick brown fox jumps over the lazy dog again and again"
IMPORT = "mutation($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }"


def large(size=1 << 20):
    """Markdown of about so many bytes: paragraphs of ten words, as people write them, with some marks."""
    lines, total = [], 0
    while total < size:
        lines.append(f"{len(lines)} **{WORDS}** {WORDS}")
        total += len(lines[-1]) + 2
    return "\n\n".join(lines) + "\n"
