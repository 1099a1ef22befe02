"""Which process serves which servers: shard leases, their gateway sessions, and the guard on calls."""
