"""The running bot: its Discord client, command line, start-up, and the servers for metrics and health."""
