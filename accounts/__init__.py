"""Use cases of people: sign in, sign up, reset, verify, invite, and what their operator does to accounts.

Each is an async function over `AccountPorts` (for the operator's: over the store) that returns a value or a Rejection.
"""
