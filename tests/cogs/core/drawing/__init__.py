"""How pictures are made."""
