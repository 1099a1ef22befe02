"""What a person's Discord client lets them see and do. Tests and the web page act through `UserClient`."""
