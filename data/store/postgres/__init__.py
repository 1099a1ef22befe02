"""The store in a PostgreSQL database: for whoever outgrows one process, or has a database server anyway.

Needs the extra `postgres` of the package (psycopg). `address` reads where the database is, `pool` keeps connections,
`batches` sends what is written at one moment together, `database` is how the rooms read and write, `statements` what
several of them do, `lock` keeps a second bot off, or lets others in that share the database, `presence` says that a
process is there and `leases` changes who serves what, `growth` applies the migrations, `backup` calls `pg_dump`,
`moving` empties and fills a whole database, `errors` puts complaints into words, and the other rooms answer what the
interface beside this folder asks.
"""
