"""The contract: every operation as a row, and what GraphQL's schema says of its inputs and its answer.

    operations.py          one row for each operation: name, method, path, document, surfaces, rejections
    operations.graphql     the document of each row (models.graphql: of those whose answers to models are shorter)
    descriptions.py        what each is for, in the words of its caller
          |
          |   the GraphQL schema, built once at start by `graphql_api`
          v
    derivation --> contract.Contract --> one OperationSchema for each row: its inputs, its answer, its spellings
       input_types, scalars, bounds        which values are inputs, and how they are parsed
       examples                            a value of any schema

What `rest_adapter`, `mcp_adapter` and `codegen` present is derived from a `Contract`, and `edge` parses requests by it; none of
them knows `graphql_api`, which executes a row's document and is handed to them by `service`. `errors` is the one way a
`domain.errors.Rejection` travels as an exception, in GraphQL and beside it.
"""
