"""What the owner sets and sees."""
