"""The product: one GraphQL schema whose resolvers load facts, let the domain decide and record what it decided."""
