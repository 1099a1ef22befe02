"""What the bot's owner sets and sees: configuration, tasks, logs, figures, health."""
