"""How something goes out: pages as values, their layout, the table message, direct messages, turn pings."""
