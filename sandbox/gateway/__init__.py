"""The gateway: WebSocket connections of the bot, their sessions, and the events sent to them."""
