"""Projections: one snapshot of a document, made into what is read.

    Doc --> projection      the tree and the Markdown
             ^     incremental   the same while a document is edited: only blocks that an edit touched are made anew
            outline         the headings, each named by its Yjs id, and the Markdown of a section or a run of blocks
            search_text     the words of title and text, folded; excerpts around what was found
              typing_errors   the words that are one slip away from a searched one

A projection is a value: it belongs to one revision and is thrown away with it. Nothing here changes a document; where
`outline` writes to one to learn its ids, that copy is spent.
"""
