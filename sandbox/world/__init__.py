"""The state of a small Discord: people, servers, channels, messages, and the events that announce its changes."""
