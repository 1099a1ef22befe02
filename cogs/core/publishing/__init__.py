"""Messages: pages are built and rendered here, sent, kept up to date, and deleted."""
