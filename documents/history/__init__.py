"""The history of a document, read from its log: authors, changes, undo, attribution, compaction.

    log --replay--> every item there ever was, and the edit that inserted and deleted it
           |           item_runs    items cut where those edits change
           |           moves        text that one update deletes and inserts (move_candidates: may it?)
           |           copied_text  moved and restored text, which stays its first author's
           |           credits      clocks -> author and minute; owners: client id -> author
           |
           +-- changes ------ undo, undo_formats   what changed in which block; and one update that takes it back
           +-- attribution                         each stretch of the text -> author, minute, mover
           +-- unseen --- followed, losses         text that went with a block whose deleter had not seen it
           +-- duplicate                           a new document of its text, with the credits of who wrote it
           +-- restored_text                       whose letters the restore of a version writes again
           +-- compaction                          many updates -> one, without changing any answer above

Everything goes by ids (client and clock), never by comparing texts, so two equal words are told apart. An id is credited
to the first update that has it; later repetitions change nothing. Where the log was compacted, `credits` are what is
left of it, and `compaction` refuses a result from which any reader would learn something else.
"""
