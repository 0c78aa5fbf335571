"""Edits in Markdown: merged into the document beside what others changed since it was read, by the least update.

    edit (the request) --> the wanted Markdown
       nearest: what a missing passage was likely meant to be
          |
    hunks --> markdown_merge --> text_merge, carried         the wanted tree; what Markdown cannot say stays
          |
    rebase  (where the edit has a base: the document as its author read it)
       natives --> conflicts --> three_way                   which hunks both sides changed, and what hangs together
       concurrent_blocks                                     blocks in which others wrote stay what they are
          |
    apply_tree --> apply_text                                the least update that makes the document this tree
          |
    edit_effect <-- edit_report                              what the answer says: changed, left alone, lost

`sequence_alignment` pairs the items of two sequences, `text_diff` the words of two texts: all of the above ask these.
A merge compares three: the document, its Markdown read back, and the wanted Markdown; only what differs between the last two is
done to the first. The update names ids, so edits that arrive meanwhile merge with it as Yjs merges.
"""
