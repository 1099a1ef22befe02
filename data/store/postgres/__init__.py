"""The store in a PostgreSQL database: for whoever outgrows one process, or has a database server anyway.

Needs the extra `postgres` of the package (psycopg). `address` reads where the database is, `pool` keeps connections,
`database` is how the rooms read and write, `growth` applies the migrations, `backup` calls `pg_dump`, `errors` puts
complaints into words, and the other rooms answer what the interface beside this folder asks.
"""
