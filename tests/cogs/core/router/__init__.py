"""How something comes in."""
