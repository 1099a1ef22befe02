"""What people and servers have set."""
