"""The tests; the tree below mirrors the house."""
