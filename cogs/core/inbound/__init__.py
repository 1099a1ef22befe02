"""Handling of what people ask for: slash commands, buttons, selects and modals."""
