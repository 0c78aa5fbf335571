"""The admission of updates from outside: each check that one passes after the scan, before it is applied and stored.

    update --+-- update_v2          the other encoding, which is refused by name
             +-- known_clocks       does it repeat clocks, and with the same content? else it is a forgery
             +-- deletions          does it delete anything that is not deleted yet?
             +-- surrogate_pairs    does it cut a character in half?
             +-- cost               may the library take long over it? then it is tried in a process of its own
             +-- admit              is the document that results within the limits?

    import --+-- schema_names       names of other ProseMirror schemas become ours
             +-- imported           content moves to the root that is read; what no read shows is found
                   update_names     names in an update, replaced in place

Each module answers one question of one update, and knows nothing of connections, callers or rights: `live` asks them for what
editors send, `computing.import_check` for what is imported. A refusal says why, and leaves the document as it was unless
the module says that it is spent.
"""
