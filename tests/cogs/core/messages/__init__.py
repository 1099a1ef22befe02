"""How something goes out."""
