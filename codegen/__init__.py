"""The generator of the contract's files, the clients and the reference pages: a tool of this repository, not shipped."""
