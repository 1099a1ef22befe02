"""The store in one SQLite file.

`growth` applies the migrations, `opening` looks at the file first and keeps a second bot from it, `connection` and
`writer` are how it is reached, `database` both together, `jobs` what is done to rows inside a transaction, `backup` how
it is copied, `moving` how it is emptied and filled, `alive` whether a bot runs on it, and the other rooms answer what
the interface beside this folder asks.
"""
