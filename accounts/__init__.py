"""Use cases of people and organizations over the store, for the command, the first start and the demo world."""
