"""The bytes of Yjs: scanned before the library sees them, read struct by struct, cut, applied and encoded.

                   update (bytes from anywhere)
                      |
    lib0 <- scan, keystroke                 is it one well-formed update, and what would it change?
                      |  Scanned | Refused
         +------------+--------------+
         |            |              |
      snapshot      structs       slices
      apply, load,  read and      cut into smaller
      encode        write         updates
         |            |
    pycrdt_internals  +-- item_list            all items in the order of their lists, with what was deleted
                      +-- relative_position    a place that stays while others write around it

Nothing reaches `pycrdt` that `scan` did not pass, and what it says of an update (clocks, deletions,
depth) is what callers decide by. `keystroke` gives the same answer for the short updates of typing by a look at their
first bytes. `structs` and `item_list` read what the library does not expose: ids, neighbours, deleted content. They trust
their bytes, which were scanned. `pycrdt_internals` is the one module that names private parts of the library.

The words are those of Yjs: a struct is a run of clocks of one client, an item a struct that stands in a list, a state
vector the next clock of each client. Lengths are in units of UTF-16, sizes in bytes.
"""
