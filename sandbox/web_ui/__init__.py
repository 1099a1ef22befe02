"""The web page on which one person can act as any of several users."""
