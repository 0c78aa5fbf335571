"""A hand-written stand-in for what runs the operations: it answers by the contract's own schemas."""
