"""One live table: its lock, the one path of an action, deadlines, presence, computer players; and all tables."""
