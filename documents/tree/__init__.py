"""The ProseMirror tree of a document: read from Yjs, written to Yjs, and held against the schema.

    Doc --tree--> {"type": "doc", "content": [...]} --build--> update, or children of an element in use
                     |
                     +-- fitting       do these blocks fit the schema? editors delete those that do not
                     +-- table_grid    which cell lies under which column
                     +-- schema        the nodes and marks, from schema.json, and the order of marks

`tree` is what all readers see: the stored nodes, attributes and marks, in one order, so that equal states give equal
trees. It never raises, whatever a client stored. `build` is its inverse in the form that the editors store, so reading what
was built gives the tree again. `encoding` compares by it: a document is stored as one update only where that update
gives the same tree.

A tree is JSON (`Json`): values of dict, list, str, int, float, bool. A path is the indexes of children from the root.
"""
