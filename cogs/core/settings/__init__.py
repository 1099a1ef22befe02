"""What has been set: by a server's managers, and by each person for themselves."""
