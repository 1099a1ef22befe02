"""Messages and interactions: what the bot sends, what people send it, and how both are checked and stored."""
