"""Markdown and HTML, written from a tree and read into one.

    tree --markdown_out--> Markdown             tree --html--> HTML, allow-listed
           inline_out                                  html_inline
    tree <--markdown_in--- Markdown             tree <--html_in--- HTML (in Markdown, or pasted)
           markdown_it_internals                       unsupported_markup: what the schema has no place for

`markdown_out` and `markdown_in` are a pair: what is written and read again gives the same tree, but for what Markdown
cannot express, which is left out without a trace. What is read fits the schema; `images` takes images out of texts, which in
the schema are blocks. `escapes` reads Markdown without its escapes, so that a passage is found however it is spelled.

`addresses` is the allow-list of where a link or an image may lead; Markdown and HTML ask the same one. The application has
its own, which is asked the same cases (`tests/documents/samples/addresses.json`). `markdown_it_internals` is the one module
that names private parts of the parser.
"""
