"""Documents: what a document is, without I/O.

Bytes become a tree, and a tree becomes text; each step is a package of its own. A package imports from those below it and
never from one beside or above it; import-linter holds the order.

    admission    what an update from outside is asked before it is applied
    editing      what an edit in Markdown does to a document, beside what others changed meanwhile
    history      who wrote, deleted, moved and formatted what; undo, attribution, compaction
    projection   what is made of a snapshot to be read: tree, Markdown, outline, searched words
    markdown     Markdown and HTML, written and read
    tree         the ProseMirror tree and its schema, read from Yjs and written to it
    yjs          the bytes of Yjs: scanned, read, cut, applied and encoded

`admission` and `editing` stand beside each other. Whoever runs any of this (`computing`, `live`) sees to threads,
processes and time; everything here is a function of its values.
"""
