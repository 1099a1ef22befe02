"""The owner's tools, through the real client on the sandbox."""
